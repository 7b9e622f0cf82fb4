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

// Options are what a space may have.
type Options struct {
	Fairness kripke.Fairness
	Stutter  bool            // what has no successor stays where it is, for ever
	Progress func(nodes int) // is called now and then; nil if nobody wants to know
}

// Space is the space of a program.
type Space struct {
	*program
	Options
	sys kripke.System // the program, which may stutter

	every Set // all states that can be reached
	dead  Set // those of them without a move, which stutter
	fair  Set

	exact int // how many steps of operations the search for a shortest way may take
}

var _ ctl.Space[Set] = (*Space)(nil)

// New finds the states that a program reaches. An error is a *source.Error if a variable leaves its range, a
// *kripke.DeadEndError, a *bdd.StoppedError when the context has ended, or says that a state is too large.
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
			s.fair = s.again(s.every, s.every)
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

// reach finds the states that can be reached.
func (s *Space) reach() error {
	s.every = s.closure(s.state(s.source.Initial()[0]), s.table.Constant(true), false)
	s.fair = s.every
	if wrong := s.every.And(s.fails); !wrong.IsFalse() {
		_, err := s.source.Moves(nil, s.some(wrong))
		return err
	}
	s.dead = s.every
	for _, able := range s.able {
		s.dead = s.dead.Minus(able)
	}
	if !s.Stutter && !s.dead.IsFalse() {
		end := s.some(s.dead)
		return &kripke.DeadEndError{State: end, Text: kripke.Text(s.sys, end)}
	}
	return nil
}

// closure returns the least set that has all of start and, of within, what moves lead to from the set; or if it goes back, what they lead from.
func (s *Space) closure(start, within Set, back bool) Set {
	relations := make([]*bdd.Relation, len(s.moves))
	for i, m := range s.moves {
		relations[i] = m.relation
	}
	return start.Closure(within, relations, back)
}

// after returns what can be reached from start through states of during.
func (s *Space) after(start, during Set) Set {
	inside := s.closure(start.And(during), during, false)
	return start.Or(inside).Or(s.next(inside))
}

// next returns where the moves from x lead.
func (s *Space) next(x Set) Set {
	to := x.And(s.dead)
	for _, m := range s.moves {
		to = to.Or(x.Image(m.relation))
	}
	return to
}

// System implements ctl.Space. Its states have numbers in the order in which somebody asked for them.
func (s *Space) System() kripke.System { return s.sys }

// Within implements ctl.Space.
func (s *Space) Within(ctx context.Context, work func() error) error {
	var failed error
	err := s.table.Within(ctx, func() { failed = work() })
	return cmp.Or(err, failed)
}

// Every returns the states that can be reached.
func (s *Space) Every() Set { return s.every }

// Fair implements ctl.Space.
func (s *Space) Fair() Set { return s.fair }

// Where implements ctl.Space.
func (s *Space) Where(atom kripke.Atom) Set {
	return s.every.And(s.condition(s.value, s.source.Condition(atom)))
}

// And implements ctl.Space.
func (s *Space) And(x, y Set) Set { return x.And(y) }

// Or implements ctl.Space.
func (s *Space) Or(x, y Set) Set { return x.Or(y) }

// Minus implements ctl.Space.
func (s *Space) Minus(x, y Set) Set { return x.Minus(y) }

// Count implements ctl.Space.
func (s *Space) Count(x Set) *big.Int { return x.Count(s.bits) }

// Has implements ctl.Space.
func (s *Space) Has(x Set, at kripke.State) bool { return s.has(x, at) }

// All implements ctl.Space.
func (s *Space) All(x Set) iter.Seq2[kripke.State, error] {
	return func(yield func(kripke.State, error) bool) {
		for bits := range x.All(s.bits) {
			if !yield(s.decode(bits), nil) {
				return
			}
		}
	}
}

// Before implements ctl.Space.
func (s *Space) Before(process int32, x Set) (Set, error) { return s.before(process, x), nil }

func (s *Space) before(process int32, x Set) Set {
	from := s.table.Constant(false)
	for _, m := range s.moves {
		if process == ctl.Anybody || process == m.process {
			from = from.Or(x.Preimage(m.relation))
		}
	}
	from = from.And(s.every)
	if process == ctl.Anybody {
		from = from.Or(x.And(s.dead))
	}
	return from
}

// Until implements ctl.Space.
func (s *Space) Until(during, goal Set) (Set, error) { return s.until(during, goal), nil }

func (s *Space) until(during, goal Set) Set { return s.closure(goal, during, true) }

// WeakUntil implements ctl.Space.
func (s *Space) WeakUntil(during, goal Set) (Set, error) {
	if s.Fairness != kripke.Unfair {
		return s.until(during, goal.Or(s.hull(during, during))), nil
	}
	x := during.Or(goal)
	for {
		next := x.And(goal.Or(s.before(ctl.Anybody, x)))
		if next.Equal(x) {
			return x, nil
		}
		x = next
	}
}

// Again implements ctl.Space.
func (s *Space) Again(during, goal Set) (Set, error) { return s.again(during, goal), nil }

func (s *Space) again(during, goal Set) Set { return s.until(during, s.hull(during, goal)) }

// Reached implements ctl.Space.
func (s *Space) Reached(from kripke.State, during Set) *big.Int {
	return s.Count(s.after(s.state(from), during))
}
