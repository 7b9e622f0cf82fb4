package slices

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// The tests of this file count what operations look at. The results are the same if it is more.

// latticeOfMany returns the lattice of tasks with three events each, where every tenth task
// follows the one before.
func latticeOfMany(t *testing.T, tasks int) *Lattice {
	t.Helper()
	h := &event.Header{Version: 1}
	for i := range tasks {
		h.Tasks = append(h.Tasks, fmt.Sprint("w", i))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range h.Tasks {
		for k := range 3 {
			e := &event.Event{Task: task, Op: "step"}
			if k == 0 && i%10 == 1 {
				e.After = []event.Ref{{Task: h.Tasks[i-1], K: 3}}
			}
			if err := b.Add(e, "here"); err != nil {
				t.Fatal(err)
			}
		}
	}
	return NewLattice(b.Net())
}

// Thousands of tasks are not counted for ideals that few actions describe.
func TestFewActionsOfManyTasks(t *testing.T) {
	l := latticeOfMany(t, 2000)
	a, b := san.Action{Task: 1, K: 2}, san.Action{Task: 71, K: 1}
	down, outside := l.Down(a), l.NotAbove(b)
	joined, met := down.Join(l.Down(b)), outside.Meet(l.NotAbove(san.Action{Task: 500, K: 1}))
	if !joined.Has(a) || met.Has(b) || !down.Leq(outside) || joined.Leq(met) {
		t.Error("wrong ideals")
	}
	for i, want := range map[Ideal]int{down: 5, joined: 9, outside: 5997, met: 5991} {
		if got := i.Size(); got != want {
			t.Errorf("size %d, want %d", got, want)
		}
		if i.reps.counts.Load() != nil {
			t.Errorf("%d tasks are counted for an ideal of size %d", l.net.Tasks(), want)
		}
	}
}

// The ideals of single actions are made once.
func TestIdealsOfActionsOnce(t *testing.T) {
	l := latticeOfMany(t, 20)
	a := san.Action{Task: 1, K: 2}
	down, notAbove := l.Down(a), l.NotAbove(a)
	if l.Down(a) != down || l.NotAbove(a) != notAbove {
		t.Error("made again")
	}
}

// A growth looks at the events that are new in it, and not at those that it has.
func TestGrowthLooksAtNews(t *testing.T) {
	l := latticeOfMany(t, 20)
	g := l.Grow(l.Bottom())
	looks := 0
	count := func(san.Action) { looks++ }
	for range 100 {
		g.Add(san.Action{Task: 1, K: 2}, count)
	}
	if looks != 5 {
		t.Errorf("it changed %d times, want 5", looks)
	}
}
