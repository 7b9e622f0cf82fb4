package chrome

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// place names a track.
type place struct {
	process, thread string
	async           string // the key of asynchronous events; "" for a thread
}

// track has the events of a task.
type track struct {
	place
	title string // of asynchronous events
	marks []mark
	name  string // of the task
	steps []step
}

func (t *track) add(m mark) { t.marks = append(t.marks, m) }

// step is an event of the trace.
type step struct {
	time        int64
	enter, exit string
	event       string // the name of an instant
	args        []event.Binding
	sends       []string
	receives    []arrival
	after       []event.Ref
	position    // of what it was made of
}

// arrival is a flow that arrives, and when it did: the step can be a later one.
type arrival struct {
	flow string
	time int64
	position
}

// tracks are the tracks of a file, in the order of their first events.
type tracks struct {
	all       []*track
	at        map[place]*track
	processes map[string]string // names by pid
	threads   map[place]string

	overlaps  int // slices that end with those around them
	unmatched int // ends without a beginning
	lost      int // flows that end without having begun
}

func newTracks() *tracks {
	return &tracks{at: map[place]*track{}, processes: map[string]string{}, threads: map[place]string{}}
}

// describe reads the name of a process or a thread.
func (ts *tracks) describe(e element) {
	args, _ := e.Field("args")
	if args.Kind() != event.Object {
		return
	}
	name := element{args}.text("name")
	switch e.text("name") {
	case "process_name":
		ts.processes[e.text("pid")] = name
	case "thread_name":
		ts.threads[place{process: e.text("pid"), thread: e.text("tid")}] = name
	}
}

// of returns the track of an event.
func (ts *tracks) of(e element, phase string) *track {
	p := place{process: e.text("pid"), thread: e.text("tid")}
	title := ""
	switch phase {
	case "b", "e", "n":
		p, title = place{async: asyncKey(e)}, e.text("name")
	case "S", "F", "T", "p":
		p, title = place{async: e.key("async")}, e.text("name")
	}
	t := ts.at[p]
	if t == nil {
		t = &track{place: p, title: title}
		ts.at[p] = t
		ts.all = append(ts.all, t)
	}
	return t
}

// asyncKey is the same for events that nest: their names differ.
func asyncKey(e element) string {
	fields := slices.DeleteFunc(slices.Clone(e.Fields()), func(b event.Binding) bool { return b.Name == "name" })
	return element{event.ObjectValue(fields)}.key("async")
}

// finish makes the steps of all tracks, and names the tasks.
func (ts *tracks) finish() {
	processes := map[string]bool{}
	for _, t := range ts.all {
		if t.async == "" {
			processes[t.process] = true
		}
	}
	used := map[string]bool{}
	for _, t := range ts.all {
		name := ts.nameOf(t, len(processes) > 1)
		t.name = name
		for n := 2; used[t.name]; n++ {
			t.name = fmt.Sprintf("%s %d", name, n)
		}
		used[t.name] = true
		t.sort()
		s := stepper{track: t, tracks: ts}
		s.run()
	}
	ts.link()
}

// nameOf returns what a task is called, if no other one is called so.
func (ts *tracks) nameOf(t *track, several bool) string {
	if t.async != "" {
		return cmp.Or(t.title, "async")
	}
	name := cmp.Or(ts.threads[t.place], "thread "+t.thread)
	if several {
		name = cmp.Or(ts.processes[t.process], "process "+t.process) + "/" + name
	}
	return name
}

// sort orders the marks by time, and at the same time as in the file. Of complete slices that begin
// at the same time the longest one is around the others, and flows are within them unless they end
// where the next slice begins.
func (t *track) sort() {
	var whole, others []mark
	for _, m := range t.marks {
		if m.kind == complete {
			whole = append(whole, m)
		} else {
			others = append(others, m)
		}
	}
	slices.SortStableFunc(whole, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(b.last, a.last))
	})
	slices.SortStableFunc(others, func(a, b mark) int { return cmp.Compare(a.time, b.time) })
	t.marks = t.marks[:0]
	for len(whole)+len(others) > 0 {
		from := &others
		if len(others) == 0 || len(whole) > 0 && beginsBefore(&whole[0], &others[0]) {
			from = &whole
		}
		t.marks, *from = append(t.marks, (*from)[0]), (*from)[1:]
	}
}

// beginsBefore reports whether a complete slice begins before another mark.
func beginsBefore(whole, other *mark) bool {
	switch {
	case whole.time != other.time:
		return whole.time < other.time
	case other.kind == flow:
		return !other.next
	}
	return whole.number < other.number
}

// stepper makes the steps of a track.
type stepper struct {
	*track
	*tracks
	open    []slice
	arrived []arrival // at the beginning of the next slice
}

// slice is one that has begun.
type slice struct {
	name  string
	last  int64
	knows bool // its end is known
	position
}

func (s *stepper) run() {
	for i := range s.marks {
		s.mark(&s.marks[i])
	}
	if len(s.arrived) > 0 { // no slice has begun since
		last := &s.marks[len(s.marks)-1]
		s.steps = append(s.steps, step{time: last.time, receives: s.arrived, position: last.position})
	}
	s.closeUntil(math.MaxInt64)
	s.marks = nil
}

func (s *stepper) mark(m *mark) {
	until := m.time
	if m.kind == instant || m.kind == flow {
		until-- // it is within a slice that ends now
	}
	s.closeUntil(until)
	switch m.kind {
	case begin, complete:
		s.begin(m)
	case end:
		s.end(m)
	case instant:
		s.steps = append(s.steps, step{time: m.time, event: m.name, args: m.args, position: m.position})
	case flow:
		if m.next {
			s.arrived = append(s.arrived, m.arrivals()...)
			return
		}
		s.steps = append(s.steps, step{time: m.time, sends: m.sends, receives: m.arrivals(), position: m.position})
	}
}

func (m *mark) arrivals() (all []arrival) {
	for _, f := range m.receives {
		all = append(all, arrival{f, m.time, m.position})
	}
	return all
}

// closeUntil ends the slices that end at this time or before. Those within them end too.
func (s *stepper) closeUntil(time int64) {
	for n := len(s.open); n > 0 && s.open[n-1].last <= time && s.open[n-1].last < math.MaxInt64; n-- {
		top := s.open[n-1]
		if !top.knows {
			s.overlaps++
		}
		s.open = s.open[:n-1]
		s.steps = append(s.steps, step{time: top.last, exit: top.name, position: top.position})
	}
}

func (s *stepper) begin(m *mark) {
	top := slice{name: cmp.Or(m.name, "slice"), last: math.MaxInt64, position: m.position}
	if n := len(s.open); n > 0 {
		top.last = s.open[n-1].last
	}
	if m.kind == complete {
		top.knows = true
		if m.last > top.last {
			s.overlaps++
		}
		top.last = min(m.last, top.last)
	}
	s.open = append(s.open, top)
	s.steps = append(s.steps, step{time: m.time, enter: top.name, args: m.args, sends: m.sends,
		receives: append(s.arrived, m.arrivals()...), position: m.position})
	s.arrived = nil
}

// end ends the innermost slice without a duration, and with it those within.
func (s *stepper) end(m *mark) {
	at := len(s.open) - 1
	for at >= 0 && s.open[at].knows {
		at--
	}
	if at < 0 {
		s.unmatched++
		return
	}
	for n := len(s.open) - 1; n >= at; n-- {
		exit := step{time: m.time, exit: s.open[n].name, position: m.position}
		if n == at {
			exit.args = m.args
		} else {
			s.overlaps++
		}
		s.steps = append(s.steps, exit)
	}
	s.open = s.open[:at]
}
