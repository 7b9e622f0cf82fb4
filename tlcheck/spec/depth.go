package spec

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
