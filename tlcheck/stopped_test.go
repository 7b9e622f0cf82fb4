package tlcheck_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck"
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

// A search that was stopped half-way says so, also if it is one sweep.
func TestCoverageHalfWay(t *testing.T) {
	net := santest.Read(t, wide(10, 4))
	// no task created another
	prop := property(t, "not (t1:(even) and t2:(even) and t3:(even)) if t1 != t2 and t1 == caller(t3)")
	const many = 1 << 30
	ctx := &countdown{t.Context(), many}
	if r, err := tlcheck.CheckIn(ctx, net, prop); err != nil || r.Verdict != tlcheck.Holds {
		t.Fatal(r.Verdict, err)
	}
	r, err := tlcheck.CheckIn(&countdown{t.Context(), (many - ctx.left) / 2}, net, prop)
	if err != nil || r.Verdict != tlcheck.Unknown {
		t.Fatal(r.Verdict, err)
	}
	percent := 0
	if _, after, ok := strings.Cut(r.Covered, "about "); ok {
		fmt.Sscanf(after, "%d%%", &percent)
	}
	if percent < 20 || percent > 80 {
		t.Errorf("half-way: %s", r.Covered)
	}
}

// What is found out about hundreds of TIVs before the search begins can be stopped too.
func TestStoppedBeforeTheSearch(t *testing.T) {
	var atoms, conds []string
	for i := range 1000 {
		atoms = append(atoms, fmt.Sprintf("t%d:(even)", i))
		conds = append(conds, fmt.Sprintf("t%d != t%d", i, i+1))
	}
	prop := property(t, "not ("+strings.Join(atoms, " and ")+") if "+strings.Join(conds, " and "))
	r, err := tlcheck.CheckIn(&countdown{t.Context(), 100}, santest.Read(t, wide(4, 4)), prop)
	if err != nil || r.Verdict != tlcheck.Unknown {
		t.Fatal(r.Verdict, err)
	}
}

// Where a property is about all of many tasks, the context is looked at between any two of them
// while violations are cut out.
func TestCountStopsBetweenTasks(t *testing.T) {
	const tasks, many = 300, 1 << 30
	net := santest.Read(t, wide(tasks, 1)) // each task has one even state
	ctx := &countdown{t.Context(), many}
	n, err := tlcheck.RoughCount(ctx, net, property(t, "not forall t (t:(even))"), tlcheck.Options{})
	if err != nil || n.Min.Sign() == 0 {
		t.Fatal(n, err)
	}
	if looks := many - ctx.left; looks < 2*tasks { // once before that
		t.Errorf("%d looks for %d tasks", looks, tasks)
	}
}
