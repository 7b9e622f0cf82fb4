// Package sections generates runs with critical sections, for measuring what other orders of these
// cost a check.
package sections

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Workload describes a run with critical sections. Again and again a task takes one of the locks
// and enters a function: f with the first lock, h with others. Then it enters g without any lock.
// In the run no other task is in a function meanwhile.
type Workload struct {
	Tasks, Events, Locks int // Events of each task, at least roundEvents
	Seed                 uint64

	// Halves makes all tasks wait for each other in the middle of the run. From then on the second
	// lock, of at least two, is the one with f: no lock alone excludes the sections of the other
	// half.
	Halves bool
}

// roundEvents is how many events a task has from one section to the next one.
const roundEvents = 6

// String returns the parameters without the seed.
func (c Workload) String() string {
	text := fmt.Sprintf("sections %d×%d, %d locks", c.Tasks, c.Events, c.Locks)
	if c.Locks == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	if c.Halves {
		text += ", halves"
	}
	return text
}

// Formula is a formula about a run with critical sections.
type Formula struct {
	Name, Text string
	Violated   bool
}

// Formulas returns formulas whose truth does not depend on whether sections keep the order of the
// run. The run itself violates none.
func (c Workload) Formulas() []Formula {
	const pair = "not (a:(%s) and b:(%[1]s)) if a != b"
	return []Formula{
		{Name: "in one lock", Text: fmt.Sprintf(pair, "in.f")},
		{Name: "in any lock", Text: fmt.Sprintf(pair, "in.f or in.h"), Violated: c.Locks > 1},
		{Name: "in none", Text: fmt.Sprintf(pair, "in.g"), Violated: true},
	}
}

// Header returns the header of the run's trace.
func (c Workload) Header() *event.Header {
	h := &event.Header{Version: 2}
	for t := range c.Tasks {
		h.Tasks = append(h.Tasks, fmt.Sprint("w", t))
	}
	return h
}

// Net builds the net in which sections keep the order of the run.
func (c Workload) Net() (*san.Net, error) {
	nets, err := c.nets(1)
	return nets[0], err
}

// Nets builds the net in which sections keep the order of the run and the one in which they are not
// ordered, in one pass over the run.
func (c Workload) Nets() (run, free *san.Net, err error) {
	nets, err := c.nets(2)
	return nets[0], nets[1], err
}

func (c Workload) nets(n int) (nets [2]*san.Net, err error) {
	var builders [2]*san.Builder
	for i := range n {
		if builders[i], err = san.NewBuilder(c.Header()); err != nil {
			return nets, err
		}
	}
	err = c.Each(func(e *event.Event, released event.Ref) error {
		if n > 1 {
			if err := builders[1].Add(e, ""); err != nil {
				return err
			}
		}
		if released.K > 0 && released.Task != e.Task {
			e.After = append(e.After, released)
		}
		return builders[0].Add(e, "")
	})
	for i := 0; i < n && err == nil; i++ {
		nets[i], err = builders[i].Finish()
	}
	return nets, err
}

// Each calls f with the events of the run in the recorded order, and, if an event begins a section,
// with the end of the section before. f may keep the event only until it returns. An error of f
// ends the run.
func (c Workload) Each(f func(e *event.Event, released event.Ref) error) error {
	r := &run{Workload: c, rnd: rand.New(rand.NewPCG(c.Seed, 0)), names: c.Header().Tasks,
		done:     make([]int, c.Tasks),
		released: make([]event.Ref, c.Locks), out: f}
	rounds := c.Events / roundEvents
	for i := range rounds {
		first := 0
		if c.Halves && i >= rounds/2 {
			first = 1
		}
		if first == 1 && i == rounds/2 {
			r.meet()
		}
		for _, t := range r.rnd.Perm(c.Tasks) {
			r.section(t, first)
		}
	}
	return r.err
}

// run is a run with critical sections under construction.
type run struct {
	Workload
	rnd      *rand.Rand
	names    []string
	done     []int       // by task: number of events made
	released []event.Ref // by lock: the end of its last section
	out      func(*event.Event, event.Ref) error
	err      error // the first error of out
}

func (r *run) add(t int, e event.Event, released event.Ref) {
	r.done[t]++
	e.Task = r.names[t]
	if r.err == nil {
		r.err = r.out(&e, released)
	}
}

// section makes the events of a task from one section to the next one. With the first lock it
// enters f.
func (r *run) section(t, first int) {
	lock, function := r.rnd.IntN(r.Locks), "h"
	if lock == first {
		function = "f"
	}
	obj := fmt.Sprint("mutex ", lock)
	none := event.Ref{}
	r.add(t, event.Event{Op: "lock", Obj: obj}, r.released[lock])
	r.add(t, event.Event{Enter: function}, none)
	r.add(t, event.Event{Exit: function}, none)
	r.add(t, event.Event{Op: "unlock", Obj: obj}, none)
	r.released[lock] = event.Ref{Task: r.names[t], K: r.done[t]}
	r.add(t, event.Event{Enter: "g"}, none)
	r.add(t, event.Event{Exit: "g"}, none)
}

// meet makes all tasks wait for each other: the first one for the others, and these for it.
func (r *run) meet() {
	var all []event.Ref
	for t := 1; t < r.Tasks; t++ {
		all = append(all, event.Ref{Task: r.names[t], K: r.done[t]})
	}
	r.add(0, event.Event{After: all}, event.Ref{})
	for t := 1; t < r.Tasks; t++ {
		r.add(t, event.Event{After: []event.Ref{{Task: r.names[0], K: r.done[0]}}}, event.Ref{})
	}
}
