package orders

import (
	"maps"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tracer/op"
)

// Main is the number of the main goroutine.
const Main unfolding.Goroutine = 0

// Numbers are the numbers of goroutines, objects and places, the same in all runs. An object has
// the number of any use of it in an earlier run: a goroutine at a line, with so many operations
// behind it, uses the same object in each run that has come there the same way.
type Numbers struct {
	goroutines table
	places     table
	objects    map[string]unfolding.Object // by uses
	count      unfolding.Object
	doubts     map[string]bool
}

// table numbers texts.
type table struct {
	numbers map[string]int
	texts   []string
}

func (t *table) number(text string) int {
	n, ok := t.numbers[text]
	if !ok {
		if t.numbers == nil {
			t.numbers = make(map[string]int)
		}
		n = len(t.texts)
		t.numbers[text] = n
		t.texts = append(t.texts, text)
	}
	return n
}

// NewNumbers returns numbers that only main has.
func NewNumbers() *Numbers {
	n := &Numbers{objects: make(map[string]unfolding.Object), doubts: make(map[string]bool)}
	n.goroutines.number("main")
	return n
}

// Doubts says, in words, why there may be orders that no run was asked for: what runs have done
// that has no place in the orders.
func (n *Numbers) Doubts() []string { return slices.Sorted(maps.Keys(n.doubts)) }

// Doubt adds a doubt.
func (n *Numbers) Doubt(why string) { n.doubts[why] = true }

func (n *Numbers) goroutine(name string) unfolding.Goroutine {
	return unfolding.Goroutine(n.goroutines.number(name))
}

// place numbers a line, from 1.
func (n *Numbers) place(at string) int { return 1 + n.places.number(at) }

// bind numbers the objects of a run.
func (n *Numbers) bind(uses map[op.Object][]string) map[op.Object]unfolding.Object {
	bound := make(map[op.Object]unfolding.Object)
	taken := make(map[unfolding.Object]bool)
	for _, o := range slices.Sorted(maps.Keys(uses)) {
		id, known := unfolding.Object(0), false
		for _, use := range uses[o] {
			old, ok := n.objects[use]
			if ok && known && old != id {
				n.Doubt("objects that cannot be told apart")
			}
			if ok {
				id, known = old, true
			}
		}
		if known && taken[id] {
			n.Doubt("objects that cannot be told apart")
		}
		if !known {
			n.count++
			id = n.count
		}
		for _, use := range uses[o] {
			n.objects[use] = id
		}
		bound[o], taken[id] = id, true
	}
	return bound
}

// Schedule returns the schedule of steps with which a run is to begin.
func (n *Numbers) Schedule(prefix []unfolding.Taken) *schedule.Schedule {
	s := new(schedule.Schedule)
	for _, t := range prefix {
		if t.Operation.Kind == unfolding.Start {
			s.Goroutines = append(s.Goroutines, n.started(s, t))
		}
		for _, step := range n.stepsOf(t) {
			if step.Kind != op.None {
				step.Nth = 1
				s.Steps = append(s.Steps, step)
			}
		}
	}
	return s
}

// WholeSchedule returns the schedule of a whole run: in the end goroutines wait where they did.
func (n *Numbers) WholeSchedule(r unfolding.Run) *schedule.Schedule {
	s := n.Schedule(r.Steps)
	for _, g := range slices.Sorted(maps.Keys(r.Blocked)) {
		if line := n.lineOf(r.Blocked[g]); line.At != "" {
			s.Steps = append(s.Steps, schedule.Step{
				Goroutine: n.goroutines.texts[g], Kind: op.Block, Nth: 1, Line: line,
			})
		}
	}
	return s
}

// started returns where a goroutine of the schedule comes from.
func (n *Numbers) started(s *schedule.Schedule, t unfolding.Taken) schedule.Goroutine {
	g := schedule.Goroutine{
		Name: n.goroutines.texts[t.Operation.Starts], By: n.goroutines.texts[t.Goroutine], Nth: 1,
		Line: n.lineOf(t.Operation),
	}
	for _, other := range s.Goroutines {
		if other.By == g.By && other.At == g.At {
			g.Nth++
		}
	}
	return g
}

func (n *Numbers) lineOf(o unfolding.Operation) schedule.Line {
	if o.Place == 0 {
		return schedule.Line{}
	}
	return schedule.Line{At: n.places.texts[o.Place-1]}
}

// stepsOf returns the steps of a schedule that one step of a run is. Of two goroutines that meet,
// one waits for the other. That is not one in a select statement, if possible, which might go on
// with another case.
func (n *Numbers) stepsOf(t unfolding.Taken) []schedule.Step {
	first := n.stepOf(t.Goroutine, t.Operation, t.Case)
	if t.Partner == unfolding.Alone {
		return []schedule.Step{first}
	}
	second := n.stepOf(t.Partner, t.Received, t.Receives)
	if second.Kind != op.Select || first.Kind == op.Select && !t.Received.Default {
		first, second = second, first
	}
	if first.Kind == op.Select {
		first.Kind, first.Case = op.Block, 0
	}
	return []schedule.Step{first, second}
}

// stepOf returns the step that an operation is, without a kind if no schedule has it. The counter
// of a WaitGroup needs none: where it matters which comes first, the others wait. A writer of a
// RWMutex has one step, which is done when it waits or has it.
func (n *Numbers) stepOf(g unfolding.Goroutine, o unfolding.Operation, which int) schedule.Step {
	step := schedule.Step{Goroutine: n.goroutines.texts[g], Line: n.lineOf(o), Kind: kindOf(o)}
	if step.Kind == op.Select {
		step.Case = 1 + which // 0 for the default, which it takes if no case is ready
	}
	return step
}

// kindOf returns the kind of operation that a schedule knows; None if it has none.
func kindOf(o unfolding.Operation) op.Kind {
	switch {
	case o.Kind != unfolding.Communicate:
		return kinds[o.Kind]
	case len(o.Cases) != 1 || o.Default:
		return op.Select
	case o.Cases[0].Send:
		return op.Send
	}
	return op.Recv
}

var kinds = map[unfolding.Kind]op.Kind{
	unfolding.Lock: op.Lock, unfolding.Unlock: op.Unlock, unfolding.Announce: op.Block,
	unfolding.WriteUnlock: op.Unlock, unfolding.ReadLock: op.RLock, unfolding.ReadUnlock: op.RUnlock,
	unfolding.Close: op.Close,
}
