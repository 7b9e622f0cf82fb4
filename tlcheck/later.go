package tlcheck

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// sortBindings sorts by the names of the TIVs.
func sortBindings(bs []Binding) {
	stdslices.SortFunc(bs, func(a, b Binding) int { return cmp.Compare(a.TIV, b.TIV) })
}

// later returns the slice that decides a temporal operator at slice, if a single one
// does, and the argument that is to be looked at there.
func (x *explainer) later(f *sub, slice slices.Ideal, truth lsl.Truth) (*sub, slices.Ideal, bool) {
	n := f.nodes[1]
	if n == nil {
		n = f.nodes[0]
	}
	// Without its complement, a node says where some later slice is in a child's set.
	existential := (n == f.nodes[1]) != n.not
	if lsl.TruthOf(existential) != truth {
		return nil, slices.Ideal{}, false
	}
	arg := n.kids[len(n.kids)-1]
	target, err := x.set(arg, x.env)
	if err != nil {
		return nil, slices.Ideal{}, false
	}
	switch n.kind {
	case kindReach:
		if target.Contains(slice) {
			return f.kids[0], slice, true
		}
	case kindNext:
		at, ok := x.steps(slice, target, n.k)
		return f.kids[0], at, ok
	case kindUntil:
		bad, err := x.set(n.kids[0], x.env)
		if err != nil {
			return nil, slices.Ideal{}, false
		}
		at, ok := x.nearest(slice, target, func(at slices.Ideal) bool { return x.clear(slice, at, bad) })
		return f.kids[1], at, ok
	}
	at, ok := x.nearest(slice, target, func(slices.Ideal) bool { return true })
	return f.kids[0], at, ok
}

// nearest returns a slice of the set that is strictly above the given one and fits,
// with few actions.
func (x *explainer) nearest(slice slices.Ideal, set slices.Set, fits func(slices.Ideal) bool) (slices.Ideal, bool) {
	var best slices.Ideal
	found := false
	offer := func(at slices.Ideal) {
		if (!found || x.lat.Size(at) < x.lat.Size(best)) && fits(at) {
			best, found = at, true
		}
	}
	for _, iv := range set.Intervals() {
		if !slice.Leq(iv.Hi) {
			continue
		}
		if at := slice.Join(iv.Lo); !at.Equal(slice) {
			offer(at)
			continue
		}
		for _, a := range x.lat.Enabled(slice) {
			if iv.Hi.Has(a) {
				offer(x.lat.Fire(slice, a))
			}
		}
	}
	return best, found
}

// clear reports whether no slice strictly between from and to is in bad.
func (x *explainer) clear(from, to slices.Ideal, bad slices.Set) bool {
	between := x.lat.Set(slices.Interval{Lo: from, Hi: to}).Intersect(bad)
	ends := x.lat.Set(slices.Interval{Lo: from, Hi: from}, slices.Interval{Lo: to, Hi: to})
	return between.Minus(ends).IsEmpty()
}

// maxSteps bounds the k of next^k for which the way to the deciding slice is searched.
const maxSteps = 100

// steps returns a slice of the set that is k actions after the given one.
func (x *explainer) steps(slice slices.Ideal, set slices.Set, k int) (slices.Ideal, bool) {
	if k > maxSteps {
		return slice, false
	}
	sets := []slices.Set{set} // sets[i]: i steps before set
	for len(sets) < k {
		sets = append(sets, sets[len(sets)-1].Next())
	}
	for i := k - 1; i >= 0; i-- {
		found := false
		for _, a := range x.lat.Enabled(slice) {
			if at := x.lat.Fire(slice, a); !found && sets[i].Contains(at) {
				slice, found = at, true
			}
		}
		if !found {
			return slice, false
		}
	}
	return slice, true
}
