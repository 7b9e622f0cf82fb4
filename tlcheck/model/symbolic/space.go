package symbolic

import (
	"cmp"
	"context"
	"iter"
	"math/big"

	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Set is a set of states.
type Set = *bdd.Function

// Options are settings of a space.
type Options struct {
	Fairness kripke.Fairness
	Stutter  bool            // a state without moves stutters for ever
	Progress func(nodes int) // called at intervals; may be nil
}

// Space is the space of a program.
type Space struct {
	*program
	Options
	sys kripke.System // the program, which may stutter

	every Set // all reachable states
	dead  Set // reachable states without a move, which stutter
	fair  Set

	exact int // limit of steps for the search for a shortest path
}

var _ ctl.Space[Set] = (*Space)(nil)

// New computes the reachable states. An error is a *source.Error if a variable leaves its range, a
// *kripke.DeadEndError, a *bdd.StoppedError if the context has ended, or for a state that is too
// large.
func New(ctx context.Context, program *gcl.System, o Options) (*Space, error) {
	s := &Space{Options: o, sys: program, exact: mostSteps}
	if o.Stutter {
		s.sys = kripke.Stutter(program)
	}
	table := bdd.New()
	table.Watch = o.Progress
	var failed error
	err := table.Within(ctx, func() {
		if s.program, failed = newProgram(table, program); failed != nil {
			return
		}
		if failed = s.reach(); failed == nil && o.Fairness != kripke.Unfair {
			s.fair = s.infinitelyOften(s.every, s.every)
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Space) reach() error {
	s.every = s.closure(s.state(s.source.Initial()[0]), s.table.Constant(true), false)
	s.fair = s.every
	if wrong := s.every.And(s.fails); !wrong.IsFalse() {
		_, err := s.source.Moves(nil, s.anyState(wrong))
		return err
	}
	s.dead = s.every
	for _, able := range s.enabled {
		s.dead = s.dead.Minus(able)
	}
	if !s.Stutter && !s.dead.IsFalse() {
		end := s.anyState(s.dead)
		return &kripke.DeadEndError{State: end, Text: kripke.Text(s.sys, end)}
	}
	return nil
}

// closure returns the least set that includes start and all successors within a set. With back, it
// takes predecessors instead.
func (s *Space) closure(start, within Set, back bool) Set {
	relations := make([]*bdd.Relation, len(s.moves))
	for i, m := range s.moves {
		relations[i] = m.relation
	}
	return start.Closure(within, relations, back)
}

// after returns the states reachable from start through states of during.
func (s *Space) after(start, during Set) Set {
	inside := s.closure(start.And(during), during, false)
	return start.Or(inside).Or(s.next(inside))
}

func (s *Space) next(x Set) Set {
	to := x.And(s.dead)
	for _, m := range s.moves {
		to = to.Or(x.Image(m.relation))
	}
	return to
}

// System implements ctl.Space. It numbers states on first use.
func (s *Space) System() kripke.System { return s.sys }

func (s *Space) Within(ctx context.Context, work func() error) error {
	var failed error
	err := s.table.Within(ctx, func() { failed = work() })
	return cmp.Or(err, failed)
}

// Every returns the reachable states.
func (s *Space) Every() Set { return s.every }

func (s *Space) Fair() Set                       { return s.fair }
func (s *Space) And(x, y Set) Set                { return x.And(y) }
func (s *Space) Or(x, y Set) Set                 { return x.Or(y) }
func (s *Space) Minus(x, y Set) Set              { return x.Minus(y) }
func (s *Space) Count(x Set) *big.Int            { return x.Count(s.bits) }
func (s *Space) Has(x Set, at kripke.State) bool { return s.has(x, at) }

func (s *Space) Where(atom kripke.Atom) Set {
	return s.every.And(s.condition(s.value, s.source.Condition(atom)))
}

func (s *Space) All(x Set) iter.Seq2[kripke.State, error] {
	return func(yield func(kripke.State, error) bool) {
		for bits := range x.All(s.bits) {
			if !yield(s.decode(bits), nil) {
				return
			}
		}
	}
}

func (s *Space) Preimage(process int32, x Set) (Set, error) { return s.preimage(process, x), nil }

func (s *Space) preimage(process int32, x Set) Set {
	from := s.table.Constant(false)
	for _, m := range s.moves {
		if process == ctl.AnyProcess || process == m.process {
			from = from.Or(x.Preimage(m.relation))
		}
	}
	from = from.And(s.every)
	if process == ctl.AnyProcess {
		from = from.Or(x.And(s.dead))
	}
	return from
}

func (s *Space) Until(during, goal Set) (Set, error) { return s.until(during, goal), nil }

func (s *Space) until(during, goal Set) Set { return s.closure(goal, during, true) }

func (s *Space) WeakUntil(during, goal Set) (Set, error) {
	if s.Fairness != kripke.Unfair {
		return s.until(during, goal.Or(s.hull(during, during))), nil
	}
	x := during.Or(goal)
	for {
		next := x.And(goal.Or(s.preimage(ctl.AnyProcess, x)))
		if next.Equal(x) {
			return x, nil
		}
		x = next
	}
}

func (s *Space) InfinitelyOften(during, goal Set) (Set, error) {
	return s.infinitelyOften(during, goal), nil
}

func (s *Space) infinitelyOften(during, goal Set) Set { return s.until(during, s.hull(during, goal)) }

func (s *Space) Reached(from kripke.State, during Set) *big.Int {
	return s.Count(s.after(s.state(from), during))
}
