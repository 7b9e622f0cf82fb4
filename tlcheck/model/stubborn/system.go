package stubborn

import (
	"math/bits"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// maxActions bounds the relation between actions, which takes time and three bits for each two of them.
const maxActions = 1 << 11

// Reduce returns a program without interleavings that do not matter to a formula on fair paths, to which reduction applies; the program itself if
// it has very many actions. The error is a *temporal.NameError.
func Reduce(program *gcl.System, f *temporal.Formula, fairness kripke.Fairness) (kripke.System, error) {
	actions := program.Actions()
	fields := fieldsOf(program)
	about := &visibility{processes: len(program.Processes()), fields: fields, written: smallset.New(len(fields))}
	for _, a := range f.Atoms() {
		n, err := program.Atom(a.Text)
		if err != nil {
			return nil, &temporal.NameError{Pos: a.Pos, Err: err}
		}
		about.add(program.Condition(n))
	}
	if len(actions) > maxActions {
		return program, nil
	}
	r := newRelation(actions, fields)
	visible := smallset.New(len(actions))
	for i := range actions {
		if about.changes(&actions[i]) {
			visible.Add(i)
		}
	}
	enough := fairness == kripke.Unfair && safety(f, false)
	return &reducedSystem{System: program, relation: r, visible: visible, enough: enough, loops: newLoops(program, r, fields, visible, enough),
		possible: smallset.New(len(actions)), closing: smallset.New(len(actions)), never: smallset.New(len(actions)), set: smallset.New(len(actions))}, nil
}

// reducedSystem is a program that has, in each state, the moves of a stubborn set.
type reducedSystem struct {
	*gcl.System
	*relation
	visible smallset.Set // actions
	loops   *loops
	enough  bool // that some possible action of a set closes no loop; else none must

	// In the state that is looked at:
	enabled  []int32
	values   []int64      // of fields, the places of processes first
	possible smallset.Set // those of enabled
	closing  smallset.Set // those that close a loop
	never    smallset.Set // a set that does not have all moves has none of them that is possible
	set      smallset.Set // what is being made
	open     []int32      // of set, what has not been looked at
}

// Moves implements kripke.System.
func (r *reducedSystem) Moves(dst []kripke.Move, from kripke.State) ([]kripke.Move, error) {
	r.look(from)
	best, fewest := int32(-1), len(r.enabled)
	last := int32(kripke.Nobody)
	for _, a := range r.enabled {
		if r.process[a] == last || r.closing.Has(int(a)) {
			continue // the same set, or no smaller one than that of an action in it which closes no loop
		}
		last = r.process[a]
		if n := r.close(a, fewest); n < fewest {
			best, fewest = a, n
		}
		if fewest == 1 {
			break
		}
	}
	if best >= 0 {
		r.close(best, fewest+1)
	}
	for _, a := range r.enabled {
		if best >= 0 && !r.set.Has(int(a)) {
			continue
		}
		m, err := r.Take(from, a)
		if err != nil {
			return dst, err
		}
		dst = append(dst, m)
	}
	return dst, nil
}

// look notes what is possible in a state.
func (r *reducedSystem) look(at kripke.State) {
	r.enabled = r.Enabled(r.enabled[:0], at)
	r.values = r.Values(r.values[:0], at)
	clear(r.possible)
	clear(r.closing)
	for _, a := range r.enabled {
		r.possible.Add(int(a))
		if r.loops.closes(a, r.process[a], r.values) {
			r.closing.Add(int(a))
		}
	}
	copy(r.never, r.visible)
	if !r.enough {
		r.never.Join(r.closing)
	}
}

// close makes the least stubborn set with an action that is possible, and returns how many of its actions are possible: most if these are as
// many, or one is never in a set that leaves moves out.
func (r *reducedSystem) close(start int32, most int) int {
	clear(r.set)
	r.set.Add(int(start))
	r.open = append(r.open[:0], start)
	count := 1
	if r.never.Has(int(start)) {
		return most
	}
	for len(r.open) > 0 && count < most {
		a := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		added, ok := r.add(r.follow(a))
		if !ok {
			return most
		}
		count += added
	}
	return min(count, most)
}

// follow returns the actions that are in a stubborn set with an action.
func (r *reducedSystem) follow(a int32) smallset.Set {
	switch {
	case r.possible.Has(int(a)):
		return r.conflicts[a]
	case r.values[r.process[a]] != r.from[a]:
		return r.entering[a]
	}
	return r.enabling[a]
}

// add adds actions to the set, and returns how many of them are possible and were not there. It is not ok if one never is in such a set.
func (r *reducedSystem) add(actions smallset.Set) (count int, ok bool) {
	for i, word := range actions {
		fresh := word &^ r.set[i]
		possible := fresh & r.possible[i]
		if possible&r.never[i] != 0 {
			return 0, false
		}
		r.set[i] |= fresh
		count += bits.OnesCount64(possible)
		for ; fresh != 0; fresh &= fresh - 1 {
			r.open = append(r.open, int32(i<<6|bits.TrailingZeros64(fresh)))
		}
	}
	return count, true
}
