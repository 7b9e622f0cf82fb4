package bdd

import (
	"iter"
	"math/big"
)

// Holds reports whether the function is true for values of its variables.
func (f *Function) Holds(value func(variable int) bool) bool {
	t, e := f.table, f.root
	for e > no {
		n := &t.nodes[e>>1]
		if value(int(n.level)) {
			e = n.high ^ e&1
		} else {
			e = n.low ^ e&1
		}
	}
	return e == yes
}

// Count returns the number of assignments of the variables that satisfy the function. The numbers
// of the variables must ascend, and the function must not depend on others.
func (f *Function) Count(variables []int) *big.Int {
	c := &counter{f.table, map[uint32]int{}, map[edge]*big.Int{}}
	for i, v := range variables {
		c.place[uint32(v)] = i
	}
	c.place[atEnd] = len(variables)
	n := c.below(f.root)
	return new(big.Int).Lsh(n, uint(c.place[f.table.level(f.root)]))
}

// counter counts satisfying assignments.
type counter struct {
	*Table
	place  map[uint32]int // of each level, its place among the variables that are counted
	counts map[edge]*big.Int
}

// below counts assignments of the variables from the first one of f on.
func (c *counter) below(f edge) *big.Int {
	switch f {
	case yes:
		return big.NewInt(1)
	case no:
		return new(big.Int)
	}
	if n, ok := c.counts[f]; ok {
		return n
	}
	c.step()
	level := c.level(f)
	sum := new(big.Int)
	low, high := c.cofactors(f, level)
	for _, e := range [...]edge{low, high} {
		skipped := c.place[c.level(e)] - c.place[level] - 1
		sum.Add(sum, new(big.Int).Lsh(c.below(e), uint(skipped)))
	}
	c.counts[f] = sum
	return sum
}

// All yields the assignments of the variables that satisfy the function; false comes before true.
// The numbers of the variables must ascend, and the function must not depend on others. The next
// iteration overwrites the slice.
func (f *Function) All(variables []int) iter.Seq[[]bool] {
	return func(yield func([]bool) bool) {
		values := make([]bool, len(variables))
		var from func(i int, e edge) bool
		from = func(i int, e edge) bool {
			if e == no {
				return true
			}
			if i == len(variables) {
				return yield(values)
			}
			low, high := f.table.cofactors(e, uint32(variables[i]))
			values[i] = false
			if !from(i+1, low) {
				return false
			}
			values[i] = true
			return from(i+1, high)
		}
		from(0, f.root)
	}
}
