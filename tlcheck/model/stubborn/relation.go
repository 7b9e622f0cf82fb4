package stubborn

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// several is the writer of a field that more than one process writes.
const several = -2

// relation says what actions, by their numbers, have to do with each other.
type relation struct {
	process  []int32
	from, to []int64 // places
	accesses []access
	writer   []int32 // by field, the process that writes it; kripke.Nobody if none does, and several if more do

	conflicts []smallset.Set // what must not be left out where the action is possible: conflicts, and what its process can do at the same place
	entering  []smallset.Set // what leads to the place of the action
	enabling  []smallset.Set // what may make its condition true
}

// access is what an action does with variables, by their places among the fields of the program.
type access struct {
	condition smallset.Set // read by the condition
	reads     smallset.Set // also by the effects
	writes    smallset.Set
}

// fields has the places of fields by their names.
type fields map[string]int

func fieldsOf(program *gcl.System) fields {
	of := fields{}
	for i, f := range program.Fields() {
		of[f.Name] = i
	}
	return of
}

func (f fields) access(a *gcl.Action) access {
	x := access{smallset.New(len(f)), smallset.New(len(f)), smallset.New(len(f))}
	f.names(a.Guard, x.condition)
	x.reads.Join(x.condition)
	for i := range a.Effects {
		reads, writes := f.effect(&a.Effects[i])
		x.reads.Join(reads)
		x.writes.Join(writes)
	}
	return x
}

// effect returns the variables that an effect reads and writes.
func (f fields) effect(e *gcl.Effect) (reads, writes smallset.Set) {
	reads, writes = smallset.New(len(f)), smallset.New(len(f))
	writes.Add(f[e.To])
	f.names(e.Value, reads)
	if e.With != "" {
		writes.Add(f[e.With])
		reads.Join(writes)
	}
	return reads, writes
}

// names adds the fields in an expression, which may be nil.
func (f fields) names(e gcl.Expr, to smallset.Set) {
	switch e := e.(type) {
	case *gcl.Name:
		to.Add(f[e.Name])
	case *gcl.Unary:
		f.names(e.X, to)
	case *gcl.Binary:
		f.names(e.L, to)
		f.names(e.R, to)
	}
}

// meet reports whether some field is in both.
func meet(x, y smallset.Set) bool {
	for i, word := range x {
		if word&y[i] != 0 {
			return true
		}
	}
	return false
}

// conflict reports whether the order of two actions matters, or one may make the other one possible or impossible.
func (x *access) conflict(y *access) bool {
	return meet(x.writes, y.writes) || meet(x.writes, y.reads) || meet(x.reads, y.writes)
}

func newRelation(actions []gcl.Action, fields fields) *relation {
	n := len(actions)
	r := &relation{writer: slices.Repeat([]int32{kripke.Nobody}, len(fields))}
	for i := range actions {
		a := &actions[i]
		r.process, r.from, r.to = append(r.process, int32(a.Process)), append(r.from, a.From), append(r.to, a.To)
		r.accesses = append(r.accesses, fields.access(a))
		r.note(int32(a.Process), r.accesses[i].writes)
	}
	for a := range n {
		conflicts, entering, enabling := smallset.New(n), smallset.New(n), smallset.New(n)
		for b := range n {
			same := r.process[a] == r.process[b]
			if same && r.from[a] == r.from[b] || !same && r.accesses[a].conflict(&r.accesses[b]) {
				conflicts.Add(b)
			}
			if same && r.to[b] == r.from[a] {
				entering.Add(b)
			}
			if meet(r.accesses[a].condition, r.accesses[b].writes) {
				enabling.Add(b)
			}
		}
		r.conflicts, r.entering, r.enabling = append(r.conflicts, conflicts), append(r.entering, entering), append(r.enabling, enabling)
	}
	return r
}

// note notes that a process writes fields.
func (r *relation) note(process int32, writes smallset.Set) {
	for i := range writes.All() {
		if r.writer[i] == kripke.Nobody || r.writer[i] == process {
			r.writer[i] = process
		} else {
			r.writer[i] = several
		}
	}
}
