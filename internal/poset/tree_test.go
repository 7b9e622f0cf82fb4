package poset

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// lockers are the tasks that may share a lock.
const lockers = 3

// drawTree returns a net whose tasks form a tree, perhaps of a lock that some tasks take one after
// the other, and tasks attached to these: a task may be created by its parent in the tree, and they
// receive from each other.
func drawTree(t *rapid.T) *san.Net {
	tasks := rapid.SampledFrom([]int{2, 4, 5, 6}).Draw(t, "tasks")
	lock := rapid.SampledFrom([]bool{true, true, false}).Draw(t, "lock")
	above, done := make([]int, tasks), make([]int, tasks)
	h := &event.Header{Version: 1}
	var events []*event.Event
	for task := range tasks {
		above[task] = rapid.IntRange(0, max(0, task-1)).Draw(t, "above")
		name := fmt.Sprint("t", task)
		if task < lockers || rapid.Bool().Draw(t, "initial") {
			h.Tasks = append(h.Tasks, name)
			continue
		}
		done[above[task]]++
		events = append(events, &event.Event{Task: fmt.Sprint("t", above[task]), Spawn: name})
	}
	last := -1 // the last task with the lock
	all := make([]int, tasks)
	for task := range tasks {
		all[task] = task
	}
	for range rapid.SampledFrom([]int{10, 15, 20, 25}).Draw(t, "events") {
		task, other := rapid.SampledFrom(all).Draw(t, "task"), rapid.SampledFrom(all).Draw(t, "other")
		receives := rapid.Bool().Draw(t, "receives")
		e := &event.Event{Task: fmt.Sprint("t", task)}
		hangs := above[task] == other || above[other] == task
		if lock {
			hangs = hangs && max(task, other) >= lockers
		}
		switch {
		case receives && task != other && hangs && done[other] > 0:
			e.After = []event.Ref{{Task: fmt.Sprint("t", other), K: rapid.IntRange(1, done[other]).Draw(t, "sent")}}
		case receives && lock && task < lockers:
			if last >= 0 && last != task {
				e.After = []event.Ref{{Task: fmt.Sprint("t", last), K: done[last]}}
			}
			last = task
		}
		done[task]++
		events = append(events, e)
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := b.Add(e, "test"); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestTreesAgainstSweeps compares the counts along trees of chains with sweeps in both orders, of
// all connected chains.
func TestTreesAgainstSweeps(t *testing.T) {
	trees, hubs, none := 0, 0, 0
	enough := func() bool { return trees > 0 && hubs > 0 && none > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 10 {
			net := drawTree(t)
			if rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "any") {
				net = draw(t)
			}
			p := New(net)
			c := &counter{p: p, ctx: t.Context(), local: make([]int32, p.Len())}
			if rapid.Bool().Draw(t, "with roles") {
				c.roles = newTaskRoles(p, drawRoles(t, net))
			}
			components, _ := c.components(p.elements())
			for _, part := range components {
				s, _ := c.newSweep(part)
				n, ok := s.treeSum(c.ctx)
				compareSweeps(t, s, n)
				switch _, tree := newChainTree(s); {
				case tree:
					trees++
				case ok:
					hubs++
				default:
					none++
				}
			}
		}
	})
	if !enough() {
		t.Errorf("%d trees, %d with hubs, and %d others", trees, hubs, none)
	}
}

// compareSweeps compares the sums, if there are any, with the results of the orders of a sweep.
func compareSweeps(t *rapid.T, s *sweep, sums sum) {
	for _, p := range s.programs(t.Context()) {
		n, ok := p.run(t.Context(), dumbLimit, false)
		if !ok {
			t.Fatal("too many states")
		}
		if sums != nil && fmt.Sprint(n) != fmt.Sprint(sums) {
			t.Fatalf("%v along a tree or in another order, %v by a sweep", sums, n)
		}
		sums = n
	}
}

// TestTreesOfManyTasks counts where sweeps have too many states.
func TestTreesOfManyTasks(t *testing.T) {
	p := New(net(t, 100, 100, tree))
	if n := p.Ideals(t.Context()); !n.Exact() {
		t.Errorf("%v to %v ideals", n.Min, n.Max)
	}
}
