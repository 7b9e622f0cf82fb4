package ltl

import (
	"context"
	"errors"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
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
	literals
	limit   int
	nodes   []literalNode // the first one is the dummy node init
	index   map[string]int
	after   map[string][]int // nodes by the key of the field new that made them
	splits  int
	ctx     context.Context // while the automaton is made
	stopped error
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
	a := &Nodes{literals: newLiterals(f), limit: limit, ctx: ctx, index: map[string]int{}, after: map[string][]int{}}
	a.nodes = []literalNode{{}}
	a.nodes[0].next = []term{a.root}
	for i := 0; i < len(a.nodes) && a.stopped == nil; i++ { // the loop adds nodes
		a.nodes[i].to = a.expand(a.nodes[i].next)
	}
	return a, a.stopped
}

// expand returns the nodes that satisfy all formulas of a set.
func (a *Nodes) expand(fresh []term) []int {
	key := a.set(fresh).Key()
	if to, ok := a.after[key]; ok {
		return to
	}
	var to []int
	a.split(split{fresh: fresh, old: a.set(nil), next: a.set(nil)}, &to)
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

// with returns a copy with more unprocessed formulas.
func (s split) with(fresh ...term) split {
	c := split{fresh: slices.Clone(s.fresh), old: slices.Clone(s.old), next: slices.Clone(s.next), strong: s.strong}
	for _, x := range fresh {
		if !s.old.Has(int(x)) && !slices.Contains(c.fresh, x) {
			c.fresh = append(c.fresh, x)
		}
	}
	return c
}

// later returns a copy with an obligation for the successor. strong asserts that there is one.
func (s split) later(x term, strong bool) split {
	c := s.with()
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
	n := a.terms[x]
	switch n.op {
	case temporal.Until:
		a.split(s.with(n.x).later(x, true), to)
		a.split(s.with(n.y), to)
	case temporal.Release:
		a.split(s.with(n.y).later(x, false), to)
		a.split(s.with(n.x, n.y), to)
	case temporal.Or:
		a.split(s.with(n.x), to)
		a.split(s.with(n.y), to)
	case temporal.And:
		a.split(s.with(n.x, n.y), to)
	case temporal.WeakNext, temporal.Next:
		a.split(s.later(n.x, n.op == temporal.Next), to)
	default:
		if n.op != temporal.False && !a.contradicts(s.old, n) {
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

// contradicts reports whether the negation of a literal is in old.
func (a *Nodes) contradicts(old smallset.Set, n literal) bool {
	n.negated = !n.negated
	x, ok := a.find[n]
	return ok && n.op == temporal.Atomic && old.Has(int(x))
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

// Atoms returns the texts of the atoms.
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

// satisfies reports whether a letter agrees with the atoms in old.
func (a *Nodes) satisfies(letter func(atom int) bool, old smallset.Set) bool {
	for x := range old.All() {
		if n := a.terms[x]; n.op == temporal.Atomic && letter(n.atom) == n.negated {
			return false
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
		if n := a.terms[x]; n.op == temporal.Until && !old.Has(int(n.y)) {
			return false
		}
	}
	return true
}
