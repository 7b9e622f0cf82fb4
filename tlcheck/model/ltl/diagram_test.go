package ltl_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func TestDiagram(t *testing.T) {
	got, err := ltl.Diagram(t.Context(), parse(t, "(a U b) & X !a"), 10)
	if err != nil {
		t.Fatal(err)
	}
	want := &diagram.Graph{
		Groups: []string{""},
		Nodes: []diagram.Node{
			{Text: "a U b\nX !a", Bold: true}, {Text: "!a"}, {Text: "a U b\n!a"}, {Text: "true", Shape: diagram.Double},
		},
		Edges: []diagram.Edge{{From: 0, To: 1, Text: "b"}, {From: 0, To: 2, Text: "a"}, {From: 1, To: 3, Text: "!a"},
			{From: 2, To: 3, Text: "b & !a"}, {From: 3, To: 3, Text: "true"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := ltl.Diagram(t.Context(), parse(t, "X X X X X a"), 4); err == nil ||
		!strings.Contains(err.Error(), "more than 4 states") {
		t.Errorf("error %v", err)
	}
}

// What stands in a state is what the rest must satisfy: so a word that begins there is read as one
// that satisfies that.
func TestDiagramStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(names, 3).Draw(t, "formula")
		w := wordOver(names).Filter(func(w word) bool { return len(w) > 0 }).Draw(t, "word")
		g, err := ltl.Diagram(context.Background(), f, 100)
		if err != nil {
			t.Skip(err)
		}
		for i, n := range g.Nodes {
			rest, err := temporal.Parse("state", "("+strings.ReplaceAll(n.Text, "\n", ") & (")+")", temporal.FiniteLTL)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := leads(g, i, w), holds(t, rest, w); got != want {
				t.Fatalf("%s: from {%s} %v is read %v", f, n.Text, spell(w), got)
			}
		}
	})
}

// leads reports whether a word leads from a node to one where it may end.
func leads(g *diagram.Graph, from int, w word) bool {
	if len(w) == 0 {
		return g.Nodes[from].Shape == diagram.Double
	}
	for _, e := range g.Edges {
		if e.From != from {
			continue
		}
		agrees := true
		for _, literal := range strings.Split(e.Text, " & ") {
			atom, negated := strings.CutPrefix(literal, "!")
			agrees = agrees && (atom == "true" || w[0][atom] != negated)
		}
		if agrees && leads(g, e.To, w[1:]) {
			return true
		}
	}
	return false
}
