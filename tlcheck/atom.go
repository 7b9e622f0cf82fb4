package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// run is a maximal row of consecutive local states of one task in which an atom has
// the same value.
type run struct {
	from, to int
	truth    lsl.Truth
}

// atom is a local formula with its values in all local states.
type atom struct {
	local spec.Local
	lsl   *lsl.Formula
	runs  [][]run          // by task; nil before it is evaluated
	room  []run            // of the task that is being evaluated, and for more
	sets  [3][]*slices.Set // by truth and task, made when asked for
}

// atomTable holds the local formulas of a check, equal ones once.
type atomTable struct {
	net   *san.Net
	lat   *slices.Lattice
	logic lsl.Logic
	atoms []*atom
	named map[string]*atom // by printed form
	log   lsl.Log
}

func newAtomTable(lat *slices.Lattice, logic lsl.Logic) *atomTable {
	return &atomTable{net: lat.Net(), lat: lat, logic: logic, named: map[string]*atom{}}
}

func (t *atomTable) add(l spec.Local) *atom {
	name := spec.FormatLocal(l)
	a := t.named[name]
	if a == nil {
		a = &atom{local: l, lsl: lsl.Compile(t.net, l, t.logic)}
		t.named[name] = a
		t.atoms = append(t.atoms, a)
	}
	return a
}

// statesPerPoll is how many local states are evaluated between two looks at the context.
const statesPerPoll = 1 << 12

// evaluate computes the values of all atoms in all local states, in one walk through
// each task.
func (t *atomTable) evaluate(b slices.Budget) error {
	for _, a := range t.atoms {
		a.runs, a.room = make([][]run, t.net.Tasks()), make([]run, 0, t.net.Tasks())
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
				a.record(k, a.lsl.Eval(w.State(), &t.log))
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

// record adds the value in the next local state of a task.
func (a *atom) record(k int, truth lsl.Truth) {
	if n := len(a.room); n > 0 && a.room[n-1].truth == truth {
		a.room[n-1].to = k
		return
	}
	a.room = append(a.room, run{k, k, truth})
}

// cut ends the rows of a task. Those of the next one come behind them, or elsewhere.
func (a *atom) cut(task san.Task) {
	n := len(a.room)
	a.runs[task], a.room = a.room[:n:n], a.room[n:]
}

// value returns the atom's value in local state k of the task.
func (a *atom) value(task san.Task, k int) lsl.Truth {
	for _, r := range a.runs[task] {
		if k <= r.to {
			return r.truth
		}
	}
	return lsl.Undefined
}

// set returns the slices in which the task is created and the atom has the value,
// which is not Undefined.
func (t *atomTable) set(a *atom, task san.Task, want lsl.Truth) slices.Set {
	at := &a.sets[want+1][task]
	if *at == nil {
		var ivs []slices.Interval
		for _, r := range a.runs[task] {
			if r.truth == want {
				ivs = append(ivs, t.lat.Containing(task, r.from, r.to))
			}
		}
		s := t.lat.Disjoint(ivs) // a task is in one local state at a time
		*at = &s
	}
	return **at
}

// has reports whether set has been asked for that already.
func (t *atomTable) has(a *atom, task san.Task, want lsl.Truth) bool {
	return a.sets[want+1][task] != nil
}

// reach says how the set of an atom for a task relates to all slices.
type reach uint8

const (
	reachNone reach = iota // no slice
	reachAll               // every slice
	reachSome              // slices that depend on the task
)

func (t *atomTable) reach(a *atom, task san.Task, want lsl.Truth) reach {
	rs := a.runs[task]
	if len(rs) == 1 && rs[0].truth == want && t.net.Initial(task) {
		return reachAll
	}
	for _, r := range rs {
		if r.truth == want {
			return reachSome
		}
	}
	return reachNone
}
