package stubborn

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// several is the writer of a field that more than one process writes.
const several = -2

// relation has the dependencies between actions, by their numbers.
type relation struct {
	process  []int32
	from, to []int64 // locations
	accesses []access
	// by field, the process that writes it; kripke.NoProcess for none, several for more than one
	writer []int32

	// if the action is enabled, the set needs these: conflicting ones, and those of its process at
	// the same location
	conflicts []smallset.Set
	entering  []smallset.Set // actions that lead to the location of the action
	enabling  []smallset.Set // actions that may make its condition true
}

// access has the variables that an action uses, as indices of fields.
type access struct {
	condition smallset.Set // in the condition
	reads     smallset.Set // in the condition and the effects
	writes    smallset.Set
}

// fields maps names of fields to their indices.
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
	for name := range gcl.Names(e) {
		to.Add(f[name])
	}
}

// intersects reports whether two sets of fields intersect.
func intersects(x, y smallset.Set) bool {
	for i, word := range x {
		if word&y[i] != 0 {
			return true
		}
	}
	return false
}

// conflict reports whether the order of two actions matters, or one may enable or disable the
// other.
func (x *access) conflict(y *access) bool {
	return intersects(x.writes, y.writes) || intersects(x.writes, y.reads) || intersects(x.reads, y.writes)
}

func newRelation(actions []gcl.Action, fields fields) *relation {
	n := len(actions)
	r := &relation{writer: slices.Repeat([]int32{kripke.NoProcess}, len(fields))}
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
			if intersects(r.accesses[a].condition, r.accesses[b].writes) {
				enabling.Add(b)
			}
		}
		r.conflicts, r.entering, r.enabling = append(r.conflicts, conflicts), append(r.entering, entering),
			append(r.enabling, enabling)
	}
	return r
}

// note records that a process writes fields.
func (r *relation) note(process int32, writes smallset.Set) {
	for i := range writes.All() {
		if r.writer[i] == kripke.NoProcess || r.writer[i] == process {
			r.writer[i] = process
		} else {
			r.writer[i] = several
		}
	}
}
