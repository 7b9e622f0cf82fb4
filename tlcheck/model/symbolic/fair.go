package symbolic

import (
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// hull returns a subset of during from each state of which a fair path stays in the set and visits
// goal infinitely often. It includes all states on fair cycles with a state of goal.
//
// It is the greatest set z in which each state
//
//   - has a move into z,
//   - can reach goal in z, and
//   - for each process, can reach a state of z where the process moves into z (fairness process);
//     or where it moves into z or has no move (weak); or has no move of the process, or can reach
//     in z a state where it moves into z (strong).
//
// Paths that follow the last two for all processes in turn are fair (Emerson and Lei, "Efficient
// Model Checking in Fragments of the Propositional Mu-Calculus", 1986). For strong fairness they
// first go to states that can only reach each other in z, all of them. There a process that is
// enabled in one of the states moves in one of them (Kesten, Pnueli, Raviv and Shahar, "Model
// Checking with Strong Fairness", 2006).
func (s *Space) hull(during, goal Set) Set {
	z := during
	for {
		before := z
		z = z.And(s.preimage(ctl.AnyProcess, z))
		z = s.until(z, z.And(goal))
		if s.Fairness != kripke.Unfair {
			for p := range s.enabled {
				z = s.content(z, int32(p))
			}
		}
		if z.Equal(before) {
			return z
		}
	}
}

// content returns the states of z that satisfy the fairness of a process in z.
func (s *Space) content(z Set, process int32) Set {
	moves, idle := z.And(s.preimage(process, z)), z.Minus(s.enabled[process])
	switch s.Fairness {
	case kripke.Weak:
		return s.until(z, moves.Or(idle))
	case kripke.Strong:
		return idle.Or(s.until(z, moves))
	}
	return s.until(z, moves)
}
