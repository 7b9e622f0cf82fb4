package reorder_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/closed"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
)

// A send that only sections put before the close can come behind it, with each read seeing what it
// saw. One that nothing puts there is predicted without a look at sections.
func TestSectionedClosesOfRandomRuns(t *testing.T) {
	sectioned, reversed, free := 0, 0, 0
	enough := func() bool { return testing.Short() || sectioned > reversed && reversed > 0 && free > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 20 { // few runs have any
			r := reorder.Execute(t, reorder.DrawProgram(t).WithSends(t))
			c := builtin.NewChecker(closed.Rule)
			for i := range r.Events {
				for _, o := range r.Ops(i) {
					c.Op(&o)
				}
			}
			var reached map[reorder.Bits]bool
			for _, f := range c.Findings(placeNames{}) {
				if !f.Sectioned {
					free++
					continue
				}
				if reached == nil {
					reached = r.Reached()
				}
				if !canFollow(r, reached, &f) {
					t.Fatalf("%v\n%s %v: no order leads there", r.Program, f.Text, f.Schedule)
				}
				if sectioned++; f.Reverses {
					reversed++
				}
			}
		}
	})
	if !enough() {
		t.Errorf("%d behind sections, %d of them reversed, %d others", sectioned, reversed, free)
	}
}

// canFollow reports by enumeration whether the send can come next when the channel is closed.
func canFollow(r *reorder.Run, reached map[reorder.Bits]bool, f *rule.Finding) bool {
	send, closing := int(f.Parties[0].At)-1, int(f.Parties[1].At)-1
	real := false
	r.Cuts(func(c reorder.Cut) {
		in := r.Bits(c)
		real = real || r.AtPoints(c, send) && in.Has(closing) && reached[in]
	})
	return real
}
