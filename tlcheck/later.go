package tlcheck

import (
	"errors"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// decidingSlice returns the slice that decides a temporal operator at slice, if there is a single
// one and it is found in time, and the argument to evaluate there.
func (x *explainer) decidingSlice(
	f *formula.Part, slice slices.Ideal, truth lsl.Truth,
) (*formula.Part, slices.Ideal, bool) {
	n, value := f.Node()
	// Without its complement, a node says that some later slice is in a child's set.
	existential := value != n.Complement
	if lsl.TruthOf(existential) != truth {
		return nil, slices.Ideal{}, false
	}
	if x.reachesSteep(n) {
		if at, ok, err := x.upwards(x.env).firstReached(n, slice); !errors.Is(err, errSteep) {
			return f.Kids[0], at, ok && err == nil
		}
	}
	arg := n.Kids[len(n.Kids)-1]
	switch n.Kind {
	case formula.Sometime:
		at, ok, err := x.nearestOf(arg, slice)
		return f.Kids[0], at, ok && err == nil
	case formula.Eventually:
		if in, err := x.contains(arg, x.env, slice); in || err != nil {
			return f.Kids[0], slice, in && err == nil
		}
		at, ok, err := x.nearestOf(arg, slice)
		return f.Kids[0], at, ok && err == nil
	}
	target, err := x.set(arg, x.env)
	if err != nil {
		return nil, slices.Ideal{}, false
	}
	if n.Kind == formula.Next {
		at, ok := x.sliceAfter(slice, target, n.K)
		return f.Kids[0], at, ok
	}
	bad, err := x.set(n.Kids[0], x.env)
	if err != nil {
		return nil, slices.Ideal{}, false
	}
	at, ok, err := x.nearest(slice, target, x.noneBetween(slice, bad))
	return f.Kids[1], at, ok && err == nil
}

// nearestOf returns a slice strictly above the given one in which the node is true, with few
// actions.
func (x *explainer) nearestOf(n *formula.Node, slice slices.Ideal) (best slices.Ideal, found bool, err error) {
	_, err = x.some(n, x.env, func(s slices.Set) (bool, error) {
		at, ok, err := x.nearest(slice, s, acceptAll)
		if ok && (!found || at.Size() < best.Size()) {
			best, found = at, true
		}
		return found && best.Size() == slice.Size()+1, err // no slice is nearer
	})
	return best, found, err
}

// nearestObstacle handles an until that is false or a before that is true. It returns the nearest
// later slice in which the right side is true, and a slice before it in which the left side
// prevents it; false if the right side is true in no later slice, or if there is no time to find
// one.
func (x *explainer) nearestObstacle(
	f *formula.Part, slice slices.Ideal, truth lsl.Truth,
) (goal, obstacle slices.Ideal, ok bool) {
	n, value := f.Node()
	existential := value != n.Complement
	if n.Kind != formula.Until || lsl.TruthOf(existential) == truth {
		return goal, obstacle, false
	}
	bad, err := x.set(n.Kids[0], x.env)
	if err != nil {
		return goal, obstacle, false
	}
	target, err := x.set(n.Kids[1], x.env)
	if err != nil {
		return goal, obstacle, false
	}
	if goal, ok, err = x.nearest(slice, target, acceptAll); !ok || err != nil {
		return goal, obstacle, false
	}
	between, err := x.between(slice, goal, bad)
	if err != nil {
		return goal, obstacle, false
	}
	obstacle, ok = between.Least()
	return goal, obstacle, ok
}

// maxSteps bounds the k of next^k for which a path to the deciding slice is searched.
const maxSteps = 100

// sliceAfter returns a slice of the set that is k actions after the given one.
func (x *explainer) sliceAfter(slice slices.Ideal, set slices.Set, k int) (slices.Ideal, bool) {
	if k > maxSteps {
		return slice, false
	}
	sets := []slices.Set{set} // sets[i]: i steps before set
	for len(sets) < k {
		before, err := sets[len(sets)-1].Next(x.budget)
		if err != nil {
			return slice, false
		}
		sets = append(sets, before)
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
