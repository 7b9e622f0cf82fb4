package ltl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

// join makes the conjunction (or, by duality, the disjunction) of args. The comments are about
// conjunctions.
func (t *simplifier) join(k kind, args []term) term {
	zero, one := terms.False, terms.True
	if k == terms.KindOr {
		zero, one = one, zero
	}
	members := t.Members(k, args)
	members = t.Members(k, t.absorb(k, members))
	members = t.mergeNext(k, members)
	members = t.mergeLast(k, members)
	members = slices.DeleteFunc(members, func(x term) bool { return x == one })
	for _, x := range members {
		if x == zero {
			return zero
		}
		if _, found := slices.BinarySearch(members, t.not(x)); found {
			return zero
		}
	}
	return t.Of(k, members, one)
}

// absorb simplifies members that are disjunctions by the other members: x & (x | y) is x, and x &
// (!x | y) is x & y.
func (t *simplifier) absorb(k kind, members []term) []term {
	simplified := make([]term, 0, len(members))
	for _, x := range members {
		if t.kind(x) != k.Dual() {
			simplified = append(simplified, x)
			continue
		}
		args, absorbed := t.without(members, t.Nodes[x].Args)
		switch {
		case absorbed:
		case len(args) == len(t.Nodes[x].Args):
			simplified = append(simplified, x)
		default:
			simplified = append(simplified, t.join(k.Dual(), args))
		}
	}
	return simplified
}

// without removes args whose negation is a member. It reports absorbed if an arg is a member
// itself.
func (t *simplifier) without(members, args []term) (rest []term, absorbed bool) {
	for _, x := range args {
		if _, found := slices.BinarySearch(members, x); found {
			return nil, true
		}
		if _, found := slices.BinarySearch(members, t.not(x)); !found {
			rest = append(rest, x)
		}
	}
	return rest, false
}

// mergeNext merges the members about the next state. X x & N y is X (x & y), since the strong next
// asserts that there is a next state (Gunter and Peled 2002, equation 1).
func (t *simplifier) mergeNext(k kind, members []term) []term {
	strong := terms.KindNext // the kind of a mixture
	if k == terms.KindOr {
		strong = terms.KindWeakNext
	}
	merged := strong.Dual()
	return t.merge(k, members, func(x term) bool {
		if t.kind(x) == strong {
			merged = strong
		}
		return t.kind(x) == terms.KindNext || t.kind(x) == terms.KindWeakNext
	}, func(x term) term { return t.next(merged, x) })
}

// mergeLast merges the members about the last state.
func (t *simplifier) mergeLast(k kind, members []term) []term {
	return t.merge(k, members, func(x term) bool { return t.kind(x) == terms.KindAtTheLast }, t.atTheLast)
}

// merge replaces the members that satisfy of by a single one.
func (t *simplifier) merge(k kind, members []term, of func(term) bool, wrap func(term) term) []term {
	var args, rest []term
	for _, x := range members {
		if of(x) {
			args = append(args, t.Nodes[x].Args[0])
		} else {
			rest = append(rest, x)
		}
	}
	if len(args) < 2 {
		return members
	}
	rest = append(rest, wrap(t.join(k, args)))
	slices.Sort(rest)
	return slices.Compact(rest)
}
