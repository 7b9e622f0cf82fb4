// Package sliced is the ctl.Space of a recorded run: it decides formulas of branching time in all its interleavings without visiting
// them. A run of 20 goroutines with 50 events each has some 10^34 global states.
//
// The states are the slices of the run, sets of them are unions of intervals (package slices), and the last one stutters. So every
// path ends there, and that is all there is to going on for ever: a path that stays in p is one to the last slice, if that has p.
package sliced

import (
	"context"
	"errors"
	"iter"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/slices/poset"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// ErrIntervals says that a set of slices needs too many intervals.
var ErrIntervals = errors.New("sets of global states have too many parts; a part of the formula may be decided")

// Space is the space of a run. It is for one goroutine.
type Space struct {
	run     *tracemodel.Run
	lattice *slices.Lattice
	system  kripke.System // the run, whose last state stutters
	top     kripke.State

	every, fair set
	most        int // intervals of a set

	work     context.Context // the present one
	counting context.Context // the part of it in which slices are counted
	counter  *poset.Counter  // nil before they are
}

var _ ctl.Space[set] = (*Space)(nil)

// New returns the space of a run. Where no process can move any more, all are treated fairly, but under kripke.Process, which no finite
// run satisfies. Sets have at most so many intervals: most operations take time quadratic in them. An error is one of numbering the
// last slice.
func New(run *tracemodel.Run, fairness kripke.Fairness, intervals int) (*Space, error) {
	s := &Space{run: run, lattice: run.Lattice(), system: kripke.Stutter(run), most: intervals}
	var err error
	s.top, err = run.State(s.lattice.Top())
	s.every = known(s.lattice.All())
	s.fair = s.every
	if fairness == kripke.Process && len(run.Processes()) > 0 {
		s.fair = s.every.complement()
	}
	return s, err
}

// stopped ends work that cannot go on.
type stopped struct{ err error }

// Within implements ctl.Space.
func (s *Space) Within(ctx context.Context, work func()) (err error) {
	var end context.CancelFunc
	s.work = ctx
	s.counting, end = context.WithTimeout(ctx, maxCounting)
	s.guard()
	defer func() {
		end()
		switch e := recover().(type) {
		case nil:
		case stopped:
			if err = e.err; ctx.Err() != nil {
				err = context.Cause(ctx)
			}
		default:
			panic(e)
		}
	}()
	work()
	return nil
}

// guard lets operations go on as long as the work.
func (s *Space) guard() {
	ctx := s.work
	s.lattice.Guard(s.most, func() bool { return ctx.Err() != nil })
}

// done returns what was computed, if nothing has stopped that.
func (s *Space) done(x slices.Set) slices.Set {
	if s.lattice.GaveUp() {
		panic(stopped{ErrIntervals})
	}
	return x
}

// state returns the number of a slice.
func (s *Space) state(i slices.Ideal) kripke.State {
	n, err := s.run.State(i)
	if err != nil {
		panic(stopped{err})
	}
	return n
}

// System implements ctl.Space: it numbers the slices of which evidence speaks.
func (s *Space) System() kripke.System { return s.system }

// Every implements ctl.Space.
func (s *Space) Every() set { return s.every }

// Fair implements ctl.Space.
func (s *Space) Fair() set { return s.fair }

// Where implements ctl.Space.
func (s *Space) Where(atom kripke.Atom) set { return known(s.run.Where(atom)) }

// All implements ctl.Space. It is for sets that have been counted.
func (s *Space) All(x set) iter.Seq[kripke.State] {
	return func(yield func(kripke.State) bool) {
		s.lattice.Guard(0, nil) // the work may have ended
		for i := range s.intervals(x).All() {
			if !yield(s.state(i)) {
				return
			}
		}
	}
}

// Before implements ctl.Space. That the last slice stays where it is is no move of a process.
func (s *Space) Before(process int32, x set) set {
	after := s.intervals(x)
	if process != ctl.Anybody {
		return known(s.done(after.NextBy(san.Task(process))))
	}
	return known(s.done(after.Next().Union(s.last(x))))
}

// last returns the last slice, if x has it.
func (s *Space) last(x set) slices.Set {
	if !s.Has(x, s.top) {
		return s.lattice.None()
	}
	top := s.lattice.Top()
	return s.lattice.Set(slices.Interval{Lo: top, Hi: top})
}

// Until implements ctl.Space.
func (s *Space) Until(during, goal set) set {
	if during == s.every {
		return s.below(goal)
	}
	return s.leading(during, s.intervals(goal))
}

// WeakUntil implements ctl.Space.
func (s *Space) WeakUntil(during, goal set) set {
	return s.leading(during, s.intervals(goal).Union(s.last(s.And(during, s.fair))))
}

// Again implements ctl.Space.
func (s *Space) Again(during, goal set) set {
	return s.leading(during, s.last(s.And(s.And(during, goal), s.fair)))
}

func (s *Space) leading(during set, goal slices.Set) set {
	if goal.IsEmpty() {
		return s.every.complement()
	}
	return known(s.done(s.intervals(during).Leading(goal)))
}

// Way implements ctl.Space.
func (s *Space) Way(from kripke.State, during, goal set) ([]kripke.Step, bool) {
	at := s.run.Slice(from)
	if during == s.every {
		to, ok := s.nearest(at, goal)
		if !ok {
			return nil, false
		}
		return s.steps(at, s.lattice.Schedule(at, to)), true
	}
	return s.way(at, during, s.intervals(goal))
}

func (s *Space) way(from slices.Ideal, during set, goal slices.Set) ([]kripke.Step, bool) {
	actions, ok := s.intervals(during).Way(from, goal)
	s.done(goal)
	return s.steps(from, actions), ok
}

// steps returns the steps of actions that happen one after the other.
func (s *Space) steps(at slices.Ideal, actions []san.Action) (steps []kripke.Step) {
	for _, a := range actions {
		at = s.lattice.Fire(at, a)
		steps = append(steps, kripke.Step{Process: int32(a.Task), To: s.state(at)})
	}
	return steps
}

// Lassos implements ctl.Space: the loop is the last slice.
func (s *Space) Lassos(during, goal set) func(kripke.State) ctl.Lasso {
	last := s.last(s.And(during, goal))
	return func(from kripke.State) ctl.Lasso {
		way, _ := s.way(s.run.Slice(from), during, last)
		return ctl.Lasso{Steps: append(way, kripke.Step{Process: kripke.Nobody, To: s.top}), Loop: len(way)}
	}
}
