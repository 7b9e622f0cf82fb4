package slices

// Where a single slice of an intersection is wanted, the intersection need not be computed: whoever
// is not in one of the sets goes on to a slice that is. First and Last do so where each set has one
// nearest slice. Unions in general have several, which have to be tried.

// Ascend leads from i into s, or out of it if in is false. If i is there already it returns i
// alone; else slices strictly above i, such that every slice above i that is there is one of them
// or above one of them.
func (s Set) Ascend(i Ideal, in bool) []Ideal {
	return s.lead(i, in, direction{s.l.upInto, s.l.upOutOf, func(a, b Ideal) bool { return a.Leq(b) }})
}

// Descend is Ascend upside down.
func (s Set) Descend(i Ideal, in bool) []Ideal {
	return s.lead(i, in, direction{s.l.downInto, s.l.downOutOf, func(a, b Ideal) bool { return b.Leq(a) }})
}

// direction is how to go up, or down.
type direction struct {
	// leads from a slice i outside of iv into it, or from one in it out of it
	into, outOf func(iv Interval, i Ideal, add func(Ideal))
	before      func(a, b Ideal) bool // b is a, or lies behind it
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
	// each interval that has i must be left: the one with the fewest ways is as good as all
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

// addNearest adds i to a list of slices none of which lies behind another.
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

// upOutOf: a slice above i that is not in iv has an action that iv.Hi has not, or too many.
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
