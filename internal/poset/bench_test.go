package poset

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// pattern says from which task a task receives, -1 for none.
type pattern func(rnd *rand.Rand, task, tasks int) int

func alone(*rand.Rand, int, int) int { return -1 }

// ring, tree and anybody receive in one of five events.
func ring(rnd *rand.Rand, task, tasks int) int {
	if rnd.Intn(5) > 0 {
		return -1
	}
	return (task + 1) % tasks
}

func tree(rnd *rand.Rand, task, tasks int) int {
	if rnd.Intn(5) > 0 || task == 0 {
		return -1
	}
	return (task - 1) / 2
}

func anybody(rnd *rand.Rand, task, tasks int) int {
	if rnd.Intn(5) > 0 {
		return -1
	}
	return rnd.Intn(tasks)
}

// net returns a net whose tasks take turns at random until each has had its events.
func net(tb testing.TB, tasks, events int, from pattern) *san.Net {
	tb.Helper()
	rnd := rand.New(rand.NewSource(1))
	h := &event.Header{Version: 1}
	for t := range tasks {
		h.Tasks = append(h.Tasks, fmt.Sprint("t", t))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		tb.Fatal(err)
	}
	done := make([]int, tasks)
	for range tasks * events {
		t := rnd.Intn(tasks)
		for done[t] == events {
			t = (t + 1) % tasks
		}
		e := event.Event{Task: h.Tasks[t]}
		if u := from(rnd, t, tasks); u >= 0 && u != t && done[u] > 0 {
			e.After = []event.Ref{{Task: h.Tasks[u], K: done[u]}}
		}
		done[t]++
		if err := b.Add(&e, "bench"); err != nil {
			tb.Fatal(err)
		}
	}
	n, err := b.Finish()
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

var nets = []struct {
	name          string
	tasks, events int
	from          pattern
	counted       bool // the number of slices can be found
}{
	{"alone 20x50", 20, 50, alone, true},
	{"ring 20x50", 20, 50, ring, true},
	{"tree 20x50", 20, 50, tree, true},
	{"anybody 8x1000", 8, 1000, anybody, true},
	{"anybody 12x100", 12, 100, anybody, true},
	{"anybody 20x50", 20, 50, anybody, true},
	{"ring 250x200", 250, 200, ring, true},
	{"anybody 64x16000", 64, 16000, anybody, false},
}

func BenchmarkIdeals(b *testing.B) {
	for _, n := range nets {
		if !n.counted {
			continue
		}
		b.Run(n.name, func(b *testing.B) {
			p := New(net(b, n.tasks, n.events, n.from))
			var bounds Bounds
			for b.Loop() {
				bounds = p.Ideals(context.Background())
			}
			if !bounds.Exact() {
				b.Errorf("%v to %v slices", bounds.Min, bounds.Max)
			}
			b.ReportMetric(float64(bounds.Min.BitLen()), "bits")
		})
	}
}

func BenchmarkWidth(b *testing.B) {
	for _, n := range nets {
		b.Run(n.name, func(b *testing.B) {
			p := New(net(b, n.tasks, n.events, n.from))
			for b.Loop() {
				if low, high := p.Width(context.Background()); low != high {
					b.Fatal("width not found")
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	n := net(b, 64, 16000, anybody)
	for b.Loop() {
		New(n)
	}
	b.ReportMetric(float64(n.Events()*b.N)/b.Elapsed().Seconds(), "events/s")
}
