package slices

// The temporal operators of F96 §4 and FS98 §2.2 on sets of slices: each stays within
// finite unions of intervals.

// Below returns the slices strictly below some slice of s: "sometime s".
func (s Set) Below() Set {
	var highest []Ideal // only maximal upper bounds matter
	for _, iv := range s.ivs {
		highest = addMaximal(highest, iv.Hi)
	}
	var ivs union
	for _, b := range highest {
		if s.l.halt(len(ivs)) {
			break
		}
		for _, e := range s.l.Maximal(b) {
			ivs.add(Interval{Hi: s.l.without(b, e)})
		}
	}
	return Set{s.l, ivs}
}

// addMaximal adds i to a list of ideals none of which contains another.
func addMaximal(list []Ideal, i Ideal) []Ideal {
	for _, o := range list {
		if i.Leq(o) {
			return list
		}
	}
	kept := list[:0]
	for _, o := range list {
		if !o.Leq(i) {
			kept = append(kept, o)
		}
	}
	return append(kept, i)
}

// Next returns the slices with a successor in s: "next s".
//
// The predecessors of [a,b] lack one action e of b. If e is not in a, it can be any that
// leaves I within b \ ↑e: the larger ones of these intervals are those of the maximal e. If e
// is in a, then I ∪ {e} ⊇ a makes e maximal in a.
func (s Set) Next() Set {
	var ivs union
	for _, iv := range s.ivs {
		if s.l.halt(len(ivs)) {
			break
		}
		for _, e := range s.l.Maximal(iv.Hi) {
			if !iv.Lo.Has(e) {
				ivs.add(Interval{iv.Lo, s.l.without(iv.Hi, e)})
			}
		}
		for _, e := range s.l.Maximal(iv.Lo) {
			ivs.add(Interval{s.l.without(iv.Lo, e), s.l.without(iv.Hi, e)})
		}
	}
	return Set{s.l, ivs}
}

// Until returns the slices I with some J > I in q and no slice of bad strictly between I
// and J: "p until q", where bad is where p is false.
//
// If I ⊇ c for some [c,d] of q that reaches above I, then an immediate successor of I is in
// it. Otherwise the best J is I ∪ c, and I fails if [a,b] of bad has a slice K with
// I < K < I ∪ c (slice-sets.md).
//
//	    d
//	    │        ·J = I ∪ c
//	c   │      ·   K ?
//	 ·  │    ·I
func (l *Lattice) Until(bad, q Set) Set {
	result := q.Next()
	for _, target := range q.ivs {
		var left union
		l.notAbove(Interval{Hi: target.Hi}, target.Lo, left.add)
		for _, iv := range bad.ivs {
			left = l.cutBetween(left, iv, target.Lo)
		}
		if l.halt(len(result.ivs)) {
			break
		}
		for _, iv := range left {
			result.ivs.add(iv)
		}
	}
	result.l = l
	return result
}

// cutBetween takes from every interval of ivs, none of which has a slice I ⊇ c, the slices for which
// [a,b] = bad has a slice strictly between I and I ∪ c. With c' = ↓(c\a), a' = ↓(a\c)
// the slices kept are
//
//	c ⊆ b:   not ⊆b  ∪  not ⊇a'  ∪  ⊇c'
//	c ⊄ b:   not ⊆b  ∪  not ⊇a'  ∪  ⊇(a ∪ (b∩c))
//
// which is the complement of bad(N,c) in slice-sets.md, multiplied out: a' ⊆ a and
// I ⊉ c make most products empty or superfluous.
func (l *Lattice) cutBetween(ivs union, bad Interval, c Ideal) union {
	a, b := bad.Lo, bad.Hi
	a1 := l.generated(a, c)
	enough := a.Join(b.Meet(c))
	if c.Leq(b) {
		enough = l.generated(c, a)
	}
	return l.cut(ivs, Interval{a1, b}, func(x Interval, keep func(Interval)) {
		l.notBelow(x, b, keep)
		l.notAbove(x, a1, keep)
		if x, ok := x.above(enough); ok {
			keep(x)
		}
	})
}

// generated returns ↓(i \ j), which the maximal actions of i outside of j generate.
func (l *Lattice) generated(i, j Ideal) Ideal {
	var g Ideal
	for _, e := range l.Maximal(i) {
		if !j.Has(e) {
			g = g.Join(l.Down(e))
		}
	}
	return g
}
