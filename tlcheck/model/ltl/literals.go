package ltl

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// literals are the subformulas of a formula in the negation normal form of Gunter and Peled 2002,
// §3: true, false, atoms and their negations, and, or, both kinds of next, until and
// release.
type literals struct {
	terms []literal
	find  map[literal]term
	root  term
	atoms []string
}

type literal struct {
	op      temporal.Op
	atom    int
	negated bool
	x, y    term
}

// duals are the operators by which negation replaces operators.
var duals = map[temporal.Op]temporal.Op{
	temporal.True: temporal.False, temporal.False: temporal.True, temporal.And: temporal.Or, temporal.Or: temporal.And,
	temporal.Next: temporal.WeakNext, temporal.WeakNext: temporal.Next,
	temporal.Until: temporal.Release, temporal.Release: temporal.Until,
}

func newLiterals(f *temporal.Formula) literals {
	l := literals{find: map[literal]term{}}
	index := map[string]int{}
	for i, a := range f.Atoms() {
		index[a.Text] = i
		l.atoms = append(l.atoms, a.Text)
	}
	n := normalForm{literals: &l, index: index, done: map[polar]term{}}
	l.root = n.of(f, false)
	return l
}

// set returns a set of subformulas.
func (l *literals) set(terms []term) smallset.Set {
	s := smallset.New(len(l.terms))
	for _, x := range terms {
		s.Add(int(x))
	}
	return s
}

type normalForm struct {
	*literals
	index map[string]int
	done  map[polar]term
}

type polar struct {
	f       *temporal.Formula
	negated bool
}

func (n *normalForm) put(op temporal.Op, negated bool, x, y term) term {
	if negated {
		op = duals[op]
	}
	return n.intern(literal{op: op, x: x, y: y})
}

func (n *normalForm) intern(l literal) term {
	x, ok := n.find[l]
	if !ok {
		x = term(len(n.terms))
		n.terms = append(n.terms, l)
		n.find[l] = x
	}
	return x
}

// of returns f, or its negation. Equivalences use their operands twice, so results are cached.
func (n *normalForm) of(f *temporal.Formula, not bool) term {
	if x, ok := n.done[polar{f, not}]; ok {
		return x
	}
	x := n.make(f, not)
	n.done[polar{f, not}] = x
	return x
}

func (n *normalForm) make(f *temporal.Formula, not bool) term {
	switch f.Op {
	case temporal.True, temporal.False:
		return n.put(f.Op, not, 0, 0)
	case temporal.Atomic:
		return n.intern(literal{op: temporal.Atomic, atom: n.index[f.Atom.Text], negated: not})
	case temporal.Not:
		return n.of(f.X, !not)
	case temporal.Next, temporal.WeakNext:
		return n.put(f.Op, not, n.of(f.X, not), 0)
	case temporal.And, temporal.Or, temporal.Until, temporal.Release:
		return n.put(f.Op, not, n.of(f.X, not), n.of(f.Y, not))
	case temporal.Eventually:
		return n.put(temporal.Until, not, n.put(temporal.True, not, 0, 0), n.of(f.X, not))
	case temporal.Always:
		return n.put(temporal.Release, not, n.put(temporal.False, not, 0, 0), n.of(f.X, not))
	case temporal.Implies:
		return n.put(temporal.Or, not, n.of(f.X, !not), n.of(f.Y, not))
	case temporal.WeakUntil: // g R (f | g)
		return n.put(temporal.Release, not, n.of(f.Y, not), n.put(temporal.Or, not, n.of(f.X, not), n.of(f.Y, not)))
	case temporal.StrongRelease: // g U (f & g)
		return n.put(temporal.Until, not, n.of(f.Y, not), n.put(temporal.And, not, n.of(f.X, not), n.of(f.Y, not)))
	case temporal.Iff: // f & g | !f & !g, and of its negation f & !g | !f & g
		both := n.put(temporal.And, false, n.of(f.X, false), n.of(f.Y, not))
		neither := n.put(temporal.And, false, n.of(f.X, true), n.of(f.Y, !not))
		return n.put(temporal.Or, false, both, neither)
	}
	panic("ltl: " + f.Op.String() + " is no operator of LTL")
}
