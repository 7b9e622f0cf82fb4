package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// visibility decides which actions may change the truth of atoms.
type visibility struct {
	processes int
	fields    fields
	written   smallset.Set // variables of the atoms
	placed    []located    // atoms about locations
}

// located is an atom that is true while a process is at one of some locations.
type located struct {
	process int
	at      map[int64]bool
}

// add adds the condition of an atom, about a location or about variables.
func (v *visibility) add(e gcl.Expr) {
	of := smallset.New(len(v.fields))
	v.fields.names(e, of)
	for i := range v.processes { // their locations are the first fields
		if of.Has(i) {
			l := located{i, map[int64]bool{}}
			l.add(e)
			v.placed = append(v.placed, l)
			return
		}
	}
	v.written.Join(of)
}

// add adds the locations of a condition that compares the location with numbers.
func (l *located) add(e gcl.Expr) {
	b := e.(*gcl.Binary)
	if b.Op == gcl.Or {
		l.add(b.L)
		l.add(b.R)
		return
	}
	l.at[b.R.(*gcl.Number).Value] = true
}

// changes reports whether an action may change the truth of an atom.
func (v *visibility) changes(a *gcl.Action) bool {
	for _, l := range v.placed {
		if l.process == a.Process && l.at[a.From] != l.at[a.To] {
			return true
		}
	}
	return intersects(v.fields.access(a).writes, v.written)
}

// Applies reports whether a formula has the same truth on the fair paths of a reduced program.
func Applies(f *temporal.Formula, fairness kripke.Fairness) bool {
	return (fairness == kripke.Unfair || fairness == kripke.Process) && !hasNext(f)
}

func hasNext(f *temporal.Formula) bool {
	return f != nil && (f.Op == temporal.Next || f.Op == temporal.WeakNext || hasNext(f.X) || hasNext(f.Y))
}

// safety reports whether a formula without X, or its negation, is a safety property: if it is false
// on a path, some prefix shows it. In negation normal form it has no operator that waits for
// something (Sistla, "Safety, Liveness and Fairness in Temporal Logic", 1994, theorem 3.1).
func safety(f *temporal.Formula, negated bool) bool {
	if f == nil {
		return true
	}
	switch f.Op {
	case temporal.Not:
		return safety(f.X, !negated)
	case temporal.Implies:
		return safety(f.X, !negated) && safety(f.Y, negated)
	case temporal.Iff: // both operands occur plain and negated
		return safety(f.X, false) && safety(f.X, true) && safety(f.Y, false) && safety(f.Y, true)
	case temporal.Eventually, temporal.Until, temporal.StrongRelease:
		if !negated {
			return false
		}
	case temporal.Always, temporal.Release, temporal.WeakUntil:
		if negated {
			return false
		}
	}
	return safety(f.X, negated) && safety(f.Y, negated)
}
