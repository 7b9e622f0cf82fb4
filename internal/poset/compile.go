package poset

import (
	"context"
	"math/bits"
	stdslices "slices"
)

// program is a sweep in a certain order, worked out.
type program struct {
	steps      []step
	keyWords   int    // of 64 bits in a state
	counts     int    // of a state
	countWords int    // of a count
	same       []term // that leave all counts as they are
}

// term says that a count becomes part of another one, that many times.
type term struct {
	from, to int32
	times    uint64
}

// step decides about one node.
type step struct {
	chain  field
	active uint64 // how many nodes of the chain are active; the last precedes this one

	with    []term // what becomes of the counts if the node is in the ideal
	without []term // and if it is the first of its chain that is not, or not all of a run

	needs  []place // the node may be in the ideal only if these are
	forces []place // the node must be in the ideal if one of these is
	drops  []place // nodes that are active no longer, one after the other
}

// field is where a state says how many of the active nodes of a chain are in the ideal. They are
// the first ones.
type field struct {
	chain int32
	word  int32
	shift uint8
	mask  uint64
}

func (f *field) of(key []uint64) uint64 { return key[f.word] >> f.shift & f.mask }

func (f *field) add(key []uint64, n uint64) { key[f.word] += n << f.shift }

// place names an active node of a chain: the n-th, from 1.
type place struct {
	field
	n uint64
}

// isIn reports whether the node is in the ideal.
func (p *place) isIn(key []uint64) bool { return p.of(key) >= p.n }

// compiler goes through an order.
type compiler struct {
	*sweep
	chains  []chainState
	pending []int32 // by node: neighbours on other chains that have not been processed
	done    []bool  // by node
}

type chainState struct {
	active []int32 // nodes
	left   int     // nodes not processed

	first, last int // steps between which there are active nodes
	most        int // active at a time
}

// compile works out the steps for an order of the nodes that keeps the order of each chain; nil if ctx has ended.
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

// places names those of the nodes that have been processed; they are active since this one is a
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

// drop makes a node inactive, unless a neighbour is to be processed, on its own chain or another.
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

// fields gives each chain a field. A field that has served its time holds 0, and its bits serve
// another chain. It returns nil if ctx has ended.
func (c *compiler) fields(ctx context.Context, order []int32, size *int) []field {
	fields := make([]field, len(c.chains))
	var words freeWords
	for at, n := range order {
		i := c.nodes[n].chain
		t := &c.chains[i]
		if t.first != at {
			continue
		}
		if i&0x3f == 0 && ctx.Err() != nil { // there may be many words to look at
			return nil
		}
		width := bits.Len(uint(t.most))
		bit := words.take(width, at, t.last+1)
		fields[i] = field{chain: i, word: int32(bit / 64), shift: uint8(bit % 64), mask: 1<<width - 1}
	}
	*size = len(words)
	return fields
}

// freeWords are words of 64 bits with the step from which on each bit is free.
type freeWords []freeWord

type freeWord struct {
	bits [64]int
	soon int // the least of them: words that are full need no closer look
}

// take takes the first place for width bits, all in one word, that are free at this step, and
// gives them back at a later one.
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

// fit finds the first place for width bits.
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
