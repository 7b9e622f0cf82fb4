package steps

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
)

// node is the number of a pair.
type node int32

// pair is a state of the system, and a state of the automaton that has read it.
type pair struct {
	state     kripke.State
	automaton int
}

// reader turns states of a system into letters of an automaton.
type reader struct {
	sys   kripke.System
	atoms []kripke.Atom // by their indices in the automaton
	moves []kripke.Move // buffer
	to    []kripke.State
}

// newReader looks up the atoms. An error is for an atom that the system does not have.
func newReader(sys kripke.System, names []string) (*reader, error) {
	r := &reader{sys: sys}
	for _, name := range names {
		a, err := sys.Atom(name)
		if err != nil {
			return nil, err
		}
		r.atoms = append(r.atoms, a)
	}
	return r, nil
}

// letter returns the values of the atoms in a state.
func (r *reader) letter(s kripke.State) func(int) bool {
	return func(atom int) bool { return r.sys.Holds(r.atoms[atom], s) }
}

// successors returns the successors of a state without repetitions, in the order of the moves. They
// are valid until the next call.
func (r *reader) successors(s kripke.State) (to []kripke.State, err error) {
	if r.moves, err = r.sys.Moves(r.moves[:0], s); err != nil {
		return nil, err
	}
	r.to = r.to[:0]
	for _, m := range r.moves {
		if !slices.Contains(r.to, m.To) {
			r.to = append(r.to, m.To)
		}
	}
	return r.to, nil
}

// product is the product of the system and the deterministic automaton, made on demand. It omits
// nodes from which the automaton can accept nothing.
type product struct {
	reader    *reader
	automaton *ltl.Subsets
	pairs     []pair
	number    map[pair]node
	behind    [][]node // by node; nil if not computed
}

func newProduct(sys kripke.System, automaton *ltl.Subsets) (*product, error) {
	r, err := newReader(sys, automaton.Atoms())
	return &product{reader: r, automaton: automaton, number: map[pair]node{}}, err
}

// enter returns the node in which the automaton has read the first state. It reports false if no
// step can begin there.
func (p *product) enter(ctx context.Context, s kripke.State) (node, bool, error) {
	return p.read(ctx, p.automaton.Initial(), s)
}

func (p *product) read(ctx context.Context, from int, s kripke.State) (node, bool, error) {
	q, err := p.automaton.Next(ctx, from, p.reader.letter(s))
	if err != nil || p.automaton.Dead(q) {
		return 0, false, err
	}
	at := pair{s, q}
	n, ok := p.number[at]
	if !ok {
		n = node(len(p.pairs))
		p.pairs, p.behind = append(p.pairs, at), append(p.behind, nil)
		p.number[at] = n
	}
	return n, true, nil
}

// successors returns the successors of a node without repetitions. The caller must not change them.
func (p *product) successors(ctx context.Context, n node) ([]node, error) {
	if p.behind[n] != nil {
		return p.behind[n], nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	states, err := p.reader.successors(p.pairs[n].state)
	if err != nil {
		return nil, err
	}
	found := make([]node, 0, len(states))
	for _, s := range states {
		to, ok, err := p.read(ctx, p.pairs[n].automaton, s)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, to)
		}
	}
	p.behind[n] = found
	return found, nil
}

// accepting reports whether the sequence up to a node satisfies the formula.
func (p *product) accepting(n node) bool { return p.automaton.Accepting(p.pairs[n].automaton) }

func (p *product) states(nodes []node) []kripke.State {
	states := make([]kripke.State, len(nodes))
	for i, n := range nodes {
		states[i] = p.pairs[n].state
	}
	return states
}
