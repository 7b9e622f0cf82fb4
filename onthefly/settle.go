package onthefly

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Settled is the verdict at the end of a run on a property that had no violation before.
type Settled struct {
	Property  *spec.Property
	Verdict   tlcheck.Verdict
	Violation *Violation // of verdict Violated, else nil
	Covered   string     // why it is Unknown, or of which part of the run it Holds; else empty
}

// Settle closes the checker and decides the properties that had no violation before. If it is not known how
// some tasks would have gone on, cut says what happened to the run, as "cut off", and what rests on their
// next steps is unknown; else it is empty. The net of what was read is returned, too.
func (c *Checker) Settle(cut string) ([]Settled, *san.Net) {
	var open []*root
	for _, r := range c.roots {
		if r.found == nil {
			open = append(open, r)
		}
	}
	c.Step()
	certain := map[*root]bool{}
	for _, r := range open {
		certain[r] = r.found != nil
	}
	stuck := c.Stuck() != nil
	if stuck && cut == "" {
		cut = "cut off"
	}
	_, net := c.Close()
	var all []Settled
	for _, r := range open {
		s := Settled{Property: r.property}
		gaveUp := c.log.GaveUp()
		switch {
		case certain[r], r.found != nil && cut == "":
			s.Verdict, s.Violation = tlcheck.Violated, r.found
		case r.found != nil:
			s.Covered = "the run was " + cut + ", and the verdict rests on what would have come next"
		case gaveUp != "":
			s.Covered = gaveUp
		case stuck:
			s.Covered = "there are events that wait for others, which did not come"
		default:
			s.Verdict = tlcheck.Holds
			if cut != "" {
				s.Covered = "in what came before the run was " + cut
			}
		}
		all = append(all, s)
	}
	return all, net
}
