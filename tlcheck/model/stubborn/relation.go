package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// relation says what actions, by their numbers, have to do with each other.
type relation struct {
	process  []int32
	from, to []int64 // places

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
	for _, e := range a.Effects {
		x.writes.Add(f[e.To])
		f.names(e.Value, x.reads)
		if e.With != "" {
			x.writes.Add(f[e.With])
		}
	}
	return x
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
	r := &relation{}
	accesses := make([]access, n)
	for i := range actions {
		a := &actions[i]
		r.process, r.from, r.to = append(r.process, int32(a.Process)), append(r.from, a.From), append(r.to, a.To)
		accesses[i] = fields.access(a)
	}
	for a := range n {
		conflicts, entering, enabling := smallset.New(n), smallset.New(n), smallset.New(n)
		for b := range n {
			same := r.process[a] == r.process[b]
			if same && r.from[a] == r.from[b] || !same && accesses[a].conflict(&accesses[b]) {
				conflicts.Add(b)
			}
			if same && r.to[b] == r.from[a] {
				entering.Add(b)
			}
			if meet(accesses[a].condition, accesses[b].writes) {
				enabling.Add(b)
			}
		}
		r.conflicts, r.entering, r.enabling = append(r.conflicts, conflicts), append(r.entering, entering), append(r.enabling, enabling)
	}
	return r
}
