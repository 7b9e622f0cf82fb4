package formula_test

import (
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

func compile(tb testing.TB, logic lsl.Logic, texts ...string) *formula.Set {
	tb.Helper()
	var props []*spec.Property
	for _, text := range texts {
		p, err := spec.ParseFormula(text)
		if err != nil {
			tb.Fatal(err)
		}
		props = append(props, p)
	}
	return formula.CompileSet(props, logic)
}

// text writes a node with the numbers of its slots, atoms and kids.
func text(n *formula.Node) string {
	var b strings.Builder
	if n.Complement {
		b.WriteString("not ")
	}
	b.WriteString([]string{"atom", "and", "or", "if", "next", "sometime", "eventually", "until", "exists"}[n.Kind])
	switch n.Kind {
	case formula.Atom:
		fmt.Fprintf(&b, " %d of %d %v", n.Atom, n.Slot, n.Want)
	case formula.If:
		fmt.Fprintf(&b, " %v", n.Conds)
	case formula.Next:
		fmt.Fprintf(&b, " %d", n.K)
	case formula.Exists:
		fmt.Fprintf(&b, " %d", n.Slot)
	}
	for _, k := range n.Kids {
		fmt.Fprintf(&b, " #%d", k.Number)
	}
	for _, g := range n.Guards {
		fmt.Fprintf(&b, " guard #%d", g.Number)
	}
	return b.String()
}

func texts(set *formula.Set) []string {
	var all []string
	for _, n := range set.Nodes {
		all = append(all, text(n))
	}
	return all
}

// Only atoms are negated, duals are complements, and equal nodes are one.
func TestNodes(t *testing.T) {
	for _, test := range []struct {
		formula string
		logic   lsl.Logic
		want    []string
	}{
		{"not (a:(x == 1) and not b:(x == 1))", lsl.L3, []string{"atom 0 of 0 true", "atom 0 of 1 false", "and #0 #1"}},
		{"a:(x == 1) -> always b:(x == 1)", lsl.L3, []string{"atom 0 of 0 true", "atom 0 of 1 false",
			"sometime #1", "and #0 #2"}},
		{"not next^2 eventually a:(in.f)", lsl.L3, []string{"atom 0 of 0 true", "eventually #0", "next 2 #1"}},
		{"a:(in.f) before a:(in.g)", lsl.L3, []string{"atom 0 of 0 true", "atom 1 of 0 true", "until #0 #1"}},
		{"a:(in.f) until a:(in.g)", lsl.L3, []string{"atom 0 of 0 false", "atom 1 of 0 true", "not until #0 #1"}},
		{"forall a (exists b (a:(in.f) if a == caller(b)))", lsl.L3,
			[]string{"atom 0 of 0 true", "if [{0 1 true false}] #0", "not exists 1 #1", "exists 0 #2"}},
		{"a:(in.f) and b:(in.g)", lsl.Frey96, []string{"atom 0 of 0 false", "atom 0 of 0 true", "atom 1 of 1 false",
			"or #0 #2 guard #1"}},
		{"(a:(in.f) -> sometime b:(in.g)) and (not sometime b:(in.g) -> not a:(in.f))", lsl.L3,
			[]string{"atom 0 of 0 true", "atom 1 of 1 true", "not sometime #1", "and #0 #2", "and #2 #0", "or #3 #4"}},
		{"(a:(in.f) if a != b) or (a:(in.f) if c != b) or (a:(in.f) if a != c) or (a:(in.f) if a == b) or (a:(in.f) if a != b)", lsl.L3,
			[]string{"atom 0 of 0 false", "if [{0 1 false true}] #0", "if [{2 1 false true}] #0",
				"if [{0 2 false true}] #0",
				"if [{0 1 false false}] #0", "and #1 #2 #3 #4 #1"}},
		{"a:(in.f) or (a:(in.f) or a:(in.f))", lsl.L3, []string{"atom 0 of 0 false", "and #0 #0", "and #0 #1"}},
	} {
		if d := cmp.Diff(test.want, texts(compile(t, test.logic, test.formula))); d != "" {
			t.Errorf("%v %s: %s", test.logic, test.formula, d)
		}
	}
}

// Free task variables come first. Quantifiers have a slot in common where none of them is around
// the other.
func TestSlots(t *testing.T) {
	for _, test := range []struct {
		formulas []string
		names    string   // by slot
		free     []string // of each formula
		used     []int    // slots, by formula
	}{
		{[]string{"b:(in.f) and a:(in.f)"}, "a b", []string{"[0 1]"}, []int{2}},
		{[]string{"b:(in.f)", "c:(in.f) or a:(in.f) or b:(in.f)"}, "b a c", []string{"[0]", "[1 0 2]"}, []int{1, 3}},
		{[]string{"exists a (a:(in.f)) and a:(in.f)"}, "a a", []string{"[0]"}, []int{2}},
		{[]string{"exists a (a:(in.f)) and forall a (a:(in.g))"}, "a", []string{"[]"}, []int{1}},
		{[]string{"exists a (a:(in.f) and exists a (a:(in.f)))"}, "a a", []string{"[]"}, []int{2}},
		{[]string{"exists a (exists b (a:(in.f) if a != b))", "exists b (b:(in.f))"}, "a b", []string{"[]", "[]"},
			[]int{2, 1}},
	} {
		set := compile(t, lsl.L3, test.formulas...)
		if got := strings.Join(set.Names, " "); got != test.names {
			t.Errorf("%q: names %q, want %q", test.formulas, got, test.names)
		}
		for i, f := range set.Formulas {
			if got := fmt.Sprint(f.Free); got != test.free[i] || f.Slots != test.used[i] {
				t.Errorf("%q: %d slots, free %s; want %d, free %s", test.formulas[i], f.Slots, got, test.used[i],
					test.free[i])
			}
		}
	}
}

// Formulas of a set have equal nodes and local formulas in common, wherever they stand in the text.
func TestSharing(t *testing.T) {
	set := compile(t, lsl.L3,
		"not (a:(x == 1) and exists b (b:(in.f)))",
		"c:(y > 0) or not exists b (b:(in.f))",
		"a:( x==1 ) -> forall b (not b:(in.f))")
	if len(set.Locals) != 3 {
		t.Errorf("%d local formulas, want 3", len(set.Locals))
	}
	first, second, third := set.Formulas[0], set.Formulas[1], set.Formulas[2]
	if first.Violated != third.Violated {
		t.Error("the first and the third formula are not one node")
	}
	if exists := first.Violated.Kids[1]; exists != second.Violated.Kids[1] || len(exists.Free) > 0 {
		t.Errorf("%s of the first, %s of the second formula", text(exists), text(second.Violated.Kids[1]))
	}
	if len(first.Nodes) != 4 || len(second.Nodes) != 4 || len(set.Nodes) != 6 {
		t.Errorf("%d, %d and in all %d nodes, want 4, 4 and 6", len(first.Nodes), len(second.Nodes), len(set.Nodes))
	}
}

// A node is local if atoms of one task variable and connectives are all there is.
func TestLocal(t *testing.T) {
	for text, want := range map[string]bool{
		"a:(in.f)":                          true,
		"not a:(in.f) -> a:(in.g)":          true,
		"a:(in.f) and b:(in.f)":             false,
		"a:(in.f) and not next a:(in.g)":    false,
		"a:(in.f) if a == a":                false,
		"exists a (a:(in.f) or a:(in.g))":   false,
		"a:(in.f) or (a:(in.g) or a:(x>1))": true,
	} {
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			f := compile(t, logic, text).Formulas[0]
			if f.Root.Local != want || f.Violated.Local != want {
				t.Errorf("%v %s: part %v, node %v, want %v", logic, text, f.Root.Local, f.Violated.Local, want)
			}
		}
	}
}

// Operands come first, and a formula has exactly the nodes that it needs.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		props := []*spec.Property{{Formula: spectest.Formula(words).Draw(t, "one")},
			{Formula: spectest.Formula(words).Draw(t, "other")}}
		set := formula.CompileSet(props, logic)
		needed := map[*formula.Node]bool{}
		for _, f := range set.Formulas {
			for _, n := range f.Nodes {
				needed[n] = true
			}
			if f.Nodes[len(f.Nodes)-1] != f.Violated {
				t.Fatal("the root is not the last node")
			}
		}
		seen := map[string]bool{}
		for i, n := range set.Nodes {
			for k := range n.Operands {
				if k.Number >= i {
					t.Fatalf("%s is number %d", text(n), i)
				}
			}
			if n.Number != i || !needed[n] || seen[text(n)] {
				t.Fatalf("node %d is %s; needed %v, twice %v", i, text(n), needed[n], seen[text(n)])
			}
			seen[text(n)] = true
		}
	})
}

// A lock excludes, and every waiting process gets it.
func ExampleCompileSet() {
	file, err := spec.Parse("lock.tl", `
		property exclusive: not (a:(in.critical) and b:(in.critical)) if a != b
		property granted: a:(in.lock) -> eventually a:(in.critical)
	`)
	if err != nil {
		log.Fatal(err)
	}
	set := formula.CompileSet(file.Properties, lsl.L3)
	fmt.Println(len(set.Names), "slots,", len(set.Locals), "local formulas,", len(set.Nodes), "nodes")
	for _, f := range set.Formulas {
		fmt.Printf("%s is violated at node %d, computed from", f.Property.Name, f.Violated.Number)
		for k := range f.Violated.Operands {
			fmt.Print(" ", k.Number)
		}
		fmt.Println()
	}
	// Output:
	// 2 slots, 2 local formulas, 7 nodes
	// exclusive is violated at node 3, computed from 2
	// granted is violated at node 6, computed from 4 5
}
