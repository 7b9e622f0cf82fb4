package slices

import "github.com/antichain-go/antichain/san"

// The temporal operators of Frey 1996, §4, and Frey and Schlingloff 1998, §2.2, on sets of slices.
// Each result is a finite union of intervals again.

// Sometime returns the slices strictly below some slice of s, where "sometime s" is true (Frey
// 1996, §4). The slices strictly below b are the subsets of b with a lower rank, so the result has
// at most one interval for each interval of s without ranks.
func (s Set) Sometime(b Budget) (Set, error) {
	down, err := s.Eventually(b)
	if err != nil {
		return Set{}, err
	}
	var ivs union // no top is below another, so no interval contains another
	for _, iv := range down.ivs {
		if n := iv.Hi.Size(); n > 0 {
			iv.to = n
			ivs = append(ivs, iv)
		}
	}
	return Set{s.l, ivs}, nil
}

// Eventually returns the slices of s and those below, in which "eventually s" is true (Frey 1996,
// §4).
func (s Set) Eventually(b Budget) (Set, error) {
	if s.IsEmpty() {
		return s, nil
	}
	var downs union
	for _, iv := range s.ivs {
		if iv.to == 0 {
			downs = append(downs, Interval{Hi: iv.Hi})
			continue
		}
		tops, err := s.l.tops(b, iv)
		if err != nil {
			return Set{}, err
		}
		for _, top := range tops {
			downs = append(downs, Interval{Hi: top})
		}
	}
	ivs, err := s.l.addAll(b, nil, downs)
	return Set{s.l, ivs}, err
}

// Next returns the slices with an immediate successor in s, in which "next s" is true (Frey 1996,
// §4). An interval [a,b] yields one interval and one more for each maximal action of a.
//
// The predecessors of the slices of [a,b] lack one action e of b. If e is not in a, they are in
// [a,b] themselves, and those are all slices of [a,b] but b. If e is in a, then I ∪ {e} ⊇ a makes e
// maximal in a. In both cases the rank decreases by one.
func (s Set) Next(b Budget) (Set, error) {
	var ivs union
	for _, iv := range s.ivs {
		if err := b.Allow(len(ivs)); err != nil {
			return Set{}, err
		}
		if to := iv.Highest(); to > 0 {
			keepIf(ivs.add)(Interval{Lo: iv.Lo, Hi: iv.Hi}.within(max(iv.from-1, 0), to))
		}
		s.l.undone(iv, ivs.add)
	}
	return Set{s.l, ivs}, nil
}

// undone keeps the slices outside of [iv.Lo,iv.Hi] from which an action of iv.Lo leads into iv.
func (l *Lattice) undone(iv Interval, keep func(Interval)) {
	for _, e := range l.Maximal(iv.Lo) { // none if iv.to is 1
		lower := Interval{Lo: l.without(iv.Lo, e), Hi: l.without(iv.Hi, e)}
		keepIf(keep)(lower.within(max(iv.from-1, 0), max(iv.to-1, 0)))
	}
}

// NextBy returns the slices with an immediate successor in s by an action of the task. A joint
// action belongs to the first of its tasks, which names it.
//
// I ∪ {e} is in [a,b] iff I has all actions that precede e, and all of a except e, which must be
// maximal in a if a has it.
func (s Set) NextBy(b Budget, t san.Task) (Set, error) {
	var ivs union
	for _, iv := range s.ivs {
		if iv.to == 1 {
			continue
		}
		for k := max(iv.Lo.At(t), 1); k <= iv.Hi.At(t); k++ {
			if err := b.Allow(len(ivs)); err != nil {
				return Set{}, err
			}
			e := san.Action{Task: t, K: int32(k)}
			if s.l.net.Canonical(e) != e {
				continue
			}
			with := s.l.Fire(iv.Lo, e)
			before := Interval{Lo: s.l.without(with, e), Hi: s.l.without(iv.Hi, e)}
			if before.Lo.Size() == with.Size()-1 {
				keepIf(ivs.add)(before.within(max(iv.from-1, 0), max(iv.to-1, 0)))
			}
		}
	}
	return Set{s.l, ivs}, nil
}

// Until returns the slices I with some J > I in q and no slice of bad strictly between I and J, at
// least those of the region. If p is false exactly in bad, "p until q" is true there (Frey 1996,
// §4).
//
// If I ⊇ c for some [c,d] of q that reaches above I, then an immediate successor of I is in it.
// Otherwise the best J is I ∪ c, and I fails if [a,b] of bad has a slice K with I < K < I ∪ c
// (docs/slice-sets.md).
//
//	    d
//	    │        ·J = I ∪ c
//	c   │      ·   K ?
//	 ·  │    ·I
func (l *Lattice) Until(b Budget, bad, q, region Set) (Set, error) {
	result, err := q.Next(b)
	if err != nil {
		return Set{}, err
	}
	if bad, err = bad.WithoutRanks(b); err != nil {
		return Set{}, err
	}
	if q, err = q.WithoutRanks(b); err != nil {
		return Set{}, err
	}
	for _, target := range q.ivs {
		left, err := l.farFrom(b, target, bad, region)
		if err == nil {
			err = b.Allow(len(result.ivs))
		}
		if err != nil {
			return Set{}, err
		}
		for _, iv := range left {
			result.ivs.add(iv)
		}
	}
	result.l = l
	return result, nil
}

// farFrom returns the slices I of the region that do not contain target.Lo, but lie below a slice
// of target, with no slice of bad strictly between I and I ∪ target.Lo.
func (l *Lattice) farFrom(b Budget, target Interval, bad, region Set) (union, error) {
	var left union
	for _, iv := range region.ivs {
		if iv, ok := iv.below(target.Hi); ok {
			l.cutAbove(iv, target.Lo, left.add)
		}
	}
	for _, iv := range bad.ivs {
		var err error
		if left, err = l.cutBetween(b, left, iv, target.Lo); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// cutBetween takes from every interval of ivs, none of which has a slice I ⊇ c, the slices for
// which [a,b] = bad has a slice strictly between I and I ∪ c. With c' = ↓(c\a), a' = ↓(a\c) the
// slices kept are
//
//	c ⊆ b:   not ⊆b  ∪  not ⊇a'  ∪  ⊇c'
//	c ⊄ b:   not ⊆b  ∪  not ⊇a'  ∪  ⊇(a ∪ (b∩c))
//
// This is the complement of bad(N,c) in docs/slice-sets.md, multiplied out: a' ⊆ a and I ⊉ c make
// most products empty or redundant.
func (l *Lattice) cutBetween(budget Budget, ivs union, bad Interval, c Ideal) (union, error) {
	a, b := bad.Lo, bad.Hi
	a1 := l.difference(a, c)
	enough := a.Join(b.Meet(c))
	if c.Leq(b) {
		enough = l.difference(c, a)
	}
	return l.cut(budget, ivs, Interval{Lo: a1, Hi: b}, func(x Interval, keep func(Interval)) {
		l.cutBelow(x, b, keep)
		l.cutAbove(x, a1, keep)
		if x, ok := x.above(enough); ok {
			keep(x)
		}
	})
}

// difference returns ↓(i \ j), which the maximal actions of i outside of j generate.
func (l *Lattice) difference(i, j Ideal) Ideal {
	var outside []san.Action
	for _, e := range l.Maximal(i) {
		if !j.Has(e) {
			outside = append(outside, e)
		}
	}
	return l.generated(outside)
}
