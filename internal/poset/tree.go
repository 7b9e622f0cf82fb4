package poset

import (
	"context"
)

// Chains are eliminated one after the other as long as every chain but one touches a single chain
// that was not eliminated before (bucket elimination, Dechter 1999, where its tables are smallest).
// An ideal that ends at some place of a chain ends in a range of places of the eliminated chain,
// and the sum over that range becomes a factor of the place. The time for two chains is linear in
// their nodes, whatever the number of messages between them.

// chainTree has chains that touch each other as the vertices of a tree do.
type chainTree struct {
	*sweep
	order    []int32   // chains, each before the one into which it is eliminated
	children [][]int32 // by chain: those that are eliminated into it
	number   []int32   // by chain: its index among the children
	index    []int32   // by node: its index in its chain
	prefixes [][]sum   // by chain: the sums over the ideals that end before each of its places
}

// treeSum returns the sum over all ideals. It reports false if the chains are no tree, even with
// hubs, if ctx ends, or for lack of memory.
func (s *sweep) treeSum(ctx context.Context) (sum, bool) {
	t, ok := newChainTree(s)
	if !ok && ctx.Err() == nil {
		t, ok = newChainTree(s.withHubs())
	}
	if !ok || t.size() > stateBytes {
		return nil, false
	}
	return t.sum(ctx)
}

// size returns an upper bound for the bytes of the sums of all nodes, except for the small number
// of assignments.
func (t *chainTree) size() int {
	const overhead = 64 // of a big.Int
	return (len(t.nodes) + 2*len(t.chains)) * t.roles.counts() * (t.atMost().BitLen()/8 + overhead)
}

// newChainTree returns the tree. It reports false if the chains are none.
func newChainTree(s *sweep) (*chainTree, bool) {
	t := &chainTree{sweep: s, children: make([][]int32, len(s.chains)), number: make([]int32, len(s.chains)),
		prefixes: make([][]sum, len(s.chains))}
	neighbours, edges := s.neighbours(), 0
	root := int32(0) // the longest chain, whose sums are dropped early
	for c, ns := range neighbours {
		edges += len(ns)
		if len(s.chains[c]) > len(s.chains[root]) {
			root = int32(c)
		}
	}
	if edges != 2*(len(s.chains)-1) {
		return nil, false
	}
	seen := make([]bool, len(s.chains))
	seen[root], t.order = true, []int32{root}
	for i := 0; i < len(t.order); i++ { // the loop adds chains
		c := t.order[i]
		for _, d := range neighbours[c] {
			if !seen[d] {
				seen[d], t.number[d] = true, int32(len(t.children[c]))
				t.order, t.children[c] = append(t.order, d), append(t.children[c], d)
			}
		}
	}
	t.index = make([]int32, len(s.nodes))
	for _, nodes := range s.chains {
		for i, n := range nodes {
			t.index[n] = int32(i)
		}
	}
	return t, len(t.order) == len(s.chains)
}

// sum returns the sum over all ideals. It reports false if ctx ends.
func (t *chainTree) sum(ctx context.Context) (sum, bool) {
	for i := len(t.order) - 1; i >= 0; i-- {
		c := t.order[i]
		if !t.eliminate(ctx, c) {
			return nil, false
		}
		for _, d := range t.children[c] {
			t.prefixes[d] = nil
		}
	}
	all := t.prefixes[t.order[0]]
	return all[len(all)-1], true
}

// eliminate computes the sums of a chain after those of its children.
func (t *chainTree) eliminate(ctx context.Context, c int32) bool {
	ranges := t.ranges(c)
	var factors []sum
	for i, d := range t.children[c] {
		factors = append(factors, ranges[i].sum(t.prefixes[d], 0))
	}
	counts := t.roles.counts()
	product := newProductTree(counts, factors)
	last, here := newSum(counts), newSum(counts)
	prefixes := []sum{last}
	for place := range len(t.chains[c]) + 1 {
		if ctx.Err() != nil {
			return false
		}
		if place > 0 {
			t.advance(c, place, ranges, product)
		}
		here.multiply(t.weight(c, place), product.total())
		next := newSum(counts)
		next.add(last)
		next.add(here)
		prefixes, last = append(prefixes, next), next
	}
	t.prefixes[c] = prefixes
	return true
}

// advance moves the ranges to the next place of a chain, and updates the product of their sums.
func (t *chainTree) advance(c int32, place int, ranges []placeRange, product *productTree) {
	n := &t.nodes[t.chains[c][place-1]]
	for _, m := range n.before {
		if i, ok := t.child(c, m); ok {
			ranges[i].least = max(ranges[i].least, t.index[m]+1)
		}
	}
	for _, neighbours := range [2][]int32{n.before, n.behind} {
		for _, m := range neighbours {
			if i, ok := t.child(c, m); ok {
				product.set(i, ranges[i].sum(t.prefixes[t.nodes[m].chain], int32(place)))
			}
		}
	}
}

// child returns the index of the child chain of a node. It reports false if there is none.
func (t *chainTree) child(c, node int32) (int, bool) {
	d := t.nodes[node].chain
	i := t.number[d]
	return int(i), int(i) < len(t.children[c]) && t.children[c][i] == d
}

// weight returns the sum of the places of a task between two nodes, or in a run.
func (t *chainTree) weight(chain int32, place int) sum {
	nodes := t.chains[chain]
	var terms []term
	if place < len(nodes) {
		_, terms = t.terms(&t.nodes[nodes[place]], false)
	} else {
		terms, _ = t.terms(&t.nodes[nodes[place-1]], true)
	}
	w := newSum(t.roles.counts())
	for _, x := range terms {
		if x.from == 0 {
			w[x.to].SetUint64(x.times)
		}
	}
	return w
}

// placeRange is the range of places of a chain at which an ideal can end, given where it ends on
// another chain. Both bounds grow with the place on the other chain.
type placeRange struct {
	least int32
	most  []placeBound // by descending node
	end   int32
}

// placeBound is the last place of ideals that do not include a node, given as its place.
type placeBound struct{ node, most int32 }

// ranges returns the ranges of the children of a chain.
func (t *chainTree) ranges(c int32) []placeRange {
	ranges := make([]placeRange, len(t.children[c]))
	for i, d := range t.children[c] {
		ranges[i].end = int32(len(t.chains[d]))
	}
	nodes := t.chains[c]
	for k := len(nodes) - 1; k >= 0; k-- {
		for _, m := range t.nodes[nodes[k]].behind {
			i, ok := t.child(c, m)
			if !ok {
				continue
			}
			r := &ranges[i]
			if n := len(r.most); n == 0 || t.index[m] < r.most[n-1].most {
				r.most = append(r.most, placeBound{int32(k), t.index[m]})
			}
		}
	}
	return ranges
}

// sum returns the sum over the range for a place of the other chain. Calls must be in ascending
// order of places.
func (r *placeRange) sum(prefixes []sum, place int32) sum {
	for n := len(r.most); n > 0 && r.most[n-1].node < place; n-- {
		r.most = r.most[:n-1]
	}
	most := r.end
	if n := len(r.most); n > 0 {
		most = r.most[n-1].most
	}
	s := newSum(len(prefixes[0]))
	s.add(prefixes[most+1])
	s.subtract(prefixes[r.least])
	return s
}
