package ctl_test

import (
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// reference evaluates formulas by their definitions: fixpoints are iterated until nothing changes,
// and cycles are looked for among all sets of states.
type reference struct {
	*structure
	fairness kripke.Fairness
	cycles   []uint // maximal sets of states that some fair path visits infinitely often
}

func newReference(m *structure, fairness kripke.Fairness) *reference {
	r := &reference{structure: m, fairness: fairness}
	for in := uint(1); in < 1<<len(m.moves); in++ {
		if r.connected(in) && r.fairIn(in) {
			r.cycles = append(r.cycles, in)
		}
	}
	return r
}

func (r *reference) every() uint { return 1<<len(r.moves) - 1 }

// where returns the states that have the property.
func (r *reference) where(property func(s int) bool) (in uint) {
	for s := range r.moves {
		if property(s) {
			in |= 1 << s
		}
	}
	return in
}

// some returns the states with a move, by one process or by any, into a set.
func (r *reference) some(process string, in uint) uint {
	return r.where(func(s int) bool {
		for _, m := range r.moves[s] {
			if in>>m.To&1 == 1 && (process == "" || r.processes[m.Process] == process) {
				return true
			}
		}
		return false
	})
}

// connected reports whether each state of a set can be reached from each, itself included, by at
// least one move inside.
func (r *reference) connected(in uint) bool {
	for s := range r.moves {
		if in>>s&1 == 0 {
			continue
		}
		reached, before := uint(0), uint(1)
		for reached != before {
			before = reached
			for from := range r.moves {
				if from != s && reached>>from&1 == 0 {
					continue
				}
				for _, m := range r.moves[from] {
					reached |= 1 << m.To & in
				}
			}
		}
		if reached != in {
			return false
		}
	}
	return true
}

// fairIn reports whether a path is fair that uses all moves within a set for ever.
func (r *reference) fairIn(in uint) bool {
	for p := range r.processes {
		able, unable, moves := false, false, false
		for s := range r.moves {
			if in>>s&1 == 0 {
				continue
			}
			here := false
			for _, m := range r.moves[s] {
				if int(m.Process) == p {
					here = true
					moves = moves || in>>m.To&1 == 1
				}
			}
			able, unable = able || here, unable || !here
		}
		switch {
		case moves, r.fairness == kripke.Unfair, r.fairness == kripke.Weak && unable,
			r.fairness == kripke.Strong && !able:
		default:
			return false
		}
	}
	return true
}

// until is the least set that has goal, and the states of during from which a move leads into it.
func (r *reference) until(during, goal uint) uint {
	for set := goal & r.fair(); ; {
		next := set | during&r.some("", set)
		if next == set {
			return set
		}
		set = next
	}
}

// fair returns where fair paths begin.
func (r *reference) fair() uint { return r.forever(r.every(), r.every()) }

// forever returns from where a fair path stays within a set and is in goal infinitely often.
func (r *reference) forever(within, goal uint) uint {
	set := uint(0)
	for _, c := range r.cycles {
		if c&^within == 0 && c&goal != 0 {
			set |= c
		}
	}
	for {
		next := set | within&r.some("", set)
		if next == set {
			return set
		}
		set = next
	}
}

func (r *reference) holds(f *temporal.Formula, s kripke.State) bool { return r.value(f)>>s&1 == 1 }

// value returns the states in which f is true.
func (r *reference) value(f *temporal.Formula) uint {
	not := func(set uint) uint { return r.every() &^ set }
	var x, y uint
	if f.X != nil {
		x = r.value(f.X)
	}
	if f.Y != nil {
		y = r.value(f.Y)
	}
	switch f.Op {
	case temporal.True:
		return r.every()
	case temporal.False:
		return 0
	case temporal.Atomic:
		return r.where(func(s int) bool { return r.labels[s][f.Atom.Text] })
	case temporal.Not:
		return not(x)
	case temporal.And:
		return x & y
	case temporal.Or:
		return x | y
	case temporal.Implies:
		return not(x) | y
	case temporal.Iff:
		return not(x ^ y)
	case temporal.EX:
		return r.some(f.Process, x&r.fair())
	case temporal.AX:
		return not(r.some(f.Process, not(x)&r.fair()))
	case temporal.EF:
		return r.until(r.every(), x)
	case temporal.AF:
		return not(r.forever(not(x), r.every()))
	case temporal.EG:
		return r.forever(x, r.every())
	case temporal.AG:
		return not(r.until(r.every(), not(x)))
	case temporal.EGF:
		return r.forever(r.every(), x)
	case temporal.AFG:
		return not(r.forever(r.every(), not(x)))
	case temporal.EU:
		return r.until(x, y)
	case temporal.AU: // on no path y never, nor neither of them before y
		return not(r.forever(not(y), r.every()) | r.until(not(y), not(x|y)))
	case temporal.ER:
		return r.forever(y, r.every()) | r.until(y, x&y)
	case temporal.AR:
		return not(r.until(not(x), not(y)))
	case temporal.EW:
		return r.forever(x, r.every()) | r.until(x, y)
	case temporal.AW:
		return not(r.until(not(y), not(x|y)))
	}
	panic(f.Op)
}
