package bdd

import (
	"errors"
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
	t.tidy()
	return t.function(t.node(uint32(number), no, yes))
}

// Cube returns the conjunction of variables. Their numbers must ascend.
func (t *Table) Cube(numbers []int) *Function {
	return t.Values(numbers, func(int) bool { return true })
}

// Values returns the function that is true where the variables have these values. Their numbers
// must ascend.
func (t *Table) Values(numbers []int, value func(number int) bool) *Function {
	t.tidy()
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

// IsTrue reports whether the function is true everywhere.
func (f *Function) IsTrue() bool { return f.root == yes }

// IsFalse reports whether the function is true nowhere.
func (f *Function) IsFalse() bool { return f.root == no }

// Not returns the complement.
func (f *Function) Not() *Function { return f.table.function(f.root.not()) }

// And returns the conjunction.
func (f *Function) And(g *Function) *Function {
	f.table.tidy()
	return f.table.function(f.table.and(f.root, g.root))
}

// Or returns the disjunction.
func (f *Function) Or(g *Function) *Function {
	f.table.tidy()
	return f.table.function(f.table.or(f.root, g.root))
}

// Minus returns the function that is true where f is and g is not.
func (f *Function) Minus(g *Function) *Function {
	f.table.tidy()
	return f.table.function(f.table.and(f.root, g.root.not()))
}

// Xor returns the function that is true where f and g differ.
func (f *Function) Xor(g *Function) *Function {
	f.table.tidy()
	return f.table.function(f.table.xor(f.root, g.root))
}

// Choose returns the function that is g where f is true, and else h.
func (f *Function) Choose(g, h *Function) *Function {
	f.table.tidy()
	t := f.table
	return t.function(t.or(t.and(f.root, g.root), t.and(f.root.not(), h.root)))
}

// AndExists returns the relational product of f and g: the conjunction, with the variables of the
// cube quantified existentially.
func (f *Function) AndExists(g, cube *Function) *Function {
	f.table.tidy()
	return f.table.function(f.table.andExists(f.root, g.root, cube.root))
}
