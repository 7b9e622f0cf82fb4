package tlcheck

import (
	"context"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// PlanStoppedError says what ended the making of a plan: a budget that ran out, or the cause that
// ended a context.
type PlanStoppedError struct{ Cause error }

func (e *PlanStoppedError) Error() string { return e.Cause.Error() + " before the plan was made" }
func (e *PlanStoppedError) Unwrap() error { return e.Cause }

// Plan is how Check decides a property: the compiled formula, which computes the slices in
// which the property is false, and the ways in which these are searched.
type Plan struct {
	Property *spec.Property
	Logic    lsl.Logic
	TIVs     []string
	Nodes    []PlanNode // the root first; each but the root is a part of one before it
	Branches []PlanBranch
	// nil, or an *UnsupportedError that says why it can be checked only after the run
	Unmonitorable error
	RunOrder      error  // nil, or why critical sections keep the order of the run (Reorderable)
	Costs         *Costs // nil unless the plan was carried out
}

// PlanNode is a node of the compiled formula. It computes the slices in which its formula is true.
type PlanNode struct {
	Formula spec.Formula

	// Parts are the indexes of the nodes that this one is computed from. A node can be
	// part of several. The first part of an until, or of the negation of one, is where its
	// left side is false. The last Guards parts of a union, in frey96, are where what stands
	// left of each further one is false, without which that does not count.
	Parts  []int
	Guards int

	// Local: it depends on the local state of one task. Conjunctive: it is a conjunction
	// of local ones, so that its slices have a least and a greatest one, which are found
	// without computing with sets. Bounded and Stable are those of Monitorable; Unstable is why
	// it is not stable, or nil.
	Local, Conjunctive, Bounded bool
	Unstable                    *UnsupportedError

	Cost NodeCost // if the plan was carried out
	node *formula.Node
}

// NodeCost is what a node has taken.
type NodeCost struct {
	// sets of slices that were computed, or rows of local states that stand for one
	Sets      int
	Intervals int           // in all of them
	Largest   int           // in one of them
	Own       time.Duration // without the parts of the node
}

// Stable reports whether the formula, once true, stays so however the run goes on.
func (n *PlanNode) Stable() bool { return n.Unstable == nil }

// PlanBranch is a part of the search. The property is false where the formula of some branch is
// true and its conditions hold. With sets, the search computes where all of them are true,
// for each assignment of tasks to the outer TIVs, and then assigns the inner ones. What the
// formula says of single local states it looks up in these.
type PlanBranch struct {
	Formula spec.Formula
	Conds   []spec.Cond
	Sets    []spec.Formula
	Spans   bool // the only set is an until of local formulas, whose intervals are found one by one
	Outer   []string
	Inner   []string
}

// Explain returns the plan for a property, or a *PlanStoppedError. Shared are the names of shared
// variables.
func Explain(ctx context.Context, prop *spec.Property, opt Options, shared []string) (*Plan, error) {
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	f := formula.Compile(prop, opt.Logic)
	return newPlan(ctx, f, branches(f.Violated), shared)
}

func newPlan(ctx context.Context, f *formula.Formula, branches []*branch, shared []string) (*Plan, error) {
	logic := f.Set.Logic
	p := &planner{
		ctx:         ctx,
		unparser:    unparser{set: f.Set, formulas: map[*formula.Node]spec.Formula{}},
		classifier:  newClassifier(f.Property, logic),
		conjunctive: map[*formula.Node]bool{},
		numbers:     map[*formula.Node]int{},
		plan: &Plan{Property: f.Property, Logic: logic, TIVs: f.TIVs,
			Unmonitorable: Monitorable(f.Property, logic, shared)},
	}
	if _, p.plan.RunOrder = Reorderable(f.Property); p.plan.RunOrder == nil && len(shared) > 0 {
		p.plan.RunOrder = ErrShared
	}
	p.number(f.Violated)
	for _, b := range branches {
		p.branch(b)
	}
	if ctx.Err() != nil {
		return nil, &PlanStoppedError{context.Cause(ctx)}
	}
	return p.plan, nil
}

// planner makes a plan.
type planner struct {
	unparser
	classifier
	ctx         context.Context // when it has ended the plan is of no use
	conjunctive map[*formula.Node]bool
	numbers     map[*formula.Node]int // in plan.Nodes
	plan        *Plan
}

// number puts the node and those below it into the plan, unless they are there, and returns
// its index.
func (p *planner) number(n *formula.Node) int {
	if i, ok := p.numbers[n]; ok || p.ctx.Err() != nil {
		return i
	}
	i := len(p.plan.Nodes)
	p.numbers[n] = i
	f := p.formulaOf(n)
	p.plan.Nodes = append(p.plan.Nodes, PlanNode{
		Formula: f, Guards: len(n.Guards), Local: n.Local, Conjunctive: p.isConjunctive(n),
		Bounded: p.isBounded(f), Unstable: p.stable(f, true), node: n,
	})
	var parts []int
	for _, k := range stdslices.Concat(n.Kids, n.Guards) {
		parts = append(parts, p.number(k))
	}
	p.plan.Nodes[i].Parts = parts
	return i
}

// isConjunctive reports whether conjunction accepts the node.
func (p *planner) isConjunctive(n *formula.Node) bool {
	if is, ok := p.conjunctive[n]; ok {
		return is
	}
	is := n.Local || isUniversal(n) || (n.Kind == formula.And || n.Kind == formula.If) &&
		!stdslices.ContainsFunc(n.Kids, func(k *formula.Node) bool { return !p.isConjunctive(k) })
	p.conjunctive[n] = is
	return is
}

func (p *planner) branch(b *branch) {
	pb := PlanBranch{Formula: p.all(b.items), Spans: b.simpleUntil() != nil, Outer: p.names(b.outer),
		Inner: p.names(b.inner)}
	for _, c := range b.conds {
		pb.Conds = append(pb.Conds, p.condition(c))
	}
	for _, n := range b.rest {
		pb.Sets = append(pb.Sets, p.formulaOf(n))
	}
	p.plan.Branches = append(p.plan.Branches, pb)
}
