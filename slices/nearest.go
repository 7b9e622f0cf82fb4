package slices

// A single slice of an intersection can be found without the intersection: a slice outside of one
// of the sets is replaced by a nearest slice in that set. LeastCommon and GreatestCommon do so
// where each set has one nearest slice. In general a union has several, and each must be tried.

// Ascend returns the ways up from i into s, or out of s if in is false. If i is there already, it
// returns i alone. Otherwise it returns slices strictly above i, such that every slice above i that
// is there is at or above one of them.
func (s Set) Ascend(i Ideal, in bool) []Ideal {
	return s.lead(i, in, direction{s.l.upInto, s.l.upOutOf, func(a, b Ideal) bool { return a.Leq(b) }})
}

// Descend is the dual of Ascend.
func (s Set) Descend(i Ideal, in bool) []Ideal {
	return s.lead(i, in, direction{s.l.downInto, s.l.downOutOf, func(a, b Ideal) bool { return b.Leq(a) }})
}

// direction is up or down.
type direction struct {
	// adds the nearest slices in iv to a slice i outside of it, or those outside to one in it
	into, outOf func(iv Interval, i Ideal, add func(Ideal))
	before      func(a, b Ideal) bool // b is at or beyond a
}

func (s Set) lead(i Ideal, in bool, d direction) []Ideal {
	var ways []Ideal
	add := func(at Ideal) { ways = addNearest(ways, at, d.before) }
	if in {
		if s.Contains(i) {
			return []Ideal{i}
		}
		for _, iv := range s.ivs {
			d.into(iv, i, add)
		}
		return ways
	}
	inside := false
	// every interval that has i must be left, so the one with the fewest ways suffices
	var fewest []Ideal
	for _, iv := range s.ivs {
		if !iv.Contains(i) {
			continue
		}
		ways = nil
		if d.outOf(iv, i, add); !inside || len(ways) < len(fewest) {
			inside, fewest = true, ways
		}
	}
	if !inside {
		return []Ideal{i}
	}
	return fewest
}

// addNearest adds i to a list of slices, unless one of these lies before it.
func addNearest(list []Ideal, i Ideal, before func(a, b Ideal) bool) []Ideal {
	for _, o := range list {
		if before(o, i) {
			return list
		}
	}
	kept := list[:0]
	for _, o := range list {
		if !before(i, o) {
			kept = append(kept, o)
		}
	}
	return append(kept, i)
}

func (l *Lattice) upInto(iv Interval, i Ideal, add func(Ideal)) {
	if !i.Leq(iv.Hi) {
		return
	}
	switch at := i.Join(iv.Lo); {
	case iv.to > 0 && at.Size() >= iv.to:
	case at.Equal(i): // too few actions
		l.upwards(iv)(i, add)
	default:
		add(at)
	}
}

// upOutOf: a slice above i that is not in iv has an action outside of iv.Hi, or too many actions.
func (l *Lattice) upOutOf(iv Interval, i Ideal, add func(Ideal)) {
	for _, e := range l.Enabled(iv.Hi) {
		add(l.Fire(i, e))
	}
	switch {
	case iv.to == 0:
	case iv.to == iv.Hi.Size():
		add(iv.Hi)
	default:
		l.upwards(iv)(i, add)
	}
}

func (l *Lattice) downInto(iv Interval, i Ideal, add func(Ideal)) {
	if !iv.Lo.Leq(i) {
		return
	}
	switch at := i.Meet(iv.Hi); {
	case at.Size() < iv.from:
	case at.Equal(i): // too many actions
		l.downwards(iv)(i, add)
	default:
		add(at)
	}
}

func (l *Lattice) downOutOf(iv Interval, i Ideal, add func(Ideal)) {
	for _, e := range l.Maximal(iv.Lo) {
		add(l.without(i, e))
	}
	switch {
	case iv.from == 0:
	case iv.from == iv.Lo.Size()+1:
		add(iv.Lo)
	default:
		l.downwards(iv)(i, add)
	}
}
