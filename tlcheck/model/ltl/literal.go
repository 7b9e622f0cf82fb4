package ltl

import (
	"context"
	"errors"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// ErrNodes reports that the literal automaton of a formula has too many nodes.
var ErrNodes = errors.New("the automaton of the formula has too many nodes")

// Nodes is the automaton as Gunter and Peled 2002 print its translation in §3, without
// simplification, made at once. It corrects these slips of the text:
//
//   - of the two rows of the split table for next the first is weak and the second strong, and
//     negation changes one into the other;
//   - nodes are the same if they agree on old, next and also on strong;
//   - nodes with false, or with an atom and its negation, are discarded;
//   - true is kept in old, where the test for acceptance looks for it.
type Nodes struct {
	terms   plain
	root    term
	atoms   []string
	limit   int
	nodes   []literalNode // the first one is the dummy node init
	index   map[string]int
	after   map[string][]int // nodes by the key of the field new that made them
	splits  int
	ctx     context.Context // while the automaton is made
	stopped error
}

// plain makes the terms of Gunter and Peled 2002, §3, without simplification: conjunctions and
// disjunctions have two operands.
type plain struct{ *terms.Table }

// Make returns the term of a kind over args.
func (t plain) Make(k kind, args ...term) term {
	if k != terms.KindAnd && k != terms.KindOr {
		return t.Intern(node{Kind: k, Args: args})
	}
	x := args[0]
	for _, y := range args[1:] {
		x = t.Intern(node{Kind: k, Args: []term{x, y}})
	}
	return x
}

func (t plain) Iff(not bool, of func(not bool) term) term { return of(not) }

// set returns a set of terms.
func (t plain) set(of []term) smallset.Set {
	s := smallset.New(len(t.Nodes))
	for _, x := range of {
		s.Add(int(x))
	}
	return s
}

// literalNode is a complete node.
type literalNode struct {
	old    smallset.Set
	next   []term
	strong bool
	to     []int
}

// Literal makes the automaton of f. More than limit nodes, or 100 times as many splits, are
// ErrNodes. Another error is the cause of the end of the context.
func Literal(ctx context.Context, f *temporal.Formula, limit int) (*Nodes, error) {
	a := &Nodes{terms: plain{terms.NewTable()}, limit: limit, ctx: ctx, index: map[string]int{},
		after: map[string][]int{}}
	a.root, a.atoms = terms.Build(a.terms, f)
	for i := range a.atoms { // the sets of terms do not grow later
		a.terms.Literal(i, false)
		a.terms.Literal(i, true)
	}
	a.nodes = []literalNode{{}}
	a.nodes[0].next = []term{a.root}
	for i := 0; i < len(a.nodes) && a.stopped == nil; i++ { // the loop adds nodes
		a.nodes[i].to = a.expand(a.nodes[i].next)
	}
	return a, a.stopped
}

// expand returns the nodes that satisfy all formulas of a set.
func (a *Nodes) expand(fresh []term) []int {
	key := a.terms.set(fresh).Key()
	if to, ok := a.after[key]; ok {
		return to
	}
	var to []int
	a.split(split{fresh: fresh, old: a.terms.set(nil), next: a.terms.set(nil)}, &to)
	slices.Sort(to)
	to = slices.Compact(to)
	a.after[key] = to
	return to
}

// split is a node with unprocessed formulas, the field new.
type split struct {
	fresh     []term
	old, next smallset.Set
	strong    bool
}

// withOpen returns a copy with more unprocessed formulas.
func (s split) withOpen(fresh ...term) split {
	c := split{fresh: slices.Clone(s.fresh), old: slices.Clone(s.old), next: slices.Clone(s.next), strong: s.strong}
	for _, x := range fresh {
		if !s.old.Has(int(x)) && !slices.Contains(c.fresh, x) {
			c.fresh = append(c.fresh, x)
		}
	}
	return c
}

// withObligation returns a copy with an obligation for the successor. strong asserts that there is
// one.
func (s split) withObligation(x term, strong bool) split {
	c := s.withOpen()
	c.next.Add(int(x))
	c.strong = c.strong || strong
	return c
}

func (a *Nodes) split(s split, to *[]int) {
	if a.exhausted() {
		return
	}
	if len(s.fresh) == 0 {
		*to = append(*to, a.complete(s))
		return
	}
	x := s.fresh[0]
	s.fresh = s.fresh[1:]
	s.old = slices.Clone(s.old)
	s.old.Add(int(x))
	n := a.terms.Nodes[x]
	switch n.Kind {
	case terms.KindUntil:
		a.split(s.withOpen(n.Args[0]).withObligation(x, true), to)
		a.split(s.withOpen(n.Args[1]), to)
	case terms.KindRelease:
		a.split(s.withOpen(n.Args[1]).withObligation(x, false), to)
		a.split(s.withOpen(n.Args...), to)
	case terms.KindOr:
		a.split(s.withOpen(n.Args[0]), to)
		a.split(s.withOpen(n.Args[1]), to)
	case terms.KindAnd:
		a.split(s.withOpen(n.Args...), to)
	case terms.KindWeakNext, terms.KindNext:
		a.split(s.withObligation(n.Args[0], n.Kind == terms.KindNext), to)
	default:
		if n.Kind != terms.KindFalse && !a.contradicts(s.old, n) {
			a.split(s, to)
		}
	}
}

// exhausted reports whether a limit is reached.
func (a *Nodes) exhausted() bool {
	a.splits++
	switch {
	case a.stopped != nil:
	case len(a.nodes) > a.limit || a.splits > 100*a.limit:
		a.stopped = ErrNodes
	case a.splits%256 == 0:
		a.stopped = context.Cause(a.ctx)
	}
	return a.stopped != nil
}

// contradicts reports whether n is a literal whose negation is in old.
func (a *Nodes) contradicts(old smallset.Set, n node) bool {
	return n.Kind != terms.KindTrue && old.Has(int(a.terms.Literal(n.Atom, n.Kind == terms.KindAtom)))
}

// complete returns the index of the complete node s, a new one if there was none.
func (a *Nodes) complete(s split) int {
	key := s.old.Key() + s.next.Key()
	if s.strong {
		key += "!"
	}
	i, ok := a.index[key]
	if !ok {
		i = len(a.nodes)
		var next []term
		for x := range s.next.All() {
			next = append(next, term(x))
		}
		a.nodes = append(a.nodes, literalNode{old: s.old, next: next, strong: s.strong})
		a.index[key] = i
	}
	return i
}

// Size returns the number of nodes, without the dummy node.
func (a *Nodes) Size() int { return len(a.nodes) - 1 }

func (a *Nodes) Atoms() []string { return a.atoms }

// Initial returns the dummy node.
func (a *Nodes) Initial() int { return 0 }

// Successors returns the successors whose label the letter satisfies.
func (a *Nodes) Successors(_ context.Context, state int, letter func(atom int) bool) ([]int, error) {
	var to []int
	for _, i := range a.nodes[state].to {
		if a.satisfies(letter, a.nodes[i].old) {
			to = append(to, i)
		}
	}
	return to, nil
}

// satisfies reports whether the literals in old are true under the letter.
func (a *Nodes) satisfies(letter func(atom int) bool, old smallset.Set) bool {
	for x := range old.All() {
		switch n := a.terms.Nodes[x]; n.Kind {
		case terms.KindAtom, terms.KindNegated:
			if letter(n.Atom) != (n.Kind == terms.KindAtom) {
				return false
			}
		}
	}
	return true
}

// Accepting is the printed condition: each until in old has its right side there, and strong is not
// set.
func (a *Nodes) Accepting(state int) bool {
	if state == 0 || a.nodes[state].strong {
		return false
	}
	old := a.nodes[state].old
	for x := range old.All() {
		if n := a.terms.Nodes[x]; n.Kind == terms.KindUntil && !old.Has(int(n.Args[1])) {
			return false
		}
	}
	return true
}
