package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// System is a transition system with access to the moves of its expanded states: a *kripke.Graph or
// a *kripke.Memory.
type System interface {
	kripke.System
	// Expand computes the moves of s. It returns a *kripke.DeadEndError if s has none.
	Expand(s kripke.State) error
	// Hold expands a state whose moves are needed repeatedly, until it is released. States are
	// released in the opposite order.
	Hold(s kripke.State) error
	Release()
	Len() int                                 // number of moves of the expanded states
	Successors(s kripke.State) []kripke.State // targets of the moves
	MovedBy(s kripke.State) []int32           // processes of the moves
}

// letters has the values of a formula's atoms in the states of a system.
type letters struct {
	system       System
	propositions []kripke.Atom
	of           column.Column[int32] // the letter of each state; none if it was not computed
	literals     *kripke.Numbering
	scratch      smallset.Set
}

// newLetters returns letters without known states. An error is a *temporal.NameError.
func newLetters(sys System, atoms []*temporal.Atom) (*letters, error) {
	l := &letters{system: sys, scratch: smallset.New(2 * len(atoms))}
	for _, a := range atoms {
		p, err := sys.Atom(a.Text)
		if err != nil {
			return nil, &temporal.NameError{Pos: a.Pos, Err: err}
		}
		l.propositions = append(l.propositions, p)
	}
	l.literals = kripke.NewNumbering(len(l.scratch))
	return l, nil
}

func (l *letters) letter(s kripke.State) (int32, error) {
	for l.of.Len() <= int(s) {
		l.of.Add(none)
	}
	if known := l.of.At(int(s)); known != none {
		return known, nil
	}
	clear(l.scratch)
	for i, p := range l.propositions {
		if l.system.Holds(p, s) {
			l.scratch.Add(2 * i)
		} else {
			l.scratch.Add(2*i + 1)
		}
	}
	n, err := l.literals.Number(l.scratch)
	*l.of.Place(int(s)) = int32(n)
	return int32(n), err
}

// product has the pairs of a node and a state in which the node can hold. The marks of an edge are
// the eventualities that it does not postpone, and the processes that it is fair to. A fair path
// has the mark of every process infinitely often.
type product struct {
	*construction
	system   System
	fairness kripke.Fairness
	letters  *letters
	// of each state, the enabled processes; nil if they were not computed
	enabled     []smallset.Set
	pairs       pairing
	held        int // number of states that the system holds for the search
	contextPoll contextPoll
}

func newProduct(t *construction, sys System, fairness kripke.Fairness, l *letters) *product {
	return &product{construction: t, system: sys, fairness: fairness, letters: l, contextPoll: contextPoll{ctx: t.ctx}}
}

// canMove returns the processes that are enabled in an expanded state.
func (p *product) canMove(s kripke.State) smallset.Set {
	for len(p.enabled) <= int(s) {
		p.enabled = append(p.enabled, nil)
	}
	if p.enabled[s] == nil {
		p.enabled[s] = smallset.New(max(len(p.system.Processes()), 1))
		for _, by := range p.system.MovedBy(s) {
			if by != kripke.NoProcess {
				p.enabled[s].Add(int(by))
			}
		}
	}
	return p.enabled[s]
}

// marks returns the number of marks. Eventualities come first.
func (p *product) marks() int {
	if p.fairness == kripke.Unfair {
		return p.eventualities
	}
	return p.eventualities + len(p.system.Processes())
}

// enter implements graph. It does not expand a state in which the node cannot hold.
func (p *product) enter(pair int32) error {
	node, s := p.pairs.parts(pair)
	if e, err := p.way(node, s, 0); e == nil || err != nil {
		return err
	}
	if err := p.system.Hold(s); err != nil {
		return err
	}
	p.held++
	return p.contextPoll.poll(len(p.system.Successors(s)))
}

func (p *product) leave(pair int32) error {
	node, s := p.pairs.parts(pair)
	e, err := p.way(node, s, 0)
	if e != nil {
		p.held--
		p.system.Release()
	}
	return err
}

// releaseAll releases all states that an interrupted search holds.
func (p *product) releaseAll() {
	for ; p.held > 0; p.held-- {
		p.system.Release()
	}
}

// edge implements graph: it combines each way of the node with each move of the state. It does not
// expand a state in which the node cannot hold.
func (p *product) edge(pair, i int32, marks smallset.Set) (to, next int32, err error) {
	node, s := p.pairs.parts(pair)
	if i == 0 {
		if e, err := p.way(node, s, 0); e == nil || err != nil {
			return 0, 0, err
		}
		if err := p.system.Expand(s); err != nil {
			return 0, 0, err
		}
	}
	moves := p.system.Successors(s)
	e, err := p.way(node, s, int(i)/len(moves))
	if e == nil || err != nil {
		return 0, 0, err
	}
	move := int(i) % len(moves)
	p.fulfils(e, marks)
	p.fairTo(s, p.system.MovedBy(s)[move], marks)
	to, err = p.pairs.number(e.to, moves[move])
	return to, i + 1, err
}

// way returns way i of a node in a state; nil if there are fewer.
func (p *product) way(node int32, s kripke.State, i int) (*edge, error) {
	letter, err := p.letters.letter(s)
	if err != nil {
		return nil, err
	}
	return p.construction.edge(labelledNode{node, letter}, p.letters.literals.Packed(kripke.State(letter)), i)
}

// fairTo marks the processes that a move is fair to.
func (p *product) fairTo(s kripke.State, by int32, marks smallset.Set) {
	if p.fairness == kripke.Unfair {
		return
	}
	if by != kripke.NoProcess {
		marks.Add(p.eventualities + int(by))
	}
	if p.fairness == kripke.Weak {
		able := p.canMove(s)
		for i := range p.system.Processes() {
			if !able.Has(i) {
				marks.Add(p.eventualities + i)
			}
		}
	}
}

// wanted returns the marks that a loop in a component must have. Under strong fairness, processes
// that are never enabled need none.
func (p *product) wanted(component []int32) smallset.Set {
	if p.fairness != kripke.Strong {
		return allBelow(p.marks())
	}
	wanted := smallset.New(p.marks())
	for i := range p.eventualities {
		wanted.Add(i)
	}
	for _, pair := range component {
		_, s := p.pairs.parts(pair)
		for i := range p.canMove(s).All() {
			wanted.Add(p.eventualities + i)
		}
	}
	return wanted
}

// strong returns a judge of components under strong fairness. A component in which a process is
// enabled that does not move inside is not fair. Without the pairs in which it is enabled, smaller
// components may be fair (Emerson and Lei, "Modalities for Model Checking", 1987).
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
		inner := &subgraph{whole: p, indices: map[int32]int32{}}
		for _, pair := range component {
			_, s := p.pairs.parts(pair)
			if !p.neglects(s, marks) {
				inner.indices[pair] = int32(len(inner.nodes))
				inner.nodes = append(inner.nodes, pair)
			}
		}
		s := &search{graph: inner, contextPoll: contextPoll{ctx: ctx}, marks: p.marks(),
			judge: func(nodes []int32, marks smallset.Set) ([]int32, error) {
				return judge(inner.original(nodes), marks)
			}}
		for n := range inner.nodes {
			if found, err := s.searchFrom(int32(n)); found != nil || err != nil {
				return found, err
			}
		}
		return nil, nil
	}
	return judge
}

// neglects reports whether a process without a mark is enabled in s.
func (p *product) neglects(s kripke.State, marks smallset.Set) bool {
	for i := range p.canMove(s).All() {
		if !marks.Has(p.eventualities + i) {
			return true
		}
	}
	return false
}

// subgraph is a graph of some nodes of another one, with numbers of its own.
type subgraph struct {
	whole   graph
	nodes   []int32
	indices map[int32]int32 // indices of nodes
}

func (g *subgraph) enter(int32) error { return nil }
func (g *subgraph) leave(int32) error { return nil }

func (g *subgraph) edge(node, i int32, marks smallset.Set) (to, next int32, err error) {
	for {
		clear(marks)
		to, next, err = g.whole.edge(g.nodes[node], i, marks)
		if next == 0 || err != nil {
			return 0, 0, err
		}
		if n, ok := g.indices[to]; ok {
			return n, next, nil
		}
		i = next
	}
}

// original returns the numbers of nodes in the whole graph.
func (g *subgraph) original(nodes []int32) []int32 {
	var all []int32
	for _, n := range nodes {
		all = append(all, g.nodes[n])
	}
	return all
}

// pairing numbers pairs of a node and a state in the order in which they occur. There are few
// nodes, and neighbouring states have close numbers, so accesses to the tables stay in the cache.
// Those to a hash table would not.
type pairing struct {
	all column.Column[uint64] // the node, and the state in the lower half
	// by node, and by state in chunks, nil if empty: the number of the pair plus 1, or 0
	numbers [][]*[pairsChunk]uint32
}

const pairsChunk = 1 << 10

// number returns the number of a pair. A new pair gets the next number.
func (p *pairing) number(node int32, s kripke.State) (int32, error) {
	for len(p.numbers) <= int(node) {
		p.numbers = append(p.numbers, nil)
	}
	chunk := uint(s) / pairsChunk
	for uint(len(p.numbers[node])) <= chunk {
		p.numbers[node] = append(p.numbers[node], nil)
	}
	if p.numbers[node][chunk] == nil {
		p.numbers[node][chunk] = new([pairsChunk]uint32)
	}
	n := &p.numbers[node][chunk][uint(s)%pairsChunk]
	if *n == 0 {
		if p.all.Len() >= kripke.MaxStates {
			return none, kripke.ErrStates
		}
		p.all.Add(uint64(node)<<32 | uint64(s))
		*n = uint32(p.all.Len())
	}
	return int32(*n - 1), nil
}

func (p *pairing) parts(pair int32) (node int32, s kripke.State) {
	both := p.all.At(int(pair))
	return int32(both >> 32), kripke.State(both & 0xffff_ffff)
}
