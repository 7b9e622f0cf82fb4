package slices

import stdslices "slices"

// Set is an immutable set of slices of one lattice, a finite union of intervals. The operands of a
// binary operation belong to the same lattice. The zero Set is empty and can be an operand, but has
// no complement.
//
// Operations that can take long have a Budget. If it stops one, the error says why and the returned
// set is meaningless.
type Set struct {
	l   *Lattice
	ivs union
}

// IsEmpty reports whether the set has no slice.
func (s Set) IsEmpty() bool { return len(s.ivs) == 0 }

// Contains reports whether slice i is in the set.
func (s Set) Contains(i Ideal) bool {
	for _, iv := range s.ivs {
		if iv.Contains(i) {
			return true
		}
	}
	return false
}

// Intervals returns intervals whose union is the set. They may overlap, but none contains another.
// They must not be changed.
func (s Set) Intervals() []Interval { return s.ivs }

// WithRanks returns the intervals of s that have a slice with at least least and at most most
// actions.
func (s Set) WithRanks(least, most int) Set {
	var ivs union
	for _, iv := range s.ivs {
		if iv.Lowest() <= most && iv.Highest() >= least {
			ivs = append(ivs, iv)
		}
	}
	return Set{s.l, ivs}
}

// Union returns s ∪ o ∪ ….
func (s Set) Union(b Budget, o ...Set) (Set, error) {
	var others union
	for _, x := range o {
		if s.l == nil {
			s.l = x.l
		}
		others = append(others, x.ivs...)
	}
	ivs, err := s.l.addAll(b, stdslices.Clone(s.ivs), others)
	return Set{s.l, ivs}, err
}

// Intersect returns s ∩ o.
func (s Set) Intersect(b Budget, o Set) (Set, error) {
	switch {
	case s.isAll():
		return o, nil
	case o.isAll():
		return s, nil
	}
	var ivs union
	for _, x := range s.ivs {
		if err := b.Allow(len(ivs)); err != nil {
			return Set{}, err
		}
		for _, y := range o.ivs {
			if iv, ok := x.Meet(y); ok {
				if err := b.Allow(len(ivs)); err != nil { // adding to a large union takes long
					return Set{}, err
				}
				ivs.add(iv)
			}
		}
	}
	return Set{s.l, ivs}, nil
}

// isAll reports whether the set is represented as Lattice.All is.
func (s Set) isAll() bool {
	return len(s.ivs) == 1 && s.ivs[0] == Interval{Hi: s.l.top}
}

// Minus returns s \ o, without computing the complement of o.
func (s Set) Minus(b Budget, o Set) (Set, error) {
	if o.ivs.allDown() && !o.IsEmpty() && !s.IsEmpty() {
		return s.minusDown(b, o.ivs)
	}
	ivs := append(union(nil), s.ivs...)
	for _, y := range o.ivs {
		err := b.Allow(len(ivs))
		if err == nil {
			ivs, err = s.l.cut(b, ivs, y, func(x Interval, keep func(Interval)) { s.l.minus(x, y, keep) })
		}
		if err != nil {
			return Set{}, err
		}
	}
	return Set{s.l, ivs}, nil
}

// Complement returns all other slices.
func (s Set) Complement(b Budget) (Set, error) { return s.l.All().Minus(b, s) }

// cut replaces every interval that meets region by the parts that pieces keeps.
func (l *Lattice) cut(
	b Budget, ivs union, region Interval, pieces func(x Interval, keep func(Interval)),
) (union, error) {
	var kept, hit union
	for _, x := range ivs {
		if x.meets(region) {
			hit = append(hit, x)
		} else {
			kept = append(kept, x) // still none contains another
		}
	}
	for _, x := range hit {
		if err := b.Allow(len(kept)); err != nil {
			return nil, err
		}
		pieces(x, kept.add)
	}
	return kept, nil
}

// minus keeps x \ y (docs/slice-sets.md, complement of {I ⊇ a} and of {I ⊆ b}). The slices that y
// excludes by rank come last.
func (l *Lattice) minus(x, y Interval, keep func(Interval)) {
	l.cutAbove(x, y.Lo, keep)
	l.cutBelow(x, y.Hi, keep)
	if y.from > 0 {
		keepIf(keep)(x.within(0, y.from))
	}
	if y.to > 0 {
		keepIf(keep)(x.within(y.to, 0))
	}
}

// keepIf adapts keep to the results of operations that may be empty.
func keepIf(keep func(Interval)) func(Interval, bool) {
	return func(iv Interval, ok bool) {
		if ok {
			keep(iv)
		}
	}
}

// cutAbove keeps x ∩ not {I ⊇ a}: the slices that lack a maximal action of a.
func (l *Lattice) cutAbove(x Interval, a Ideal, keep func(Interval)) {
	for _, e := range l.Maximal(a) {
		if !x.Lo.Has(e) {
			keepIf(keep)(x.below(l.NotAbove(e)))
		}
	}
}

// cutBelow keeps x ∩ not {I ⊆ b}: the slices with a minimal action outside of b.
func (l *Lattice) cutBelow(x Interval, b Ideal, keep func(Interval)) {
	for _, e := range l.Enabled(b) {
		if x.Hi.Has(e) {
			keepIf(keep)(x.above(l.Down(e)))
		}
	}
}

// SubsetOf reports whether every slice of s is in o; if not, it returns one that is not.
func (s Set) SubsetOf(b Budget, o Set) (bool, Ideal, error) {
	for _, x := range s.ivs {
		if i, ok, err := s.l.escape(b, x, o.ivs); ok || err != nil {
			return false, i, err
		}
	}
	return true, Ideal{}, nil
}

// escape returns a slice of x that is in none of ys. It works depth first and keeps only the pieces
// of one path, so it finds a slice without the whole difference.
func (l *Lattice) escape(b Budget, x Interval, ys union) (Ideal, bool, error) {
	for n, y := range ys {
		if err := b.Err(); err != nil {
			return Ideal{}, false, err
		}
		if !x.meets(y) {
			continue
		}
		if y.covers(x) {
			return Ideal{}, false, nil
		}
		var pieces union
		l.minus(x, y, pieces.add)
		for _, p := range pieces {
			if i, ok, err := l.escape(b, p, ys[n+1:]); ok || err != nil {
				return i, ok, err
			}
		}
		return Ideal{}, false, nil
	}
	return l.least(x), true, nil
}

// Equal reports whether s and o have the same slices.
func (s Set) Equal(b Budget, o Set) (bool, error) {
	if sub, _, err := s.SubsetOf(b, o); !sub {
		return false, err
	}
	sub, _, err := o.SubsetOf(b, s)
	return sub, err
}

// WithoutRanks returns the same set as a union of intervals without bounds on ranks, which can be
// many.
func (s Set) WithoutRanks(b Budget) (Set, error) {
	if !stdslices.ContainsFunc(s.ivs, Interval.Ranked) {
		return s, nil
	}
	var ivs union
	for _, iv := range s.ivs {
		err := b.Allow(len(ivs))
		if err == nil {
			err = s.l.plain(b, iv, ivs.add)
		}
		if err != nil {
			return Set{}, err
		}
	}
	return Set{s.l, ivs}, nil
}
