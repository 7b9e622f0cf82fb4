package tlcheck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/san/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/spec/spectest"
	"pgregory.net/rapid"
)

// What Check finds, and where it finds it, is explained by Found as Check does, also while the net
// grows.
func TestFound(t *testing.T) {
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
		found, err := tlcheck.Found(t.Context(), b.Net(), prop, w.Schedule, w.TIVA, opt)
		if err != nil {
			t.Fatal(err)
		}
		if found.Verdict != tlcheck.Violated {
			t.Fatalf("verdict %v", found.Verdict)
		}
		g := found.Witness
		if d := cmp.Diff([]any{w.TIVA, w.Slice.String(), w.Schedule, w.Happened}, []any{g.TIVA, g.Slice.String(), g.Schedule, g.Happened}); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(told(w.Reason), told(g.Reason)); d != "" {
			t.Errorf("%s: %s", spec.Format(f), d)
		}
	})
}

// told is an explanation as text.
func told(e *tlcheck.Explanation) []string {
	lines := []string{spec.Format(e.Source) + " " + e.Truth.String() + " " + e.Slice.String()}
	for _, parts := range [][]*tlcheck.Explanation{e.Parts, e.Here} {
		for _, p := range parts {
			for _, l := range told(p) {
				lines = append(lines, "  "+l)
			}
		}
	}
	return lines
}
