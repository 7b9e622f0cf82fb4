package lsl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Undecided is an expression that was neither true nor false in any evaluated local state.
type Undecided struct {
	Expr string // printed
	Why  string
}

// Undecided returns the expressions in place of local formulas that never had a truth value, in the
// order of the text.
func (f *Formula) Undecided() []Undecided {
	var all []Undecided
	for _, n := range f.tests {
		if !n.known {
			all = append(all, Undecided{spec.FormatExpr(n.src.X), n.whyUndecided()})
		}
	}
	return all
}

// whyUndecided does not depend on the order in which local states were evaluated.
func (n *test) whyUndecided() string {
	if n.reason != "" {
		return n.reason
	}
	if i := slices.Index(n.seen, false); i >= 0 {
		return n.names[i] + " is never visible"
	}
	return "its variables are never visible at the same time"
}

// Possible returns the values that the formula can have. Expressions that never had a truth value
// are undefined; all others, and predicates, may have any value.
func (f *Formula) Possible() Truths { return f.root.possible() }

func (n *predicate) possible() Truths { return Only(True).With(False) }

func (n *negation) possible() Truths { return n.x.possible().Not() }

func (n *chain) possible() Truths {
	connective := func(t, u Truth) Truth { return n.logic.local(n.or, t, u) }
	all := n.xs[0].possible()
	if n.implies {
		all = all.Not()
	}
	for _, x := range n.xs[1:] {
		all = all.Combine(x.possible(), connective)
	}
	return all
}

func (n *test) possible() Truths {
	if n.known {
		return AnyTruth
	}
	return Only(Undefined)
}

// Snapshot writes or restores which expressions had a truth value.
func (f *Formula) Snapshot(snap *snapshot.Codec) {
	for _, n := range f.tests {
		snap.Bool(&n.known)
		snap.String(&n.reason)
		for i := range n.seen {
			snap.Bool(&n.seen[i])
		}
	}
}
