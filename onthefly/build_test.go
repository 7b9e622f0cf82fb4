package onthefly_test

import (
	"testing"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// What formulas have in common is computed by one stage, of one property or of several.
func TestSharedStages(t *testing.T) {
	for _, test := range []struct {
		formulas []string
		want     int
	}{
		{[]string{"not a:(in.f)"}, 1},
		// "in.f and in.f" is another leaf
		{[]string{"not a:(in.f)", "a:( in.f ) -> not a:(in.f)"}, 2},
		{[]string{"not next a:(in.f)"}, 2}, // next, leaf
		// and the conjunction with its leaf
		{[]string{"not next a:(in.f)", "not (b:(in.g) and next a:(in.f))"}, 4},
		{[]string{"not next a:(in.f)", "not next b:(in.f)"}, 4},                       // nothing
		{[]string{"not exists a (next a:(in.f))", "not exists a (next a:(in.f))"}, 3}, // all
		{[]string{"not (a:(in.f) and b:(in.g))", "a:(in.f) -> not b:(in.g)"}, 3},      // all
		// next a
		{[]string{"not next a:(in.f)", "not (next a:(in.f) and next b:(in.f)) if a != b"}, 6},
	} {
		var props []*spec.Property
		for _, f := range test.formulas {
			p, err := spec.ParseFormula(f)
			if err != nil {
				t.Fatal(err)
			}
			props = append(props, p)
		}
		if got := onthefly.Stages(props, lsl.L3); got != test.want {
			t.Errorf("%q: %d stages, want %d", test.formulas, got, test.want)
		}
	}
}
