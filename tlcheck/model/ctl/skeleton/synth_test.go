package skeleton_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func parse(t rapid.TB, text string) *temporal.Formula {
	t.Helper()
	f, err := temporal.Parse("formula", text, temporal.CTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// system returns the program of a synthesis as a graph.
func system(t rapid.TB, s *skeleton.Synthesis) *kripke.Graph {
	t.Helper()
	file, err := gcl.Parse("program", s.Skeletons.Program())
	if err != nil {
		t.Fatal(err)
	}
	sys, err := gcl.New(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return explore(t, sys)
}

func explore(t rapid.TB, sys kripke.System) *kripke.Graph {
	t.Helper()
	g, err := kripke.Explore(context.Background(), sys)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// example returns the synthesis of one of the specifications in examples.
func example(t rapid.TB, name string) *skeleton.Synthesis {
	t.Helper()
	text, err := os.ReadFile("../../../../examples/specifications/" + name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := skeleton.Synthesize(context.Background(), parse(t, string(text)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMutualExclusion has figures 6.6 and 6.7.
func TestMutualExclusion(t *testing.T) {
	s := example(t, "mutex.ctl")
	want := []skeleton.Arc{
		{From: 0, To: 1, Guard: []skeleton.Condition{{{Variable: "NCS2", Value: 1}}, {{Variable: "CS2", Value: 1}}}},
		{From: 0, To: 1, Guard: []skeleton.Condition{{{Variable: "TRY2", Value: 1}}},
			Set: []skeleton.Literal{{Variable: "turn", Value: 2}}},
		{From: 1, To: 2, Guard: []skeleton.Condition{{{Variable: "NCS2", Value: 1}},
			{{Variable: "TRY2", Value: 1}, {Variable: "turn", Value: 1}}}},
		{From: 2, To: 0, Guard: []skeleton.Condition{{}}},
	}
	p := s.Skeletons.Processes[0]
	if d := cmp.Diff(want, p.Arcs); d != "" {
		t.Error(d)
	}
	if p.Regions[0].Name != "NCS1" || p.Regions[1].Name != "TRY1" || p.Regions[2].Name != "CS1" {
		t.Errorf("regions %v", p.Regions)
	}
	if s.Model.States() != 9 {
		t.Errorf("%d states", s.Model.States())
	}
	g := s.Skeletons.Diagram()
	if len(g.Groups) != 2 || len(g.Nodes) != 6 || len(g.Edges) != 8 {
		t.Errorf("a picture of %d processes, %d regions, %d arcs", len(g.Groups), len(g.Nodes), len(g.Edges))
	}
	if text := g.Edges[1].Text; text != "TRY2 = 1\nturn := 2" {
		t.Errorf("an arc with %q", text)
	}
}

// TestFigures63To66 builds the model as §6 does: the first state, the fragments of its two
// successors, in which their eventualities are fulfilled, and then the successors of the rest.
func TestFigures63To66(t *testing.T) {
	m := example(t, "mutex.ctl").Model
	first := m.Initial()[0]
	figure := map[kripke.State]bool{first: true} // whether its moves are drawn
	for i, to := range successors(t, m, first) {
		fragment(t, m, to, fmt.Sprintf("CS%d", i+1), figure)
	}
	steps := []struct {
		edges  int
		leaves []string
	}{
		// figure 6.4: H9, H10, H8, H5
		{8, []string{"CS1 TRY2", "CS2 TRY1", "NCS1 CS2", "NCS2 CS1"}},
		{12, []string{"CS1 TRY2", "CS2 TRY1"}}, // figure 6.5
		{14, nil},                              // figure 6.6
	}
	for _, step := range steps {
		edges, leaves := 0, []string(nil)
		for s, drawn := range figure {
			if drawn {
				edges += len(successors(t, m, s))
			} else {
				leaves = append(leaves, strings.Join(m.Atoms(s), " "))
			}
		}
		slices.Sort(leaves)
		if len(figure) != 9 || edges != step.edges || !slices.Equal(leaves, step.leaves) {
			t.Fatalf("%d states, %d edges, leaves %q; want 9, %d, %q", len(figure), edges, leaves, step.edges,
				step.leaves)
		}
		// first where one process has finished and the other one has not begun
		for s, drawn := range figure {
			if !drawn && (len(leaves) == 2 || strings.Contains(strings.Join(m.Atoms(s), " "), "NCS")) {
				figure[s] = true
			}
		}
	}
}

// fragment adds the part of a model to a figure behind a state up to where an atom is true (figure
// 6.3).
func fragment(t *testing.T, m *tableau.Model, s kripke.State, atom string, figure map[kripke.State]bool) {
	t.Helper()
	fulfilled := slices.Contains(m.Atoms(s), atom)
	figure[s] = figure[s] || !fulfilled
	if fulfilled {
		return
	}
	for _, to := range successors(t, m, s) {
		fragment(t, m, to, atom, figure)
	}
}

func successors(t *testing.T, m *tableau.Model, s kripke.State) []kripke.State {
	t.Helper()
	moves, err := m.Moves(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	var to []kripke.State
	for _, move := range moves {
		to = append(to, move.To)
	}
	return to
}

// TestProgramsAreChecked has a program that violates its specification, which is a bug.
func TestProgramsAreChecked(t *testing.T) {
	s := example(t, "mutex.ctl")
	s.Skeletons.Processes[0].Arcs[2].Guard = []skeleton.Condition{{}}
	defer func() {
		if recover() == nil {
			t.Error("nobody has found out that both can be in their critical sections")
		}
	}()
	_ = skeleton.Verify(context.Background(), s.Skeletons, s.Formula)
}

func TestExamples(t *testing.T) {
	for name, processes := range map[string]int{"readers.ctl": 3, "ring.ctl": 3, "impatient.ctl": 0} {
		s := example(t, name)
		if (s.Model != nil) != (processes > 0) {
			t.Errorf("%s: %q", name, s.Why)
			continue
		}
		if processes > 0 && len(s.Skeletons.Processes) != processes {
			t.Errorf("%s: %d processes", name, len(s.Skeletons.Processes))
		}
	}
	if n := example(t, "ring.ctl").Model.States(); n != 6 {
		t.Errorf("a ring of %d states", n)
	}
}

// TestProgramsAreTheirModels asks programs and the models that they were made of the same
// questions.
func TestProgramsAreTheirModels(t *testing.T) {
	formula := temporaltest.Formula(temporal.CTL, temporaltest.Atoms("a", "b", "turn"), 3)
	made, twins := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := parse(t, fmt.Sprintf("%s & AG (AX_1 (a <-> b) -> EX_P0 !b)", formula.Draw(t, "formula")))
		s, err := skeleton.Synthesize(context.Background(), f, 2)
		if err != nil {
			t.Fatal(err)
		}
		if s.Model == nil {
			return
		}
		made++
		if len(s.Skeletons.Variables) > len(f.Atoms()) {
			twins++
		}
		model, program := explore(t, s.Model), system(t, s)
		for range 10 {
			g := formula.Draw(t, "question")
			if !within(g, f) {
				continue
			}
			if want, got := holds(t, model, g), holds(t, program, renamed(g)); got != want {
				t.Fatalf("%s is %v of the model of %s, and %v of\n%s", g, want, f, got, s.Skeletons.Program())
			}
		}
	})
	if !testing.Short() && (made < 20 || twins == 0) {
		t.Errorf("%d programs, %d with an auxiliary variable", made, twins)
	}
}

func holds(t rapid.TB, g *kripke.Graph, f *temporal.Formula) bool {
	t.Helper()
	c, err := ctl.New(g, kripke.Unfair)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return r.Holds
}

// within reports whether f has no other atoms than g.
func within(f, g *temporal.Formula) bool {
	known := map[string]bool{}
	for _, a := range g.Atoms() {
		known[a.Text] = true
	}
	for _, a := range f.Atoms() {
		if !known[a.Text] {
			return false
		}
	}
	return true
}

// renamed returns f with process 1 as it is called in programs.
func renamed(f *temporal.Formula) *temporal.Formula {
	if f == nil {
		return nil
	}
	r := *f
	if r.Process == "1" {
		r.Process = "P1"
	}
	r.X, r.Y = renamed(f.X), renamed(f.Y)
	return &r
}

// TestNames has names that programs cannot have as they are.
func TestNames(t *testing.T) {
	s, err := skeleton.Synthesize(context.Background(),
		parse(t, "P1 & AG EX_end !none & AG EX_a.b turn & AG EX_a_b none & EX_1 P1 & EX_P1 !P1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range s.Skeletons.Processes {
		names = append(names, p.Name)
	}
	if d := cmp.Diff([]string{"P1", "P1_", "a_b", "a_b_", "Pend"}, names); d != "" {
		t.Error(d)
	}
	var bad *skeleton.NameError
	for _, atom := range []string{"goto", "x == 1", "P0.at.m1"} {
		if _, err := skeleton.Synthesize(context.Background(), parse(t, "AF "+"("+atom+")"), 0); !errors.As(err, &bad) {
			t.Errorf("%s: error %v", atom, err)
		}
	}
}

// TestGo checks packages by the types of Go.
func TestGo(t *testing.T) {
	awkward, err := skeleton.Synthesize(context.Background(),
		parse(t, "mu & AG EX_type !none & AG EX_Monitor mu & AG EX_a changed & AG EX_A type & AG EX__x !type & AG (_ -> EX_1 !_) & AG (!_ -> EX_1 _)"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*skeleton.Synthesis{
		"mutex": example(t, "mutex.ctl"), "readers": example(t, "readers.ctl"), "ring": example(t, "ring.ctl"),
		"awkward": awkward,
	} {
		text, err := s.Skeletons.Go(name)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name+".go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: importer.ForCompiler(files, "source", nil)}
		if _, err := config.Check(name, files, []*ast.File{file}, nil); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	for _, name := range []string{"", "func", "a b", "_", "x.y"} {
		if _, err := awkward.Skeletons.Go(name); err == nil {
			t.Errorf("a package of name %q", name)
		}
	}
}
