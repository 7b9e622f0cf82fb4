package slices

import stdslices "slices"

// Set is an immutable set of slices of one lattice, a finite union of intervals. The
// sets of a binary operation belong to the same lattice. The zero Set is empty and can be used as
// an operand, but not to take the complement of.
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

// Intervals returns intervals whose union is the set; they may overlap, none contains
// another. They must not be changed.
func (s Set) Intervals() []Interval { return s.ivs }

// Union returns s ∪ o ∪ ….
func (s Set) Union(o ...Set) Set {
	ivs := append(union(nil), s.ivs...)
	for _, x := range o {
		if s.l == nil {
			s.l = x.l
		}
		for _, iv := range x.ivs {
			if s.l.halt(len(ivs)) {
				return Set{s.l, ivs}
			}
			ivs.add(iv)
		}
	}
	return Set{s.l, ivs}
}

// Intersect returns s ∩ o.
func (s Set) Intersect(o Set) Set {
	var ivs union
	for _, x := range s.ivs {
		if s.l.halt(len(ivs)) {
			break
		}
		for _, y := range o.ivs {
			if iv, ok := x.Meet(y); ok {
				if s.l.halt(len(ivs)) { // a large union takes long to add to
					break
				}
				ivs.add(iv)
			}
		}
	}
	return Set{s.l, ivs}
}

// Intersects reports whether s and o have a common slice.
func (s Set) Intersects(o Set) bool {
	for _, x := range s.ivs {
		for _, y := range o.ivs {
			if x.meets(y) {
				return true
			}
		}
	}
	return false
}

// Minus returns s \ o, without computing the complement of o.
func (s Set) Minus(o Set) Set {
	ivs := append(union(nil), s.ivs...)
	for _, y := range o.ivs {
		if s.l.halt(len(ivs)) {
			break
		}
		ivs = s.l.cut(ivs, y, func(x Interval, keep func(Interval)) { s.l.minus(x, y, keep) })
	}
	return Set{s.l, ivs}
}

// Complement returns all other slices.
func (s Set) Complement() Set { return s.l.All().Minus(s) }

// cut replaces every interval that meets region by what pieces keeps of it.
func (l *Lattice) cut(ivs union, region Interval, pieces func(x Interval, keep func(Interval))) union {
	var kept, hit union
	for _, x := range ivs {
		if x.meets(region) {
			hit = append(hit, x)
		} else {
			kept = append(kept, x) // still none contains another
		}
	}
	for _, x := range hit {
		if l.halt(len(kept)) {
			break
		}
		pieces(x, kept.add)
	}
	return kept
}

// minus keeps x \ y (slice-sets.md, complement of {I ⊇ a} and of {I ⊆ b}; what y lacks
// by its ranks is the rest).
func (l *Lattice) minus(x, y Interval, keep func(Interval)) {
	l.notAbove(x, y.Lo, keep)
	l.notBelow(x, y.Hi, keep)
	if y.from > 0 {
		keepIf(keep)(x.within(0, y.from))
	}
	if y.to > 0 {
		keepIf(keep)(x.within(y.to, 0))
	}
}

// keepIf calls keep for an interval that is not empty.
func keepIf(keep func(Interval)) func(Interval, bool) {
	return func(iv Interval, ok bool) {
		if ok {
			keep(iv)
		}
	}
}

// notAbove keeps x ∩ not {I ⊇ a}: the slices that lack a maximal action of a.
func (l *Lattice) notAbove(x Interval, a Ideal, keep func(Interval)) {
	for _, e := range l.Maximal(a) {
		if !x.Lo.Has(e) {
			keepIf(keep)(x.below(l.Outside(e)))
		}
	}
}

// notBelow keeps x ∩ not {I ⊆ b}: the slices that have a minimal action outside of b.
func (l *Lattice) notBelow(x Interval, b Ideal, keep func(Interval)) {
	for _, e := range l.Enabled(b) {
		if x.Hi.Has(e) {
			keepIf(keep)(x.above(l.Down(e)))
		}
	}
}

// SubsetOf reports whether every slice of s is in o; if not, it returns one that is not.
func (s Set) SubsetOf(o Set) (bool, Ideal) {
	for _, x := range s.ivs {
		if i, ok := s.l.escape(x, o.ivs); ok {
			return false, i
		}
	}
	return true, Ideal{}
}

// escape returns a slice of x that is in none of ys. It goes depth first and keeps only the pieces of one
// path, so a witness is found without the whole difference.
func (l *Lattice) escape(x Interval, ys union) (Ideal, bool) {
	for n, y := range ys {
		if l.halt(0) {
			return Ideal{}, false
		}
		if !x.meets(y) {
			continue
		}
		if y.covers(x) {
			return Ideal{}, false
		}
		var pieces union
		l.minus(x, y, pieces.add)
		for _, p := range pieces {
			if i, ok := l.escape(p, ys[n+1:]); ok {
				return i, true
			}
		}
		return Ideal{}, false
	}
	return l.least(x), true
}

// Equal reports whether s and o have the same slices.
func (s Set) Equal(o Set) bool {
	if sub, _ := s.SubsetOf(o); !sub {
		return false
	}
	sub, _ := o.SubsetOf(s)
	return sub
}

// Plain returns the same set as a union of intervals without bounds on ranks, which can be many.
func (s Set) Plain() Set {
	if !stdslices.ContainsFunc(s.ivs, Interval.Ranked) {
		return s
	}
	var ivs union
	for _, iv := range s.ivs {
		if s.l.halt(len(ivs)) {
			break
		}
		s.l.plain(iv, ivs.add)
	}
	return Set{s.l, ivs}
}
