package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
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
	return meet(v.fields.access(a).writes, v.written)
}
