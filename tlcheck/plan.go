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

// Plan is how Check decides a property: the compiled formula, which computes the slices in which
// the property is false, and the branches in which these are searched.
type Plan struct {
	Property *spec.Property
	Logic    lsl.Logic
	TIVs     []string
	Nodes    []PlanNode // the root first; every other node is a part of an earlier one
	Branches []PlanBranch
	// nil, or an *UnsupportedError that says why it can be checked only after the run
	Unmonitorable error
	RunOrder      error  // nil, or why critical sections keep the order of the run (Reorderable)
	Costs         *Costs // nil unless the plan was executed
}

// PlanNode is a node of the compiled formula. It computes the slices in which its formula is true.
type PlanNode struct {
	Formula spec.Formula

	// Parts are the indexes of the nodes from which this one is computed. A node can be part of
	// several. The first part of an until, or of its negation, has the slices in which its left
	// side is false. The last Guards parts of a union, in frey96, have the slices in which
	// everything left of each further part is false: only there that part counts.
	Parts  []int
	Guards int

	// Local: it depends on the local state of one task. Conjunctive: it is a conjunction of local
	// ones, so it has a least and a greatest slice, which are found without computing sets. Bounded
	// and Stable are those of Monitorable; Unstable is why it is not stable, or nil.
	Local, Conjunctive, Bounded bool
	Unstable                    *UnsupportedError

	Cost NodeCost // if the plan was executed
	node *formula.Node
}

// NodeCost is the cost of a node.
type NodeCost struct {
	Sets      int           // computed sets of slices, or rows of local states that stand for one
	Intervals int           // in all of them
	Largest   int           // maximal number of intervals in one of them
	Own       time.Duration // without the parts of the node
}

// Stable reports whether the formula, once true, stays true however the run continues.
func (n *PlanNode) Stable() bool { return n.Unstable == nil }

// PlanBranch is a part of the search. The property is false where the formula of some branch is
// true and its conditions hold. If there are sets, the search computes the slices in which all of
// them are true, for each assignment of tasks to the outer TIVs, and then assigns the inner ones.
// It looks up requirements on single local states in these slices.
type PlanBranch struct {
	Formula spec.Formula
	Conds   []spec.Cond
	Sets    []spec.Formula
	Spans   bool // the only set is an until of local formulas, whose intervals are found one by one
	Outer   []string
	Inner   []string
}

// Explain returns the plan for a property, or a *PlanStoppedError. shared are the names of shared
// variables.
func Explain(ctx context.Context, prop *spec.Property, opt Options, shared []string) (*Plan, error) {
	if err := isAboutStates(prop, "explained"); err != nil {
		return nil, err
	}
	ctx, cancel := opt.limitContext(ctx)
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

// planner has the state of Explain: the plan so far, and what decides the properties of its nodes.
type planner struct {
	unparser
	classifier
	ctx         context.Context // a plan is useless after its end
	conjunctive map[*formula.Node]bool
	numbers     map[*formula.Node]int // in plan.Nodes
	plan        *Plan
}

// number adds n and the nodes below it to the plan, unless it has them already, and returns the
// index of n.
func (p *planner) number(n *formula.Node) int {
	if i, ok := p.numbers[n]; ok || p.ctx.Err() != nil {
		return i
	}
	i := len(p.plan.Nodes)
	p.numbers[n] = i
	f := p.formulaOf(n)
	p.plan.Nodes = append(p.plan.Nodes, PlanNode{
		Formula: f, Guards: len(n.Guards), Local: n.Local, Conjunctive: p.isConjunctive(n),
		Bounded: p.isBounded(f), Unstable: p.checkStable(f, true), node: n,
	})
	var parts []int
	for _, k := range stdslices.Concat(n.Kids, n.Guards) {
		parts = append(parts, p.number(k))
	}
	p.plan.Nodes[i].Parts = parts
	return i
}

// isConjunctive reports whether conjoin accepts the node.
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

// unparser writes nodes as formulas of the language.
type unparser struct {
	set      *formula.Set
	formulas map[*formula.Node]spec.Formula
}

// formulaOf returns a formula that is true exactly in the slices of the node. Formulas of nodes
// share those of the nodes below.
func (u *unparser) formulaOf(n *formula.Node) spec.Formula {
	f, ok := u.formulas[n]
	if !ok {
		if f = u.operator(n); n.Complement {
			f = &spec.Not{X: f}
		}
		u.formulas[n] = f
	}
	return f
}

func (u *unparser) operator(n *formula.Node) spec.Formula {
	switch n.Kind {
	case formula.Atom:
		atom := &spec.Atom{TIV: u.set.Names[n.Slot], Local: u.set.Locals[n.Atom]}
		if n.Want == lsl.False {
			return &spec.Not{X: atom}
		}
		return atom
	case formula.And:
		return u.chain(spec.And, n.Kids)
	case formula.Or:
		return u.chain(spec.Or, n.Kids)
	case formula.If:
		f := &spec.If{X: u.formulaOf(n.Kids[0])}
		for _, c := range n.Conds {
			f.Conds = append(f.Conds, u.condition(c))
		}
		return f
	case formula.Until:
		return &spec.Binary{Op: spec.Until, L: negation(u.formulaOf(n.Kids[0])), R: u.formulaOf(n.Kids[1])}
	case formula.Exists:
		return &spec.Quant{Op: spec.Exists, TIV: u.set.Names[n.Slot], X: u.formulaOf(n.Kids[0])}
	}
	op := map[formula.Kind]spec.FutureOp{formula.Next: spec.Next, formula.Sometime: spec.Sometime,
		formula.Eventually: spec.Eventually}[n.Kind]
	return &spec.Future{Op: op, K: n.K, X: u.formulaOf(n.Kids[0])}
}

func (u *unparser) chain(op spec.NaryOp, nodes []*formula.Node) spec.Formula {
	f := &spec.Nary{Op: op}
	for _, n := range nodes {
		f.Xs = append(f.Xs, u.formulaOf(n))
	}
	return f
}

func (u *unparser) condition(c formula.Cond) spec.Cond {
	return spec.Cond{Left: u.set.Names[c.Left], Right: u.set.Names[c.Right], Caller: c.Caller, Differ: c.Differ}
}

func (u *unparser) names(slots []int) []string {
	var names []string
	for _, slot := range slots {
		names = append(names, u.set.Names[slot])
	}
	return names
}

func (u *unparser) all(nodes []*formula.Node) spec.Formula {
	if len(nodes) == 1 {
		return u.formulaOf(nodes[0])
	}
	return u.chain(spec.And, nodes)
}

// negation returns not f, with the negation pushed through connectives to the atoms.
func negation(f spec.Formula) spec.Formula {
	switch f := f.(type) {
	case *spec.Not:
		return f.X
	case *spec.Nary:
		dual := &spec.Nary{Op: spec.And}
		if f.Op == spec.And {
			dual.Op = spec.Or
		}
		for _, x := range f.Xs {
			dual.Xs = append(dual.Xs, negation(x))
		}
		return dual
	case *spec.If:
		return &spec.If{X: negation(f.X), Conds: f.Conds}
	}
	return &spec.Not{X: f}
}
