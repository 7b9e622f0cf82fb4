package tlcheck_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestGroupsByRoles compares the groups of violations, their numbers and their witnesses with the
// table of the formula.
func TestGroupsByRoles(t *testing.T) {
	words := words
	words.TIVs, words.Present = []string{"t1", "t2", "t3"}, true
	tried, grouped, many := 0, 0, 0
	enough := func() bool { return grouped >= tried/10 && many >= grouped/10 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10, Tasks: 4})
		for _, e := range trace.Events {
			if n := rapid.IntRange(0, 3).Draw(t, "line"); n > 0 {
				e.At = fmt.Sprintf("a.go:%d", n)
			}
		}
		net := trace.MustBuild()
		for i := range 4 {
			prop := &spec.Property{Formula: spectest.Formula(words).Draw(t, "formula")}
			if i == 0 { // true nowhere, with many violations at many places
				atom := spectest.Formula(spectest.Words{TIVs: words.TIVs[:1], Functions: words.Functions,
					Variables: words.Variables}).Draw(t, "atom")
				prop.Formula = &spec.Nary{Op: spec.And, Xs: []spec.Formula{atom, &spec.Not{X: atom}}}
			}
			opt := tlcheck.Options{Logic: rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic"),
				Last: rapid.Bool().Draw(t, "last")}
			if rapid.Bool().Draw(t, "symmetric") {
				prop.Formula = symmetric(t, prop.Formula)
			}
			all, ok, err := tlcheck.GroupsByRoles(t.Context(), net, prop, opt, false)
			if err != nil {
				t.Fatal(err)
			}
			if tried++; !ok {
				if len(all.Groups) > 0 || all.Number.Min.Sign() != 0 {
					t.Fatalf("%d groups of %v violations are left", len(all.Groups), all.Number)
				}
				continue
			}
			compareGroups(t, net, prop, opt, all)
			if all, _, err = tlcheck.GroupsByRoles(t.Context(), net, prop, opt, true); err != nil {
				t.Fatal(err)
			}
			compareGroups(t, net, prop, opt, all)
			if grouped++; len(all.Groups) > 1 {
				many++
			}
		}
	})
	if !enough() {
		t.Errorf("%d of %d formulas have their violations grouped, %d have several groups", grouped, tried, many)
	}
}

// TIVAs are far too many to go through them: all tasks stand at one place while they are even, and
// 25 states of each are.
func TestAllOfThree(t *testing.T) {
	const tasks, events, even = 100, 50, 25
	net := santest.Read(t, wide(tasks, events))
	v, err := tlcheck.All(t.Context(), net,
		property(t, "not (t1:(even) and t2:(even) and t3:(even)) if t1 != t2 and t2 != t3 and t1 != t3"),
		tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := big.NewInt(tasks * (tasks - 1) * (tasks - 2) * even * even * even)
	want.Mul(want, new(big.Int).Exp(big.NewInt(events+1), big.NewInt(tasks-3), nil))
	if !v.Number.Exact() || v.Number.Min.Cmp(want) != 0 || len(v.Groups) != 1 {
		t.Fatalf("%v violations in %d groups, want %v in one", v.Number, len(v.Groups), want)
	}
	if g := v.Groups[0]; !g.Number.Exact() || g.Number.Min.Cmp(want) != 0 || g.Witness.Slice.Size() != 3 {
		t.Errorf("%v violations in the group, the first of which has %d actions", g.Number, g.Witness.Slice.Size())
	}
}

// What was found before an interrupt stays, as where TIVAs are gone through.
func TestAllInterrupted(t *testing.T) {
	net := placedNet(t,
		workload.Config{Pattern: workload.Ring, Variant: workload.Violated, Tasks: 20, Events: 50, Seed: 1}, 8)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v, err := tlcheck.All(ctx, net, property(t, "not (t1:(a) and t2:(b))"),
		tlcheck.Options{Progress: func(p tlcheck.Progress) {
			if p.Share > 0.5 {
				cancel()
			}
		}})
	if err != nil || !errors.Is(v.Stopped, context.Canceled) {
		t.Fatal(v, err)
	}
	if len(v.Groups) == 0 || v.Number.Min.Sign() == 0 || v.Number.Exact() {
		t.Errorf("%v violations in %d groups", v.Number, len(v.Groups))
	}
	for _, g := range v.Groups {
		if g.Number.Exact() {
			t.Errorf("%v violations of a group that may have more", g.Number)
		}
	}
}

// The context is looked at for each task and each place before any combination of places is tried.
func TestGroupsStopBetweenPlaces(t *testing.T) {
	const tasks, many = 300, 1 << 30
	trace := regexp.MustCompile(`"t":"(t\d+)"`).ReplaceAllString(wide(tasks, 1), `"t":"$1","at":"$1.go:1"`)
	ctx := &countdown{t.Context(), many}
	v, ok, err := tlcheck.GroupsByRoles(ctx, santest.Read(t, trace), property(t, "not t:(even and not even)"),
		tlcheck.Options{}, false)
	if err != nil || !ok || len(v.Groups) > 0 {
		t.Fatal(v, ok, err)
	}
	if looks := many - ctx.left; looks < 2*tasks {
		t.Errorf("%d looks for %d tasks and as many places", looks, tasks)
	}
}
