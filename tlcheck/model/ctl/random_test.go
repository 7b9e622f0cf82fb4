package ctl_test

import (
	"context"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/ctltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// TestLabelsAreFixpoints compares the labels with the definitions, and looks at the evidence.
func TestLabelsAreFixpoints(t *testing.T) {
	formula := temporaltest.Formula(temporal.CTL, temporaltest.Atoms(names...), 4)
	rapid.Check(t, func(t *rapid.T) {
		m := structures(6).Draw(t, "structure")
		fairness := rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Unfair, kripke.Weak, kripke.Strong,
			kripke.Process}).Draw(t, "fairness")
		c, ref := checker(t, m, fairness), newReference(m, fairness)
		for range 20 {
			compare(t, c, ref, formula.Draw(t, "formula"))
		}
	})
}

// TestFairCycles asks for nothing but cycles, of many structures.
func TestFairCycles(t *testing.T) {
	var formulas []*temporal.Formula
	for _, text := range []string{"EG true", "EG (a | b)", "AF a", "EGF a", "EGF (a & b)", "AFG (a | b)", "A[a U b]"} {
		formulas = append(formulas, parse(t, text))
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			m := structures(5).Draw(t, "structure")
			for _, fairness := range []kripke.Fairness{kripke.Weak, kripke.Strong, kripke.Process} {
				c, ref := checker(t, m, fairness), newReference(m, fairness)
				for _, f := range formulas {
					compare(t, c, ref, f)
				}
			}
		}
	})
}

func compare(t *rapid.T, c ctl.Checker, ref *reference, f *temporal.Formula) {
	r, err := c.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	want := ref.value(f)
	var got uint
	for s, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		got |= 1 << s
	}
	if got != want || r.Count.Int64() != int64(bits.OnesCount(want)) || r.States.Int64() != int64(len(ref.moves)) {
		t.Fatalf("%s is true in %b, %d of %d, want %b", f, got, r.Count, r.States, want)
	}
	if initial := ref.where(func(s int) bool { return s < len(ref.initial) }); r.Holds != (initial&^want == 0) {
		t.Fatalf("%s holds: %v", f, r.Holds)
	}
	for s := range kripke.State(len(ref.moves)) {
		w := &ctltest.Witness{System: ref.structure, Fairness: ref.fairness, Holds: ref.holds, T: t}
		w.Check(evidence(t, r, s))
	}
}
