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

// Applies reports whether a formula has the same truth on the fair paths of a reduced program.
func Applies(f *temporal.Formula, fairness kripke.Fairness) bool {
	return (fairness == kripke.Unfair || fairness == kripke.Process) && !hasNext(f)
}

func hasNext(f *temporal.Formula) bool {
	return f != nil && (f.Op == temporal.Next || f.Op == temporal.WeakNext || hasNext(f.X) || hasNext(f.Y))
}

// Reduce returns a program without interleavings that do not matter to formulas without X over these atoms; the program itself if it has very
// many actions. The error is a *temporal.NameError.
func Reduce(program *gcl.System, atoms []*temporal.Atom) (kripke.System, error) {
	actions := program.Actions()
	fields := fieldsOf(program)
	about := &visibility{processes: len(program.Processes()), fields: fields, written: smallset.New(len(fields))}
	for _, a := range atoms {
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
	return &reducedSystem{System: program, relation: r, never: r.closing(visible),
		possible: smallset.New(len(actions)), set: smallset.New(len(actions))}, nil
}

// reducedSystem is a program that has, in each state, the moves of a stubborn set.
type reducedSystem struct {
	*gcl.System
	*relation
	never smallset.Set // actions that are visible or close a loop: a set that does not have all moves has none of them

	// In the state that is looked at:
	enabled  []int32
	places   []int64
	possible smallset.Set // those of enabled
	set      smallset.Set // what is being made
	open     []int32      // of set, what has not been looked at
}

// Moves implements kripke.System.
func (r *reducedSystem) Moves(dst []kripke.Move, from kripke.State) ([]kripke.Move, error) {
	r.enabled = r.Enabled(r.enabled[:0], from)
	r.places = r.Places(r.places[:0], from)
	clear(r.possible)
	for _, a := range r.enabled {
		r.possible.Add(int(a))
	}
	best, fewest := int32(-1), len(r.enabled)
	for i, a := range r.enabled {
		if i > 0 && r.process[a] == r.process[r.enabled[i-1]] {
			continue // the same set
		}
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
	case r.places[r.process[a]] != r.from[a]:
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
