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
			var all *Clock
			for task := range last {
				all = all.With(task, 1)
			}
			x, y, k := all, all, int32(2)
			for b.Loop() {
				k++
				x = Learn(x, y, nil, 0).With(last, k)
				y = Learn(y, x, nil, last).With(0, k)
			}
		})
	}
}
