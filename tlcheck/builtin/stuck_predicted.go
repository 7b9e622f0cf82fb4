package builtin

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// predicted reports who waits for ever in other orders of the run.
func (d *stuckDetector) predicted(w words, stuck taskSet) []Finding {
	var all []Finding
	for object, t := range d.things.All() {
		d.consider(object, t)
		for _, wait := range d.lostWaits(t, stuck) {
			f := d.lostSignal(w, object, t, &wait)
			if wait.others || len(d.lost) > maxLost || d.othersRun(&wait, stuck) {
				f.Assume("signals " + w.object(object))
			}
			all = append(all, f)
		}
		all = append(all, d.leftLocked(w, object, t)...)
	}
	return append(all, d.otherCases(w)...)
}

// lostSignal reports a Wait that can begin when every Signal has come.
func (d *stuckDetector) lostSignal(w words, object op.Object, t *thing, c *condWait) Finding {
	f := Finding{
		Property: Stuck, How: Predicted,
		Text: w.task(c.wait.task) + " can wait for ever" + w.at(c.wait.at) + " for a signal of " + w.object(object) +
			": nothing keeps every Signal and Broadcast from coming before it waits",
		Parties: []Party{c.wait.party(object, "waits for ever for a signal of "+w.object(object))},
	}
	f.Parties[0].Holds = c.held
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Signal, op.Broadcast}) {
		f.Schedule = append(f.Schedule, m.step(object))
		f.Notes = append(f.Notes, w.task(m.task)+" signals"+w.at(m.at)+
			" without having locked what the waiting task has unlocked; change the condition under that lock")
	}
	f.Schedule = append(f.Schedule, c.wait.step(object))
	f.Notes = withoutEqual(f.Notes)
	for _, b := range c.behind {
		does := "then waits " + waitsFor(w, &block{mark: b.mark, object: b.object})
		f.Parties = append(f.Parties, b.party(b.object, does))
		f.Schedule = append(f.Schedule, b.step(b.object))
	}
	f.Parties = append(f.Parties, d.behind(w, &c.wait, c.held, c.unlock.full)...)
	return f
}

// behind returns who may wait for a lock that the task holds while it waits for ever.
func (d *stuckDetector) behind(w words, waits *mark, held []HeldLock, known *clock.Clock) []Party {
	var all []Party
	for _, h := range held {
		for _, m := range d.thing(h.Object).users.list {
			excludes := m.kind == op.Lock || m.kind == op.RLock && h.Kind == op.Lock
			if !excludes || m.task == waits.task || m.within(known, waits.task, waits.k) || len(all) == maxTold {
				continue
			}
			does := "then waits for " + w.object(h.Object) + ", which " + w.task(waits.task) + " holds"
			if !slices.ContainsFunc(all, func(p Party) bool { return p.At == m.at }) {
				all = append(all, m.party(h.Object, does))
			}
		}
	}
	return all
}

// leftLocked reports who waits for ever for a lock that a task never gave back, if it comes after that
// task. In this run it came before.
func (d *stuckDetector) leftLocked(w words, object op.Object, t *thing) []Finding {
	if t.lent {
		return nil
	}
	var all []Finding
	for _, h := range t.holders() {
		if d.tasks[h.task] != nil || h.task == d.left {
			continue
		}
		for _, m := range t.users.list {
			excludes := m.kind == op.Lock || m.kind == op.RLock && h.kind == op.Lock
			if !excludes || m.task == h.task || m.within(h.free, h.task, h.k) {
				continue
			}
			all = append(all, Finding{
				Property: Stuck, How: Reordered, Cause: h.at,
				Text: w.task(m.task) + " can wait for ever" + w.at(m.at) + " to lock " + w.object(object) + ", which " + w.task(h.task) +
					" has locked" + w.at(h.at) + " and never unlocks",
				Parties:  []Party{m.party(object, "waits for ever to lock "+w.object(object))},
				Schedule: []Step{h.step(object), m.step(object)},
			})
		}
	}
	return all
}

// otherCases reports who waits for ever if a select statement takes another case: for each two places the
// case that says most.
func (d *stuckDetector) otherCases(w words) []Finding {
	var all []Finding
	done := map[[2]op.Place]bool{}
	for _, c := range d.convincing(w) {
		places := [2]op.Place{c.at, c.met.at}
		if !done[places] {
			done[places] = true
			all = append(all, d.otherCase(w, c))
		}
	}
	return all
}

// assumption is a candidate with what is assumed of it.
type assumption struct {
	*candidate
	guess *Guess
	how   Certainty
	shown bool // by the run
}

// convincing returns the candidates that convince, and which the source does not refute: first those that it confirms, and of these
// those that the run has shown.
func (d *stuckDetector) convincing(w words) []assumption {
	var all []assumption
	for _, c := range slices.SortedFunc(maps.Values(d.others.candidates), candidatesInOrder) {
		convinces, shown := d.others.convinces(c)
		if !convinces || isTimedTest(w, c) {
			continue
		}
		guess := &Guess{Text: "after the other case no goroutine comes back to the channel", Select: c.at, Took: c.took, Other: c.other}
		switch d.behindCase(guess) {
		case Leaves:
			all = append(all, assumption{c, guess, Predicted, shown})
		case Unread:
			all = append(all, assumption{c, guess, Possible, shown})
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
func isTimedTest(w words, c *candidate) bool {
	return c.why.kind == op.Arm && strings.Contains(w.Place(c.at).At, "_test.go:")
}

// candidatesInOrder sorts them, those where another task makes the case ready first.
func candidatesInOrder(a, b *candidate) int {
	return cmp.Or(timer(a)-timer(b), cmp.Compare(a.at, b.at), cmp.Compare(a.met.at, b.met.at), a.other-b.other, cmp.Compare(a.object, b.object))
}

func timer(c *candidate) int {
	if c.why.kind == op.Arm {
		return 1
	}
	return 0
}

func (d *stuckDetector) otherCase(w words, c assumption) Finding {
	waits, partner := "to send on ", "receives from"
	if c.met.kind == op.Recv {
		waits, partner = "to receive from ", "sends on"
	}
	other := "to " + caseOf(w, c.cases[c.other]) + ", " + whyReady(w, &c.why)
	f := Finding{
		Property: Stuck, How: c.how,
		Text: w.task(c.met.task) + " can wait for ever" + w.at(c.met.at) + " " + waits + w.object(c.object) + ": " + w.task(c.task) +
			", which " + partner + " it in a select statement" + w.at(c.at) + ", may take another case",
		Parties: []Party{c.met.party(c.object, "waits for ever "+waits+w.object(c.object))},
		Notes:   []string{"the other case is " + other},
		Count:   c.count,
		Guess:   c.guess,
	}
	f.Parties[0].Holds = c.held
	f.Notes = append(f.Notes, whyNotBack(c))
	if c.why.kind != op.Arm {
		f.Schedule = append(f.Schedule, c.why.step(c.cases[c.other].Object))
	}
	f.Schedule = append(f.Schedule, c.choice.step(c.cases[c.other].Object), c.met.step(c.object))
	f.Parties = append(f.Parties, d.behind(w, &c.met, c.held, c.free)...)
	return f
}

// whyNotBack says what is known of the goroutine behind the other case.
func whyNotBack(c assumption) string {
	note := "that case was not taken in this run"
	if c.shown {
		note = "after that case no goroutine came back to the channel in this run"
	}
	if c.how == Possible {
		return note + "; the report assumes that none comes back to it after that case"
	}
	return note + "; in its source, the goroutine does not come back to the channel after it"
}

// caseOf says what a case does.
func caseOf(w words, c op.Case) string {
	if c.Send {
		return "send on " + w.object(c.Object)
	}
	return "receive from " + w.object(c.Object)
}

func whyReady(w words, m *mark) string {
	switch m.kind {
	case op.Arm:
		return "when its timer fires"
	case op.Close:
		return "which " + w.task(m.task) + " closes" + w.at(m.at)
	case op.Send:
		return "on which " + w.task(m.task) + " sends" + w.at(m.at)
	default:
		return "from which " + w.task(m.task) + " receives" + w.at(m.at)
	}
}
