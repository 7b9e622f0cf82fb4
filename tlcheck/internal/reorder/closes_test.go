package reorder_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/closed"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
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

// Where nothing is known of accesses to memory, each send that can come behind the close is found
// or a candidate, and a candidate is no finding.
func TestClosedCandidatesOfRandomRuns(t *testing.T) {
	real, others := 0, 0
	enough := func() bool { return testing.Short() || real > 0 && others > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 20 { // few runs have any
			r := reorder.Execute(t, reorder.DrawProgram(t).WithSends(t))
			c := builtin.NewChecker(closed.Rule)
			c.LacksAccesses()
			var sends, closes []op.Op
			for i := range r.Events {
				for _, o := range r.Ops(i) {
					c.Op(&o)
					switch o.Kind {
					case op.Send:
						sends = append(sends, o)
					case op.Close:
						closes = append(closes, o)
					}
				}
			}
			found := c.Findings(placeNames{})
			known := placesOf(found)
			candidates := c.Candidates(placeNames{}, found)
			for at := range placesOf(candidates) {
				if known[at] {
					t.Fatalf("%v\n%v is found, and a candidate", r.Program, at)
				}
				known[at] = true
			}
			if len(candidates) == 0 && len(known) == 0 {
				continue // a check of the others takes long
			}
			reached := r.Reached()
			for _, s := range sends {
				for _, x := range closes {
					if s.Object != x.Object || s.Task == x.Task {
						continue
					}
					f := rule.Finding{Parties: []rule.Party{{At: s.At}, {At: x.At}}}
					switch can := canFollow(r, reached, &f); {
					case can && !known[[2]op.Place{s.At, x.At}]:
						t.Fatalf("%v\nthe send at %d can come behind the close at %d", r.Program, s.At, x.At)
					case can:
						real++
					case known[[2]op.Place{s.At, x.At}]:
						others++
					}
				}
			}
		}
	})
	if !enough() {
		t.Errorf("%d can come behind a close, %d others are candidates", real, others)
	}
}

// placesOf returns the places of the first two parties of findings.
func placesOf(all []rule.Finding) map[[2]op.Place]bool {
	places := map[[2]op.Place]bool{}
	for i := range all {
		places[[2]op.Place{all[i].Parties[0].At, all[i].Parties[1].At}] = true
	}
	return places
}
