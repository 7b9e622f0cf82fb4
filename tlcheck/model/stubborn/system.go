package stubborn

import (
	"math/bits"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// maxActions limits the relation between actions, which takes time and three bits for each pair.
const maxActions = 1 << 11

// Reduce returns a program without interleavings that are irrelevant to a formula on fair paths.
// Applies must be true of the formula. With very many actions, it returns the program itself. The
// error is a *temporal.NameError.
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
	return &reducedSystem{System: program, relation: r, visible: visible, enough: enough,
		loops:    newLoops(program, r, fields, visible, enough),
		possible: smallset.New(len(actions)), closing: smallset.New(len(actions)), never: smallset.New(len(actions)),
		set: smallset.New(len(actions))}, nil
}

// reducedSystem is a program that has, in each state, the moves of a stubborn set.
type reducedSystem struct {
	*gcl.System
	*relation
	visible smallset.Set // actions
	loops   *loops
	enough  bool // some enabled action of a set must close no loop; otherwise all of them

	// In the present state:
	enabled  []int32
	values   []int64      // of fields; the locations come first
	possible smallset.Set // set of enabled
	closing  smallset.Set // those that close a loop
	never    smallset.Set // no enabled action of these is in a set that omits moves
	set      smallset.Set // the set under construction
	open     []int32      // elements of set that are not processed
}

func (r *reducedSystem) Moves(dst []kripke.Move, from kripke.State) ([]kripke.Move, error) {
	r.expand(from)
	best, fewest := int32(-1), len(r.enabled)
	last := int32(kripke.NoProcess)
	for _, a := range r.enabled {
		if r.process[a] == last || r.closing.Has(int(a)) {
			// its set is the same as, or no smaller than, that of one of its actions which closes
			// no loop
			continue
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

// expand computes the enabled actions of a state.
func (r *reducedSystem) expand(at kripke.State) {
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

// close makes the least stubborn set with an enabled action, and returns the number of its enabled
// actions. It returns most if there are as many, or if one must not be in a set that omits moves.
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

// follow returns the actions that a stubborn set with an action must have.
func (r *reducedSystem) follow(a int32) smallset.Set {
	switch {
	case r.possible.Has(int(a)):
		return r.conflicts[a]
	case r.values[r.process[a]] != r.from[a]:
		return r.entering[a]
	}
	return r.enabling[a]
}

// add adds actions to the set, and returns the number of new enabled ones. It reports false if one
// must not be in a set that omits moves.
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
