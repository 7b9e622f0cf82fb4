package slices_test

import (
	"math/rand"
	stdslices "slices"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// TestSchedule checks that schedules are feasible, complete, and near the best in their number of
// task switches.
func TestSchedule(t *testing.T) {
	switches, best := 0, 0
	for seed := range int64(400) {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(rnd, santest.Config{Tasks: 3, Spawns: 2, Steps: 24, Frames: -1, Values: -1})
		for range 4 {
			i, j := w.all[rnd.Intn(len(w.all))], w.all[rnd.Intn(len(w.all))]
			from, to := i.Meet(j), j
			schedule := w.Schedule(from, to)
			w.checkSchedule(t, from, to, schedule)
			if greedy := w.greedy(from, to); !stdslices.Equal(schedule, greedy) {
				t.Fatalf("schedule %v from %v to %v, want %v\n%s", schedule, from, to, greedy, w.trace)
			}
			switches += w.switches(schedule)
			best += w.fewest(from, to)
		}
	}
	t.Logf("%d switches, %d at best", switches, best)
	if switches > best+best/20 {
		t.Errorf("%d switches where %d suffice", switches, best)
	}
}

func (w *world) checkSchedule(t *testing.T, from, to slices.Ideal, schedule []san.Action) {
	t.Helper()
	at := from
	for _, a := range schedule {
		enabled := false
		for _, b := range w.Enabled(at) {
			enabled = enabled || a == b
		}
		if !enabled || !to.Has(a) {
			t.Fatalf("%v in %v, on the way from %v to %v: %v\n%s", a, at, from, to, schedule, w.trace)
		}
		at = w.Fire(at, a)
	}
	if !at.Equal(to) {
		t.Fatalf("schedule %v from %v ends in %v, want %v\n%s", schedule, from, at, to, w.trace)
	}
}

// greedy asks all tasks each time how long they can go on.
func (w *world) greedy(from, to slices.Ideal) (schedule []san.Action) {
	turn := func(at slices.Ideal, t int) (after slices.Ideal, done []san.Action) {
		for {
			next := stdslices.IndexFunc(w.Enabled(at),
				func(a san.Action) bool { return w.tasks(a)&(1<<t) != 0 && to.Has(a) })
			if next < 0 {
				return at, done
			}
			done = append(done, w.Enabled(at)[next])
			at = w.Fire(at, done[len(done)-1])
		}
	}
	longest := func(tasks int) (next slices.Ideal, done []san.Action) {
		for t := range w.Net().Tasks() {
			if at, actions := turn(from, t); tasks&(1<<t) != 0 && len(actions) > len(done) {
				next, done = at, actions
			}
		}
		return next, done
	}
	for last := 0; !from.Equal(to); last = w.tasks(schedule[len(schedule)-1]) {
		next, done := longest(last)
		if done == nil {
			next, done = longest(-1)
		}
		from, schedule = next, append(schedule, done...)
	}
	return schedule
}

// tasks returns the tasks of an action as bits.
func (w *world) tasks(a san.Action) int {
	bits := 1 << a.Task
	for _, s := range w.Net().Joint(a) {
		bits |= 1 << s.Task
	}
	return bits
}

// switches counts where no task goes on.
func (w *world) switches(schedule []san.Action) int {
	n, current := 0, 0
	for _, a := range schedule {
		tasks := w.tasks(a)
		if current&tasks == 0 && current != 0 {
			n++
		}
		current = tasks
	}
	return n
}

// fewest returns the least number of switches, by dynamic programming over slices and tasks.
func (w *world) fewest(from, to slices.Ideal) int {
	memo := make(map[string]int)
	var search func(at slices.Ideal, last san.Action) int
	search = func(at slices.Ideal, last san.Action) int {
		if at.Equal(to) {
			return 0
		}
		key := at.String() + string(rune('A'+last.Task)) + string(rune('A'+last.K))
		if n, ok := memo[key]; ok {
			return n
		}
		best := 1 << 30
		for _, a := range w.Enabled(at) {
			if !to.Has(a) {
				continue
			}
			n := search(w.Fire(at, a), a)
			if last.K > 0 && w.tasks(last)&w.tasks(a) == 0 {
				n++
			}
			best = min(best, n)
		}
		memo[key] = best
		return best
	}
	return search(from, san.Action{})
}

// TestHappened compares with the prefixes of the recorded order.
func TestHappened(t *testing.T) {
	for seed := range int64(300) {
		w := newWorld(rand.New(rand.NewSource(seed)), small)
		at := w.Bottom()
		happened := map[string]bool{at.String(): true}
		for a := range w.Net().Order() {
			at = w.Fire(at, a)
			happened[at.String()] = true
		}
		if !at.Equal(w.Top()) {
			t.Fatalf("the recorded order ends in %v", at)
		}
		for _, i := range w.all {
			if w.Happened(i) != happened[i.String()] {
				t.Fatalf("%v happened: %v\n%s", i, w.Happened(i), w.trace)
			}
		}
	}
}
