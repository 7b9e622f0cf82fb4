package slices

// Pieces returns intervals that share no slice and whose union is the set.
func (s Set) Pieces() []Interval {
	var pieces []Interval
	for n, iv := range s.ivs {
		rest := []Interval{iv}
		for _, earlier := range s.ivs[:n] {
			if s.l.halt(len(pieces) + len(rest)) {
				return pieces
			}
			rest = s.l.apart(rest, earlier)
		}
		pieces = append(pieces, rest...)
	}
	return pieces
}

// apart returns what is left of intervals that share no slice without those of y, in intervals
// that share none either.
func (l *Lattice) apart(ivs []Interval, y Interval) []Interval {
	var left []Interval
	keep := keepIf(func(iv Interval) { left = append(left, iv) })
	for _, x := range ivs {
		if !x.meets(y) {
			left = append(left, x)
			continue
		}
		l.partition(x, y, keep)
	}
	return left
}

// partition keeps x \ y in intervals that share no slice: by the first maximal action of y.Lo that a
// slice lacks, if none by the first action outside of y.Hi that it has, and if none by its rank.
func (l *Lattice) partition(x, y Interval, keep func(Interval, bool)) {
	rest, ok := x, true
	for _, e := range l.Maximal(y.Lo) {
		if rest.Lo.Has(e) {
			continue
		}
		keep(rest.below(l.Outside(e)))
		if rest, ok = rest.above(l.Down(e)); !ok {
			return
		}
	}
	for _, e := range l.Enabled(y.Hi) {
		if !rest.Hi.Has(e) {
			continue
		}
		keep(rest.above(l.Down(e)))
		if rest, ok = rest.below(l.Outside(e)); !ok {
			return
		}
	}
	if y.from > 0 {
		keep(rest.within(0, y.from))
	}
	if y.to > 0 {
		keep(rest.within(y.to, 0))
	}
}

// Excluded returns how many slices between iv.Lo and iv.Hi are not in the interval because of
// their ranks; false if there are more than limit, or if the guard stopped it.
func (l *Lattice) Excluded(iv Interval, limit int) (int, bool) {
	excluded := 0
	count := func(level []Ideal, levels int, neighbours func(Ideal, func(Ideal))) bool {
		for ; levels > 0; levels-- {
			if excluded += len(level); excluded > limit {
				return false
			}
			if levels > 1 {
				level = l.step(level, neighbours)
			}
		}
		return true
	}
	low := count([]Ideal{iv.Lo}, iv.Lowest()-iv.Lo.Size(), l.upwards(iv))
	high := low && count([]Ideal{iv.Hi}, iv.Hi.Size()-iv.Highest(), l.downwards(iv))
	return excluded, high && !l.GaveUp()
}
