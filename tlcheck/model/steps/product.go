package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
)

// node is a pair of a state of the system and a state of the automaton, which has read it.
type node int32

// pair is what a node stands for.
type pair struct {
	state     kripke.State
	automaton int
}

// reader gives letters to an automaton: what is true in states of a system.
type reader struct {
	sys   kripke.System
	atoms []kripke.Atom // by the automaton's numbers
	moves []kripke.Move // of the state that is left, used again
	to    []kripke.State
}

// newReader resolves the atoms. An error is one of the system, which does not know an atom.
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

// letter returns what is true in a state.
func (r *reader) letter(s kripke.State) func(int) bool {
	return func(atom int) bool { return r.sys.Holds(r.atoms[atom], s) }
}

// behind returns the states that moves lead to, each once, in the order of the moves, until it is called again.
func (r *reader) behind(s kripke.State) (to []kripke.State, err error) {
	if r.moves, err = r.sys.Moves(r.moves[:0], s); err != nil {
		return nil, err
	}
	r.to = r.to[:0]
	for _, m := range r.moves {
		if !contains(r.to, m.To) {
			r.to = append(r.to, m.To)
		}
	}
	return r.to, nil
}

func contains(states []kripke.State, s kripke.State) bool {
	for _, other := range states {
		if other == s {
			return true
		}
	}
	return false
}

// product is the system with the deterministic automaton that reads it, as far as it was asked for. Nodes from which no step can
// be completed, as the automaton knows, are left out.
type product struct {
	reader    *reader
	automaton *ltl.Subsets
	pairs     []pair
	number    map[pair]node
	behind    [][]node // by node; nil if it was not asked for
}

func newProduct(sys kripke.System, automaton *ltl.Subsets) (*product, error) {
	r, err := newReader(sys, automaton.Atoms())
	return &product{reader: r, automaton: automaton, number: map[pair]node{}}, err
}

// enter returns the node in which the automaton has read the first state; false if that cannot begin a step.
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

// successors returns the nodes behind one, each once. They must not be changed.
func (p *product) successors(ctx context.Context, n node) ([]node, error) {
	if p.behind[n] != nil {
		return p.behind[n], nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	states, err := p.reader.behind(p.pairs[n].state)
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

// accepting reports whether the states up to a node satisfy the formula.
func (p *product) accepting(n node) bool { return p.automaton.Accepting(p.pairs[n].automaton) }

func (p *product) state(n node) kripke.State { return p.pairs[n].state }

// states returns the states of some nodes.
func (p *product) states(nodes []node) []kripke.State {
	states := make([]kripke.State, len(nodes))
	for i, n := range nodes {
		states[i] = p.state(n)
	}
	return states
}
