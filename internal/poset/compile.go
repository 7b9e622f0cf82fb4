package poset

import (
	"context"
	"math/bits"
	stdslices "slices"
)

// program is a compiled sweep for one order of the nodes.
type program struct {
	steps      []step
	keyWords   int    // number of 64-bit words of a state
	counts     int    // number of counts of a state
	countWords int    // number of words of a count
	same       []term // terms that leave all counts as they are
}

// term adds a count to another one, multiplied.
type term struct {
	from, to int32
	times    uint64
}

// step decides one node.
type step struct {
	chain  field
	active uint64 // how many nodes of the chain are active; the last one precedes this one

	with []term // new counts if the node is in the ideal
	// new counts if the node is the first of its chain that is not in the ideal, or not all of a
	// run is
	without []term

	needs  []place // the node may be in the ideal only if all of these are
	forces []place // the node must be in the ideal if one of these is
	drops  []place // nodes that cease to be active, one after the other
}

// field stores in a state how many active nodes of a chain are in the ideal. They are the first
// ones.
type field struct {
	chain int32
	word  int32
	shift uint8
	mask  uint64
}

func (f *field) of(key []uint64) uint64 { return key[f.word] >> f.shift & f.mask }

func (f *field) add(key []uint64, n uint64) { key[f.word] += n << f.shift }

// place is an active node of a chain: the n-th, from 1.
type place struct {
	field
	n uint64
}

// isIn reports whether the node is in the ideal.
func (p *place) isIn(key []uint64) bool { return p.of(key) >= p.n }

// compiler compiles an order.
type compiler struct {
	*sweep
	chains  []chainState
	pending []int32 // by node: unprocessed neighbours on other chains
	done    []bool  // by node
}

type chainState struct {
	active []int32 // nodes
	left   int     // number of unprocessed nodes

	first, last int // steps between which there are active nodes
	most        int // greatest number of active nodes
}

// compile compiles an order of the nodes, which must preserve the order of each chain. It returns
// nil if ctx ends.
func (s *sweep) compile(ctx context.Context, order []int32) *program {
	c := &compiler{
		sweep: s, chains: make([]chainState, len(s.chains)),
		pending: make([]int32, len(s.nodes)), done: make([]bool, len(s.nodes)),
	}
	for i := range c.chains {
		c.chains[i].left = len(s.chains[i])
		c.chains[i].first = -1
	}
	for i, n := range s.nodes {
		c.pending[i] = int32(len(n.before) + len(n.behind))
	}
	p := &program{counts: s.roles.counts(), countWords: s.words(), same: s.same()}
	for at, n := range order {
		if at&0xfff == 0 && ctx.Err() != nil {
			return nil
		}
		p.steps = append(p.steps, c.step(at, n))
	}
	fields := c.fields(ctx, order, &p.keyWords)
	if fields == nil {
		return nil
	}
	p.place(fields)
	return p
}

// step processes a node.
func (c *compiler) step(at int, node int32) step {
	n := &c.nodes[node]
	chain := &c.chains[n.chain]
	s := step{chain: field{chain: n.chain}, active: uint64(len(chain.active))}
	s.with, s.without = c.terms(n, chain.left == 1)
	s.needs, s.forces = c.places(n.before), c.places(n.behind)

	if chain.first < 0 {
		chain.first = at
	}
	chain.active = append(chain.active, node)
	chain.most = max(chain.most, len(chain.active))
	chain.left--
	c.done[node] = true

	if len(chain.active) > 1 {
		s.drops = c.drop(s.drops, at, chain.active[len(chain.active)-2])
	}
	for _, neighbours := range [2][]int32{n.before, n.behind} {
		for _, i := range neighbours {
			c.pending[i]--
			if c.done[i] {
				s.drops = c.drop(s.drops, at, i)
			}
		}
	}
	s.drops = c.drop(s.drops, at, node)
	return s
}

// places returns those of the nodes that are processed. They are active, since this node is a
// neighbour.
func (c *compiler) places(nodes []int32) []place {
	var places []place
	for _, i := range nodes {
		if c.done[i] {
			places = append(places, c.placeOf(i))
		}
	}
	return places
}

func (c *compiler) placeOf(node int32) place {
	chain := c.nodes[node].chain
	for n, i := range c.chains[chain].active {
		if i == node {
			return place{field{chain: chain}, uint64(n + 1)}
		}
	}
	panic("poset: a node that has neighbours to be processed is not active")
}

// drop makes a node inactive, unless it has an unprocessed neighbour, on its own chain or another.
func (c *compiler) drop(drops []place, at int, node int32) []place {
	chain := &c.chains[c.nodes[node].chain]
	if c.pending[node] > 0 || chain.left > 0 && chain.active[len(chain.active)-1] == node {
		return drops
	}
	p := c.placeOf(node)
	chain.active = append(chain.active[:p.n-1], chain.active[p.n:]...)
	chain.last = at
	return append(drops, p)
}

// fields assigns a field to each chain. An unused field holds 0, and its bits are reused for
// another chain. It returns nil if ctx ends.
func (c *compiler) fields(ctx context.Context, order []int32, size *int) []field {
	fields := make([]field, len(c.chains))
	var words freeWords
	for at, n := range order {
		i := c.nodes[n].chain
		t := &c.chains[i]
		if t.first != at {
			continue
		}
		if i&0x3f == 0 && ctx.Err() != nil { // there may be many words to search
			return nil
		}
		width := bits.Len(uint(t.most))
		bit := words.take(width, at, t.last+1)
		fields[i] = field{chain: i, word: int32(bit / 64), shift: uint8(bit % 64), mask: 1<<width - 1}
	}
	*size = len(words)
	return fields
}

// freeWords are 64-bit words with the step from which on each bit is free.
type freeWords []freeWord

type freeWord struct {
	bits [64]int
	soon int // the least of bits: earlier steps can skip the word
}

// take allocates the first width bits within one word that are free at a step, until a later one.
func (ws *freeWords) take(width, at, until int) (bit int) {
	for i := 0; ; i++ {
		if i == len(*ws) {
			*ws = append(*ws, freeWord{})
		}
		w := &(*ws)[i]
		if w.soon > at {
			continue
		}
		if first, ok := w.fit(width, at); ok {
			for b := range width {
				w.bits[first+b] = until
			}
			w.soon = stdslices.Min(w.bits[:])
			return 64*i + first
		}
	}
}

// fit finds the first width bits that are free.
func (w *freeWord) fit(width, at int) (first int, ok bool) {
	n := 0
	for b, from := range w.bits {
		if from > at {
			n = 0
		} else if n++; n == width {
			return b - width + 1, true
		}
	}
	return 0, false
}

// place replaces the chains in the steps by their fields.
func (p *program) place(fields []field) {
	for i := range p.steps {
		s := &p.steps[i]
		s.chain = fields[s.chain.chain]
		for _, places := range [][]place{s.needs, s.forces, s.drops} {
			for j := range places {
				places[j].field = fields[places[j].chain]
			}
		}
	}
}
