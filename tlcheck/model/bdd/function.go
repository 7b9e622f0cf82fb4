package bdd

import (
	"errors"
	"iter"
	"math/big"
	"slices"
	"weak"
)

// ErrNodes says that a diagram has too many nodes to be numbered.
var ErrNodes = errors.New("the decision diagrams have more than 2147483640 nodes")

// Function is a boolean function. Functions of different tables must not be combined.
type Function struct {
	table *Table
	root  edge
}

// function registers a root, which keeps its nodes from being collected.
func (t *Table) function(root edge) *Function {
	f := &Function{t, root}
	t.live = append(t.live, weak.Make(f))
	return f
}

// Constant returns the function with this value everywhere.
func (t *Table) Constant(value bool) *Function {
	if value {
		return t.function(yes)
	}
	return t.function(no)
}

// Variable returns the function that is true where the variable is.
func (t *Table) Variable(number int) *Function {
	t.collectIfDue()
	return t.function(t.node(uint32(number), no, yes))
}

// Cube returns the conjunction of variables. Their numbers must ascend.
func (t *Table) Cube(numbers []int) *Function {
	return t.Values(numbers, func(int) bool { return true })
}

// Values returns the function that is true where the variables have these values. Their numbers
// must ascend.
func (t *Table) Values(numbers []int, value func(number int) bool) *Function {
	t.collectIfDue()
	f := yes
	for _, n := range slices.Backward(numbers) {
		if value(n) {
			f = t.node(uint32(n), no, f)
		} else {
			f = t.node(uint32(n), f, no)
		}
	}
	return t.function(f)
}

// Equal reports whether two functions are the same.
func (f *Function) Equal(g *Function) bool { return f.root == g.root }

// IsFalse reports whether the function is true nowhere.
func (f *Function) IsFalse() bool { return f.root == no }

// Not returns the complement.
func (f *Function) Not() *Function { return f.table.function(f.root.not()) }

// And returns the conjunction.
func (f *Function) And(g *Function) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.and(f.root, g.root))
}

// Or returns the disjunction.
func (f *Function) Or(g *Function) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.or(f.root, g.root))
}

// Minus returns the function that is true where f is and g is not.
func (f *Function) Minus(g *Function) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.and(f.root, g.root.not()))
}

// Xor returns the function that is true where f and g differ.
func (f *Function) Xor(g *Function) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.xor(f.root, g.root))
}

// Choose returns "if f then g else h": the function that equals g where f is true, and h elsewhere.
func (f *Function) Choose(g, h *Function) *Function {
	f.table.collectIfDue()
	t := f.table
	return t.function(t.or(t.and(f.root, g.root), t.and(f.root.not(), h.root)))
}

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
// of the variables must ascend, and the function must not depend on other variables.
func (f *Function) Count(variables []int) *big.Int {
	c := &counter{f.table, map[uint32]int{}, map[edge]*big.Int{}}
	for i, v := range variables {
		c.place[uint32(v)] = i
	}
	c.place[atEnd] = len(variables)
	n := c.countBelow(f.root)
	return new(big.Int).Lsh(n, uint(c.place[f.table.level(f.root)]))
}

// counter counts satisfying assignments.
type counter struct {
	*Table
	place  map[uint32]int // of each level, its place among the variables that are counted
	counts map[edge]*big.Int
}

// countBelow counts assignments of the variables from the first one of f on.
func (c *counter) countBelow(f edge) *big.Int {
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
		sum.Add(sum, new(big.Int).Lsh(c.countBelow(e), uint(skipped)))
	}
	c.counts[f] = sum
	return sum
}

// All yields the assignments of the variables that satisfy the function; false comes before true.
// The numbers of the variables must ascend, and the function must not depend on other variables.
// The next iteration overwrites the slice.
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
