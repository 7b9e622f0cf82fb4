package stuck

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// predicted reports who waits for ever in other orders of the run.
func (d *detector) predicted(w candidate.Words, stuck taskSet) []rule.Finding {
	var all []rule.Finding
	for object, t := range d.things.All() {
		d.consider(object, t)
		for _, wait := range d.lostWaits(t, stuck) {
			f := d.lostSignal(w, object, t, &wait)
			if wait.others || len(d.lost) > maxLost || d.othersRun(&wait, stuck) {
				f.Assume("signals " + w.ObjectName(object))
			}
			all = append(all, f)
		}
		all = append(all, d.leftLocked(w, object, t)...)
	}
	return append(all, d.otherCases(w)...)
}

// lostSignal reports a Wait that can begin when every Signal has come.
func (d *detector) lostSignal(w candidate.Words, object op.Object, t *thing, c *condWait) rule.Finding {
	f := rule.Finding{
		Property: Name, How: rule.Predicted,
		Text: w.TaskName(c.wait.Task) + " can wait for ever" + w.At(c.wait.At) + " for a signal of " + w.ObjectName(object) +
			": nothing keeps every Signal and Broadcast from coming before it waits",
		Parties: []rule.Party{c.wait.Party(object, "waits for ever for a signal of "+w.ObjectName(object))},
	}
	f.Parties[0].Holds = c.held
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Signal, op.Broadcast}) {
		f.Schedule = append(f.Schedule, m.Step(object))
		f.Notes = append(f.Notes, w.TaskName(m.Task)+" signals"+w.At(m.At)+
			" without having locked what the waiting task has unlocked; change the condition under that lock")
	}
	f.Schedule = append(f.Schedule, c.wait.Step(object))
	f.Notes = withoutEqual(f.Notes)
	for _, b := range c.behind {
		does := "then waits " + waitsFor(w, &block{Mark: b.Mark, object: b.object})
		f.Parties = append(f.Parties, b.Party(b.object, does))
		f.Schedule = append(f.Schedule, b.Step(b.object))
	}
	f.Parties = append(f.Parties, d.behind(w, &c.wait, c.held, c.unlock.Full)...)
	return f
}

// behind returns who may wait for a lock that the task holds while it waits for ever.
func (d *detector) behind(w candidate.Words, waits *candidate.Mark, held []rule.HeldLock, known *clock.Clock) []rule.Party {
	var all []rule.Party
	for _, h := range held {
		for _, m := range d.things.Of(h.Object).users.List {
			excludes := m.Kind == op.Lock || m.Kind == op.RLock && h.Kind == op.Lock
			if !excludes || m.Task == waits.Task || m.Within(known, waits.Task, waits.K) || len(all) == maxTold {
				continue
			}
			does := "then waits for " + w.ObjectName(h.Object) + ", which " + w.TaskName(waits.Task) + " holds"
			if !slices.ContainsFunc(all, func(p rule.Party) bool { return p.At == m.At }) {
				all = append(all, m.Party(h.Object, does))
			}
		}
	}
	return all
}

// leftLocked reports who waits for ever for a lock that a task never gave back, if it comes after that
// task. In this run it came before.
func (d *detector) leftLocked(w candidate.Words, object op.Object, t *thing) []rule.Finding {
	if t.lent {
		return nil
	}
	var all []rule.Finding
	for _, h := range t.holders() {
		if d.tasks[h.Task] != nil || h.Task == d.left {
			continue
		}
		for _, m := range t.users.List {
			excludes := m.Kind == op.Lock || m.Kind == op.RLock && h.Kind == op.Lock
			if !excludes || m.Task == h.Task || m.Within(h.free, h.Task, h.K) {
				continue
			}
			all = append(all, rule.Finding{
				Property: Name, How: rule.Reordered, Cause: h.At,
				Text: w.TaskName(m.Task) + " can wait for ever" + w.At(m.At) + " to lock " + w.ObjectName(object) + ", which " + w.TaskName(h.Task) +
					" has locked" + w.At(h.At) + " and never unlocks",
				Parties:  []rule.Party{m.Party(object, "waits for ever to lock "+w.ObjectName(object))},
				Schedule: []rule.Step{h.Step(object), m.Step(object)},
			})
		}
	}
	return all
}

// otherCases reports who waits for ever if a select statement takes another case: for each two places the
// case that says most.
func (d *detector) otherCases(w candidate.Words) []rule.Finding {
	var all []rule.Finding
	done := map[[2]op.Place]bool{}
	for _, c := range d.convincing(w) {
		places := [2]op.Place{c.At, c.met.At}
		if !done[places] {
			done[places] = true
			all = append(all, d.otherCase(w, c))
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
func (d *detector) convincing(w candidate.Words) []assumption {
	var all []assumption
	for _, c := range slices.SortedFunc(maps.Values(d.others.alternatives), inOrder) {
		convinces, shown := d.others.convinces(c)
		if !convinces || isTimedTest(w, c) {
			continue
		}
		guess := &rule.Guess{Text: "after the other case no goroutine comes back to the channel", Select: c.At, Took: c.took, Other: c.other}
		switch d.behindCase(guess) {
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
func isTimedTest(w candidate.Words, c *alternative) bool {
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

func (d *detector) otherCase(w candidate.Words, c assumption) rule.Finding {
	waits, partner := "to send on ", "receives from"
	if c.met.Kind == op.Recv {
		waits, partner = "to receive from ", "sends on"
	}
	other := "to " + caseOf(w, c.cases[c.other]) + ", " + whyReady(w, &c.why)
	f := rule.Finding{
		Property: Name, How: c.how,
		Text: w.TaskName(c.met.Task) + " can wait for ever" + w.At(c.met.At) + " " + waits + w.ObjectName(c.object) + ": " + w.TaskName(c.Task) +
			", which " + partner + " it in a select statement" + w.At(c.At) + ", may take another case",
		Parties: []rule.Party{c.met.Party(c.object, "waits for ever "+waits+w.ObjectName(c.object))},
		Notes:   []string{"the other case is " + other},
		Count:   c.count,
		Guess:   c.guess,
	}
	f.Parties[0].Holds = c.held
	f.Notes = append(f.Notes, whyNotBack(c))
	if c.why.Kind != op.Arm {
		f.Schedule = append(f.Schedule, c.why.Step(c.cases[c.other].Object))
	}
	f.Schedule = append(f.Schedule, c.choice.Step(c.cases[c.other].Object), c.met.Step(c.object))
	f.Parties = append(f.Parties, d.behind(w, &c.met, c.held, c.free)...)
	return f
}

// whyNotBack says what is known of the goroutine behind the other case.
func whyNotBack(c assumption) string {
	note := "that case was not taken in this run"
	if c.shown {
		note = "after that case no goroutine came back to the channel in this run"
	}
	if c.how == rule.Possible {
		return note + "; the report assumes that none comes back to it after that case"
	}
	return note + "; in its source, the goroutine does not come back to the channel after it"
}

// caseOf says what a case does.
func caseOf(w candidate.Words, c op.Case) string {
	if c.Send {
		return "send on " + w.ObjectName(c.Object)
	}
	return "receive from " + w.ObjectName(c.Object)
}

func whyReady(w candidate.Words, m *candidate.Mark) string {
	switch m.Kind {
	case op.Arm:
		return "when its timer fires"
	case op.Close:
		return "which " + w.TaskName(m.Task) + " closes" + w.At(m.At)
	case op.Send:
		return "on which " + w.TaskName(m.Task) + " sends" + w.At(m.At)
	default:
		return "from which " + w.TaskName(m.Task) + " receives" + w.At(m.At)
	}
}
