package tlcheck_test

import (
	"context"
	"errors"
	"fmt"
	stdslices "slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// The root of a plan is true exactly where the property is false, and so is one of the
// branches; the root is stable iff the property can be checked on-the-fly.
func TestPlanAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 8}).MustBuild()
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		for range 20 {
			f := spectest.Formula(words).Draw(t, "formula")
			p, err := tlcheck.Explain(t.Context(), &spec.Property{Formula: f}, tlcheck.Options{Logic: logic}, nil)
			if err != nil {
				t.Fatal(err)
			}
			root := p.Nodes[0]
			if root.Stable() != (p.Unmonitorable == nil) {
				t.Fatalf("%v %s: on-the-fly: %v; root %s: %v", logic, spec.Format(f), p.Unmonitorable,
					spec.Format(root.Formula), root.Unstable)
			}
			e, err := explicit.New(t.Context(), net, logic, tlcheck.TableLimit)
			if err != nil {
				t.Fatal(err)
			}
			for t1 := range san.Task(net.Tasks()) {
				for t2 := range san.Task(net.Tasks()) {
					comparePlan(t, e, p, explicit.TIVA{"t1": t1, "t2": t2})
				}
			}
		}
	})
}

func comparePlan(t *rapid.T, e *explicit.Evaluator, p *tlcheck.Plan, tiva explicit.TIVA) {
	values := func(f spec.Formula) []lsl.Truth {
		v, err := e.Values(t.Context(), f, tiva)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	property, root := values(p.Property.Formula), values(p.Nodes[0].Formula)
	var branches [][]lsl.Truth
	for _, b := range p.Branches {
		f := b.Formula
		if len(b.Conds) > 0 {
			f = &spec.If{X: f, Conds: b.Conds}
		}
		branches = append(branches, values(f))
	}
	for i, v := range property {
		inBranch := stdslices.ContainsFunc(branches, func(b []lsl.Truth) bool { return b[i] == lsl.True })
		if violated := v == lsl.False; violated != (root[i] == lsl.True) || violated != inBranch {
			t.Fatalf("%v %s is %v in slice %d for %v; root %s: %v; in a branch: %v", p.Logic,
				spec.Format(p.Property.Formula),
				v, i, tiva, spec.Format(p.Nodes[0].Formula), root[i], inBranch)
		}
	}
}

// planLines prints the nodes of a plan, one line each, and its branches.
func planLines(p *tlcheck.Plan) []string {
	var lines []string
	for _, n := range p.Nodes {
		line := spec.Format(n.Formula) + ";"
		for _, class := range []struct {
			name string
			in   bool
		}{
			{"bounded", n.Bounded}, {"stable", n.Stable() && !n.Bounded},
			{"local", n.Local}, {"sweep", n.Conjunctive && !n.Local},
		} {
			if class.in {
				line += " " + class.name
			}
		}
		lines = append(lines, line)
	}
	for _, b := range p.Branches {
		var sets []string
		for _, f := range b.Sets {
			sets = append(sets, spec.Format(f))
		}
		how := "sets "
		if b.Spans {
			how = "spans "
		}
		lines = append(lines,
			how+strings.Join(sets, " & ")+" for "+strings.Join(b.Outer, ",")+"; sweep "+strings.Join(b.Inner, ","))
	}
	return lines
}

func TestPlanOfTheTree(t *testing.T) {
	tests := []struct {
		formula string
		logic   lsl.Logic
		want    []string
	}{
		{"not (t1:(in.f) and t2:(in.f or x > 0)) if t1 != t2", lsl.L3, []string{
			"t1:(in.f) and t2:(in.f or x > 0) if t1 != t2; bounded sweep",
			"t1:(in.f) and t2:(in.f or x > 0); bounded sweep",
			"t1:(in.f); bounded local",
			"t2:(in.f or x > 0); bounded local",
			"sets  for ; sweep t1,t2",
		}},
		{"t1:(in.f) before (t2:(in.g) and not t1:(in.f))", lsl.L3, []string{
			"not t1:(in.f) until (t2:(in.g) and not t1:(in.f)); stable",
			"t1:(in.f); bounded local",
			"t2:(in.g) and not t1:(in.f); bounded sweep",
			"t2:(in.g); bounded local",
			"not t1:(in.f); bounded local",
			"sets not t1:(in.f) until (t2:(in.g) and not t1:(in.f)) for t1,t2; sweep ",
		}},
		{"t1:(in.f) before t2:(in.g)", lsl.L3, []string{
			"not t1:(in.f) until t2:(in.g); stable",
			"t1:(in.f); bounded local",
			"t2:(in.g); bounded local",
			"spans not t1:(in.f) until t2:(in.g) for t1,t2; sweep ",
		}},
		// The left side of an or of frey96 counts twice; the quantifier's set is needed once.
		{"t1:(in.f) -> (exists u (u:(in.f)) and always t1:(x))", lsl.Frey96, []string{
			"t1:(in.f) and (not exists u (u:(in.f)) or sometime not t1:(x));",
			"t1:(in.f); bounded local",
			"not exists u (u:(in.f)) or sometime not t1:(x);",
			"not exists u (u:(in.f)); sweep",
			"u:(in.f); bounded local",
			"sometime not t1:(x); stable",
			"not t1:(x); bounded local",
			"exists u (u:(in.f)); stable",
			"sets  for ; sweep t1",
			"sets sometime not t1:(x) & exists u (u:(in.f)) for t1; sweep ",
		}},
	}
	for _, test := range tests {
		p, err := tlcheck.Explain(t.Context(), property(t, test.formula), tlcheck.Options{Logic: test.logic}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, planLines(p)); d != "" {
			t.Errorf("%s:\n%s", test.formula, d)
		}
	}
}

// A profile counts the sets of the nodes, and the verdict is that of a check.
func TestProfile(t *testing.T) {
	net := santest.Read(t, counter)
	p, r, err := tlcheck.Profile(t.Context(), net, property(t, "t:(x == 1) -> henceforth t:(x == 1)"),
		tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != tlcheck.Violated || r.Witness == nil {
		t.Errorf("verdict %v", r.Verdict)
	}
	if p.Costs == nil || p.Costs.TIVAs.String() != "2" {
		t.Errorf("costs %+v", p.Costs)
	}
	var nodes time.Duration
	for i := range p.Nodes {
		nodes += p.Nodes[i].Cost.Own
	}
	if nodes > p.Costs.Search {
		t.Errorf("the nodes took %v of the search, which took %v", nodes, p.Costs.Search)
	}
	for i, want := range map[int]tlcheck.NodeCost{
		1: {Sets: 2, Intervals: 2, Largest: 2}, // x == 1: two rows of local states of c, none of w
		2: {Sets: 1, Intervals: 1, Largest: 1}, // eventually x != 1: where c is at 3 at most
	} {
		got := p.Nodes[i].Cost
		got.Own = 0
		if got != want {
			t.Errorf("%s: %+v, want %+v", spec.Format(p.Nodes[i].Formula), got, want)
		}
	}
}

// Splitting does not multiply long lists of predicates.
func TestBranchesOfLongFormulas(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	list := func(name string, n int) string {
		var atoms []string
		for i := range n {
			atoms = append(atoms, fmt.Sprintf("%s%d:(even)", name, i))
		}
		return strings.Join(atoms, " and ")
	}
	for _, c := range []struct {
		formula    string
		l3, frey96 int
	}{
		{list("a", 100), 100, 100},
		{list("a", 1500), 1500, 1},
		{list("a", 100) + " -> " + list("b", 100), 100, 100},
		{list("a", 1500) + " -> " + list("b", 1500), 1, 1},
	} {
		prop := property(t, c.formula)
		for logic, want := range map[lsl.Logic]int{lsl.L3: c.l3, lsl.Frey96: c.frey96} {
			p, err := tlcheck.Explain(t.Context(), prop, tlcheck.Options{Logic: logic}, nil)
			if err != nil || len(p.Branches) != want {
				t.Errorf("%v %.40s…: %d branches, want %d; %v", logic, c.formula, len(p.Branches), want, err)
			}
		}
	}
}

// Without time there is no plan, instead of part of one.
func TestUnplanned(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	prop := property(t, "always t:(x)")
	p, err := tlcheck.Explain(ctx, prop, tlcheck.Options{}, nil)
	var stopped *tlcheck.PlanStoppedError
	if p != nil || !errors.As(err, &stopped) || stopped.Cause != enough {
		t.Errorf("explained: %v", err)
	}
	p, r, err := tlcheck.Profile(ctx, santest.Read(t, counter), prop, tlcheck.Options{})
	if p != nil || r != nil || !errors.As(err, &stopped) || stopped.Cause != enough {
		t.Errorf("profiled: %v", err)
	}
}
