package slices

import stdslices "slices"

// Interval is the set of slices I with Lo ⊆ I ⊆ Hi, or of those among them whose rank in the
// lattice (number of actions) lies in a range. It is never empty.
//
// Ranks keep unions small. All of [a,b] except b is one interval with ranks below |b|; without
// ranks it is one for each maximal action of b. The fifth predecessors of an interval in 20 tasks
// are a few intervals instead of tens of thousands.
type Interval struct {
	Lo, Hi Ideal

	// Only slices with from ≤ rank < to are in the interval; to 0 is no bound. Bounds that Lo and
	// Hi imply are 0.
	from, to int
}

// Ranked reports whether ranks restrict the interval.
func (iv Interval) Ranked() bool { return iv.from > 0 || iv.to > 0 }

// Lowest returns the least rank of the interval's slices.
func (iv Interval) Lowest() int { return max(iv.from, iv.Lo.Size()) }

// Highest returns the greatest rank of the interval's slices.
func (iv Interval) Highest() int {
	if iv.to > 0 {
		return iv.to - 1
	}
	return iv.Hi.Size()
}

// within returns the slices of iv with from ≤ rank < to (0 is no bound); false if there are none.
// The lattice is graded, so [Lo,Hi] has slices of every rank between those of its ends.
func (iv Interval) within(from, to int) (Interval, bool) {
	iv.from = max(iv.from, from)
	if to > 0 && (iv.to == 0 || to < iv.to) {
		iv.to = to
	}
	if !iv.Ranked() {
		return iv, true
	}
	lo, hi := iv.Lo.Size(), iv.Hi.Size()
	if iv.from <= lo {
		iv.from = 0
	}
	if iv.to > hi {
		iv.to = 0
	}
	return iv, iv.from <= hi && (iv.to == 0 || iv.to > max(lo, iv.from))
}

// Contains reports whether slice i is in the interval.
func (iv Interval) Contains(i Ideal) bool {
	if !iv.Lo.Leq(i) || !i.Leq(iv.Hi) {
		return false
	}
	return !iv.Ranked() || i.Size() >= iv.from && (iv.to == 0 || i.Size() < iv.to)
}

// covers reports whether o is a subset of iv.
func (iv Interval) covers(o Interval) bool {
	if !iv.Lo.Leq(o.Lo) || !o.Hi.Leq(iv.Hi) {
		return false
	}
	return (iv.from == 0 || iv.from <= o.Lowest()) && (iv.to == 0 || iv.to > o.Highest())
}

// meets reports whether the intervals have a common slice.
func (iv Interval) meets(o Interval) bool {
	// lo ∪ o.lo ⊆ hi ∩ o.hi, given lo ⊆ hi and o.lo ⊆ o.hi
	if !iv.Lo.Leq(o.Hi) || !o.Lo.Leq(iv.Hi) {
		return false
	}
	if !iv.Ranked() && !o.Ranked() {
		return true
	}
	_, ok := iv.Meet(o)
	return ok
}

// Meet returns the intersection; false if it is empty.
func (iv Interval) Meet(o Interval) (Interval, bool) {
	if !iv.Lo.Leq(o.Hi) || !o.Lo.Leq(iv.Hi) {
		return Interval{}, false
	}
	both := Interval{Lo: iv.Lo.Join(o.Lo), Hi: iv.Hi.Meet(o.Hi), from: iv.from, to: iv.to}
	return both.within(o.from, o.to)
}

// above returns iv ∩ {I ⊇ a}; false if it is empty.
func (iv Interval) above(a Ideal) (Interval, bool) {
	if !a.Leq(iv.Hi) {
		return Interval{}, false
	}
	return Interval{Lo: iv.Lo.Join(a), Hi: iv.Hi, from: iv.from, to: iv.to}.within(0, 0)
}

// below returns iv ∩ {I ⊆ b}; false if it is empty.
func (iv Interval) below(b Ideal) (Interval, bool) {
	if !iv.Lo.Leq(b) {
		return Interval{}, false
	}
	return Interval{Lo: iv.Lo, Hi: iv.Hi.Meet(b), from: iv.from, to: iv.to}.within(0, 0)
}

// union is a list of intervals none of which contains another.
type union []Interval

// add puts iv into the union.
func (u *union) add(iv Interval) { u.tryAdd(iv) }

// tryAdd puts iv into the union; false if an interval of it contains iv.
func (u *union) tryAdd(iv Interval) bool {
	for _, o := range *u {
		if o.covers(iv) {
			return false
		}
	}
	*u = append(stdslices.DeleteFunc(*u, iv.covers), iv)
	return true
}
