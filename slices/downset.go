package slices

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// A down-set contains all slices below each of its slices. The result of a temporal operator is
// one: a union of principal down-sets, each of which has the slices below its top, with the top or
// without it. A quantifier around such an operator unites one for each task, and a negation
// subtracts all of them. Three facts make both linear in the number of tops:
//
//	ALL \ ↑e ⊆ ALL \ ↑f             iff  e ≤ f           so one walk finds the maximal tops
//	a slice is not below ALL \ ↑e   iff  it has e        so a slice below no top has every e
//	a slice is not strictly below h iff  it is not below h, or is h
//
// The tops of local predicates are of that kind. Others are handled one by one.

// isDown reports whether the interval is a principal down-set.
func (iv Interval) isDown() bool {
	return iv.from == 0 && (iv.to == 0 || iv.lacksTop()) && iv.Lo.isEmpty()
}

// lacksTop reports whether the ranks exclude exactly the upper bound of the interval.
func (iv Interval) lacksTop() bool { return iv.to > 0 && iv.to == iv.Hi.Size() }

// allDown reports whether all intervals are principal down-sets.
func (u union) allDown() bool {
	return !stdslices.ContainsFunc(u, func(iv Interval) bool { return !iv.isDown() })
}

// addAll adds intervals to a union. It compares each with all others until that has taken as many
// steps as there are events. Then it checks whether all are down-sets.
func (l *Lattice) addAll(b Budget, ivs, more union) (union, error) {
	pairs, asked := 0, false
	for n, iv := range more {
		if err := b.Allow(len(ivs)); err != nil {
			return nil, err
		}
		if pairs += len(ivs); !asked && pairs > l.net.Events() {
			if asked = true; ivs.allDown() && more[n:].allDown() {
				return l.uniteDown(b, stdslices.Concat(ivs, more[n:]))
			}
		}
		ivs.add(iv)
	}
	return ivs, nil
}

// uniteDown returns the union of principal down-sets.
func (l *Lattice) uniteDown(b Budget, downs union) (union, error) {
	single, others := splitSingle(downs)
	ivs, err := l.maximalTops(b, single)
	if err != nil {
		return nil, err
	}
	for _, iv := range others {
		if err := b.Allow(len(ivs)); err != nil {
			return nil, err
		}
		ivs.add(iv)
	}
	return ivs, nil
}

// splitSingle separates the intervals whose upper bound lacks a single action, and all that follows
// it, from the others.
func splitSingle(ivs union) (single, others union) {
	for _, iv := range ivs {
		if _, ok := iv.Hi.lacksSingle(); ok {
			single = append(single, iv)
		} else {
			others = append(others, iv)
		}
	}
	return single, others
}

// lacksSingle returns the action e if i is known to be ALL \ ↑e.
func (i Ideal) lacksSingle() (san.Action, bool) {
	if i.reps == nil {
		return san.Action{}, false
	}
	next, ok := i.exclusions()
	if !ok || len(next) != 1 {
		return san.Action{}, false
	}
	return next[0], true
}

// maximalTops returns the union of principal down-sets whose tops each lack a single action. It
// keeps those whose action precedes no other's.
func (l *Lattice) maximalTops(b Budget, downs union) (union, error) {
	before := l.Grow(l.Bottom()) // contains what precedes one of the actions
	for _, iv := range downs {
		if err := b.Err(); err != nil {
			return nil, err
		}
		e, _ := iv.Hi.lacksSingle()
		for _, side := range l.net.Sides(e) {
			for _, a := range l.appendBefore(side, nil) {
				before.Add(a, ignore)
			}
		}
	}
	var ivs union
	at := make(map[san.Action]int) // index in ivs
	for _, iv := range downs {
		e, _ := iv.Hi.lacksSingle()
		n, again := at[e]
		switch {
		case before.Has(e):
		case !again:
			if err := b.Allow(len(ivs)); err != nil {
				return nil, err
			}
			at[e] = len(ivs)
			ivs = append(ivs, iv)
		case iv.to == 0:
			ivs[n] = iv
		}
	}
	return ivs, nil
}

func ignore(san.Action) {}

// minusDown returns s \ o, where the intervals of o are principal down-sets.
func (s Set) minusDown(b Budget, o union) (Set, error) {
	single, others := splitSingle(o)
	var least []san.Action
	for _, iv := range single {
		e, _ := iv.Hi.lacksSingle()
		least = append(least, e)
	}
	lo, err := s.l.downAll(b, least)
	if err != nil {
		return Set{}, err
	}
	var ivs union
	for _, iv := range s.ivs {
		keepIf(ivs.add)(iv.above(lo))
	}
	for _, y := range others {
		err := b.Allow(len(ivs))
		if err == nil {
			ivs, err = s.l.cut(b, ivs, Interval{Hi: y.Hi},
				func(x Interval, keep func(Interval)) { s.l.cutBelow(x, y.Hi, keep) })
		}
		if err != nil {
			return Set{}, err
		}
	}
	for _, y := range o {
		if err := b.Allow(len(ivs)); err != nil {
			return Set{}, err
		}
		if y.lacksTop() && s.Contains(y.Hi) {
			// no other top is above it, so no other interval has or removes it
			ivs = append(ivs, Interval{Lo: y.Hi, Hi: y.Hi})
		}
	}
	return Set{s.l, ivs}, nil
}

// downAll returns ↓as. Joining ideals takes time linear in the tasks, so for many actions it walks.
func (l *Lattice) downAll(b Budget, as []san.Action) (Ideal, error) {
	if len(as)*l.net.Tasks() <= l.net.Events() {
		var i Ideal
		for _, a := range as {
			i = i.Join(l.Down(a))
		}
		return i, b.Err()
	}
	g := l.Grow(l.Bottom())
	for _, a := range as {
		if err := b.Err(); err != nil {
			return Ideal{}, err
		}
		g.Add(a, ignore)
	}
	return g.Ideal(), nil
}
