package formula_test

import (
	stdslices "slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

var words = spectest.Words{
	TIVs:      []string{"t1", "t2"},
	Functions: []string{"f", "g"},
	Variables: [][]string{{"x"}, {"y"}, {"r", "x"}},
	Previous:  [][]string{{"x"}, {"r", "x"}},
	Depth:     3,
}

// TestAgainstEnumeration compares the nodes of random formulas, read straight from their kinds,
// with the values by the definition, slice by slice and assignment by assignment. The formulas are
// compiled together, each with its negation.
func TestAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 6}).MustBuild()
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		slices, err := explicit.New(t.Context(), net, logic, 2000)
		if err != nil {
			t.Skip(err)
		}
		var props []*spec.Property
		for range 3 {
			f := spectest.Formula(words).Draw(t, "formula")
			props = append(props, &spec.Property{Formula: f}, &spec.Property{Formula: &spec.Not{X: f}})
		}
		set := formula.CompileSet(props, logic)
		e := newEnumeration(slices, net, set)
		for i := 0; i < len(props); i += 2 {
			e.compare(t, set.Formulas[i], props[i].Formula, lsl.False)
			e.compare(t, set.Formulas[i+1], props[i].Formula, lsl.True)
		}
	})
}

// enumeration has the slices of a net one by one.
type enumeration struct {
	*explicit.Evaluator
	net   *san.Net
	atoms [][][]lsl.Truth // by number, task and local state
	env   []san.Task      // by slot
}

func newEnumeration(slices *explicit.Evaluator, net *san.Net, set *formula.Set) *enumeration {
	e := &enumeration{Evaluator: slices, net: net, env: make([]san.Task, len(set.Names))}
	for _, l := range set.Locals {
		local := lsl.Compile(net, l, set.Logic)
		values := make([][]lsl.Truth, net.Tasks())
		for task := range san.Task(net.Tasks()) {
			w := net.Walk(task)
			for ok := true; ok; ok = w.Next() {
				values[task] = append(values[task], local.Eval(w.State(), nil))
			}
		}
		e.atoms = append(e.atoms, values)
	}
	return e
}

// compare compares where the compiled formula is violated with where the source has a value, and
// where the node of the source is with where it has the node's value.
func (e *enumeration) compare(t *rapid.T, f *formula.Formula, source spec.Formula, value lsl.Truth) {
	part := f.Root
	if value == lsl.True {
		part = part.Kids[0] // f is the negation
	}
	node, nodeValue := part.Node()
	if _, negation := source.(*spec.Not); negation != (node == nil) {
		t.Fatalf("%v %s: node %v", f.Set.Logic, spec.Format(source), node)
	}
	for n := range power(e.net.Tasks(), len(f.Free)) {
		tiva := explicit.TIVA{}
		for i, slot := range f.Free {
			e.env[slot] = san.Task(n % e.net.Tasks())
			tiva[f.TIVs[i]] = e.env[slot]
			n /= e.net.Tasks()
		}
		want, err := e.Values(t.Context(), source, tiva)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range e.set(f.Violated) {
			if in != (want[i] == value) {
				t.Fatalf("%v %s is %v in slice %v with %v; where it is %v: %v", f.Set.Logic, spec.Format(source),
					want[i], e.Slice(i), tiva, value, in)
			}
		}
		if node == nil {
			continue
		}
		for i, in := range e.set(node) {
			if in != (want[i] == lsl.TruthOf(nodeValue)) {
				t.Fatalf("%v %s is %v in slice %v with %v; in the node of %v: %v", f.Set.Logic, spec.Format(source),
					want[i], e.Slice(i), tiva, nodeValue, in)
			}
		}
	}
}

func power(n, k int) int {
	p := 1
	for range k {
		p *= n
	}
	return p
}

// set returns, for each slice, whether the node has it.
func (e *enumeration) set(n *formula.Node) []bool {
	in := make([]bool, e.Len())
	kids := make([][]bool, len(n.Kids))
	guards := make([][]bool, len(n.Guards))
	if n.Kind != formula.Exists {
		for i, k := range n.Kids {
			kids[i] = e.set(k)
		}
		for i, g := range n.Guards {
			guards[i] = e.set(g)
		}
	}
	switch n.Kind {
	case formula.Exists:
		outer := e.env[n.Slot]
		for task := range san.Task(e.net.Tasks()) {
			e.env[n.Slot] = task
			for i, is := range e.set(n.Kids[0]) {
				in[i] = in[i] || is
			}
		}
		e.env[n.Slot] = outer
	case formula.Next:
		copy(in, kids[0])
		for range n.K {
			in = e.before(in)
		}
	default:
		for i := range in {
			in[i] = e.has(n, i, kids, guards)
		}
	}
	for i := range in {
		in[i] = in[i] != n.Complement
	}
	return in
}

// has is set for one slice.
func (e *enumeration) has(n *formula.Node, i int, kids, guards [][]bool) bool {
	switch n.Kind {
	case formula.Atom:
		task := e.env[n.Slot]
		return e.Created(i, task) && e.atoms[n.Atom][task][e.Slice(i)[task]] == n.Want
	case formula.And:
		return !stdslices.ContainsFunc(kids, func(k []bool) bool { return !k[i] })
	case formula.Or:
		for j, k := range kids {
			if k[i] {
				return true
			}
			if j < len(guards) && !guards[j][i] {
				return false
			}
		}
		return false
	case formula.If:
		return kids[0][i] && !stdslices.ContainsFunc(n.Conds, func(c formula.Cond) bool { return !e.condition(c) })
	}
	for j := range e.Len() {
		switch {
		case i == j && n.Kind == formula.Eventually && kids[0][i]:
			return true
		case i == j || !e.leq(i, j):
		case n.Kind == formula.Until && kids[1][j] && !e.between(i, j, kids[0]):
			return true
		case n.Kind != formula.Until && kids[0][j]:
			return true
		}
	}
	return false
}

func (e *enumeration) condition(c formula.Cond) bool {
	other, ok := e.env[c.Right], true
	if c.Caller {
		other, ok = e.net.Parent(other)
	}
	return (ok && e.env[c.Left] == other) != c.Differ
}

// before returns the slices with an immediate successor among these.
func (e *enumeration) before(in []bool) []bool {
	all := make([]bool, e.Len())
	for i := range all {
		all[i] = true
	}
	before := make([]bool, e.Len())
	for i := range before {
		for j, is := range in {
			before[i] = before[i] || is && i != j && e.leq(i, j) && !e.between(i, j, all)
		}
	}
	return before
}

// between reports whether a slice strictly between two is in the set.
func (e *enumeration) between(i, j int, in []bool) bool {
	for k, is := range in {
		if is && k != i && k != j && e.leq(i, k) && e.leq(k, j) {
			return true
		}
	}
	return false
}

func (e *enumeration) leq(i, j int) bool {
	for task, n := range e.Slice(i) {
		if n > e.Slice(j)[task] {
			return false
		}
	}
	return true
}

// TestTruth compares the values of local parts with those of the definition, and their nodes with
// both.
func TestTruth(t *testing.T) {
	present := words
	present.TIVs, present.Present = []string{"t"}, true
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 6, Tasks: 1}).MustBuild()
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		slices, err := explicit.New(t.Context(), net, logic, 2000)
		if err != nil {
			t.Skip(err)
		}
		prop := &spec.Property{Formula: spectest.Formula(present).Draw(t, "formula")}
		f := formula.Compile(prop, logic)
		if !f.Root.Local {
			t.Skip("not local")
		}
		e := newEnumeration(slices, net, f.Set)
		for task := range san.Task(net.Tasks()) {
			want, err := e.Values(t.Context(), prop.Formula, explicit.TIVA{"t": task})
			if err != nil {
				t.Fatal(err)
			}
			for i, value := range want {
				if !e.Created(i, task) {
					continue
				}
				var locals []lsl.Truth
				for _, values := range e.atoms {
					locals = append(locals, values[task][e.Slice(i)[task]])
				}
				if got := f.Root.Truth(locals); got != value {
					t.Fatalf("%v %s: %v, want %v", logic, spec.Format(prop.Formula), got, value)
				}
				if f.Violated.Holds(locals) != (value == lsl.False) {
					t.Fatalf("%v %s is %v, violated %v", logic, spec.Format(prop.Formula), value, value != lsl.False)
				}
			}
		}
	})
}
