package spec

import (
	"maps"
	"slices"
	"strings"
)

// TIVs returns the free task variables of a formula, sorted: the variables of atoms and conditions
// that no enclosing quantifier binds.
func TIVs(f Formula) []string {
	c := collector{bound: map[string]int{}, free: map[string]bool{}}
	c.formula(f)
	names := slices.AppendSeq([]string{}, maps.Keys(c.free))
	slices.Sort(names)
	return names
}

// FunctionsOf returns the functions named in a formula, with their first positions.
func FunctionsOf(f Formula) []Name {
	var ns nameList
	c := collector{onLocal: func(l Local) {
		if p, ok := l.(*Predicate); ok {
			ns.add(p.Func, p.Pos)
		}
	}}
	c.formula(f)
	for _, m := range OperationsOf(f) {
		ns.add(m.Func, m.Pos)
	}
	return ns.names
}

// VariablesOf returns the variables named in a formula, as dotted names like b.last, with their
// first positions. Fields after an index are not part of the name. Those of operations are not
// among them: each operation has its own.
func VariablesOf(f Formula) []Name {
	var ns nameList
	c := collector{onExpr: ns.addVariable}
	c.formula(f)
	return ns.names
}

// PreviousOf returns the variables whose previous values a formula names, with their first
// positions.
func PreviousOf(f Formula) []Name {
	var ns nameList
	within := collector{onExpr: ns.addVariable}
	c := collector{onExpr: func(e Expr) {
		if call, ok := e.(*Call); ok && call.Func == Prev {
			within.expr(call.Args[0])
		}
	}}
	c.formula(f)
	return ns.names
}

// Exprs returns the expressions of a local formula and their subexpressions, in the order of the
// text. Local formulas with the same text have the same list, except for positions.
func Exprs(l Local) []Expr {
	var all []Expr
	c := collector{onExpr: func(e Expr) { all = append(all, e) }}
	c.local(l)
	return all
}

// Functions returns the functions named in the file's properties.
func (f *File) Functions() []Name { return f.collect(FunctionsOf) }

// Variables returns the variables named in the file's properties. Those declared shared are in
// Shared.
func (f *File) Variables() []Name { return f.collect(VariablesOf) }

func (f *File) collect(of func(Formula) []Name) []Name {
	var ns nameList
	for _, p := range f.Properties {
		for _, n := range of(p.Formula) {
			ns.add(n.Name, n.Pos)
		}
	}
	return ns.names
}

// nameList is a list of names without repetitions.
type nameList struct {
	names []Name
	seen  map[string]bool
}

func (l *nameList) add(name string, pos Pos) {
	if l.seen[name] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[name] = true
	l.names = append(l.names, Name{name, pos})
}

func (l *nameList) addVariable(e Expr) {
	if v, ok := e.(*Var); ok {
		l.add(strings.Join(v.Path, "."), v.Pos)
	}
}

// collector visits a formula in the order of the text.
type collector struct {
	bound   map[string]int  // number of enclosing quantifiers by task variable; nil if free is
	free    map[string]bool // free task variables; nil if they are not collected
	onLocal func(Local)
	onExpr  func(Expr)
}

func (c *collector) tiv(name string) {
	if c.free != nil && c.bound[name] == 0 {
		c.free[name] = true
	}
}

func (c *collector) formula(f Formula) {
	switch f := f.(type) {
	case *Atom:
		c.tiv(f.TIV)
		c.local(f.Local)
	case *If:
		defer func() {
			for _, d := range f.Conds {
				c.tiv(d.Left)
				c.tiv(d.Right)
			}
		}()
	case *Quant:
		if c.bound != nil {
			c.bound[f.TIV]++
			defer func() { c.bound[f.TIV]-- }()
		}
	}
	for _, x := range Operands(f) {
		c.formula(x)
	}
}

func (c *collector) local(l Local) {
	if c.onLocal == nil && c.onExpr == nil {
		return
	}
	if c.onLocal != nil {
		c.onLocal(l)
	}
	if t, ok := l.(*Test); ok {
		c.expr(t.X)
		return
	}
	for _, x := range operands(l) {
		c.local(x.(Local))
	}
}

func (c *collector) expr(e Expr) {
	if c.onExpr == nil {
		return
	}
	c.onExpr(e)
	for _, x := range operands(e) {
		c.expr(x.(Expr))
	}
}

// node is a Formula, a Local or an Expr.
type node interface{ Position() Pos }

// tooDeep returns the position below more than MaxDepth operators, if there is one. Chains like 1 +
// 1 + 1 lean to the left without any nesting in the text. Recursive functions over formulas rely on
// this limit, so tooDeep itself does not recurse.
func tooDeep(f Formula) (Pos, bool) {
	type place struct {
		node
		depth int
	}
	stack := []place{{f, 0}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.depth > MaxDepth {
			return at.Position(), true
		}
		for _, x := range operands(at.node) {
			stack = append(stack, place{x, at.depth + 1})
		}
	}
	return Pos{}, false
}

// operands returns the operands of a node. The local formula of an atom counts as the atom itself.
func operands(n node) []node {
	switch n := n.(type) {
	case *Atom:
		return operands(n.Local)
	case Formula:
		return nodes(Operands(n))
	case *Test:
		return operands(n.X)
	case *LocalNot:
		return []node{n.X}
	case *LocalNary:
		return nodes(n.Xs)
	case *LocalImplies:
		return []node{n.L, n.R}
	case *Negate:
		return []node{n.X}
	case *Operation:
		return []node{n.L, n.R}
	case *Call:
		return nodes(n.Args)
	case *Index:
		return []node{n.X, n.I}
	case *Field:
		return []node{n.X}
	}
	return nil
}

func nodes[N node](xs []N) []node {
	ns := make([]node, len(xs))
	for i, x := range xs {
		ns[i] = x
	}
	return ns
}
