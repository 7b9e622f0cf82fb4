package symbolic

import (
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// hull returns a set of states of during from each of which a fair path stays in the set and is in goal infinitely often. It has all states
// on cycles that are fair and have a state of goal.
//
// It is the greatest set z of which each state
//
//   - has a move into z,
//   - can reach goal in z, and
//   - for each process, can reach a state of z where the process moves into z (fairness process); or where it does that or has no move
//     (weak); or has no move of the process, or can reach in z a state where it moves into z (strong).
//
// Those who follow the last two of these for all processes in turn are fair: Emerson and Lei, "Efficient Model Checking in Fragments of the
// Propositional Mu-Calculus". For strong fairness they first go on to states of z that z cannot leave. From each of those they can reach all
// of them, so whoever has a move in one of them moves in one of them: Kesten, Pnueli, Raviv and Shahar, "Model Checking with Strong
// Fairness".
func (s *Space) hull(during, goal Set) Set {
	z := during
	for {
		before := z
		z = z.And(s.before(ctl.Anybody, z))
		z = s.until(z, z.And(goal))
		if s.Fairness != kripke.Unfair {
			for p := range s.able {
				z = s.content(z, int32(p))
			}
		}
		if z.Equal(before) {
			return z
		}
	}
}

// content returns the states of z that are fair to a process as far as z is concerned.
func (s *Space) content(z Set, process int32) Set {
	moves, idle := z.And(s.before(process, z)), z.Minus(s.able[process])
	switch s.Fairness {
	case kripke.Weak:
		return s.until(z, moves.Or(idle))
	case kripke.Strong:
		return idle.Or(s.until(z, moves))
	}
	return s.until(z, moves)
}
