// Package sliced decides formulas of branching time on a recorded run, in all its interleavings,
// without visiting them one by one. It is a ctl.Space. A run of 20 goroutines with 50 events each
// has some 10^34 global states.
//
//	space, err := sliced.New(tracemodel.New(net), kripke.Unfair, 1<<16)
//	formula, err := temporal.Parse("formula", "EF (a:(in.f) & b:(in.f))", temporal.CTL)
//	result, err := ctl.NewOnSpace(space).Check(ctx, formula)
//
// The states are the slices of the run, and sets of them are unions of intervals (package slices).
// The last slice stutters, so every infinite path ends in it. A path on which p always holds is a
// path to the last slice on which p holds.
package sliced

import (
	"context"
	"errors"
	"iter"

	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// manyPartsError explains an *slices.IntervalsError to users who checked a formula.
type manyPartsError struct{ cause error }

func (e *manyPartsError) Error() string {
	return "sets of global states have too many parts; a part of the formula may be decided"
}

func (e *manyPartsError) Unwrap() error { return e.cause }

// Space is the space of a run. Only one goroutine may use it.
type Space struct {
	run     *tracemodel.Run
	lattice *slices.Lattice
	system  kripke.System // the run, whose last state stutters
	top     kripke.State

	every, fair set
	most        int // limit for the intervals of a set

	work     slices.Budget  // of the running Within
	counting slices.Budget  // the part of it for counting slices
	counter  *poset.Counter // nil until slices are counted
}

var _ ctl.Space[set] = (*Space)(nil)

// New returns the space of a run. Where no process can move any more, fairness treats all alike,
// except under kripke.Process, which no finite run satisfies. intervals limits each set, since most
// operations take time quadratic in them. New fails if the last slice cannot be numbered.
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

// Within implements ctl.Space. The error is an *slices.IntervalsError if a set needs too many
// intervals.
func (s *Space) Within(ctx context.Context, work func() error) error {
	counting, end := context.WithTimeout(ctx, maxCounting)
	defer end()
	s.work = slices.Budget{Context: ctx, Intervals: s.most}
	s.counting = slices.Budget{Context: counting, Intervals: countedParts}
	defer func() { s.work, s.counting = slices.Budget{}, slices.Budget{} }()
	err := work()
	if errors.As(err, new(*slices.IntervalsError)) {
		return &manyPartsError{err}
	}
	return err
}

// System implements ctl.Space. It numbers the slices of evidence.
func (s *Space) System() kripke.System { return s.system }

func (s *Space) Every() set { return s.every }

func (s *Space) Fair() set { return s.fair }

func (s *Space) Where(atom kripke.Atom) set { return known(s.run.Where(atom)) }

// All implements ctl.Space. The set must have been counted.
func (s *Space) All(x set) iter.Seq2[kripke.State, error] {
	return func(yield func(kripke.State, error) bool) {
		all, err := s.intervals(s.work, x)
		if err != nil {
			yield(0, err)
			return
		}
		for i := range all.All() {
			if state, err := s.run.State(i); !yield(state, err) || err != nil {
				return
			}
		}
	}
}

// Preimage implements ctl.Space. The stuttering of the last slice is no move of a process.
func (s *Space) Preimage(process int32, x set) (set, error) {
	after, err := s.intervals(s.work, x)
	if err != nil {
		return set{}, err
	}
	if process != ctl.AnyProcess {
		before, err := after.NextBy(s.work, san.Task(process))
		return known(before), err
	}
	before, err := after.Next(s.work)
	if err != nil {
		return set{}, err
	}
	before, err = before.Union(s.work, s.last(x))
	return known(before), err
}

// last returns the last slice, if x has it.
func (s *Space) last(x set) slices.Set {
	if !s.Has(x, s.top) {
		return s.lattice.None()
	}
	top := s.lattice.Top()
	return s.lattice.Set(slices.Interval{Lo: top, Hi: top})
}

func (s *Space) Until(during, goal set) (set, error) {
	if during == s.every {
		return s.below(goal)
	}
	to, err := s.intervals(s.work, goal)
	if err != nil {
		return set{}, err
	}
	return s.leading(during, to)
}

func (s *Space) WeakUntil(during, goal set) (set, error) {
	to, err := s.intervals(s.work, goal)
	if err == nil {
		to, err = to.Union(s.work, s.last(s.And(during, s.fair)))
	}
	if err != nil {
		return set{}, err
	}
	return s.leading(during, to)
}

func (s *Space) InfinitelyOften(during, goal set) (set, error) {
	return s.leading(during, s.last(s.And(s.And(during, goal), s.fair)))
}

func (s *Space) leading(during set, goal slices.Set) (set, error) {
	if goal.IsEmpty() {
		return s.every.complement(), nil
	}
	through, err := s.intervals(s.work, during)
	if err != nil {
		return set{}, err
	}
	from, err := through.ExistsUntil(s.work, goal)
	return known(from), err
}

func (s *Space) ShortestPath(from kripke.State, during, goal set) ([]kripke.Step, bool, error) {
	at := s.run.Slice(from)
	if during == s.every {
		to, ok, err := s.nearest(at, goal)
		if !ok || err != nil {
			return nil, false, err
		}
		steps, err := s.steps(at, s.lattice.Schedule(at, to))
		return steps, true, err
	}
	to, err := s.intervals(s.work, goal)
	if err != nil {
		return nil, false, err
	}
	return s.way(at, during, to)
}

func (s *Space) way(from slices.Ideal, during set, goal slices.Set) ([]kripke.Step, bool, error) {
	through, err := s.intervals(s.work, during)
	if err != nil {
		return nil, false, err
	}
	actions, ok, err := through.ShortestPath(s.work, from, goal)
	if !ok || err != nil {
		return nil, false, err
	}
	steps, err := s.steps(from, actions)
	return steps, true, err
}

// steps returns the steps of consecutive actions.
func (s *Space) steps(at slices.Ideal, actions []san.Action) (steps []kripke.Step, err error) {
	for _, a := range actions {
		at = s.lattice.Fire(at, a)
		state, err := s.run.State(at)
		if err != nil {
			return nil, err
		}
		steps = append(steps, kripke.Step{Process: int32(a.Task), To: state})
	}
	return steps, nil
}

// Lassos implements ctl.Space. The loop is the last slice.
func (s *Space) Lassos(during, goal set) (func(kripke.State) (ctl.Lasso, error), error) {
	last := s.last(s.And(during, goal))
	return func(from kripke.State) (ctl.Lasso, error) {
		way, _, err := s.way(s.run.Slice(from), during, last)
		return ctl.Lasso{Steps: append(way, kripke.Step{Process: kripke.NoProcess, To: s.top}), Loop: len(way)}, err
	}, nil
}
