package tableau_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func draw(t rapid.TB, o *tableau.Answer, pruned bool) *diagram.Graph {
	t.Helper()
	g, err := o.Tableau(pruned)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// next returns the texts of the nodes, without their names, to which edges lead from the nodes with
// a name.
func next(g *diagram.Graph, names ...string) []string {
	var texts []string
	for _, e := range g.Edges {
		for _, name := range names {
			if strings.HasPrefix(g.Nodes[e.From].Text, name+"\n") {
				_, text, _ := strings.Cut(g.Nodes[e.To].Text, "\n")
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// TestFigure51 has the tableau of EF p & EF !p. The block that is contradictory, H1 in the paper,
// is none here.
func TestFigure51(t *testing.T) {
	g := draw(t, sat(t, parse(t, "EF p & EF !p"), tableau.Options{}), false)
	if d := cmp.Diff([]string{"!p, EX_1 EF p", "p, EX_1 EF !p", "EX_1 EF p, EX_1 EF !p"}, next(g, "G0")); d != "" {
		t.Error(d)
	}
	// One copy of each of G1 and G2, though three blocks have them as tiles.
	if d := cmp.Diff([]string{"EF p", "EF !p", "EF p", "EF !p"}, next(g, "H0", "H1", "H2")); d != "" {
		t.Error(d)
	}
	if len(g.Nodes) != 4+8 {
		t.Errorf("%d nodes", len(g.Nodes))
	}
}

// TestFigure62 has the tableau of §6, as far as the text describes the figure.
func TestFigure62(t *testing.T) {
	o := sat(t, parse(t, workload.MutualExclusion(2)), tableau.Options{Concurrent: true})
	all, pruned := draw(t, o, false), draw(t, o, true)
	// "The root node of the model is H0, the unique successor of G0."
	if d := cmp.Diff([]string{"NCS1, NCS2"}, next(pruned, "G0")); d != "" {
		t.Error(d)
	}
	// "H0 must have two successors, one of H1 or H2 and one of H3 or H4."
	if d := cmp.Diff([]string{"TRY1, NCS2", "NCS1, TRY2"}, next(pruned, "H0")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"TRY1, NCS2, EX_1 true", "TRY1, NCS2, AX_1 false", "NCS1, TRY2, EX_2 true",
		"NCS1, TRY2, AX_2 false"}, next(pruned, "G1", "G2")); d != "" {
		t.Error(d)
	}
	// "The only successors H5 can have are H0 and H9." H5 is that of P1 in its critical section,
	// and P2 in its noncritical one.
	if d := cmp.Diff([]string{"NCS1, NCS2", "CS1, TRY2"},
		next(pruned, nodeWith(t, pruned, "H", "CS1, NCS2"))); d != "" {
		t.Error(d)
	}
	// "The OR-node <CS1, CS2, AF CS2> is marked as deleted", its predecessor, and by symmetry two
	// others.
	var deleted []string
	for _, e := range all.Edges {
		if e.Dashed {
			deleted = append(deleted, strings.SplitN(all.Nodes[e.To].Text, "\n", 2)[1])
		}
	}
	if d := cmp.Diff([]string{
		"CS1, TRY2, EX_2 true", "CS1, TRY2, EX_2 true", "TRY1, CS2, EX_1 true", "TRY1, CS2, EX_1 true",
		"CS1, CS2, AF CS2", "CS1, AF CS1, CS2",
	}, deleted); d != "" {
		t.Error(d)
	}
	if len(all.Nodes)-len(pruned.Nodes) != 4 {
		t.Errorf("%d nodes, pruned %d", len(all.Nodes), len(pruned.Nodes))
	}
}

// nodeWith returns the name of the node with this text whose name begins like that.
func nodeWith(t *testing.T, g *diagram.Graph, begins, text string) string {
	t.Helper()
	for _, n := range g.Nodes {
		if name, rest, _ := strings.Cut(n.Text, "\n"); strings.HasPrefix(name, begins) && rest == text {
			return name
		}
	}
	t.Fatalf("no node with %s", text)
	return ""
}

// TestPicturesOfTableaux has each node once, and nothing that was deleted when that is left out.
func TestPicturesOfTableaux(t *testing.T) {
	formula := temporaltest.Formula(temporal.CTL, temporaltest.Atoms("a", "b"), 3)
	rapid.Check(t, func(t *rapid.T) {
		o, err := tableau.Sat(t.Context(), formula.Draw(t, "formula"), tableau.Options{Processes: 2})
		if err != nil {
			t.Fatal(err)
		}
		if o.Nodes > 1000 {
			if _, err := o.Tableau(false); !errors.As(err, new(*tableau.TooLargeError)) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if all := draw(t, o, false); len(all.Nodes) != o.Nodes {
			t.Fatalf("%d nodes of %d", len(all.Nodes), o.Nodes)
		}
		pruned := draw(t, o, true)
		if (len(pruned.Nodes) > 0) != (o.Model != nil) {
			t.Fatalf("%d nodes are left", len(pruned.Nodes))
		}
		leads := make([]bool, len(pruned.Nodes))
		for _, e := range pruned.Edges {
			leads[e.From] = true
			if e.Dashed {
				t.Fatal("something deleted is left")
			}
		}
		for n, on := range leads {
			if !on {
				t.Fatalf("nothing is behind %s", pruned.Nodes[n].Text)
			}
		}
	})
}
