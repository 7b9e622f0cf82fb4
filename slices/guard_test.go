package slices_test

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
)

// independent returns the net of tasks that never meet.
func independent(t *testing.T, tasks, events int) *san.Net {
	h := &event.Header{Version: 1}
	for i := range tasks {
		h.Tasks = append(h.Tasks, fmt.Sprintf("t%d", i))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for n := range tasks * events {
		if err := b.Add(&event.Event{Task: h.Tasks[n%tasks]}, fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestGuard(t *testing.T) {
	const tasks, events = 6, 12
	l := slices.NewLattice(independent(t, tasks, events))
	even := make([]slices.Set, tasks)
	for u := range even {
		var ivs []slices.Interval
		for k := 0; k <= events; k += 2 {
			ivs = append(ivs, l.Containing(san.Task(u), k, k))
		}
		even[u] = l.Set(ivs...)
	}
	// All tasks in even states: 7 intervals a task, 7^6 together.
	grow := func() slices.Set {
		s := l.All()
		for _, e := range even {
			s = s.Intersect(e)
		}
		return s
	}
	polls := 0
	l.Guard(1000, func() bool { polls++; return false })
	if grow(); !l.GaveUp() || polls == 0 {
		t.Errorf("gave up %v after %d polls", l.GaveUp(), polls)
	}
	for name, op := range map[string]func(s slices.Set){
		"intersect":  func(s slices.Set) { s.Intersect(s) },
		"union":      func(s slices.Set) { s.Union(even[1]) },
		"complement": func(s slices.Set) { s.Complement() },
		"next":       func(s slices.Set) { s.Next() },
		"below":      func(s slices.Set) { s.Below() },
		"until":      func(s slices.Set) { l.Until(even[1], s) },
		"pieces":     func(s slices.Set) { s.Pieces() },
		"next by":    func(s slices.Set) { s.NextBy(0) },
		"leading":    func(s slices.Set) { s.Leading(even[1]) },
		"way":        func(s slices.Set) { s.Way(l.Bottom(), l.Set(slices.Interval{Lo: l.Top(), Hi: l.Top()})) },
		"reached":    func(s slices.Set) { s.Reached(l.Bottom()) },
		"first":      func(s slices.Set) { l.First(l.Bottom(), []slices.Set{s, even[1]}) },
		"subset":     func(s slices.Set) { s.SubsetOf(even[1]) },
	} {
		l.Guard(0, func() bool { return true })
		if op(even[0]); !l.GaveUp() {
			t.Errorf("%s does not ask", name)
		}
	}
	l.Guard(0, func() bool { return false })
	if s := even[0].Intersect(even[1]); l.GaveUp() || len(s.Intervals()) != 49 {
		t.Errorf("gave up %v, %d intervals", l.GaveUp(), len(s.Intervals()))
	}
}
