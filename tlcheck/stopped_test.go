package tlcheck_test

import (
	"context"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/workload"
)

// countdown is a context that ends when it has been looked at a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestStoppedAtEveryLook stops checks at every look at the context: none says that the formula
// holds if it does not, or did not find out.
func TestStoppedAtEveryLook(t *testing.T) {
	for _, c := range []workload.Config{
		{Pattern: workload.Ring, Variant: workload.Holds, Tasks: 700, Events: workload.FullEvents, Seed: 1},
		{Pattern: workload.Locks, Variant: workload.Violated, Tasks: 300, Events: workload.FullEvents, Seed: 1},
		{Pattern: workload.Tree, Variant: workload.Holds, Tasks: 4, Events: 20, Seed: 1},
		{Pattern: workload.Ring, Variant: workload.Violated, Tasks: 4, Events: 20, Seed: 1},
	} {
		net, err := c.Net()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range workload.Formulas() {
			text, ok := f.Text(c)
			if !ok || c.Tasks > 4 && f.Name != "exclusion of 2" && f.Name != "one at a time" && f.Name != "exists" {
				continue
			}
			prop := property(t, text)
			for looks := 0; ; looks += 1 + looks/10 {
				ctx := &countdown{t.Context(), looks}
				r, err := tlcheck.CheckIn(ctx, net, prop)
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != tlcheck.Unknown && r.Verdict.String() != c.Variant.String() {
					t.Errorf("%v, %s: %v after %d looks", c, text, r.Verdict, looks)
				}
				if ctx.left < 0 && r.Verdict == tlcheck.Holds {
					t.Errorf("%v, %s holds, although it was stopped after %d looks", c, text, looks)
				}
				if ctx.left >= 0 {
					break
				}
			}
		}
	}
}
