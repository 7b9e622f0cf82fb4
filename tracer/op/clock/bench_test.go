package clock

import (
	"fmt"
	"testing"
)

// What two tasks do that take turns: each learns the latest operation of the other.
func BenchmarkTurns(b *testing.B) {
	for _, last := range []int32{1, 200, 5000, 100000} {
		b.Run(fmt.Sprint(last), func(b *testing.B) {
			b.ReportAllocs()
			memory := new(Memory)
			var all *Clock
			for task := range last {
				all = all.With(task, 1)
			}
			x, y, k := all, all, int32(2)
			for b.Loop() {
				k++
				x = memory.Learn(x, y, nil, 0).With(last, k)
				y = memory.Learn(y, x, nil, last).With(0, k)
			}
		})
	}
}

// An object learns from tasks that each have their clock from another one: they
// say the same of all but the last tasks.
func BenchmarkApart(b *testing.B) {
	for _, last := range []int32{200, 5000, 100000} {
		b.Run(fmt.Sprint(last), func(b *testing.B) {
			b.ReportAllocs()
			memory := new(Memory)
			var x, y *Clock
			for task := range last {
				x, y = x.With(task, 1), y.With(task, 1)
			}
			k := int32(2)
			for b.Loop() {
				k++
				y = y.With(k%last, k)
				x = memory.Learn(x, y, nil, last).With(last, k)
			}
		})
	}
}
