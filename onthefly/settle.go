package onthefly

import (
	"context"
	"fmt"

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

// Cut says what happened to a run of which it is not known how some tasks would have gone on: it was
// "cut off". It is empty for a run that is over.
type Cut string

// Undecided says why a verdict is unknown that is not the same if the run has ended and if it has not.
func (c Cut) Undecided() string {
	return fmt.Sprintf("the run was %s, and the verdict rests on what would have come next", string(c))
}

// SoFar says that a verdict is about the beginning of a run; it is empty if that is the whole.
func (c Cut) SoFar() string {
	if c == "" {
		return ""
	}
	return "in what came before the run was " + string(c)
}

// Settle closes the checker and decides the properties that have had no violation. What was added since the
// last Step is only known to be violated by a run that is over. The net of what was read is returned, too. An error is
// that of Step.
func (c *Checker) Settle(ctx context.Context, cut Cut) ([]Settled, *san.Net, error) {
	stuck := c.Stuck() != nil
	if stuck && cut == "" {
		cut = "cut off"
	}
	open := map[*root]bool{}
	for _, r := range c.roots {
		open[r] = r.found == nil
	}
	_, net, err := c.Close(ctx)
	if err != nil {
		return nil, nil, err
	}
	var all []Settled
	for _, r := range c.roots {
		if open[r] {
			all = append(all, c.settle(r, cut, stuck))
		}
	}
	return all, net, nil
}

// settle decides a property of a checker that is closed.
func (c *Checker) settle(r *root, cut Cut, stuck bool) Settled {
	s := Settled{Property: r.property}
	gaveUp := c.log.GaveUp()
	switch {
	case r.found != nil && cut == "":
		s.Verdict, s.Violation = tlcheck.Violated, r.found
	case r.found != nil:
		s.Covered = cut.Undecided()
	case gaveUp != "":
		s.Covered = gaveUp
	case stuck:
		s.Covered = "there are events that wait for others, which did not come"
	default:
		s.Verdict, s.Covered = tlcheck.Holds, cut.SoFar()
	}
	return s
}
