package deadlock

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// BenchmarkOp is the cost of an operation, of four tasks that use sixteen locks in turns.
func BenchmarkOp(b *testing.B) {
	for _, test := range []struct {
		name string
		code []instr // of each task, again and again; obj is added to what differs from round to round
	}{
		{"sections", []instr{{op.Lock, 0}, {op.Unlock, 0}}},
		{"readers", []instr{{op.RLock, 0}, {op.RUnlock, 0}}},
		{"nested", []instr{{op.Lock, 0}, {op.Lock, 1}, {op.Unlock, 1}, {op.Unlock, 0}}},
		{"buffered", []instr{{op.Send, 0}, {op.Recv, 0}}},
		{"buffered in section", []instr{{op.Lock, 0}, {op.Send, 0}, {op.Recv, 0}, {op.Unlock, 0}}},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			d := New()
			for c := range 16 {
				d.Op(&op.Op{Kind: op.MakeChan, K: int32(c + 1), Object: chanObject(c), Arg: 1, Other: op.NoTask})
			}
			knows := clock.NewWriter(nil)
			knows.Set(0, 20)
			free := knows.Clock()
			k := make([]int32, 5)
			ops := 0
			for b.Loop() {
				for round := range 25 {
					for t := 1; t <= 4; t++ {
						for pc, i := range test.code {
							k[t]++
							o := op.Op{Kind: i.kind, Task: op.Task(t), K: k[t], At: op.Place(pc + 1), Other: op.NoTask, Free: free, Before: free}
							// Locks are nested in one order only.
							o.Object = lockObject((round*4+t)%8*2 + i.obj)
							if i.kind == op.Send || i.kind == op.Recv {
								o.Object = chanObject((round*4 + t) % 16)
							}
							d.Op(&o)
							ops++
						}
					}
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(ops), "ns/operation")
		})
	}
}
