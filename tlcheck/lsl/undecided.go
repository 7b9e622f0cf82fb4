package lsl

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
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

// Explanation is the truth of a local formula in one local state, with its reasons.
type Explanation struct {
	Source spec.Local // the formula
	Truth  Truth
	Reason string         // why an expression is undefined; otherwise empty
	Looked []Observation  // the variables of an expression, in order
	Parts  []*Explanation // operands of a connective
}

// Observation is a variable that an expression read.
type Observation struct {
	Name   string        // dotted, as written
	Values []event.Value // one; several for a shared variable; none if it is not visible
}

// Explain returns the truth of the formula in a local state, with its reasons.
func (f *Formula) Explain(s *san.State) *Explanation { return f.root.explain(s) }

func (n *predicate) explain(s *san.State) *Explanation {
	return &Explanation{Source: n.src, Truth: n.truth(s, nil)}
}

func (n *negation) explain(s *san.State) *Explanation {
	return &Explanation{Source: n.src, Truth: n.truth(s, nil), Parts: []*Explanation{n.x.explain(s)}}
}

func (n *chain) explain(s *san.State) *Explanation {
	w := &Explanation{Source: n.src, Truth: n.truth(s, nil)}
	for _, x := range n.xs {
		w.Parts = append(w.Parts, x.explain(s))
	}
	return w
}

func (n *test) explain(s *san.State) *Explanation {
	var log Log
	w := &Explanation{Source: n.src, Truth: n.truth(s, &log)}
	w.Reason = cmp.Or(log.gaveUp, log.unseen)
	for _, t := range log.EvalErrors() {
		w.Reason = t.Reason
	}
	for i, p := range n.paths {
		v := s.Lookup(p)
		l := Observation{Name: n.names[i]}
		if !v.Visible() {
			w.Reason = n.names[i] + " is not visible"
		} else {
			l.Values = fieldsOf(v)
		}
		w.Looked = append(w.Looked, l)
	}
	return w
}

// fieldsOf resolves the fields of a name in each value of v.
func fieldsOf(v san.Variable) []event.Value {
	var values []event.Value
next:
	for _, x := range v.Values {
		for _, f := range v.Rest {
			var err error
			if x, err = field(x, f); err != nil {
				continue next
			}
		}
		values = append(values, x)
	}
	return values
}
