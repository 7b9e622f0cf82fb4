package san_test

import (
	"fmt"
	"math/rand"
	"runtime"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// load is a run of many tasks, produced event by event: only the net takes memory.
type load struct {
	name           string
	tasks, events  int // events of each task
	sync           int // every sync-th event comes after one of another task
	values, frames bool
	joint          bool // sync by joint actions
}

var loads = []load{
	{name: "plain", tasks: 16, events: 20000},
	{name: "causes", tasks: 16, events: 20000, sync: 1},
	{name: "causes64", tasks: 64, events: 5000, sync: 1},
	{name: "causes64-each10", tasks: 64, events: 5000, sync: 10},
	{name: "joint64", tasks: 64, events: 5000, sync: 2, joint: true},
	{name: "values", tasks: 16, events: 20000, sync: 10, values: true, frames: true},
	{name: "many", tasks: 30000, events: 10, sync: 3},
}

// run feeds the load to add: main creates the tasks, which then take turns at random.
func (l load) run(add func(*event.Event)) {
	rnd := rand.New(rand.NewSource(1))
	names := make([]string, l.tasks)
	k := make([]int, l.tasks)
	var e event.Event
	for t := range names {
		names[t] = fmt.Sprintf("main.%d", t)
		e.Reset()
		e.Task, e.Spawn, e.Op, e.At = "main", names[t], "go", "main.go:10"
		add(&e)
	}
	ats := []string{"main.go:20", "main.go:21", "main.go:35", "queue.go:7"}
	objs := []string{"chan 1", "chan 2", "mu"}
	for n := l.tasks * l.events; n > 0; n-- {
		t := rnd.Intn(l.tasks)
		u := rnd.Intn(l.tasks)
		e.Reset()
		k[t]++
		e.Task, e.Op, e.At, e.Obj = names[t], "recv", ats[k[t]%len(ats)], objs[k[t]%len(objs)]
		meet := l.sync > 0 && k[t]%l.sync == 0 && u != t
		if meet && !l.joint && k[u] > 0 {
			e.After = append(e.After, event.Ref{Task: names[u], K: k[u]})
		}
		if l.frames && k[t]%2 == 1 {
			if k[t]%4 == 1 {
				e.Enter = "work"
			} else {
				e.Exit = "work"
			}
		}
		if l.values {
			e.Set = append(e.Set, event.Binding{Name: "i", Value: event.IntValue(int64(k[t]))},
				event.Binding{Name: "b.last", Value: event.IntValue(int64(k[t] * k[t]))})
		}
		if meet && l.joint {
			e.With = append(e.With, event.Ref{Task: names[u], K: k[u] + 1})
			add(&e)
			k[u]++
			n--
			e.Reset()
			e.Task, e.Op = names[u], "send"
			e.With = append(e.With, event.Ref{Task: names[t], K: k[t]})
		}
		add(&e)
	}
}

func (l load) build(tb testing.TB) *san.Net {
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"main"}})
	if err != nil {
		tb.Fatal(err)
	}
	l.run(func(e *event.Event) {
		if err := b.AddFrom(e, fixedPosition{}); err != nil {
			tb.Fatal(err)
		}
	})
	n, err := b.Finish()
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

type fixedPosition struct{}

func (fixedPosition) Pos() string { return "here" }

// BenchmarkBuild measures events per second, generating them included, and what the net keeps.
func BenchmarkBuild(b *testing.B) {
	for _, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			b.ResetTimer()
			var n *san.Net
			for b.Loop() {
				n = l.build(b)
			}
			b.StopTimer()
			b.ReportMetric(float64(n.Events())*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n.Events()), "bytes/event")
			runtime.KeepAlive(n)
		})
	}
}

// BenchmarkPrecedes measures one question about two random actions.
func BenchmarkPrecedes(b *testing.B) {
	for _, l := range loads[1:3] {
		b.Run(l.name, func(b *testing.B) {
			n := l.build(b)
			rnd := rand.New(rand.NewSource(1))
			as := make([]san.Action, 1024)
			for i := range as {
				t := san.Task(rnd.Intn(n.Tasks()))
				as[i] = san.Action{Task: t, K: int32(1 + rnd.Intn(n.Len(t)))}
			}
			i := 0
			for b.Loop() {
				n.Precedes(as[i%1024], as[(i*7+1)%1024])
				i++
			}
		})
	}
}

// BenchmarkWalk measures the replay of all states, with one variable looked up in each.
func BenchmarkWalk(b *testing.B) {
	n := loads[5].build(b)
	path := n.Path([]string{"b", "last"})
	states := 0
	for b.Loop() {
		for t := range san.Task(n.Tasks()) {
			for w := n.Walk(t); ; states++ {
				w.State().Lookup(path)
				if !w.Next() {
					break
				}
			}
		}
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
