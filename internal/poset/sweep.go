package poset

import (
	"context"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// sweep counts the ideals of one part by a dynamic program. It decides one node after the other
// whether the ideal has it. Past decisions affect future ones only through the active nodes, those
// with an undecided neighbour. Ideals that agree on the active nodes are counted together, as one
// state.
//
// The active nodes of a chain are in the ideal up to some place; a state has that place for each
// chain. The number of states depends on the order of the decisions. In an order of time, a state
// is about the present frontier of the ideal, or reports that it has passed: few chains or frequent
// messages keep the number small. Chain by chain, a state is about the places where decided and
// undecided chains touch, which suits many chains with few neighbours each (rings, trees, stars).
// The orders are tried in turn, with more and more states. This is bucket elimination along a path
// (Dechter, "Bucket Elimination: A Unifying Framework for Reasoning", 1999); chains keep the states
// narrow.
type sweep struct {
	nodes  []node // by chain, in its order
	chains [][]int32
	length int        // number of elements
	roles  *taskRoles // nil without roles
}

// node is a side of an element, or a run of consecutive elements of one chain without neighbours on
// other chains.
type node struct {
	first   san.Action // its task is that of the chain
	chain   int32
	length  int64
	touched bool  // has a neighbour on another chain; then length is 1
	tied    int32 // the node of the first side of the same element
	hub     bool  // of a hub, which is no task

	before, behind []int32 // direct predecessors and successors on other chains
}

// stateBytes limits the memory of the states of a sweep.
const stateBytes = 256 << 20

// newSweep prepares a part. It reports false if ctx ends.
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

// sides returns the positions of an element in the orders of tasks. Counting ideals needs only that
// of its canonical name.
func (c *counter) sides(e int32) []san.Action {
	if c.roles == nil {
		return c.p.action[e : e+1]
	}
	return c.roles.sides(e)
}

// add makes a side of an element a node, or extends the last node of its chain, and returns the
// node's number.
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

// edge records that one node precedes another one.
func (s *sweep) edge(from, to int32) {
	s.nodes[from].behind = append(s.nodes[from].behind, to)
	s.nodes[to].before = append(s.nodes[to].before, from)
}

// tie makes two nodes sides of one element: an ideal has both or none.
func (s *sweep) tie(one, other int32) {
	s.edge(one, other)
	s.edge(other, one)
}

// crosses reports whether an edge leads from one chain to another.
func (c *counter) crosses(x, e int32) bool { return c.p.action[x].Task != c.p.action[e].Task }

// touched reports which elements have an edge to another chain.
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

// manyWords is more words than most counts need.
const manyWords = 4

// words returns the initial number of words of a count. It is seldom as large as atMost requires,
// and an overflow costs a second attempt.
func (s *sweep) words() int { return min((s.atMost().BitLen()+63)/64, manyWords) }

// count returns the number of ideals. If ctx ends or there are too many states, it returns a lower
// bound and false. It computes the bound as soon as few states turn out not to be enough, since
// later there may be no time for it.
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

// runAny runs the programs in turn until one finds enough states.
func runAny(ctx context.Context, programs []*program, limit int) ([]*big.Int, bool) {
	for _, p := range programs {
		if n, ok := p.run(ctx, limit, false); ok {
			return n, true
		}
	}
	return nil, false
}

// hasRoom reports whether a greater limit can be tried.
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
	maxCopied = 2 << 30 // bytes of states copied for a bound; about a second
)

// atLeast returns a lower bound: the number of ideals found by a sweep that drops the states for
// which it has no room. In an order of time each state is part of some ideal. If even the fewest
// states are too much work, or ctx ends, the bound is that of one order: one more than elements.
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

// atMost returns an upper bound: the number for unrelated chains.
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

// manyChains limits the chains that are ordered, which takes quadratic time.
const manyChains = 1 << 12

// chainByChain is an order that greedily keeps few chains open: decided ones that touch an
// undecided one. It returns nil if there are too many chains, or if ctx ends.
func (s *sweep) chainByChain(ctx context.Context) []int32 {
	if len(s.chains) > manyChains {
		return nil
	}
	neighbours := s.neighbours()
	left := make([]int, len(s.chains)) // number of undecided neighbours
	for c, ns := range neighbours {
		left[c] = len(ns)
	}
	done := make([]bool, len(s.chains))
	// opened is how many more chains are open once c is decided.
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
			// Ties go to the chain with the most decided neighbours, initially the fewest
			// neighbours.
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
