package poset

import (
	"context"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// sweep counts the ideals of one part by a dynamic program. It decides about one node after the
// other whether the ideal has it. What the decisions so far mean for those to come rests on the
// active nodes alone, those that have a neighbour still to be decided: ideals that agree on the
// active nodes are counted together, as one state.
//
// The active nodes of a chain are in the ideal up to some place; a state is that place for each
// chain. How many states there are depends on the order of the decisions. In an order of time
// a state is about where the ideal's frontier runs right now, or that it has passed: few chains
// or frequent messages keep that small. Chain by chain, a state is about the places where chains
// touch that are done and chains that are not: good for many chains where each has few
// neighbours (rings, trees, stars). The orders are tried in turn, with more and more states. This
// is bucket elimination (R. Dechter, 1999) along a path; chains keep the states narrow.
type sweep struct {
	nodes  []node // each chain's in their order
	chains [][]int32
	length int        // elements
	roles  *taskRoles // nil if there are none
}

// node is a side of an element, or a run of elements of one chain without neighbours on other chains.
type node struct {
	first   san.Action // its task is that of the chain
	chain   int32
	length  int64
	touched bool  // has a neighbour on another chain; then length is 1
	tied    int32 // the node of the first side of the same element
	hub     bool  // of a hub, which is no task

	before, behind []int32 // direct predecessors and successors on other chains
}

// stateBytes is what the states of a sweep may take.
const stateBytes = 256 << 20

// newSweep prepares the part; false if there is no time for it.
func (c *counter) newSweep(part []int32) (*sweep, bool) {
	s := &sweep{length: len(part), roles: c.roles}
	touched := c.touched(part)
	chainOf := make(map[san.Task]int32)
	nodeOf := make([]int32, len(part))
	for i, e := range part {
		if c.stopped(i) {
			return nil, false
		}
		for j, side := range c.sides(e) {
			chain, ok := chainOf[side.Task]
			if !ok {
				chain = int32(len(s.chains))
				chainOf[side.Task] = chain
				s.chains = append(s.chains, nil)
			}
			n := s.add(side, chain, touched[i])
			if j == 0 {
				nodeOf[i] = n
				continue
			}
			s.nodes[n].tied = nodeOf[i]
			s.tie(nodeOf[i], n)
		}
	}
	for i, e := range part {
		if c.stopped(i) {
			return nil, false
		}
		for _, x := range c.p.predsOf(e) {
			if j, ok := c.isIn(part, x); ok && c.crosses(x, e) {
				s.edge(nodeOf[j], nodeOf[i])
			}
		}
	}
	return s, true
}

// sides returns the places of an element in the orders of tasks. To count ideals one is enough, that of its canonical name.
func (c *counter) sides(e int32) []san.Action {
	if c.roles == nil {
		return c.p.action[e : e+1]
	}
	return c.roles.sides(e)
}

// add makes a side of an element a node, or a part of the last node of its chain, whose number it returns.
func (s *sweep) add(side san.Action, chain int32, touched bool) int32 {
	if n := len(s.chains[chain]); n > 0 && !touched {
		if last := s.chains[chain][n-1]; !s.nodes[last].touched {
			s.nodes[last].length++
			return last
		}
	}
	number := int32(len(s.nodes))
	s.chains[chain] = append(s.chains[chain], number)
	s.nodes = append(s.nodes, node{first: side, chain: chain, length: 1, touched: touched, tied: number})
	return number
}

// edge notes that one node precedes another one.
func (s *sweep) edge(from, to int32) {
	s.nodes[from].behind = append(s.nodes[from].behind, to)
	s.nodes[to].before = append(s.nodes[to].before, from)
}

// tie makes two nodes sides of one element: the ideal has both or none.
func (s *sweep) tie(one, other int32) {
	s.edge(one, other)
	s.edge(other, one)
}

// crosses reports whether an edge leads from one chain to another.
func (c *counter) crosses(x, e int32) bool { return c.p.action[x].Task != c.p.action[e].Task }

// touched tells the elements with an edge to another chain.
func (c *counter) touched(part []int32) []bool {
	c.number(part)
	touched := make([]bool, len(part))
	for i, e := range part {
		touched[i] = touched[i] || len(c.sides(e)) > 1
		for _, x := range c.p.predsOf(e) {
			if j, ok := c.isIn(part, x); ok && c.crosses(x, e) {
				touched[i], touched[j] = true, true
			}
		}
	}
	return touched
}

// size returns the number of elements of a chain.
func (s *sweep) size(chain int) int64 {
	var n int64
	for _, i := range s.chains[chain] {
		n += s.nodes[i].length
	}
	return n
}

// manyWords is more words of 64 bits than most counts need.
const manyWords = 4

// words returns how many words a count has to begin with: it is seldom as large as atMost, and to
// find that it does not fit costs a second attempt.
func (s *sweep) words() int { return min((s.atMost().BitLen()+63)/64, manyWords) }

// count returns the number of ideals; a lower bound and false if ctx has ended or there are too many states. The bound is looked for
// as soon as few states have turned out not to be enough, since later there may be no time for it.
func (s *sweep) count(ctx context.Context) (*big.Int, bool) {
	programs := s.programs(ctx)
	var bound *big.Int
	for limit := firstLimit; ; limit <<= 4 {
		if n, ok := runAny(ctx, programs, limit); ok {
			return n[0], true
		}
		if bound == nil {
			bound = s.atLeast(ctx, programs)
		}
		if ctx.Err() != nil || !hasRoom(programs, limit) {
			return bound, false
		}
	}
}

// firstLimit is how many states are tried first.
const firstLimit = 1 << 10

// runAny runs the programs in turn until one has enough states.
func runAny(ctx context.Context, programs []*program, limit int) ([]*big.Int, bool) {
	for _, p := range programs {
		if n, ok := p.run(ctx, limit, false); ok {
			return n, true
		}
	}
	return nil, false
}

// hasRoom reports whether more states than limit can be tried.
func hasRoom(programs []*program, limit int) bool {
	return stdslices.ContainsFunc(programs, func(p *program) bool { return limit < stateBytes/p.stateSize() })
}

// programs returns the sweep in each order, that of time first, as far as ctx allows.
func (s *sweep) programs(ctx context.Context) []*program {
	var programs []*program
	for _, order := range []func() []int32{s.recorded, func() []int32 { return s.chainByChain(ctx) }} {
		order := order()
		if order == nil {
			break
		}
		p := s.compile(ctx, order)
		if p == nil {
			break
		}
		programs = append(programs, p)
	}
	return programs
}

const (
	fewStates = 16
	maxCopied = 2 << 30 // bytes in states that a bound may cost; about a second
)

// atLeast returns a lower bound: the number of ideals that a sweep comes across when it drops the
// states for which it has no room. In an order of time each state is part of some ideal. Where
// even the fewest states are too much work, or ctx ends, the bound is that of one order: it has an
// ideal more than elements.
func (s *sweep) atLeast(ctx context.Context, programs []*program) *big.Int {
	one := big.NewInt(int64(s.length) + 1)
	if len(programs) == 0 || len(s.nodes) > maxCopied/(fewStates*programs[0].stateSize()) {
		return one
	}
	if n, ok := programs[0].run(ctx, max(fewStates, (1<<23)/len(s.nodes)), true); ok {
		return n[0]
	}
	return one
}

// atMost returns an upper bound: as if no chain had to do with another.
func (s *sweep) atMost() *big.Int {
	return productOf(func(yield func(int64) bool) {
		for i := range s.chains {
			if !yield(s.size(i)) {
				return
			}
		}
	})
}

// recorded is the order of time: that of the elements.
func (s *sweep) recorded() []int32 {
	order := make([]int32, len(s.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	return order // nodes are numbered by their first elements
}

// manyChains is more chains than are put into an order, which takes quadratic time.
const manyChains = 1 << 12

// chainByChain is an order that leaves few chains open, those done that touch one not done, as
// far as the next choice goes; nil if there are too many chains, or if ctx has ended.
func (s *sweep) chainByChain(ctx context.Context) []int32 {
	if len(s.chains) > manyChains {
		return nil
	}
	neighbours := s.neighbours()
	left := make([]int, len(s.chains)) // neighbours that are not done
	for c, ns := range neighbours {
		left[c] = len(ns)
	}
	done := make([]bool, len(s.chains))
	// opened is how many more chains are open when c is done.
	opened := func(c int) int {
		n := min(left[c], 1)
		for _, d := range neighbours[c] {
			if done[d] && left[d] == 1 {
				n--
			}
		}
		return n
	}
	var order []int32
	for range s.chains {
		best, least := -1, 0
		for c := range s.chains {
			if done[c] {
				continue
			}
			if c&0x3f == 0 && ctx.Err() != nil {
				return nil
			}
			// Among equals the one that has most neighbours done, at first fewest neighbours.
			if cost := opened(c)*manyChains + left[c]; best < 0 || cost < least {
				best, least = c, cost
			}
		}
		done[best] = true
		for _, d := range neighbours[best] {
			left[d]--
		}
		order = append(order, s.chains[best]...)
	}
	return order
}

// neighbours returns for each chain those that it touches.
func (s *sweep) neighbours() [][]int32 {
	all := make([][]int32, len(s.chains))
	for _, n := range s.nodes {
		for _, i := range stdslices.Concat(n.before, n.behind) {
			all[n.chain] = append(all[n.chain], s.nodes[i].chain)
		}
	}
	for c, ns := range all {
		stdslices.Sort(ns)
		all[c] = stdslices.Compact(ns)
	}
	return all
}
