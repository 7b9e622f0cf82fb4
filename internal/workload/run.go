package workload

import (
	"math/rand/v2"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// run is a run under construction.
type run struct {
	Config
	rnd    *rand.Rand
	phases []phase
	ends   [][]int32 // by task and phase: number of the last event
	labels [][]label // by task and local state
	done   []int32   // by task: number of events made

	// free is the task whose events wait for no other's. Its last event is the last one of all, and
	// follows no event in a: therefore the run was never in a after that event.
	free   int
	locked event.Ref // the last event that took the lock; K is 0 if there is none

	ev  event.Event
	out func(*event.Event) error
	err error // the first error of out
}

// Each calls f with the events of the run in the recorded order. f may keep the event only until it
// returns. An error of f ends the run.
func (c Config) Each(f func(*event.Event) error) error {
	r := &run{Config: c, rnd: rand.New(rand.NewPCG(c.Seed, uint64(c.Pattern)<<1|uint64(c.Variant))),
		phases: c.phases(), done: make([]int32, c.Tasks), out: f}
	r.free = c.Tasks/2 + r.rnd.IntN(c.Tasks-c.Tasks/2) // a task that creates no other
	for t := range c.Tasks {
		ends := c.lengths(r.rnd, t, r.phases)
		for i := 1; i < len(ends); i++ {
			ends[i] += ends[i-1]
		}
		l := newLabelling(c, r.rnd, t, r.phases, ends)
		l.free = t == r.free && c.Variant == Violated
		r.ends, r.labels = append(r.ends, ends), append(r.labels, l.draw())
	}
	for i := range r.phases {
		r.phase(i)
	}
	return r.err
}

// phase makes the events of a phase: tasks depart one after the other, continue in any order, and
// arrive one after the other. In the middle phases they take turns, and creation and end go through
// the tree.
func (r *run) phase(i int) {
	p := r.phases[i]
	order := r.order(p)
	if p == middle && r.turns() || r.Pattern == ForkJoin && (p == start || p == end) {
		for _, t := range order {
			for r.err == nil && !r.over(t, i) {
				r.step(t, i)
			}
		}
	} else {
		r.mix(i, order)
	}
	if i == len(r.phases)-1 {
		r.step(r.free, i)
	}
}

func (r *run) mix(i int, order []int) {
	var inner []int32
	for _, t := range order {
		r.step(t, i)
		for k := r.done[t]; k < r.ends[t][i]-1; k++ {
			inner = append(inner, int32(t))
		}
	}
	r.rnd.Shuffle(len(inner), func(i, j int) { inner[i], inner[j] = inner[j], inner[i] })
	for _, t := range inner {
		r.step(int(t), i)
	}
	if r.Pattern == Tree { // arrivals go from the leaves to the root
		slices.Reverse(order)
	}
	for _, t := range order {
		if !r.over(t, i) {
			r.step(t, i)
		}
	}
}

// over reports whether the task has made all its events of a phase except the last one.
func (r *run) over(t, i int) bool {
	held := t == r.free && i == len(r.phases)-1
	return r.done[t] == r.ends[t][i] || held && r.done[t] == r.ends[t][i]-1
}

// order returns the order in which tasks depart: parents before children, and for the locks at
// random. If tasks wait for those they have created, children come first.
func (r *run) order(p phase) []int {
	order := make([]int, r.Tasks)
	for t := range order {
		order[t] = t
	}
	switch {
	case r.Pattern == Locks:
		r.rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	case r.Pattern == ForkJoin && p == end:
		slices.Reverse(order)
	}
	return order
}
