package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// crowd is a detector that has received n tasks that wait for an RWMutex: what each of them holds
// and wants. Before them, another task begins to wait to write, and one holds the lock for reading
// and goes on.
func crowd(n int, holds op.Object, want op.Kind) *Detector {
	const rw, runs, writer = 1, 1, 2
	d := New()
	do := func(task int, kind, want op.Kind, k int32, o op.Object) {
		d.Op(&op.Op{Kind: kind, Want: want, Task: op.Task(task), K: k, At: op.Place(k), Object: o, Other: op.NoTask})
	}
	do(runs, op.RLock, op.None, 1, rw)
	for t := writer + 1; t <= writer+n; t++ {
		if holds == rw {
			do(t, op.RLock, op.None, 1, rw)
		} else {
			do(t, op.Lock, op.None, 1, holds+op.Object(t))
		}
	}
	do(writer, op.Block, op.Lock, 1, rw)
	for t := writer + 1; t <= writer+n; t++ {
		do(t, op.Block, want, 2, rw)
	}
	return d
}

var crowds = []struct {
	name   string
	holds  op.Object
	want   op.Kind
	cycles func(n int) int
}{
	{"readers behind a writer", 100, op.RLock, func(int) int { return 0 }},
	{"readers that read again behind a writer", 1, op.RLock, func(int) int { return 1 }},
	{"readers that write", 1, op.Lock, func(n int) int { return n / 2 }},
}

// Searches of all pairs of tasks take minutes, and where each task waits for all others, hours.
func TestCrowd(t *testing.T) {
	const n = 30000
	for _, c := range crowds {
		d := crowd(n, c.holds, c.want)
		certain := len(d.Certain())
		atEnd := slices.DeleteFunc(d.Cycles(), func(c Cycle) bool { return !c.Observed })
		if certain != c.cycles(n) || len(atEnd) != certain {
			t.Errorf("%s: %d cycles are certain, and %d at the end", c.name, certain, len(atEnd))
		}
	}
}

// BenchmarkCrowd looks for cycles among many tasks that wait for one lock, while the run goes on
// and at its end.
func BenchmarkCrowd(b *testing.B) {
	for _, c := range crowds {
		for _, n := range []int{2500, 10000, 40000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					d := crowd(n, c.holds, c.want)
					b.StartTimer()
					d.Certain()
					d.Cycles()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*n), "ns/task")
			})
		}
	}
}
