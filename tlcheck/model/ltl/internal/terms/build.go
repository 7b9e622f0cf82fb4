package terms

import (
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Simplifier makes simplified terms.
type Simplifier interface {
	// Literal returns the term of an atom, or of its negation.
	Literal(atom int, not bool) Term
	// Make returns the term of a kind, other than those of literals, over simplified args.
	Make(k Kind, args ...Term) Term
	// Iff returns the term of an equivalence, or of its negation, which of makes.
	Iff(not bool, of func(not bool) Term) Term
}

// Build returns the term of f, and the texts of its atoms by number.
func Build(s Simplifier, f *temporal.Formula) (root Term, atoms []string) {
	b := builder{Simplifier: s, atoms: map[string]int{}, done: map[polar]Term{}}
	for i, a := range f.Atoms() {
		b.atoms[a.Text] = i
		atoms = append(atoms, a.Text)
	}
	return b.of(f, false), atoms
}

// builder pushes negations inwards before terms are made: a negated equivalence has two cases, but
// negating its term would make four.
type builder struct {
	Simplifier
	atoms map[string]int
	done  map[polar]Term
}

// polar is a formula, or its negation.
type polar struct {
	f   *temporal.Formula
	not bool
}

// of returns the term of f, or of its negation. Equivalences use their operands twice, so results
// are cached.
func (b *builder) of(f *temporal.Formula, not bool) Term {
	x, ok := b.done[polar{f, not}]
	if !ok {
		x = b.build(f, not)
		b.done[polar{f, not}] = x
	}
	return x
}

// put makes a term of a kind or, for a negation, of its dual. The operands are negated already.
func (b *builder) put(k Kind, not bool, args ...Term) Term {
	if not {
		k = k.Dual()
	}
	return b.Make(k, args...)
}

func (b *builder) build(f *temporal.Formula, not bool) Term {
	switch f.Op {
	case temporal.True:
		return b.put(KindTrue, not)
	case temporal.False:
		return b.put(KindFalse, not)
	case temporal.Atomic:
		return b.Literal(b.atoms[f.Atom.Text], not)
	case temporal.Not:
		return b.of(f.X, !not)
	case temporal.And:
		return b.put(KindAnd, not, b.chain(f, temporal.And, not)...)
	case temporal.Or:
		return b.put(KindOr, not, b.chain(f, temporal.Or, not)...)
	case temporal.Implies:
		return b.put(KindOr, not, b.of(f.X, !not), b.of(f.Y, not))
	case temporal.Iff: // f & g | !f & !g, and of its negation f & !g | !f & g
		return b.Iff(not, func(not bool) Term {
			both := b.Make(KindAnd, b.of(f.X, false), b.of(f.Y, not))
			return b.Make(KindOr, both, b.Make(KindAnd, b.of(f.X, true), b.of(f.Y, !not)))
		})
	case temporal.Next:
		return b.put(KindNext, not, b.of(f.X, not))
	case temporal.WeakNext:
		return b.put(KindWeakNext, not, b.of(f.X, not))
	case temporal.Eventually:
		return b.put(KindUntil, not, b.put(KindTrue, not), b.of(f.X, not))
	case temporal.Always:
		return b.put(KindRelease, not, b.put(KindFalse, not), b.of(f.X, not))
	}
	x, y := b.of(f.X, not), b.of(f.Y, not)
	switch f.Op {
	case temporal.Until:
		return b.put(KindUntil, not, x, y)
	case temporal.Release:
		return b.put(KindRelease, not, x, y)
	case temporal.WeakUntil: // y R (x | y)
		return b.put(KindRelease, not, y, b.put(KindOr, not, x, y))
	case temporal.StrongRelease: // y U (x & y)
		return b.put(KindUntil, not, y, b.put(KindAnd, not, x, y))
	}
	panic("ltl: " + f.Op.String() + " is no operator of LTL")
}

// chain returns the terms of all members of a chain of conjunctions or disjunctions, or of their
// negations. That way the chain is simplified once and not for every member.
func (b *builder) chain(f *temporal.Formula, op temporal.Op, not bool) []Term {
	if f.Op != op {
		return []Term{b.of(f, not)}
	}
	return append(b.chain(f.X, op, not), b.of(f.Y, not))
}

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
