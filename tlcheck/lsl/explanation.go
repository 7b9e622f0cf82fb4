package lsl

import (
	"cmp"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

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
func (f *Formula) Explain(s *san.State) *Explanation { return f.root.why(s) }

func (n *predicate) why(s *san.State) *Explanation {
	return &Explanation{Source: n.src, Truth: n.truth(s, nil)}
}

func (n *negation) why(s *san.State) *Explanation {
	return &Explanation{Source: n.src, Truth: n.truth(s, nil), Parts: []*Explanation{n.x.why(s)}}
}

func (n *chain) why(s *san.State) *Explanation {
	w := &Explanation{Source: n.src, Truth: n.truth(s, nil)}
	for _, x := range n.xs {
		w.Parts = append(w.Parts, x.why(s))
	}
	return w
}

func (n *test) why(s *san.State) *Explanation {
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
