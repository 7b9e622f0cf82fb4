package onthefly_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A property is as vacuous on-the-fly as on the complete run, also if another checker goes on.
func TestVacuous(t *testing.T) {
	vacuous, held := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 6})
		props := []*spec.Property{{Formula: accepted(t, logic, nil)}, {Formula: accepted(t, logic, nil)}}
		c, err := onthefly.New(trace.Header, props, logic)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range trace.Events {
			if err := c.Add(e, ""); err != nil {
				t.Fatal(err)
			}
			must(c.Step(t.Context()))
			if rapid.IntRange(0, 3).Draw(t, "move") == 0 {
				c = moved(t, c, props, logic)
			}
		}
		got, _, err := c.Settle(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got {
			want, err := tlcheck.Check(t.Context(), trace.MustBuild(), r.Property, tlcheck.Options{Logic: logic})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != want.Verdict || r.Vacuous != want.Vacuous {
				t.Fatalf("%v %s: %v, vacuous %q; of the complete run %v, vacuous %q\n%v",
					logic, spec.Format(r.Property.Formula), r.Verdict, r.Vacuous, want.Verdict, want.Vacuous, trace)
			}
			if r.Vacuous != "" {
				vacuous++
			} else {
				held++
			}
		}
	})
	if vacuous == 0 || held == 0 {
		t.Errorf("%d vacuous, %d not", vacuous, held)
	}
}
