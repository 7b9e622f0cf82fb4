package slices

// DisjointIntervals returns disjoint intervals whose union is the set.
func (s Set) DisjointIntervals(b Budget) ([]Interval, error) {
	var pieces []Interval
	for n, iv := range s.ivs {
		rest := []Interval{iv}
		for _, earlier := range s.ivs[:n] {
			if err := b.Allow(len(pieces) + len(rest)); err != nil {
				return nil, err
			}
			rest = s.l.subtractDisjoint(rest, earlier)
		}
		pieces = append(pieces, rest...)
	}
	return pieces, nil
}

// subtractDisjoint subtracts y from disjoint intervals, and returns disjoint intervals.
func (l *Lattice) subtractDisjoint(ivs []Interval, y Interval) []Interval {
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

// partition keeps x \ y as disjoint intervals. It divides the slices by the first maximal action of
// y.Lo that they lack; those that lack none by the first action outside of y.Hi that they have; and
// the rest by rank.
func (l *Lattice) partition(x, y Interval, keep func(Interval, bool)) {
	rest, ok := x, true
	for _, e := range l.Maximal(y.Lo) {
		if rest.Lo.Has(e) {
			continue
		}
		keep(rest.below(l.NotAbove(e)))
		if rest, ok = rest.above(l.Down(e)); !ok {
			return
		}
	}
	for _, e := range l.Enabled(y.Hi) {
		if !rest.Hi.Has(e) {
			continue
		}
		keep(rest.above(l.Down(e)))
		if rest, ok = rest.below(l.NotAbove(e)); !ok {
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

// CountExcludedByRank returns how many slices between iv.Lo and iv.Hi the interval excludes by
// rank; false if there are more than limit.
func (l *Lattice) CountExcludedByRank(b Budget, iv Interval, limit int) (int, bool, error) {
	excluded := 0
	count := func(level []Ideal, levels int, neighbours func(Ideal, func(Ideal))) (few bool, err error) {
		for ; levels > 0; levels-- {
			if excluded += len(level); excluded > limit {
				return false, nil
			}
			if levels > 1 {
				if level, err = l.step(b, level, neighbours); err != nil {
					return false, err
				}
			}
		}
		return true, nil
	}
	few, err := count([]Ideal{iv.Lo}, iv.Lowest()-iv.Lo.Size(), l.upwards(iv))
	if few {
		few, err = count([]Ideal{iv.Hi}, iv.Hi.Size()-iv.Highest(), l.downwards(iv))
	}
	return excluded, few, err
}
