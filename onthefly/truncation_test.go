package onthefly_test

import (
	"context"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A verdict on a run that was cut off is that on the whole run, or unknown, whatever the property
// is.
func TestTruncate(t *testing.T) {
	decided := map[tlcheck.Verdict]int{}
	enough := func() bool { return len(decided) == 3 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{Steps: 9, Tasks: 2, Spawns: 15, Ends: 25, Causes: 40})
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		short := words
		short.Depth = rapid.IntRange(0, 3).Draw(t, "depth")
		prop := &spec.Property{Formula: spectest.Formula(short).Draw(t, "formula"),
			Initially: rapid.Bool().Draw(t, "initially")}
		length := rapid.IntRange(0, len(trace.Events)).Draw(t, "length")
		whole, err := tlcheck.Check(t.Context(), trace.MustBuild(), prop, tlcheck.Options{Logic: logic})
		if err != nil {
			t.Fatal(err)
		}
		compare := func(what string, r *tlcheck.Result) {
			if r.Verdict != tlcheck.Unknown && r.Verdict != whole.Verdict {
				t.Fatalf("%s of %d events: %v %s is %v, and %v in the whole run\n%v", what, length, logic,
					spec.FormatProperty(prop), r.Verdict, whole.Verdict, trace)
			}
			if (r.Verdict == tlcheck.Unknown) != (r.Covered != "") {
				t.Fatalf("%s: %v because %q", what, r.Verdict, r.Covered)
			}
			decided[r.Verdict]++
		}
		b, err := san.NewBuilder(trace.Header)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range trace.Events[:length] {
			if err := b.Add(e, ""); err != nil {
				t.Fatal(err)
			}
		}
		cut, err := tlcheck.Check(t.Context(), b.Partial(), prop, tlcheck.Options{Logic: logic})
		if err != nil {
			t.Fatal(err)
		}
		cut.Truncate("cut off")
		compare("check", cut)

		c, err := onthefly.New(trace.Header, []*spec.Property{prop}, logic)
		if err != nil {
			return // it is refused
		}
		for _, e := range trace.Events[:length] {
			if err := c.Add(e, ""); err != nil {
				t.Fatal(err)
			}
		}
		if len(must(c.Step(context.Background()))) > 0 {
			compare("monitor", &tlcheck.Result{Verdict: tlcheck.Violated})
		}
		settled, _, err := c.Settle(context.Background(), "cut off")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range settled {
			compare("monitor", r)
		}
	})
	for _, v := range []tlcheck.Verdict{tlcheck.Unknown, tlcheck.Holds, tlcheck.Violated} {
		if decided[v] == 0 {
			t.Errorf("no verdict %v", v)
		}
	}
}
