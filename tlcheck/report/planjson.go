package report

import (
	"errors"
	"math/big"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Plan is the output of explain --json for one property.
type Plan struct {
	Property string   `json:"property"`
	Formula  string   `json:"formula"`
	Logic    string   `json:"logic"`
	TIVs     []string `json:"tivs"`
	OnTheFly bool     `json:"on_the_fly"`
	Refused  *Refusal `json:"refused,omitempty"`
	// for an on-the-fly check: what its memory grows with
	Memory string `json:"memory,omitempty"`
	// it can be checked in other orders of critical sections
	Reorders bool         `json:"reorders"`
	RunOrder string       `json:"run_order,omitempty"` // why it cannot
	Nodes    []PlanNode   `json:"nodes"`
	Branches []PlanBranch `json:"branches"`

	Trace   string   `json:"trace,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	TIVAs   *big.Int `json:"tivas,omitempty"`
	Seconds *Seconds `json:"seconds,omitempty"`
}

// Refusal is why something cannot be checked while the program runs.
type Refusal struct {
	Formula string `json:"formula"`
	Reason  string `json:"reason"`
}

// PlanNode is a node of the formula tree.
type PlanNode struct {
	Formula     string   `json:"formula"`
	Parts       []int    `json:"parts"` // indexes of nodes
	Guards      int      `json:"guards,omitempty"`
	Local       bool     `json:"local"`
	Conjunctive bool     `json:"conjunctive"`
	Bounded     bool     `json:"bounded"`
	Stable      bool     `json:"stable"`
	Unstable    *Refusal `json:"unstable,omitempty"`

	Sets      *int     `json:"sets,omitempty"`
	Intervals *int     `json:"intervals,omitempty"`
	Largest   *int     `json:"largest,omitempty"`
	Seconds   *float64 `json:"seconds,omitempty"`
}

// PlanBranch is a part of the search.
type PlanBranch struct {
	Formula    string   `json:"formula"`
	Conditions []string `json:"conditions"`
	Sets       []string `json:"sets"`
	Spans      bool     `json:"spans"`
	Outer      []string `json:"outer"`
	Inner      []string `json:"inner"`
}

// Seconds has the durations of a check: the total is the sum of the others. Those of the nodes are
// part of the search.
type Seconds struct {
	Total   float64 `json:"total"`
	Plan    float64 `json:"plan"`
	Values  float64 `json:"values"`
	Search  float64 `json:"search"`
	Reasons float64 `json:"reasons"`
}

// PlanObject returns the JSON form of a plan, with the costs if it was executed. memory says what
// the memory of an on-the-fly check grows with; "" if the property cannot be checked so.
func PlanObject(p *tlcheck.Plan, memory string) *Plan {
	o := &Plan{
		Property: p.Property.Name, Formula: spec.FormatProperty(p.Property), Logic: p.Logic.String(),
		TIVs: nonNil(p.TIVs), OnTheFly: p.Unmonitorable == nil, Memory: memory, Reorders: p.RunOrder == nil,
	}
	if p.Unmonitorable != nil {
		o.Refused = refusalObject(p.Unmonitorable)
	}
	if p.RunOrder != nil {
		o.RunOrder = p.RunOrder.Error()
	}
	for i := range p.Nodes {
		o.Nodes = append(o.Nodes, nodeObject(&p.Nodes[i], p.Costs != nil))
	}
	for _, b := range p.Branches {
		ob := PlanBranch{Formula: shortFormula(b.Formula), Spans: b.Spans, Outer: nonNil(b.Outer),
			Inner:      nonNil(b.Inner),
			Conditions: []string{}, Sets: []string{}}
		for _, c := range b.Conds {
			ob.Conditions = append(ob.Conditions, spec.FormatCond(c))
		}
		for _, f := range b.Sets {
			ob.Sets = append(ob.Sets, shortFormula(f))
		}
		o.Branches = append(o.Branches, ob)
	}
	if c := p.Costs; c != nil {
		o.TIVAs = c.TIVAs
		o.Seconds = &Seconds{c.Total().Seconds(), c.Plan.Seconds(), c.Values.Seconds(), c.Search.Seconds(),
			c.Reasons.Seconds()}
	}
	return o
}

func nodeObject(n *tlcheck.PlanNode, costs bool) PlanNode {
	o := PlanNode{
		Formula: shortFormula(n.Formula), Parts: nonNil(n.Parts), Guards: n.Guards,
		Local: n.Local, Conjunctive: n.Conjunctive, Bounded: n.Bounded, Stable: n.Stable(),
	}
	if !n.Stable() {
		o.Unstable = refusalObject(n.Unstable)
	}
	if costs {
		seconds := n.Cost.Own.Seconds()
		o.Sets, o.Intervals, o.Largest, o.Seconds = &n.Cost.Sets, &n.Cost.Intervals, &n.Cost.Largest, &seconds
	}
	return o
}

// nonNil returns a copy that is not null in JSON.
func nonNil[T any](xs []T) []T { return append([]T{}, xs...) }

// refusal returns the parts of an error for a property that cannot be checked on-the-fly.
func refusal(err error) (formula, reason string) {
	var refused *tlcheck.UnsupportedError
	if !errors.As(err, &refused) {
		return "", err.Error()
	}
	return shortFormula(refused.Formula), refused.Reason
}

func refusalObject(err error) *Refusal {
	formula, reason := refusal(err)
	return &Refusal{formula, reason}
}
