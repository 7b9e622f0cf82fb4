package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// letters are what is true in the states of a system, of the atoms of a formula.
type letters struct {
	of       []int32 // the letter of each state
	literals *kripke.Numbering
}

// newLetters finds what is true where. An error is a *temporal.NameError.
func newLetters(g *kripke.Graph, atoms []*temporal.Atom) (*letters, error) {
	var propositions []kripke.Atom
	for _, a := range atoms {
		p, err := g.Atom(a.Text)
		if err != nil {
			return nil, &temporal.NameError{Pos: a.Pos, Err: err}
		}
		propositions = append(propositions, p)
	}
	literals := smallset.New(2 * len(atoms))
	l := &letters{of: make([]int32, g.States()), literals: kripke.NewNumbering(len(literals))}
	for s := range kripke.State(g.States()) {
		clear(literals)
		for i, p := range propositions {
			if g.Holds(p, s) {
				literals.Add(2 * i)
			} else {
				literals.Add(2*i + 1)
			}
		}
		n, err := l.literals.Number(literals)
		if err != nil {
			return nil, err
		}
		l.of[s] = int32(n)
	}
	return l, nil
}

// product has the pairs of a node and a state in which the node can hold. Edges are marked with the eventualities that they do not
// postpone, and with the processes that they are fair to: every process needs its mark again and again.
type product struct {
	*construction
	system   *kripke.Graph
	fairness kripke.Fairness
	letters  *letters
	able     []smallset.Set    // of each state, the processes that can move; only under weak and strong fairness
	pairs    *kripke.Numbering // of one word: the node, and the state in the lower half
}

func newProduct(t *construction, g *kripke.Graph, fairness kripke.Fairness, l *letters) *product {
	p := &product{construction: t, system: g, fairness: fairness, letters: l, pairs: kripke.NewNumbering(1)}
	if fairness != kripke.Weak && fairness != kripke.Strong {
		return p
	}
	n := len(g.Processes())
	every := make(smallset.Set, g.States()*smallset.Words(n))
	for s := range kripke.State(g.States()) {
		able := every[int(s)*smallset.Words(n):][:smallset.Words(n)]
		for _, by := range g.MovedBy(s) {
			if by != kripke.Nobody {
				able.Add(int(by))
			}
		}
		p.able = append(p.able, able)
	}
	return p
}

// marks returns how many marks there are: the eventualities come first.
func (p *product) marks() int {
	if p.fairness == kripke.Unfair {
		return p.eventualities
	}
	return p.eventualities + len(p.system.Processes())
}

func (p *product) pair(node int32, s kripke.State) (int32, error) {
	n, err := p.pairs.Number([]uint64{uint64(node)<<32 | uint64(s)})
	return int32(n), err
}

// parts returns what a pair is made of.
func (p *product) parts(pair int32) (node int32, s kripke.State) {
	word := p.pairs.Packed(kripke.State(pair))[0]
	return int32(word >> 32), kripke.State(word & 0xffff_ffff)
}

// edge implements graph: each way of the node is combined with each move of the state.
func (p *product) edge(pair, i int32, marks smallset.Set) (to, next int32, err error) {
	node, s := p.parts(pair)
	moves := p.system.Successors(s)
	letter := p.letters.of[s]
	e, err := p.construction.edge(place{node, letter}, p.letters.literals.Packed(kripke.State(letter)), int(i)/len(moves))
	if e == nil || err != nil {
		return 0, 0, err
	}
	move := int(i) % len(moves)
	p.fulfils(e, marks)
	p.fairTo(s, p.system.MovedBy(s)[move], marks)
	to, err = p.pair(e.to, moves[move])
	return to, i + 1, err
}

// fairTo marks the processes that a move is fair to.
func (p *product) fairTo(s kripke.State, by int32, marks smallset.Set) {
	if p.fairness == kripke.Unfair {
		return
	}
	if by != kripke.Nobody {
		marks.Add(p.eventualities + int(by))
	}
	if p.fairness == kripke.Weak {
		for i := range p.system.Processes() {
			if !p.able[s].Has(i) {
				marks.Add(p.eventualities + i)
			}
		}
	}
}

// wanted returns the marks that a loop in a component must have. Under strong fairness the processes that can never move need none.
func (p *product) wanted(component []int32) smallset.Set {
	if p.fairness != kripke.Strong {
		return every(p.marks())
	}
	wanted := smallset.New(p.marks())
	for i := range p.eventualities {
		wanted.Add(i)
	}
	for _, pair := range component {
		_, s := p.parts(pair)
		for i := range p.able[s].All() {
			wanted.Add(p.eventualities + i)
		}
	}
	return wanted
}

// strong returns a judge of components under strong fairness. One in which a process can move that does not move inside is not fair; but without
// the pairs in which it can, there may be smaller ones that are (E. A. Emerson and C.-L. Lei, "Modalities for Model Checking", 1987).
func (p *product) strong(ctx context.Context) func([]int32, smallset.Set) ([]int32, error) {
	var judge func([]int32, smallset.Set) ([]int32, error)
	judge = func(component []int32, marks smallset.Set) ([]int32, error) {
		wanted := p.wanted(component)
		if wanted.In(marks) {
			return component, nil
		}
		for i := range p.eventualities {
			if !marks.Has(i) {
				return nil, nil
			}
		}
		inner := &part{whole: p, places: map[int32]int32{}}
		for _, pair := range component {
			_, s := p.parts(pair)
			if !p.forgets(s, marks) {
				inner.places[pair] = int32(len(inner.nodes))
				inner.nodes = append(inner.nodes, pair)
			}
		}
		s := &search{graph: inner, ctx: ctx, marks: p.marks(), judge: func(nodes []int32, marks smallset.Set) ([]int32, error) {
			return judge(inner.original(nodes), marks)
		}}
		for n := range inner.nodes {
			if found, err := s.from(int32(n)); found != nil || err != nil {
				return found, err
			}
		}
		return nil, nil
	}
	return judge
}

// forgets reports whether a process can move in s that has no mark.
func (p *product) forgets(s kripke.State, marks smallset.Set) bool {
	for i := range p.able[s].All() {
		if !marks.Has(p.eventualities + i) {
			return true
		}
	}
	return false
}

// part is a graph of some nodes of another one, with numbers of its own.
type part struct {
	whole  graph
	nodes  []int32
	places map[int32]int32 // in nodes
}

func (g *part) edge(node, i int32, marks smallset.Set) (to, next int32, err error) {
	for {
		clear(marks)
		to, next, err = g.whole.edge(g.nodes[node], i, marks)
		if next == 0 || err != nil {
			return 0, 0, err
		}
		if n, ok := g.places[to]; ok {
			return n, next, nil
		}
		i = next
	}
}

// original returns the numbers that nodes have in the whole.
func (g *part) original(nodes []int32) []int32 {
	var all []int32
	for _, n := range nodes {
		all = append(all, g.nodes[n])
	}
	return all
}
