package stuck

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// predicted reports who waits for ever in other orders of the run.
func (d *detector) predicted(w words, stuck taskSet) []rule.Finding {
	var all []rule.Finding
	for object, t := range d.things.All() {
		d.others.consider(object, t)
		for _, wait := range d.lost.lostWaits(t, stuck) {
			f := w.lostSignal(object, t, &wait)
			if wait.others || len(d.lost.conds) > maxLost || d.lost.othersRun(&wait, stuck) {
				f.Assume("signals " + w.ObjectName(object))
			}
			all = append(all, f)
		}
		all = append(all, w.leftLocked(object, t)...)
	}
	return append(all, d.otherCases(w)...)
}

// otherCases reports who waits for ever if a select statement takes another case: for each two places the
// case that says most.
func (d *detector) otherCases(w words) []rule.Finding {
	var all []rule.Finding
	done := map[[2]op.Place]bool{}
	for _, c := range d.others.convincing(w, &d.hints) {
		places := [2]op.Place{c.At, c.met.At}
		if !done[places] {
			done[places] = true
			all = append(all, w.otherCase(c))
		}
	}
	return all
}

// assumption is an alternative with what is assumed of it.
type assumption struct {
	*alternative
	guess *rule.Guess
	how   rule.Certainty
	shown bool // by the run
}

// convincing returns the alternatives that convince, and which the source does not refute: first those that it confirms, and of these
// those that the run has shown.
func (x *otherCases) convincing(w words, h *hints) []assumption {
	var all []assumption
	for _, c := range slices.SortedFunc(maps.Values(x.alternatives), inOrder) {
		convinces, shown := x.convinces(c)
		if !convinces || w.isTimedTest(c) {
			continue
		}
		guess := &rule.Guess{Text: "after the other case no goroutine comes back to the channel", Select: c.At, Took: c.took, Other: c.other}
		switch h.behindCase(guess) {
		case rule.Leaves:
			all = append(all, assumption{c, guess, rule.Predicted, shown})
		case rule.Unread:
			all = append(all, assumption{c, guess, rule.Possible, shown})
		}
	}
	rank := func(a assumption) int {
		if a.shown {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b assumption) int { return cmp.Or(int(a.how)-int(b.how), rank(a)-rank(b)) })
	return all
}

// isTimedTest reports whether the other case is that a test has waited too long: it ends the program.
func (w words) isTimedTest(c *alternative) bool {
	return c.why.Kind == op.Arm && strings.Contains(w.Place(c.At).At, "_test.go:")
}

// inOrder sorts them, those where another task makes the case ready first.
func inOrder(a, b *alternative) int {
	return cmp.Or(timer(a)-timer(b), cmp.Compare(a.At, b.At), cmp.Compare(a.met.At, b.met.At), a.other-b.other, cmp.Compare(a.object, b.object))
}

func timer(c *alternative) int {
	if c.why.Kind == op.Arm {
		return 1
	}
	return 0
}
