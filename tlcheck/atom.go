package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// truthRun is a maximal sequence of local states of one task in which an atom has the same value.
type truthRun struct {
	from, to int
	truth    lsl.Truth
}

// atom is a local formula with its values in all local states.
type atom struct {
	*lsl.Formula
	runs [][]truthRun     // by task; nil before evaluation
	room []truthRun       // buffer that holds the current task's runs
	sets [3][]*slices.Set // by truth and task, computed on demand
}

// atomTable holds the local formulas of a formula.
type atomTable struct {
	net      *san.Net
	lat      *slices.Lattice
	atoms    []*atom // ascending by number
	byNumber []*atom // nil for numbers of other formulas
	log      lsl.Log
}

func newAtomTable(lat *slices.Lattice, f *formula.Formula) *atomTable {
	t := &atomTable{net: lat.Net(), lat: lat, byNumber: make([]*atom, len(f.Set.Locals))}
	used := make([]bool, len(f.Set.Locals))
	for _, n := range f.Nodes {
		used[n.Atom] = used[n.Atom] || n.Kind == formula.Atom
	}
	for i, l := range f.Set.Locals {
		if used[i] {
			t.byNumber[i] = &atom{Formula: lsl.Compile(t.net, l, f.Set.Logic)}
			t.atoms = append(t.atoms, t.byNumber[i])
		}
	}
	return t
}

// statesPerPoll is the number of local states that are evaluated between two checks of the context.
const statesPerPoll = 1 << 12

// evaluate computes the values of all atoms in all local states, in one walk along each task.
func (t *atomTable) evaluate(b slices.Budget) error {
	for _, a := range t.atoms {
		a.runs, a.room = make([][]truthRun, t.net.Tasks()), make([]truthRun, 0, t.net.Tasks())
		for i := range a.sets {
			a.sets[i] = make([]*slices.Set, t.net.Tasks())
		}
	}
	if len(t.atoms) == 0 {
		return b.Err()
	}
	states := 0
	var w *san.Walker
	for task := range san.Task(t.net.Tasks()) {
		if w == nil {
			w = t.net.Walk(task)
		} else {
			w.Start(task)
		}
		for k := 0; ; k++ {
			for _, a := range t.atoms {
				a.record(k, a.Eval(w.State(), &t.log))
			}
			if states++; states%statesPerPoll == 0 {
				if err := b.Err(); err != nil {
					return err
				}
			}
			if !w.Next() {
				break
			}
		}
		for _, a := range t.atoms {
			a.cut(task)
		}
	}
	return b.Err()
}

// record appends the value in the next local state of a task.
func (a *atom) record(k int, truth lsl.Truth) {
	if n := len(a.room); n > 0 && a.room[n-1].truth == truth {
		a.room[n-1].to = k
		return
	}
	a.room = append(a.room, truthRun{k, k, truth})
}

// cut ends the runs of a task. Those of the next task follow them in the buffer, or use a new one.
func (a *atom) cut(task san.Task) {
	n := len(a.room)
	a.runs[task], a.room = a.room[:n:n], a.room[n:]
}

// value returns the value of an atom in local state k of the task.
func (t *atomTable) value(atom int, task san.Task, k int) lsl.Truth {
	for _, r := range t.byNumber[atom].runs[task] {
		if k <= r.to {
			return r.truth
		}
	}
	return lsl.Undefined
}

func (t *atomTable) formula(atom int) *lsl.Formula { return t.byNumber[atom].Formula }

// set returns the slices in which the task is created and the atom of a node has the node's value.
func (t *atomTable) set(n *formula.Node, task san.Task) slices.Set {
	a := t.byNumber[n.Atom]
	at := &a.sets[n.Want+1][task]
	if *at == nil {
		var ivs []slices.Interval
		for _, r := range a.runs[task] {
			if r.truth == n.Want {
				ivs = append(ivs, t.lat.Containing(task, r.from, r.to))
			}
		}
		s := t.lat.SetOfDisjoint(ivs) // a task is in one local state at a time
		*at = &s
	}
	return **at
}

// has reports whether that set was computed already.
func (t *atomTable) has(n *formula.Node, task san.Task) bool {
	return t.byNumber[n.Atom].sets[n.Want+1][task] != nil
}

// reach relates the set of an atom's node, for a task, to all slices.
type reach uint8

const (
	reachNone reach = iota // no slice
	reachAll               // every slice
	reachSome              // some slices, depending on the task
)

func (t *atomTable) reach(n *formula.Node, task san.Task) reach {
	rs := t.byNumber[n.Atom].runs[task]
	if len(rs) == 1 && rs[0].truth == n.Want && t.net.Initial(task) {
		return reachAll
	}
	for _, r := range rs {
		if r.truth == n.Want {
			return reachSome
		}
	}
	return reachNone
}
