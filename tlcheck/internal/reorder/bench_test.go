package reorder

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// longRun is a history of many operations of tasks that lock at random and now and then read what
// another one has written.
func longRun(tasks, locks, ops int) (*History, []Point) {
	h, rng := New(), rand.New(rand.NewPCG(1, 2))
	now := make([]Point, tasks)
	holds := make([]op.Object, tasks)
	free := make([]bool, locks+1)
	tell := func(t int, o op.Op) {
		now[t].Done++
		o.Task, o.K, o.Data = op.Task(t), now[t].Done, now[t].Data
		h.Op(&o)
	}
	for t := range now {
		now[t].Task = op.Task(t)
	}
	for range ops {
		t := rng.IntN(tasks)
		l := op.Object(1 + rng.IntN(locks))
		switch {
		case holds[t] != 0:
			tell(t, op.Op{Kind: op.Unlock, Object: holds[t]})
			free[holds[t]], holds[t] = false, 0
		case !free[l]:
			tell(t, op.Op{Kind: op.Lock, Object: l})
			free[l], holds[t] = true, l
		}
		if u := rng.IntN(tasks); rng.IntN(50) == 0 && u != t && holds[u] == 0 {
			now[t].Data = clock.Join(now[t].Data, now[u].Data).With(int32(u), now[u].Done)
		}
	}
	return h, now
}

// The time of a question about the end of a run of 10^5 operations.
func BenchmarkPrefix(b *testing.B) {
	for _, tasks := range []int{4, 32, 256, 2048} {
		for _, locks := range []int{4, 1000} {
			h, now := longRun(tasks, locks, 100_000)
			b.Run(fmt.Sprintf("tasks=%d/locks=%d", tasks, locks), func(b *testing.B) {
				before := h.Work().Steps
				found := 0
				for i := 0; b.Loop(); i++ {
					if h.Prefix(now[i%tasks], now[(i+1)%tasks]) != nil {
						found++
					}
				}
				b.ReportMetric(float64(h.Work().Steps-before)/float64(b.N), "steps/op")
				b.ReportMetric(float64(found)/float64(b.N), "found/op")
			})
		}
	}
}

// The time of executing a prefix anew.
func BenchmarkVerify(b *testing.B) {
	for _, tasks := range []int{4, 256} {
		h, now := longRun(tasks, 1000, 100_000)
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			for i := 0; ; i++ {
				if p := h.Prefix(now[i], now[i+1]); p != nil {
					for b.Loop() {
						if err := p.Verify(); err != nil {
							b.Fatal(err)
						}
					}
					return
				}
			}
		})
	}
}

// The time of an operation.
func BenchmarkOp(b *testing.B) {
	data := new(clock.Clock).With(0, 1)
	h, k := New(), int32(0)
	b.ReportAllocs()
	for b.Loop() {
		k += 2
		h.Op(&op.Op{Kind: op.Lock, Task: 1, K: k - 1, Object: op.Object(1 + k%100), Data: data})
		h.Op(&op.Op{Kind: op.Unlock, Task: 1, K: k, Object: op.Object(1 + k%100), Data: data})
	}
}

// The time of the two operations of a task that is one of many, which a few workers run one after
// the other. Now and then a worker learns what another one knows, so all know nearly the same, from
// one another in different orders.
func BenchmarkShortTasks(b *testing.B) {
	for _, tasks := range []int32{1 << 12, 1 << 16} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			var known [16]*clock.Clock // of each worker
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			h := New()
			for t := range tasks {
				workers(h, &known, rng, t)
			}
			for t := tasks; b.Loop(); t++ {
				workers(h, &known, rng, t%tasks)
			}
		})
	}
}

// workers has a worker run a task.
func workers(h *History, known *[16]*clock.Clock, rng *rand.Rand, task int32) {
	w := rng.IntN(len(known))
	if rng.IntN(4) == 0 {
		known[w] = clock.Join(known[w], known[rng.IntN(len(known))])
	}
	k := known[w].At(task) + 2
	h.Op(&op.Op{Kind: op.Lock, Task: op.Task(task), K: k - 1, Object: op.Object(1 + task%100), Data: known[w]})
	h.Op(&op.Op{Kind: op.Unlock, Task: op.Task(task), K: k, Object: op.Object(1 + task%100), Data: known[w]})
	known[w] = known[w].With(task, k)
}
