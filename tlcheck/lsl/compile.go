package lsl

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Formula is a local formula compiled for the local states of one net. It has no state of an
// evaluation, but its methods share buffers, so only one goroutine may use it at a time.
type Formula struct {
	root  truthNode
	tests []*test // in the order of the text
	logic Logic

	// The last evaluation without a fault, and its state. It stays valid until the state changes.
	// Shared variables change with the states of other tasks, so formulas with them are not cached.
	last    Truth
	state   *san.State // nil if nothing is cached
	version uint64
	steady  bool
}

// truthNode is a compiled local formula.
type truthNode interface {
	truth(s *san.State, log *Log) Truth
	possible() Truths // see Formula.Possible
	explain(s *san.State) *Explanation
}

// Compile prepares a local formula for evaluation in a dialect.
func Compile(net *san.Net, l spec.Local, logic Logic) *Formula {
	c := &compiler{net: net, logic: logic}
	root := c.local(l)
	return &Formula{root: root, tests: c.tests, logic: logic, steady: len(net.Header().Shared) == 0}
}

// Eval returns the truth of the formula in a local state. It counts expressions that cannot be
// evaluated in log, which may be nil.
func (f *Formula) Eval(s *san.State, log *Log) Truth {
	if f.state == s && f.version == s.Version() {
		return f.last
	}
	before := log.Faults()
	f.last, f.state, f.version = f.root.truth(s, log), s, s.Version()
	if !f.steady || log == nil || log.Faults() > before {
		f.state = nil // faults are counted in every state, so no result is cached
	}
	return f.last
}

type compiler struct {
	net      *san.Net
	logic    Logic
	tests    []*test
	previous bool // within prev
}

func (c *compiler) local(l spec.Local) truthNode {
	switch l := l.(type) {
	case *spec.Predicate:
		return &predicate{l}
	case *spec.LocalNot:
		return &negation{l, c.local(l.X)}
	case *spec.LocalNary:
		n := &chain{src: l, logic: c.logic, or: l.Op == spec.Or}
		for _, x := range l.Xs {
			n.xs = append(n.xs, c.local(x))
		}
		return n
	case *spec.LocalImplies:
		return &chain{src: l, logic: c.logic, or: true, implies: true, xs: []truthNode{c.local(l.L), c.local(l.R)}}
	}
	return c.test(l.(*spec.Test))
}

type predicate struct{ src *spec.Predicate }

func (n *predicate) truth(s *san.State, _ *Log) Truth {
	switch n.src.Phase {
	case spec.StartPhase:
		return TruthOf(s.InPhase(n.src.Func, san.Start))
	case spec.TermPhase:
		return TruthOf(s.InPhase(n.src.Func, san.Term))
	}
	return TruthOf(s.OnStack(n.src.Func))
}

type negation struct {
	src *spec.LocalNot
	x   truthNode
}

func (n *negation) truth(s *san.State, log *Log) Truth { return n.x.truth(s, log).Not() }

// chain is and, or, or an implication, which is "not p or q".
type chain struct {
	src         spec.Local
	logic       Logic
	or, implies bool
	xs          []truthNode
}

// truth evaluates every member, even if the result is known before, since faults are counted in all
// members.
func (n *chain) truth(s *san.State, log *Log) Truth {
	var t Truth
	for i, x := range n.xs {
		u := x.truth(s, log)
		switch {
		case i == 0 && n.implies:
			t = u.Not()
		case i == 0:
			t = u
		default:
			t = n.logic.local(n.or, t, u)
		}
	}
	return t
}

// expr is a compiled expression. Variables are numbered within their test.
type expr func(vars []binding) (event.Value, *fault)

// binding is a variable of a test in the local state at hand.
type binding struct {
	san.Variable
	pick int // index of the value that is tried
}

// fault is the reason why an expression has no value.
type fault struct {
	pos    spec.Pos
	expr   spec.Expr // the expression without a value
	reason string
	unseen bool // a variable has no value here, as if it were not visible
}

func (c *compiler) test(t *spec.Test) *test {
	n := &test{src: t}
	index := map[string]int{}
	n.eval = c.expr(t.X, n, index)
	n.vars, n.seen = make([]binding, len(n.paths)), make([]bool, len(n.paths))
	c.tests = append(c.tests, n)
	return n
}

// expr compiles e and numbers the variables that it names in t.
func (c *compiler) expr(e spec.Expr, t *test, index map[string]int) expr {
	switch e := e.(type) {
	case *spec.Var:
		return c.variable(e, t, index)
	case *spec.Literal:
		v := e.Value
		return func([]binding) (event.Value, *fault) { return v, nil }
	case *spec.Negate:
		return unary(e, c.expr(e.X, t, index), negate)
	case *spec.Field:
		return unary(e, c.expr(e.X, t, index), func(v event.Value) (event.Value, error) { return field(v, e.Name) })
	case *spec.Operation:
		return binary(e, c.expr(e.L, t, index), c.expr(e.R, t, index),
			func(a, b event.Value) (event.Value, error) { return operate(e.Op, a, b) })
	case *spec.Index:
		return binary(e, c.expr(e.X, t, index), c.expr(e.I, t, index), indexOf)
	}
	call := e.(*spec.Call)
	if call.Func == spec.Prev {
		c.previous = true
		defer func() { c.previous = false }()
		return c.expr(call.Args[0], t, index)
	}
	args := make([]expr, len(call.Args))
	for i, a := range call.Args {
		args[i] = c.expr(a, t, index)
	}
	return function(call, args, builtins[call.Func])
}

func unary(e spec.Expr, x expr, fn func(event.Value) (event.Value, error)) expr {
	return func(vars []binding) (event.Value, *fault) {
		v, f := x(vars)
		if f != nil {
			return v, f
		}
		v, err := fn(v)
		return v, faultOf(e, err)
	}
}

func binary(e spec.Expr, l, r expr, fn func(a, b event.Value) (event.Value, error)) expr {
	return func(vars []binding) (event.Value, *fault) {
		a, f := l(vars)
		if f != nil {
			return a, f
		}
		b, f := r(vars)
		if f != nil {
			return b, f
		}
		v, err := fn(a, b)
		return v, faultOf(e, err)
	}
}

func function(e spec.Expr, args []expr, fn func([]event.Value) (event.Value, error)) expr {
	return func(vars []binding) (event.Value, *fault) {
		vals := make([]event.Value, len(args))
		for i, a := range args {
			v, f := a(vars)
			if f != nil {
				return v, f
			}
			vals[i] = v
		}
		v, err := fn(vals)
		return v, faultOf(e, err)
	}
}

func faultOf(e spec.Expr, err error) *fault {
	if err == nil {
		return nil
	}
	return &fault{pos: e.Position(), expr: e, reason: err.Error()}
}
