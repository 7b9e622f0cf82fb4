package reorder_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/builtin/waitgroup"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Where only sections put an Add before a Wait, or before a Done, and that is reported, an order
// leads there in which each read sees what it saw.
func TestSectionedGroupsOfRandomRuns(t *testing.T) {
	var late, negative, reversed, candidates int
	enough := func() bool { return testing.Short() || late > 0 && negative > 0 && reversed > 0 && candidates > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 20 { // few runs have any
			r := reorder.Execute(t, reorder.DrawProgram(t).WithGroup(t))
			c := builtin.NewChecker(waitgroup.Rule)
			for i := range r.Events {
				for _, o := range r.Ops(i) {
					c.Op(&o)
				}
			}
			var reached map[reorder.Bits]bool
			found := c.Findings(placeNames{})
			for _, f := range found {
				if !f.Sectioned {
					continue
				}
				if reached == nil {
					reached = r.Reached()
				}
				if !canMisuse(r, reached, &f) {
					t.Fatalf("%v\n%s %v: no order leads there", r.Program, f.Text, f.Schedule)
				}
				if f.Reverses {
					reversed++
				}
				if f.Parties[1].Kind == op.Wait {
					late++
				} else {
					negative++
				}
			}
			candidates += len(c.Candidates(placeNames{}, found))
		}
	})
	if !enough() {
		t.Errorf("%d late, %d negative, %d reversed, %d candidates", late, negative, reversed, candidates)
	}
	t.Logf("%d late, %d negative, %d reversed, %d candidates", late, negative, reversed, candidates)
}

// canMisuse reports by enumeration whether the counter can be 0 when an Add and the Wait are next,
// or when the Done is.
func canMisuse(r *reorder.Run, reached map[reorder.Bits]bool, f *rule.Finding) bool {
	next := []int{int(f.Parties[0].At) - 1}
	if f.Parties[1].Kind == op.Wait {
		next = append(next, int(f.Parties[1].At)-1)
	}
	real := false
	r.Cuts(func(c reorder.Cut) {
		in := r.Bits(c)
		real = real || r.AtPoints(c, next...) && reached[in] && counterIn(r, in) == 0
	})
	return real
}

func counterIn(r *reorder.Run, in reorder.Bits) (sum int64) {
	for i := range r.Events {
		if in.Has(i) {
			sum += r.Delta(i)
		}
	}
	return sum
}
