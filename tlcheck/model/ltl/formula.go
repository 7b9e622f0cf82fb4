package ltl

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// formula is a term in a table without other terms, which keeps sets of its subterms small.
type formula struct {
	nodes []node // operands come first
	root  term
	atoms []string // as they were written
}

// newFormula makes and simplifies the term of f.
func newFormula(f *temporal.Formula) *formula {
	s := newSimplifier()
	root, atoms := terms.Build(s, f)
	c := compaction{from: s, to: &formula{atoms: atoms}, moved: map[term]term{}}
	c.move(terms.False)
	c.move(terms.True)
	c.to.root = c.move(root)
	return c.to
}

// compaction copies a term with its subterms.
type compaction struct {
	from  *simplifier
	to    *formula
	moved map[term]term
}

func (c *compaction) move(x term) term {
	if y, ok := c.moved[x]; ok {
		return y
	}
	n := c.from.Nodes[x]
	args := make([]term, len(n.Args))
	for i, a := range n.Args {
		args[i] = c.move(a)
	}
	y := term(len(c.to.nodes))
	c.to.nodes = append(c.to.nodes, node{Kind: n.Kind, Atom: n.Atom, Args: args})
	c.moved[x] = y
	return y
}

func (f *formula) noTerms() smallset.Set { return smallset.New(len(f.nodes)) }
func (f *formula) noAtoms() smallset.Set { return smallset.New(len(f.atoms)) }

// start returns the obligations on the whole word.
func (f *formula) start() smallset.Set {
	set := f.noTerms()
	f.oblige(set, f.root)
	return set
}

// oblige adds x to a set, or its members if it is a conjunction.
func (f *formula) oblige(set smallset.Set, x term) {
	switch n := f.nodes[x]; n.Kind {
	case terms.KindTrue:
	case terms.KindAnd:
		for _, y := range n.Args {
			set.Add(int(y))
		}
	default:
		set.Add(int(x))
	}
}
