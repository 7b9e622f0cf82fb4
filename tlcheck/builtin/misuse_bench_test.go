package builtin

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// BenchmarkOps is what an operation costs the detectors but deadlock and race, in programs that do
// the same again and again.
func BenchmarkOps(b *testing.B) {
	const mu, c, wg = 1, 2, 3
	cases := []op.Case{{Object: c}, {Object: 4}}
	for _, bench := range []struct {
		name string
		ops  []op.Op
	}{
		{"lock", []op.Op{{Kind: op.Lock, Task: 1, Object: mu, At: 1}, {Kind: op.Unlock, Task: 1, Object: mu, At: 2}}},
		{"rlock", []op.Op{{Kind: op.RLock, Task: 1, Object: mu, At: 1}, {Kind: op.RUnlock, Task: 1, Object: mu, At: 2}}},
		{"handoff", []op.Op{{Kind: op.Block, Task: 2, Want: op.Recv, Object: c, At: 4}, {Kind: op.Handoff, Task: 1, Other: 2, Object: c, At: 3, OtherAt: 4}}},
		{"select", []op.Op{{Kind: op.Block, Task: 2, Want: op.Select, Cases: cases, At: 4}, {Kind: op.Handoff, Task: 1, Other: 2, Object: c, At: 3, OtherAt: 4}}},
		{"go", []op.Op{
			{Kind: op.Add, Object: wg, At: 5, Arg: 1}, {Kind: op.Go, Other: 3, At: 6}, {Kind: op.Block, Want: op.Wait, Object: wg, At: 7},
			{Kind: op.Done, Task: 3, Object: wg, At: 8, Arg: -1}, {Kind: op.End, Task: 3}, {Kind: op.Wait, Object: wg, At: 7},
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			checker := checkerOf(Stuck, Closed, WaitGroup, Unlock, Leak)
			checker.Op(&op.Op{Kind: op.Main})
			b.ReportAllocs()
			k, o := int32(0), new(op.Op)
			for b.Loop() {
				for i := range bench.ops {
					*o = bench.ops[i]
					k++
					o.K, o.OtherK = k, k
					if o.Task == 3 {
						o.Full = o.Full.With(0, k)
					}
					checker.Op(o)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(bench.ops)), "ns/op(eration)")
		})
	}
}

// BenchmarkShortLived is what a goroutine costs that a WaitGroup of its own waits for, which the
// garbage collector of the program frees much later, with many others.
func BenchmarkShortLived(b *testing.B) {
	const atOnce = 100_000 // freed ones
	checker := checkerOf(Deadlock, Stuck, Closed, WaitGroup, Unlock, Panic)
	checker.Op(&op.Op{Kind: op.Main})
	b.ReportAllocs()
	var main *clock.Clock
	k := int32(1)
	for n := 1; b.Loop(); n++ {
		group, task, before := op.Object(n), op.Task(n), main
		var o op.Op
		tell := func(does op.Op) {
			o = does
			k++
			o.Object, o.K, o.At, o.Full, o.Free, o.Begin, o.Before = group, k, op.Place(o.Kind), main, main, before, before
			checker.Op(&o)
		}
		tell(op.Op{Kind: op.Add, Other: op.NoTask, Arg: 1})
		tell(op.Op{Kind: op.Go, Other: task})
		tell(op.Op{Kind: op.Block, Other: op.NoTask, Want: op.Wait})
		main = before.With(0, k)
		before = main
		tell(op.Op{Kind: op.Done, Task: task, Other: op.NoTask, Arg: -1})
		main = before.With(int32(task), k)
		tell(op.Op{Kind: op.Wait, Other: op.NoTask})
		tell(op.Op{Kind: op.End, Task: task, Other: op.NoTask})
		for freed := n - atOnce; n%atOnce == 0 && freed < n; freed++ {
			checker.Op(&op.Op{Kind: op.Free, Task: op.NoTask, Other: op.NoTask, Object: op.Object(freed + 1)})
		}
	}
}
