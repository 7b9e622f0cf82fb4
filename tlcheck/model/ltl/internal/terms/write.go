package terms

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// Writer turns terms into formulas.
type Writer struct {
	Nodes []Node
	Atoms []string
	Left  int // the operators and atoms that may still be written
}

// operators are the operators of the kinds that Formula does not write otherwise.
var operators = map[Kind]temporal.Op{
	KindFalse: temporal.False, KindTrue: temporal.True, KindAnd: temporal.And, KindOr: temporal.Or,
	KindNext: temporal.Next, KindWeakNext: temporal.WeakNext, KindRelease: temporal.Release,
	KindUntil: temporal.Until,
}

// Formula returns a term as a formula, with dots in place of parts beyond the limit.
func (w *Writer) Formula(x Term) *temporal.Formula {
	if w.Left--; w.Left < 0 {
		return atom("…")
	}
	n := w.Nodes[x]
	var args []*temporal.Formula
	for _, y := range n.Args {
		args = append(args, w.Formula(y))
		if w.Left < 0 {
			break
		}
	}
	for len(args) < min(len(n.Args), 2) {
		args = append(args, atom("…"))
	}
	switch {
	case n.Kind == KindAtom:
		return atom(w.Atoms[n.Atom])
	case n.Kind == KindNegated:
		return &temporal.Formula{Op: temporal.Not, X: atom(w.Atoms[n.Atom])}
	case n.Kind == KindAtTheLast: // F (N false & x)
		end := &temporal.Formula{Op: temporal.WeakNext, X: &temporal.Formula{Op: temporal.False}}
		return &temporal.Formula{Op: temporal.Eventually, X: &temporal.Formula{Op: temporal.And, X: end, Y: args[0]}}
	case n.Kind == KindUntil && n.Args[0] == True:
		return &temporal.Formula{Op: temporal.Eventually, X: args[1]}
	case n.Kind == KindRelease && n.Args[0] == False:
		return &temporal.Formula{Op: temporal.Always, X: args[1]}
	case len(args) == 0:
		return &temporal.Formula{Op: operators[n.Kind]}
	case len(args) == 1:
		return &temporal.Formula{Op: operators[n.Kind], X: args[0]}
	}
	all := args[0]
	for _, y := range args[1:] {
		all = &temporal.Formula{Op: operators[n.Kind], X: all, Y: y}
	}
	return all
}

func atom(text string) *temporal.Formula {
	return &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: text}}
}
