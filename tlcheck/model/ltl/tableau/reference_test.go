package tableau_test

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// reference decides formulas by the construction of Lichtenstein and Pnueli, "Checking That Finite
// State Concurrent Programs Satisfy Their Linear Specification" (1985): its states are all values
// of the atoms and of what temporal subformulas promise for the next state, and nothing is built on
// the way. Sets of states are fixpoints by their definitions.
type reference struct {
	formulas []*temporal.Formula // operands first
	values   [][]bool            // of each formula, by state
	bits     map[string]int      // of atoms, in states
	promises []promise
	states   int
}

// promise is a temporal subformula: its bit in a state is its truth in the next one.
type promise struct{ formula, bit, operand int }

func newReference(f *temporal.Formula) *reference {
	r := &reference{bits: map[string]int{}}
	bits := 0
	numbers := map[*temporal.Formula]int{}
	var list func(*temporal.Formula)
	list = func(f *temporal.Formula) {
		if f == nil {
			return
		}
		list(f.X)
		list(f.Y)
		numbers[f] = len(r.formulas)
		switch {
		case f.Op == temporal.Atomic:
			if _, ok := r.bits[f.Atom.Text]; !ok {
				r.bits[f.Atom.Text] = bits
				bits++
			}
		case f.Op >= temporal.Next:
			r.promises = append(r.promises, promise{len(r.formulas), bits, numbers[f.X]})
			bits++
		}
		r.formulas = append(r.formulas, f)
	}
	list(f)
	r.states = 1 << bits
	for i, f := range r.formulas {
		v := make([]bool, r.states)
		for s := range v {
			v[s] = r.value(f, i, numbers, s)
		}
		r.values = append(r.values, v)
	}
	return r
}

// value is what a formula is in a state, by the values of its operands there and its promise.
func (r *reference) value(f *temporal.Formula, number int, numbers map[*temporal.Formula]int, s int) bool {
	var x, y, later bool
	if f.X != nil {
		x = r.values[numbers[f.X]][s]
	}
	if f.Y != nil {
		y = r.values[numbers[f.Y]][s]
	}
	for _, p := range r.promises {
		if p.formula == number {
			later = s>>p.bit&1 == 1
		}
	}
	switch f.Op {
	case temporal.True:
		return true
	case temporal.False:
		return false
	case temporal.Atomic:
		return s>>r.bits[f.Atom.Text]&1 == 1
	case temporal.Not:
		return !x
	case temporal.And:
		return x && y
	case temporal.Or:
		return x || y
	case temporal.Implies:
		return !x || y
	case temporal.Iff:
		return x == y
	case temporal.Next:
		return later
	case temporal.Eventually:
		return x || later
	case temporal.Always:
		return x && later
	case temporal.Until, temporal.WeakUntil:
		return y || x && later
	case temporal.Release, temporal.StrongRelease:
		return y && (x || later)
	}
	panic(f.Op)
}

// before returns the states with a next state in a set: one where all is as it was promised.
func (r *reference) before(set []bool) []bool {
	kept := map[int]bool{}
	for s, in := range set {
		if !in {
			continue
		}
		signature := 0
		for i, p := range r.promises {
			f := p.formula
			if r.formulas[f].Op == temporal.Next {
				f = p.operand
			}
			if r.values[f][s] {
				signature |= 1 << i
			}
		}
		kept[signature] = true
	}
	from := make([]bool, len(set))
	for s := range from {
		signature := 0
		for i, p := range r.promises {
			signature |= s >> p.bit & 1 << i
		}
		from[s] = kept[signature]
	}
	return from
}

// due returns the states in which a subformula is not waiting: its promise is fulfilled, or it
// promises nothing. The other operators also promise something when they are false.
func (r *reference) due(p promise, s int) bool {
	f := r.formulas[p.formula]
	is, x := r.values[p.formula][s], r.values[p.operand][s]
	var y bool
	for i, g := range r.formulas {
		if g == f.Y {
			y = r.values[i][s]
		}
	}
	switch f.Op {
	case temporal.Eventually:
		return !is || x
	case temporal.Always:
		return is || !x
	case temporal.Until:
		return !is || y
	case temporal.StrongRelease:
		return !is || x && y
	case temporal.Release:
		return is || !y
	case temporal.WeakUntil:
		return is || !x && !y
	}
	return true
}

// satisfiable reports whether a path begins where the formula is true on which nothing waits for
// ever.
func (r *reference) satisfiable() bool {
	set := make([]bool, r.states)
	for s := range set {
		set[s] = true
	}
	for changed := true; changed; {
		before := set
		for _, p := range append(r.promises, promise{formula: -1}) {
			goal := make([]bool, r.states)
			for s := range goal {
				goal[s] = set[s] && (p.formula < 0 || r.due(p, s))
			}
			set = and(set, r.before(r.until(set, goal)))
		}
		changed = false
		for s := range set {
			changed = changed || set[s] != before[s]
		}
	}
	root := r.values[len(r.values)-1]
	for s := range set {
		if set[s] && root[s] {
			return true
		}
	}
	return false
}

// until returns the states from which a path within a set leads to a goal in it.
func (r *reference) until(within, goal []bool) []bool {
	for {
		next, changed := and(within, r.before(goal)), false
		for s := range next {
			next[s] = next[s] || goal[s]
			changed = changed || next[s] != goal[s]
		}
		if goal = next; !changed {
			return goal
		}
	}
}
