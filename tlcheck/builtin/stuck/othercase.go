package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// otherCases finds tasks that wait for ever if the select statement of another task takes another
// case than it did.
//
// A task R took a case of a select statement, by which it met S on an unbuffered channel, where S
// sends (or receives) and does nothing else. Another case of that statement could have been ready:
// its timer fires, its channel is closed, or its partner comes, and nothing of that comes after the
// meeting. So there is a slice in which R and S are there, and so is the other case. What R does if
// it takes that one is not in this run. If R never comes back to the channel, S waits for ever, as
// there is no other partner. The detector assumes so if
//
//   - where a task took that case of the same statement in this run, it did not come back, nor
//     close the channel, before it ended or was at the statement again (what the end of the program
//     cuts off shows nothing);
//   - or no task took that case, R has made the channel and started S, as for a result, and R came
//     to that statement once and never to the channel again. (A task that waits for an end in a
//     loop looks the same if the other case is a message or a time-out. With a ticker it is a loop.)
//
// The default of the statement is such a case, too. It is always ready: R takes it if it is there
// before S waits, and nothing that R knows can follow that. R and S must have met only once on the
// channel then, as a task that signals again and again reaches S in the end.
//
// R does not come back either if it locks first what S holds, as it did each time behind that case
// in this run.
//
// This is a guess about code. The finding says so, and where no task took the case, the source may
// refute it (Guess). It distinguishes a result that is left after a time-out, which is wrong, from
// one for which the channel has room, or that is received later, which is right.
type otherCases struct {
	*memory
	places       map[op.Place]*selectPlace
	alternatives map[alternativeKey]*alternative
}

// selectPlace is a select statement in the program.
type selectPlace struct {
	cases  int                            // how many it has
	varies bool                           // not always as many: by reflect.Select
	taken  [candidate.MaxCases + 1]bool   // by case, the default comes last
	over   [candidate.MaxCases + 1]bool   // by case: a task has done all that follows it
	back   [candidate.MaxCases + 1]uint32 // by case: those that the task came back to, as bits
	locked [candidate.MaxCases + 1][]lockedBehind
}

// choice is the select statement that a task is at, of kind None if it is at none. It has no cases
// if they are too many.
type choice struct {
	candidate.Mark
	cases      []op.Case
	hasDefault bool
	begin      *clock.Clock
}

// withTransfer returns the choice with operation k as the transfer.
func (c choice) withTransfer(k int32) choice {
	c.K = k
	return c
}

// example is the case that a task took last at some place.
type example struct {
	place  *selectPlace
	took   int
	cases  []op.Object
	locked []lockedBehind // since then, until the task comes back
	isBack bool
}

// isOver notes that the task has done all that follows the case.
func (e *example) isOver() {
	e.noteBack()
	e.place.over[e.took] = true
}

// maxExamples limits the examples of a task.
const maxExamples = 8

// meeting is one of R and S.
type meeting struct {
	choice                   // of R; its number is that of the transfer
	took     int             // the case
	timed    uint32          // the cases that a timer makes ready, as bits
	ticks    uint32          // those that a ticker makes ready
	helper   bool            // R has made the channel and started S
	met      candidate.Mark  // what S did
	held     []rule.HeldLock // by S
	free     *clock.Clock
	returned bool        // R came to the channel again
	again    bool        // S did
	settled  []readyCase // other cases that were ready, and whose channels have been freed
}

// Limits for a channel: the meetings that are kept, and the arrivals in each direction.
const (
	maxMeetings = 8
	maxArrivals = 4
)

// arrivals are the last tasks that came to send on, or to receive from a channel, and what they
// knew then.
type arrivals struct {
	list []candidate.Event
	next int
}

func (a *arrivals) add(e candidate.Event) {
	if len(a.list) < maxArrivals {
		a.list = append(a.list, e)
		return
	}
	a.list[a.next] = e
	a.next = (a.next + 1) % maxArrivals
}

func (x *otherCases) noteSelect(o *op.Op, t *task) {
	t.choice = choice{
		Mark: candidate.MarkOf(o, op.Select), cases: t.choice.cases[:0],
		hasDefault: o.Kind == op.Select && o.HasDefault(), begin: o.Full,
	}
	for _, c := range o.Cases {
		x.noteReturn(o.Task, t, c.Object)
	}
	if (len(o.Cases) >= 2 || t.choice.hasDefault) && len(o.Cases) <= candidate.MaxCases {
		t.choice.cases = append(t.choice.cases, o.Cases...)
	}
	if o.Kind == op.Select && o.TakesDefault() {
		if len(t.choice.cases) > 0 {
			x.noteTaken(t, len(t.choice.cases))
		}
		t.choice.Kind = op.None // none of the cases
	}
}

// noteTransfer notes that a task sends on an object, or receives from it. It returns the index of
// the case of its select statement that this is, or -1.
func (x *otherCases) noteTransfer(t *task, object op.Object, send bool) int {
	if t.choice.Kind == op.None {
		return -1
	}
	took := slices.Index(t.choice.cases, op.Case{Object: object, Send: send})
	if took >= 0 {
		x.noteTaken(t, took)
	}
	return took
}

// noteTaken notes which case a task takes.
func (x *otherCases) noteTaken(t *task, took int) {
	place := x.place(t.choice.At)
	place.taken[took] = true
	place.varies = place.varies || place.cases != 0 && place.cases != len(t.choice.cases)
	place.cases = len(t.choice.cases)
	e := t.example(place)
	e.took, e.cases, e.locked, e.isBack = took, e.cases[:0], e.locked[:0], false
	for _, c := range t.choice.cases {
		e.cases = append(e.cases, c.Object)
	}
}

// example returns the task's example for a place; a new one replaces the oldest.
func (t *task) example(place *selectPlace) *example {
	last := len(t.examples) - 1
	i := last
	for i >= 0 && t.examples[i].place != place {
		i--
	}
	if i >= 0 {
		t.examples[i].isOver()
	}
	switch {
	case i < 0 && last+1 < maxExamples:
		t.examples = append(t.examples, example{place: place})
	case i < last: // also -1: then the oldest one goes
		i = max(i, 0)
		old := t.examples[i] // its memory is used again
		copy(t.examples[i:], t.examples[i+1:])
		t.examples[last] = example{place: place, cases: old.cases, locked: old.locked}
	}
	return &t.examples[len(t.examples)-1]
}

func (x *otherCases) place(place op.Place) *selectPlace {
	p := x.places[place]
	if p == nil {
		p = new(selectPlace)
		x.places[place] = p
	}
	return p
}

// noteReturn notes that a task comes to a channel, also in a select statement.
func (x *otherCases) noteReturn(task op.Task, t *task, object op.Object) {
	for i := range t.examples {
		e := &t.examples[i]
		back, all := &e.place.back[e.took], uint32(1<<len(e.cases)-1)
		if e.isBack && (*back|1<<e.took)&all == all {
			continue
		}
		for j, o := range e.cases {
			if o == object && j != e.took {
				*back |= 1 << j
				e.noteBack()
			}
		}
	}
	meetings := x.trafficOf(object).meetings
	for i := range meetings {
		m := &meetings[i]
		m.returned = m.returned || m.Task == task
		m.again = m.again || m.met.Task == task
	}
}

func (x *otherCases) noteUse(o *op.Op, send bool) {
	if o.Task != op.NoTask {
		t := x.task(o.Task)
		x.noteReturn(o.Task, t, o.Object)
		x.noteTransfer(t, o.Object, send)
		t.choice.Kind = op.None
	}
}

// noteMeeting notes a transfer on an unbuffered channel.
func (x *otherCases) noteMeeting(o *op.Op) {
	t, s, r := x.channels.Ensure(o.Object), x.task(o.Task), x.task(o.Other)
	t.came[sending].add(candidate.Event{Mark: candidate.MarkOf(o, op.Send), Full: o.Begin})
	t.came[receiving].add(candidate.Event{Mark: candidate.MarkOfOther(o, op.Recv), Full: o.OtherBegin})
	sender, receiver := x.noteTransfer(s, o.Object, true), x.noteTransfer(r, o.Object, false)
	switch {
	case receiver >= 0 && s.choice.Kind == op.None:
		x.keepMeeting(o.Object, meeting{
			choice: r.choice.withTransfer(o.OtherK),
			took:   receiver, met: candidate.MarkOf(o, op.Send), held: x.run.Task(o.Task).Held, free: o.Before,
		})
	case sender >= 0 && r.choice.Kind == op.None:
		x.keepMeeting(o.Object, meeting{
			choice: s.choice.withTransfer(o.K),
			took:   sender, met: candidate.MarkOfOther(o, op.Recv), held: x.run.Task(o.Other).Held, free: o.OtherBefore,
		})
	}
}

// keepMeeting keeps a meeting; it replaces the last one at the same places.
func (x *otherCases) keepMeeting(channel op.Object, m meeting) {
	for i, option := range m.cases {
		if t := x.run.Objects.At(option.Object); t != nil && t.Timed && !option.Send {
			m.timed |= 1 << i
			if t.Ticks {
				m.ticks |= 1 << i
			}
		}
	}
	m.helper = x.run.Objects.Ensure(channel).Maker == m.Task && x.run.StartedBy(m.met.Task) == m.Task
	t := x.channels.Ensure(channel)
	i := slices.IndexFunc(t.meetings, func(x meeting) bool {
		return x.Task == m.Task && x.At == m.At && x.met.At == m.met.At
	})
	switch {
	case i >= 0:
		old := &t.meetings[i]
		m.returned, m.again = old.returned, old.again
		m.cases, m.held = append(old.cases[:0], m.cases...), append(old.held[:0], m.held...)
		*old = m
	case len(t.meetings) < maxMeetings:
		t.meetings = append(t.meetings, m.clone())
	default:
		return
	}
	x.cite(channel, &m)
}

// clone returns a meeting that does not share its cases with the task.
func (m *meeting) clone() meeting {
	c := *m
	c.cases, c.held = slices.Clone(m.cases), slices.Clone(m.held)
	return c
}

// alternative is a meeting, and another case that R could have taken.
type alternative struct {
	meeting
	object op.Object      // the channel of the meeting
	other  int            // the case, behind all others the default
	why    candidate.Mark // what makes it ready: Arm, Close, Send, Recv; Select for a default
	count  int
	locks  lockedBehind // of S, for which R waits behind that case; of kind None if it does not
}

type alternativeKey struct {
	selectAt, partnerAt op.Place
	other               int
	weak                bool // it convinces only if the run has shown what comes behind the other case
	locks               op.Place
}

// maxAlternatives bounds those of different places.
const maxAlternatives = 1000

// findAlternatives looks for other cases of the meetings on a channel, and for meetings that have a
// case with the channel, when the channel is freed or the run is over. Some tasks may wait for it.
func (x *otherCases) findAlternatives(object op.Object, c *state.Object, waiting []candidate.Mark) {
	t := x.trafficOf(object)
	for i := range t.meetings {
		m := &t.meetings[i]
		if mayBeRescued(c, m) || slices.ContainsFunc(waiting, m.canEnd) {
			continue
		}
		for other := range m.cases {
			if why, ok := x.readyCause(m, other); ok {
				x.add(alternative{meeting: *m, object: object, other: other, why: why})
			}
		}
		if m.hasDefault {
			x.add(alternative{meeting: *m, object: object, other: len(m.cases), why: candidate.Mark{Kind: op.Select}})
		}
	}
	for i := range t.open {
		m := &t.open[i]
		if why, ok := x.causeIn(c, &m.meeting, m.other); ok {
			x.add(alternative{meeting: m.meeting, object: m.object, other: m.other, why: why})
		}
	}
}

func (x *otherCases) add(c alternative) {
	c.locks = x.locksBehind(&c)
	key := alternativeKey{c.At, c.met.At, c.other, !c.isLast(), c.locks.At}
	if old := x.alternatives[key]; old != nil {
		old.count++
		return
	}
	if len(x.alternatives) < maxAlternatives {
		c.count = 1
		x.alternatives[key] = &c
	}
}

// mayBeRescued reports whether a task other than R may have met S.
func mayBeRescued(t *state.Object, m *meeting) bool {
	return len(t.Users.List) == state.MaxUsers || slices.ContainsFunc(t.Users.List, m.canEnd)
}

// canEnd reports whether what another task than R does, or waits to do, may let S go on.
func (m *meeting) canEnd(u candidate.Mark) bool {
	return u.Task != m.Task && u.Task != m.met.Task && state.Ends(m.met.Kind, u.Kind)
}

// readyCause returns what can make another case ready where R and S are about to meet, if anything.
func (x *otherCases) readyCause(m *meeting, other int) (why candidate.Mark, ok bool) {
	if m.timed>>other&1 != 0 && other != m.took {
		return candidate.Mark{Task: op.NoTask, Kind: op.Arm}, true
	}
	for _, s := range m.settled {
		if s.other == other {
			return s.why, true
		}
	}
	return x.causeIn(x.run.Objects.At(m.cases[other].Object), m, other)
}

// causeIn is readyCause for a case that no timer makes ready, with the state of its channel.
func (x *otherCases) causeIn(c *state.Object, m *meeting, other int) (why candidate.Mark, ok bool) {
	option := m.cases[other]
	if c == nil || option.Object == m.cases[m.took].Object {
		return candidate.Mark{}, false
	}
	if !option.Send && c.Closing.Kind == op.Close && !c.Closing.Knows(&m.Mark) {
		return c.Closing.Mark, true
	}
	partner := sending
	if option.Send {
		partner = receiving
	}
	came := x.trafficOf(option.Object).came[partner].list
	for i := range came {
		e := &came[i]
		if e.Task != m.Task && e.Task != m.met.Task && !e.Knows(&m.Mark) && !e.Within(m.begin, m.Task, m.K) {
			return e.Mark, true
		}
	}
	return candidate.Mark{}, false
}

// isDefault reports whether the other case is the default.
func (c *alternative) isDefault() bool { return c.other == len(c.cases) }

// isLast reports whether the meeting was all that R had to do with the channel, as far as its kind
// of case needs that.
func (c *alternative) isLast() bool {
	if c.isDefault() {
		return !c.returned && !c.again
	}
	return !c.returned && c.helper
}

// convinces reports whether R probably does not come back after the other case, and whether the run
// has shown it.
func (x *otherCases) convinces(c *alternative) (convinces, shown bool) {
	p := x.places[c.At]
	switch {
	case p.varies || p.back[c.other]>>c.took&1 != 0:
		return false, false
	case c.isDefault():
		return c.isLast(), p.over[c.other]
	case p.taken[c.other]:
		return p.over[c.other], true
	}
	return c.isLast() && c.ticks>>c.other&1 == 0, false
}
