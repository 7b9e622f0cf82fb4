package ltl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

// join makes the conjunction (or, by duality, the disjunction) of args. The comments speak of
// conjunctions.
func (t *simplifier) join(k kind, args []term) term {
	zero, one := terms.False, terms.True
	if k == kindOr {
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

// absorb simplifies those members that are disjunctions by the other members: x & (x | y) is x, and
// x & (!x | y) is x & y.
func (t *simplifier) absorb(k kind, members []term) []term {
	simplified := make([]term, 0, len(members))
	for _, x := range members {
		if t.kind(x) != k.dual() {
			simplified = append(simplified, x)
			continue
		}
		args, absorbed := t.without(members, t.Nodes[x].Args)
		switch {
		case absorbed:
		case len(args) == len(t.Nodes[x].Args):
			simplified = append(simplified, x)
		default:
			simplified = append(simplified, t.join(k.dual(), args))
		}
	}
	return simplified
}

// without returns those of args whose negation is no member, or that an arg is a member itself.
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

// mergeNext makes one member of those that speak of the next state. X x & N y is X (x & y), since the
// strong one says that there is a next state (Gunter and Peled, equation 1).
func (t *simplifier) mergeNext(k kind, members []term) []term {
	strong := kindNext // the kind that a mixture has
	if k == kindOr {
		strong = kindWeakNext
	}
	merged := strong.dual()
	return t.merge(k, members, func(x term) bool {
		if t.kind(x) == strong {
			merged = strong
		}
		return t.kind(x) == kindNext || t.kind(x) == kindWeakNext
	}, func(x term) term { return t.next(merged, x) })
}

// mergeLast makes one member of those that speak of the last state.
func (t *simplifier) mergeLast(k kind, members []term) []term {
	return t.merge(k, members, func(x term) bool { return t.kind(x) == kindAtTheLast }, t.atTheLast)
}

// merge replaces the members that are of a kind by one, made of their arguments.
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
