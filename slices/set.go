package slices

// Interval is the set of slices I with Lo ⊆ I ⊆ Hi; it is never empty.
type Interval struct{ Lo, Hi Ideal }

// Contains reports whether slice i is in the interval.
func (iv Interval) Contains(i Ideal) bool { return iv.Lo.Leq(i) && i.Leq(iv.Hi) }

// covers reports whether o is a subset of iv.
func (iv Interval) covers(o Interval) bool { return iv.Lo.Leq(o.Lo) && o.Hi.Leq(iv.Hi) }

// meets reports whether the intervals have a common slice.
func (iv Interval) meets(o Interval) bool {
	// lo ∪ o.lo ⊆ hi ∩ o.hi, knowing lo ⊆ hi and o.lo ⊆ o.hi
	return iv.Lo.Leq(o.Hi) && o.Lo.Leq(iv.Hi)
}

// meet returns the intersection of intervals that have a common slice.
func (iv Interval) meet(o Interval) Interval { return Interval{iv.Lo.Join(o.Lo), iv.Hi.Meet(o.Hi)} }

// above returns iv ∩ {I ⊇ a}; false if it is empty.
func (iv Interval) above(a Ideal) (Interval, bool) {
	if !a.Leq(iv.Hi) {
		return Interval{}, false
	}
	return Interval{iv.Lo.Join(a), iv.Hi}, true
}

// union is a list of intervals none of which contains another.
type union []Interval

// add puts iv into the union.
func (u *union) add(iv Interval) {
	for _, o := range *u {
		if o.covers(iv) {
			return
		}
	}
	kept := (*u)[:0]
	for _, o := range *u {
		if !iv.covers(o) {
			kept = append(kept, o)
		}
	}
	*u = append(kept, iv)
}

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
			if x.meets(y) {
				ivs.add(x.meet(y))
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

// minus keeps x \ y (slice-sets.md, complement of {I ⊇ a} and of {I ⊆ b}).
func (l *Lattice) minus(x, y Interval, keep func(Interval)) {
	l.notAbove(x, y.Lo, keep)
	l.notBelow(x, y.Hi, keep)
}

// notAbove keeps x ∩ not {I ⊇ a}: the slices that lack a maximal action of a.
func (l *Lattice) notAbove(x Interval, a Ideal, keep func(Interval)) {
	for _, e := range l.Maximal(a) {
		if !x.Lo.Has(e) {
			keep(Interval{x.Lo, l.without(x.Hi, e)})
		}
	}
}

// notBelow keeps x ∩ not {I ⊆ b}: the slices that have a minimal action outside of b.
func (l *Lattice) notBelow(x Interval, b Ideal, keep func(Interval)) {
	for _, e := range l.Enabled(b) {
		if x.Hi.Has(e) {
			keep(Interval{x.Lo.Join(l.Down(e)), x.Hi})
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
	return x.Lo, true
}

// Equal reports whether s and o have the same slices.
func (s Set) Equal(o Set) bool {
	if sub, _ := s.SubsetOf(o); !sub {
		return false
	}
	sub, _ := o.SubsetOf(s)
	return sub
}

// Least returns a slice of s with the fewest actions; false if s is empty.
func (s Set) Least() (Ideal, bool) {
	var least Ideal
	size := -1
	for _, iv := range s.ivs {
		if n := s.l.Size(iv.Lo); size < 0 || n < size {
			least, size = iv.Lo, n
		}
	}
	return least, size >= 0
}
