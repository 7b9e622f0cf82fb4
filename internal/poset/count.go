package poset

import (
	"context"
	"iter"
	"maps"
	"math/big"

	"github.com/antichain-go/antichain/san"
)

// Bounds is an interval for a number.
type Bounds struct{ Min, Max *big.Int }

// Exact reports whether the number is known.
func (b Bounds) Exact() bool { return b.Min.Cmp(b.Max) == 0 }

// Ideals returns the number of ideals, which is the number of slices. Counting them is #P-complete
// in general (Provan and Ball, "The Complexity of Counting Cuts and of Computing the Probability
// that a Graph is Connected", 1983). Therefore the answer may be bounds, if ctx ends, or if the
// dynamic program would need more than a few hundred megabytes.
func (p *Poset) Ideals(ctx context.Context) Bounds {
	c := &counter{p: p, ctx: ctx, local: make([]int32, p.Len())}
	return c.count(p.elements())
}

// elements returns all elements as one part.
func (p *Poset) elements() []int32 {
	all := make([]int32, p.Len())
	for e := range all {
		all[e] = int32(e)
	}
	return all
}

// counter counts the ideals of parts of the order. A part is an ascending set of elements that
// includes all elements between two of its own, so the edges within it generate its order.
type counter struct {
	p     *Poset
	ctx   context.Context
	local []int32 // by element: its index in the present part, if it is in the part

	roles *taskRoles // nil to count ideals only
}

// count splits a part into blocks, each above the one before. An ideal has all of some blocks and
// an ideal of the next one.
func (c *counter) count(part []int32) Bounds {
	sum := Bounds{big.NewInt(1), big.NewInt(1)}
	single := int64(0)
	for _, block := range c.series(part) {
		if len(block) == 1 {
			single++
			continue
		}
		n := c.block(block)
		sum.Min.Add(sum.Min, n.Min).Sub(sum.Min, one)
		sum.Max.Add(sum.Max, n.Max).Sub(sum.Max, one)
	}
	s := big.NewInt(single)
	sum.Min.Add(sum.Min, s)
	sum.Max.Add(sum.Max, s)
	return sum
}

var one = big.NewInt(1)

// block splits a part into unrelated components.
func (c *counter) block(part []int32) Bounds {
	components, ok := c.components(part)
	switch {
	case !ok:
		return c.rough(part)
	case len(components) == 1:
		return c.prime(part)
	}
	var least, most []*big.Int
	for _, part := range components {
		n := c.count(part)
		least, most = append(least, n.Min), append(most, n.Max)
	}
	return Bounds{product(least), product(most)}
}

// stopped reports whether ctx has ended. It looks only at some i, which the caller increments.
func (c *counter) stopped(i int) bool { return i&0xfff == 0 && c.ctx.Err() != nil }

// isIn returns the index of an element in the present part.
func (c *counter) isIn(part []int32, e int32) (index int32, ok bool) {
	i := c.local[e]
	return i, int(i) < len(part) && part[i] == e
}

func (c *counter) number(part []int32) {
	for i, e := range part {
		c.local[e] = int32(i)
	}
}

// series splits a part at the positions where all elements before precede all elements after.
//
// above[i] is the length of the longest prefix of the part that precedes element i. It grows along
// every chain, so it is computed from those of the predecessors. The part can be cut before i iff
// the first i elements precede each of the others.
func (c *counter) series(part []int32) [][]int32 {
	c.number(part)
	above := make([]int32, len(part))
	for i, e := range part {
		for _, x := range c.p.predsOf(e) {
			if j, ok := c.isIn(part, x); ok {
				above[i] = max(above[i], above[j])
			}
		}
		for int(above[i]) < i && c.p.precedes(part[above[i]], e) {
			above[i]++
		}
		if c.stopped(i) {
			return [][]int32{part}
		}
	}
	var blocks [][]int32
	least := int32(len(part))
	end := len(part)
	for i := len(part) - 1; i >= 0; i-- {
		if least = min(least, above[i]); int(least) >= i {
			blocks = append(blocks, part[i:end])
			end = i
		}
	}
	return blocks
}

// components splits a part into components that no edge connects. It reports false if ctx ends.
func (c *counter) components(part []int32) ([][]int32, bool) {
	c.number(part)
	root := make([]int32, len(part))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, e := range part {
		if c.stopped(i) {
			return nil, false
		}
		for _, x := range c.p.predsOf(e) {
			if j, ok := c.isIn(part, x); ok {
				root[find(int32(i))] = find(j)
			}
		}
	}
	number := make([]int32, len(part)) // of the component, from 1, by root
	var components [][]int32
	for i, e := range part {
		r := find(int32(i))
		if number[r] == 0 {
			components = append(components, nil)
			number[r] = int32(len(components))
		}
		components[number[r]-1] = append(components[number[r]-1], e)
	}
	return components, true
}

// prime counts a part that cannot be split.
func (c *counter) prime(part []int32) Bounds {
	s, ok := c.newSweep(part)
	if !ok {
		return c.rough(part)
	}
	if n, ok := s.treeSum(c.ctx); ok {
		return Bounds{n[0], n[0]}
	}
	n, exact := s.count(c.ctx)
	if exact {
		return Bounds{n, n}
	}
	return Bounds{n, s.atMost()}
}

// rough returns immediate bounds of a part: there is at least one more ideal than elements, since
// one order passes through that many, and there are no more ideals than for independent tasks.
func (c *counter) rough(part []int32) Bounds {
	sizes := map[san.Task]int64{}
	for _, e := range part {
		sizes[c.p.action[e].Task]++
	}
	return Bounds{big.NewInt(int64(len(part)) + 1), productOf(maps.Values(sizes))}
}

// productOf returns the number of ideals of independent chains of these sizes.
func productOf(sizes iter.Seq[int64]) *big.Int {
	var ideals []*big.Int
	for n := range sizes {
		ideals = append(ideals, big.NewInt(n+1))
	}
	return product(ideals)
}

// product multiplies recursively by halves, since one by one is quadratic.
func product(numbers []*big.Int) *big.Int {
	switch len(numbers) {
	case 0:
		return big.NewInt(1)
	case 1:
		return new(big.Int).Set(numbers[0]) // both bounds may be the same
	}
	left := product(numbers[:len(numbers)/2])
	return left.Mul(left, product(numbers[len(numbers)/2:]))
}
