package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// closure has the elements of a formula and the table of its rules (Sherman and Pnueli 1990,
// §6.1.3). Elements of sets are:
//
//	literals         atom i is 2i, its negation 2i+1, so a contradiction is two neighbouring bits
//	next-formulas    obligations on the next state
//	β formulas       formulas that need a choice
//
// α formulas are no elements: their consequences, which need no choice, replace them.
type closure struct {
	atoms    []string
	literals int // number of literals, which come first
	size     int // of sets

	// of each next-formula, from element literals on: its obligation on the next state
	nexts []smallset.Set
	betas []beta       // from element literals+len(nexts) on
	start smallset.Set // the formula; nil if it is false

	eventualities int
	written       []term // of each element, its term
	promised      []term // of each eventuality, its term
	terms         *simplifier
}

// beta is a formula that needs a choice.
type beta struct{ choices []choice }

// choice is one way to meet a formula.
type choice struct {
	asks      smallset.Set // obligations of the choice
	postponed int          // the eventuality that the choice does not fulfil now, or none
}

const none = -1

// newClosure makes the closure of f. The error is the cause of the end of the context.
func newClosure(ctx context.Context, f *temporal.Formula) (*closure, error) {
	c := &closure{terms: &simplifier{terms.NewTable()}}
	root, atoms := terms.Build(c.terms, f)
	c.atoms = atoms
	if root == terms.False {
		return c, nil
	}
	t := table{closure: c, elements: map[term]int{}, alphas: map[term]smallset.Set{}}
	return c, t.fill(ctx, root)
}

type table struct {
	*closure
	elements map[term]int          // next-formulas and β formulas
	alphas   map[term]smallset.Set // of each term, its consequences without a choice
}

// fill numbers the subterms of the root, operands first, and then makes the rules.
func (t *table) fill(ctx context.Context, root term) error {
	var nexts, betas []term
	used := t.subterms(root)
	for _, x := range used {
		n := t.terms.Nodes[x]
		switch {
		case n.Kind == terms.KindNext:
			nexts = append(nexts, x)
		case n.Kind == terms.KindUntil || n.Kind == terms.KindRelease && n.Args[0] != terms.False:
			nexts = append(nexts, t.terms.next(x))
			betas = append(betas, x)
		case n.Kind == terms.KindRelease:
			nexts = append(nexts, t.terms.next(x))
		case n.Kind == terms.KindOr:
			betas = append(betas, x)
		}
	}
	slices.Sort(nexts)
	nexts = slices.Compact(nexts)
	t.literals = 2 * len(t.atoms)
	t.size = t.literals + len(nexts) + len(betas)
	t.written = slices.Concat(make([]term, t.literals), nexts, betas)
	for i, x := range t.written[t.literals:] {
		t.elements[x] = t.literals + i
	}
	for i := range t.literals {
		t.written[i] = t.terms.Literal(i/2, i%2 == 1)
	}
	for _, x := range used { // a large formula has many large sets
		if t.alpha(x); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	t.start = t.alpha(root)
	for _, x := range nexts {
		t.nexts = append(t.nexts, t.alpha(t.terms.Nodes[x].Args[0]))
	}
	for _, x := range betas {
		t.betas = append(t.betas, t.beta(x))
	}
	return nil
}

// subterms returns the subterms of x, operands first.
func (t *table) subterms(x term) []term {
	seen := smallset.New(len(t.terms.Nodes))
	seen.Add(int(x))
	for y := x; y >= 0; y-- { // operands have smaller numbers
		if seen.Has(int(y)) {
			for _, z := range t.terms.Nodes[y].Args {
				seen.Add(int(z))
			}
		}
	}
	var used []term
	for y := range seen.All() {
		used = append(used, term(y))
	}
	return used
}

// alpha returns the consequences of x that need no choice.
func (t *table) alpha(x term) smallset.Set {
	if s, ok := t.alphas[x]; ok {
		return s
	}
	s := smallset.New(t.size)
	n := t.terms.Nodes[x]
	switch n.Kind {
	case terms.KindAtom:
		s.Add(2 * n.Atom)
	case terms.KindNegated:
		s.Add(2*n.Atom + 1)
	case terms.KindAnd:
		for _, y := range n.Args {
			s.Join(t.alpha(y))
		}
	case terms.KindRelease:
		s.Join(t.alpha(n.Args[1]))
		element := x
		if n.Args[0] == terms.False {
			element = t.terms.next(x)
		}
		s.Add(t.elements[element])
	case terms.KindNext, terms.KindOr, terms.KindUntil:
		s.Add(t.elements[x])
	}
	t.alphas[x] = s
	return s
}

// beta returns the alternatives for x, those without obligations on the next state first.
func (t *table) beta(x term) beta {
	n := t.terms.Nodes[x]
	var b beta
	if n.Kind == terms.KindOr {
		for _, y := range n.Args {
			b.choices = append(b.choices, choice{t.alpha(y), none})
		}
		return b
	}
	// of a release; its right side is an α
	now, later, postponed := n.Args[0], smallset.New(t.size), none
	if n.Kind == terms.KindUntil {
		now, postponed = n.Args[1], t.eventualities
		t.eventualities++
		t.promised = append(t.promised, x)
		later.Join(t.alpha(n.Args[0]))
	}
	later.Add(t.elements[t.terms.next(x)])
	b.choices = []choice{{t.alpha(now), none}, {later, postponed}}
	return b
}

// pairs has the bits of atoms, not of their negations.
const pairs = 0x5555_5555_5555_5555

// contradict reports whether an atom and its negation are among the literals of two sets.
func (c *closure) contradict(s, t smallset.Set) bool {
	for i := range smallset.Words(c.literals) {
		w := s[i] | t[i]
		if last := c.literals - i<<6; last < 64 {
			w &= 1<<last - 1
		}
		if w&(w>>1)&pairs != 0 {
			return true
		}
	}
	return false
}

// after returns the obligations of a set on the next state: procedure next of Sherman and Pnueli
// 1990.
func (c *closure) after(s smallset.Set) smallset.Set {
	next := smallset.New(c.size)
	for i, asks := range c.nexts {
		if s.Has(c.literals + i) {
			next.Join(asks)
		}
	}
	return next
}
