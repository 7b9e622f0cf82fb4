package tlcheck_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"pgregory.net/rapid"
)

// otherWords has other TIVs than words, and one that it also has.
var otherWords = spectest.Words{TIVs: []string{"t0", "t2"}, Functions: words.Functions, Variables: words.Variables,
	Depth: 2}

// What Check finds, and where it finds it, is explained by ExplainViolation as Check does, also
// while the net grows, and if the formula was compiled together with another one.
func TestExplainViolation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 8, Shared: []string{"unused"}})
		f := spectest.Formula(words).Draw(t, "formula")
		prop := &spec.Property{Formula: f}
		b, err := san.NewBuilder(trace.Header)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range trace.Events {
			if err := b.Add(e, ""); err != nil {
				t.Fatal(err)
			}
		}
		opt := tlcheck.Options{Logic: logic}
		r, err := tlcheck.Check(t.Context(), trace.MustBuild(), prop, opt)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != tlcheck.Violated {
			t.Skip("no violation")
		}
		w := r.Witness
		other := &spec.Property{Formula: spectest.Formula(otherWords).Draw(t, "other")}
		set := formula.CompileSet([]*spec.Property{other, prop}, logic)
		found := tlcheck.NewViolation(b.Net(), prop, set.Formulas[1], w.Schedule, w.TIVA)
		if err := tlcheck.ExplainViolation(t.Context(), found, opt); err != nil {
			t.Fatal(err)
		}
		if found.Verdict != tlcheck.Violated {
			t.Fatalf("verdict %v", found.Verdict)
		}
		g := found.Witness
		if d := cmp.Diff([]any{w.TIVA, w.Slice.String(), w.Schedule, w.Happened},
			[]any{g.TIVA, g.Slice.String(), g.Schedule, g.Happened}); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(summary(w.Reason), summary(g.Reason)); d != "" {
			t.Errorf("%s: %s", spec.Format(f), d)
		}
	})
}

// In every slice, and for all TIVs, Evaluate has the value that the definition gives, and the
// reason that the witness of a violation has.
func TestEvaluate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 5}).MustBuild()
		prop := &spec.Property{Formula: spectest.Formula(words).Draw(t, "formula")}
		opt := tlcheck.Options{Logic: logic}
		r, err := tlcheck.Check(t.Context(), net, prop, opt)
		if err != nil {
			t.Fatal(err)
		}
		lat := slices.NewLattice(net)
		for _, row := range table(t, net, prop.Formula, logic) {
			e, err := tlcheck.Evaluate(t.Context(), net, prop, lat.Maximal(row.slice), row.tiva, opt)
			if err != nil {
				t.Fatal(err)
			}
			if e.Truth != row.value || !e.Slice.Equal(row.slice) {
				t.Fatalf("%s is %v in %v %v, want %v in %v", spec.Format(prop.Formula), e.Truth, e.Slice, row.tiva,
					row.value, row.slice)
			}
			if w := r.Witness; w != nil && w.Slice.Equal(row.slice) && cmp.Equal(w.TIVA, row.tiva) {
				if d := cmp.Diff(summary(w.Reason), summary(e)); d != "" {
					t.Error(d)
				}
			}
		}
	})
}

// A quantifier is tried with the task of a TIV though others are like it.
func TestEvaluateAlike(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a","b","c","d"]}`)
	prop, err := spec.ParseFormula("forall t (t:(in.f) if t == u)")
	if err != nil {
		t.Fatal(err)
	}
	for task := range san.Task(4) {
		u := []tlcheck.Binding{{TIV: "u", Task: task}}
		e, err := tlcheck.Evaluate(t.Context(), net, prop, nil, u, tlcheck.Options{})
		if err != nil || e.Truth != lsl.False || len(e.Parts) != 1 || e.Parts[0].Truth != lsl.False {
			t.Errorf("u is task %d: %v because of %+v, %v", task, e.Truth, e.Parts, err)
		}
		found := tlcheck.NewViolation(net, prop, formula.Compile(prop, lsl.L3), nil, u)
		if err := tlcheck.ExplainViolation(t.Context(), found, tlcheck.Options{}); err != nil ||
			len(found.Witness.Reason.Parts) != 1 {
			t.Errorf("u is task %d: found because of %+v, %v", task, found.Witness.Reason, err)
		}
	}
}

// Nor is that so where it is a quantifier around it that names the task.
func TestExplainAlike(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a","b","c","d"]}`)
	r, err := tlcheck.Check(t.Context(), net, property(t, "exists u (forall t (t:(in.f) if t == u))"),
		tlcheck.Options{})
	if err != nil || r.Verdict != tlcheck.Violated || len(r.Witness.Reason.Parts) != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, e := range r.Witness.Reason.Parts {
		if e.Truth != lsl.False || len(e.Parts) != 1 || e.Parts[0].Truth != lsl.False {
			t.Errorf("u is task %d: %v because of %+v", i, e.Truth, e.Parts)
		}
	}
}

// A TIV without a task, and a context that has ended, are errors.
func TestEvaluateErrors(t *testing.T) {
	b, err := san.NewBuilder(&event.Header{Version: 1, Tasks: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	prop, err := spec.ParseFormula("next t:(x == 1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tlcheck.Evaluate(t.Context(), b.Net(), prop, nil, nil, tlcheck.Options{}); err == nil ||
		err.Error() != "no task given for the task variable t" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := tlcheck.Evaluate(ctx, b.Net(), prop, nil, []tlcheck.Binding{{TIV: "t"}},
		tlcheck.Options{}); err == nil || err.Error() != "enough" {
		t.Error(err)
	}
}

// summary is an explanation as text.
func summary(e *tlcheck.Explanation) []string {
	lines := []string{spec.Format(e.Source) + " " + e.Truth.String() + " " + e.Slice.String()}
	for _, parts := range [][]*tlcheck.Explanation{e.Parts, e.Here} {
		for _, p := range parts {
			for _, l := range summary(p) {
				lines = append(lines, "  "+l)
			}
		}
	}
	return lines
}
