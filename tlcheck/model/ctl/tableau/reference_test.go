package tableau_test

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// reference decides satisfiability without a tableau: it takes all valuations of the formula's
// claims about the present and about next states, and removes those that cannot be states of a
// model, until the rest is one.
type reference struct {
	processes  []string
	elementary []elementaryFormula
	numbers    map[string]int
	events     []*temporal.Formula // EU and AU
	infinitary []*temporal.Formula // EGF

	// By valuation. The states of a model are found in stages: from a valuation in the one that was
	// won before all paths are as they should be.
	alive, won []bool
}

// elementaryFormula is an atom, or EX_i of something.
type elementaryFormula struct {
	atom    string
	process int
	after   *temporal.Formula
	values  []bool // of after, by valuation
}

// maxElementary bounds what the reference is asked: it takes time exponential in that.
const maxElementary = 9

// not, and, ex: all other operators are written with these, EU and AU.
func not(f *temporal.Formula) *temporal.Formula { return &temporal.Formula{Op: temporal.Not, X: f} }

func binary(op temporal.Op, x, y *temporal.Formula) *temporal.Formula {
	return &temporal.Formula{Op: op, X: x, Y: y}
}

// basic writes a formula with true, atoms, !, &, EX, EU, AU and EGF.
func basic(f *temporal.Formula) *temporal.Formula {
	var x, y *temporal.Formula
	if f.X != nil {
		x = basic(f.X)
	}
	if f.Y != nil {
		y = basic(f.Y)
	}
	top := &temporal.Formula{Op: temporal.True}
	both := func(x, y *temporal.Formula) *temporal.Formula { return binary(temporal.And, x, y) }
	either := func(x, y *temporal.Formula) *temporal.Formula { return not(both(not(x), not(y))) }
	switch f.Op {
	case temporal.True, temporal.Atomic:
		return f
	case temporal.False:
		return not(top)
	case temporal.Not:
		return not(x)
	case temporal.And:
		return both(x, y)
	case temporal.Or:
		return either(x, y)
	case temporal.Implies:
		return either(not(x), y)
	case temporal.Iff:
		return both(either(not(x), y), either(not(y), x))
	case temporal.EX:
		return &temporal.Formula{Op: temporal.EX, Process: f.Process, X: x}
	case temporal.AX:
		return not(&temporal.Formula{Op: temporal.EX, Process: f.Process, X: not(x)})
	case temporal.EF:
		return binary(temporal.EU, top, x)
	case temporal.AF:
		return binary(temporal.AU, top, x)
	case temporal.EG:
		return not(binary(temporal.AU, top, not(x)))
	case temporal.AG:
		return not(binary(temporal.EU, top, not(x)))
	case temporal.EU, temporal.AU:
		return binary(f.Op, x, y)
	case temporal.EGF:
		return &temporal.Formula{Op: temporal.EGF, X: x}
	case temporal.AFG:
		return not(&temporal.Formula{Op: temporal.EGF, X: not(x)})
	case temporal.ER:
		return not(binary(temporal.AU, not(x), not(y)))
	case temporal.AR:
		return not(binary(temporal.EU, not(x), not(y)))
	case temporal.EW:
		return not(binary(temporal.AU, not(y), not(either(x, y))))
	case temporal.AW:
		return not(binary(temporal.EU, not(y), not(either(x, y))))
	}
	panic(f.Op)
}

// newReference returns nil for a formula that is too large.
func newReference(f *temporal.Formula, processes []string) *reference {
	r := &reference{processes: processes, numbers: map[string]int{}}
	r.collect(f)
	if len(r.elementary) > maxElementary {
		return nil
	}
	for n := range r.elementary {
		if e := &r.elementary[n]; e.after != nil {
			for v := range 1 << len(r.elementary) {
				e.values = append(e.values, r.holds(v, e.after))
			}
		}
	}
	return r
}

func (r *reference) collect(f *temporal.Formula) {
	if f == nil {
		return
	}
	r.collect(f.X)
	r.collect(f.Y)
	switch f.Op {
	case temporal.Atomic:
		r.add(f.Atom.Text, elementaryFormula{atom: f.Atom.Text})
	case temporal.EX:
		for i, name := range r.processes {
			if f.Process == "" || f.Process == name {
				r.addNext(f.X, i)
			}
		}
	case temporal.EGF:
		for _, e := range r.infinitary {
			if e.String() == f.String() {
				return
			}
		}
		r.infinitary = append(r.infinitary, f)
		r.collect(again(f))
	case temporal.EU, temporal.AU:
		known := false
		for _, e := range r.events {
			known = known || e.String() == f.String()
		}
		if known {
			return
		}
		r.events = append(r.events, f)
		for i := range r.processes {
			if f.Op == temporal.EU {
				r.addNext(f, i)
			} else {
				r.addNext(not(f), i)
			}
		}
	}
}

// again returns what EGF says: that f can be reached, and from the next state on again.
func again(f *temporal.Formula) *temporal.Formula {
	next := &temporal.Formula{Op: temporal.EX, X: f}
	return binary(temporal.EU, &temporal.Formula{Op: temporal.True}, binary(temporal.And, f.X, next))
}

func (r *reference) add(key string, e elementaryFormula) {
	if _, ok := r.numbers[key]; !ok {
		r.numbers[key] = len(r.elementary)
		r.elementary = append(r.elementary, e)
	}
}

func (r *reference) addNext(f *temporal.Formula, i int) {
	r.add(nextKey(f, i), elementaryFormula{process: i, after: f})
}

func nextKey(f *temporal.Formula, i int) string { return string(rune('0'+i)) + " " + f.String() }

// some reports whether a valuation has EX_i f for some of the processes.
func (r *reference) some(v int, process string, f *temporal.Formula) bool {
	for i, name := range r.processes {
		if (process == "" || process == name) && v>>r.numbers[nextKey(f, i)]&1 == 1 {
			return true
		}
	}
	return false
}

// holds returns what a valuation says of f.
func (r *reference) holds(v int, f *temporal.Formula) bool {
	switch f.Op {
	case temporal.True:
		return true
	case temporal.Atomic:
		return v>>r.numbers[f.Atom.Text]&1 == 1
	case temporal.Not:
		return !r.holds(v, f.X)
	case temporal.And:
		return r.holds(v, f.X) && r.holds(v, f.Y)
	case temporal.EX:
		return r.some(v, f.Process, f.X)
	case temporal.EU:
		return r.holds(v, f.Y) || r.holds(v, f.X) && r.some(v, "", f)
	case temporal.AU:
		return r.holds(v, f.Y) || r.holds(v, f.X) && !r.some(v, "", not(f))
	case temporal.EGF:
		return r.holds(v, again(f))
	}
	panic(f.Op)
}

// move reports whether v may have a step of process i to w: all claims about next states that v
// denies are false there.
func (r *reference) move(v, i, w int) bool {
	if !r.alive[w] {
		return false
	}
	for n, e := range r.elementary {
		if e.after != nil && e.process == i && v>>n&1 == 0 && e.values[w] {
			return false
		}
	}
	return true
}

// hasMoves reports whether each next state that v must have can be one of those that are good.
func (r *reference) hasMoves(v int, good func(w int) bool) bool {
	demands := false
	for n, e := range r.elementary {
		if e.after == nil || v>>n&1 == 0 {
			continue
		}
		demands = true
		if !r.someMove(v, e.process, func(w int) bool { return good(w) && e.values[w] }) {
			return false
		}
	}
	if demands {
		return true
	}
	for i := range r.processes {
		if r.someMove(v, i, good) {
			return true
		}
	}
	return false
}

func (r *reference) someMove(v, i int, good func(w int) bool) bool {
	for w := range r.alive {
		if good(w) && r.move(v, i, w) {
			return true
		}
	}
	return false
}

// fulfilled returns the valuations from which an event comes true.
func (r *reference) fulfilled(e *temporal.Formula) []bool {
	done := make([]bool, len(r.alive))
	for v := range done {
		done[v] = r.won[v] && r.holds(v, e)
	}
	for changed := true; changed; {
		changed = false
		for v := range done {
			if done[v] || !r.alive[v] || !r.holds(v, e) {
				continue
			}
			now := r.holds(v, e.Y)
			if !now && e.Op == temporal.AU {
				now = r.hasMoves(v, func(w int) bool { return done[w] })
			}
			if !now && e.Op == temporal.EU {
				for i := range r.processes {
					now = now || v>>r.numbers[nextKey(e, i)]&1 == 1 &&
						r.someMove(v, i, func(w int) bool { return done[w] })
				}
			}
			if now {
				done[v], changed = true, true
			}
		}
	}
	return done
}

// lapses reports whether a valuation has something that may not be true infinitely often.
func (r *reference) lapses(v int) bool {
	return slices.ContainsFunc(r.infinitary, func(e *temporal.Formula) bool {
		return !r.holds(v, e) && r.holds(v, e.X)
	})
}

// satisfiable decides f, the formula of the reference.
func (r *reference) satisfiable(f *temporal.Formula) bool {
	r.won = make([]bool, 1<<len(r.elementary))
	for {
		r.stage()
		if len(r.infinitary) == 0 || slices.Equal(r.alive, r.won) {
			break
		}
		r.won = r.alive
	}
	for v := range r.alive {
		if r.alive[v] && r.holds(v, f) {
			return true
		}
	}
	return false
}

// stage finds out which valuations are states if those are that have been won. After a lapse one
// comes to these.
func (r *reference) stage() {
	r.alive = slices.Repeat([]bool{true}, len(r.won))
	for changed := true; changed; {
		changed = false
		for v := range r.alive {
			if !r.alive[v] || r.won[v] {
				continue
			}
			good := func(int) bool { return true }
			if r.lapses(v) {
				good = func(w int) bool { return r.won[w] }
			}
			if !r.hasMoves(v, good) {
				r.alive[v], changed = false, true
			}
		}
		for _, e := range r.events {
			done := r.fulfilled(e)
			for v := range r.alive {
				if r.alive[v] && r.holds(v, e) && !done[v] {
					r.alive[v], changed = false, true
				}
			}
		}
	}
}
