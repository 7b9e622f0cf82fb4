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
	"math/big"
	"time"

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
	before, err = before.Union(s.work, s.lastSlice(x))
	return known(before), err
}

// lastSlice returns the last slice, if x has it.
func (s *Space) lastSlice(x set) slices.Set {
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
		to, err = to.Union(s.work, s.lastSlice(s.And(during, s.fair)))
	}
	if err != nil {
		return set{}, err
	}
	return s.leading(during, to)
}

func (s *Space) InfinitelyOften(during, goal set) (set, error) {
	return s.leading(during, s.lastSlice(s.And(s.And(during, goal), s.fair)))
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
	return s.pathTo(at, during, to)
}

func (s *Space) pathTo(from slices.Ideal, during set, goal slices.Set) ([]kripke.Step, bool, error) {
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
	last := s.lastSlice(s.And(during, goal))
	return func(from kripke.State) (ctl.Lasso, error) {
		way, _, err := s.pathTo(s.run.Slice(from), during, last)
		return ctl.Lasso{Steps: append(way, kripke.Step{Process: kripke.NoProcess, To: s.top}), Loop: len(way)}, err
	}, nil
}

// Counts of slices are optional, so counting gets limits of its own. The ranks of intervals exclude
// few slices of small sets.
const (
	maxCounting  = time.Second
	countedParts = 1 << 12
	maxExcluded  = 1 << 10
)

func (s *Space) Count(x set) *big.Int { return s.count(s.intervals(s.counting, x)) }

func (s *Space) Reached(from kripke.State, during set) *big.Int {
	through, err := s.intervals(s.counting, during)
	if err != nil {
		return nil
	}
	return s.count(through.ReachedFrom(s.counting, s.run.Slice(from)))
}

// count returns the number of slices in a set; nil if that takes too long, or if computing the set
// failed.
func (s *Space) count(x slices.Set, err error) *big.Int {
	if err != nil {
		return nil
	}
	pieces, err := x.DisjointIntervals(s.counting)
	if err != nil {
		return nil
	}
	n := new(big.Int)
	for _, iv := range pieces {
		part := s.between(iv)
		if part == nil {
			return nil
		}
		n.Add(n, part)
	}
	return n
}

// between returns the number of slices in an interval; nil if that takes too long.
func (s *Space) between(iv slices.Interval) *big.Int {
	if s.counter == nil {
		s.counter = poset.New(s.run.Net()).NewCounter()
	}
	n := s.counter.Between(s.counting.Context, iv.Lo.At, iv.Hi.At)
	if !n.Exact() {
		return nil
	}
	if iv.Ranked() {
		excluded, ok, err := s.lattice.CountExcludedByRank(s.counting, iv, maxExcluded)
		if !ok || err != nil {
			return nil
		}
		n.Min.Sub(n.Min, big.NewInt(int64(excluded)))
	}
	return n.Min
}
