package closed

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// sectioned looks for sends that only the order of critical sections puts before the close. Package
// reorder decides whether the close can come first, with each read seeing what it saw in the run: a
// sender that looks at a flag under the lock has seen another value then, and is not found. A
// section of the send that excludes one of the close comes last, behind that.
type sectioned struct {
	history  *reorder.History // nil: nothing is known of sections
	sends    candidate.Objects[[]sent]
	suspects []suspect
	steps    int64 // of closures, that are left
}

// sent is a send, and what its task knew before it.
type sent struct {
	candidate.Mark
	data  *clock.Clock
	outer op.Step // begins the outermost section that it is in, of kind None if there is none
}

// suspect is a send before a close.
type suspect struct {
	send    sent
	sends   []op.Place // all of them on the channel
	close   candidate.Mark
	data    *clock.Clock // what the task of the close knew
	channel op.Object
}

// Bounds. Each only loses findings.
const (
	maxSent     = 16      // sends on a channel: the last of each task and place
	maxSuspects = 1 << 10 // pairs of places
	maxSteps    = 1 << 25 // of closures
)

const sectionedNote = "in this run critical sections kept the send before the close; " +
	"a send on a closed channel panics"

func (s *sectioned) noteSend(m sent, channel op.Object) {
	if s.history == nil {
		return
	}
	all := s.sends.Ensure(channel)
	isLike := func(x sent) bool { return x.Task == m.Task && x.At == m.At }
	switch i := slices.IndexFunc(*all, isLike); {
	case i >= 0:
		(*all)[i] = m
	case len(*all) < maxSent:
		*all = append(*all, m)
	}
}

func (s *sectioned) noteClose(o *op.Op) {
	all := s.sends.At(o.Object)
	if all == nil {
		return
	}
	var places []op.Place
	for _, x := range *all {
		places = append(places, x.At)
	}
	for _, x := range *all {
		isSectioned := x.Task != o.Task && x.Before(o) && !x.Within(o.Free, o.Task, o.K)
		isKnown := func(y suspect) bool { return y.send.At == x.At && y.close.At == o.At }
		if isSectioned && len(s.suspects) < maxSuspects && !slices.ContainsFunc(s.suspects, isKnown) {
			s.suspects = append(s.suspects, suspect{x, places, candidate.MarkOf(o, op.Close), o.Data, o.Object})
		}
	}
}

// findings decides the suspects.
func (s *sectioned) findings(names op.Names) []rule.Finding {
	var found []rule.Finding
	for i := range s.suspects {
		x := &s.suspects[i]
		if s.steps <= 0 {
			break
		}
		before := s.history.Work().Steps
		p := s.prefix(x, names)
		s.steps -= s.history.Work().Steps - before
		if p == nil {
			continue
		}
		f := x.finding(p, names)
		places := append(p.Last(), x.send.At, x.close.At)
		if !s.history.IsLeftOpen() || rule.IsOwn(names, places) {
			found = append(found, f)
		}
	}
	return found
}

// prefix returns a prefix of the run in which the channel is closed and the send is next, nil if
// there is none. That a send and the close are a race does not keep them from coming in the other
// order.
func (s *sectioned) prefix(x *suspect, names op.Names) *reorder.Prefix {
	send := reorder.Point{Task: x.send.Task, Done: x.send.K - 1, Data: x.send.data}
	closing := reorder.Point{Task: x.close.Task, Done: x.close.K, Data: x.data}
	closing, ok := s.history.Outside(closing, send)
	if !ok {
		return nil
	}
	isSame := func(a, b op.Place) bool { return names.Place(a).At == names.Place(b).At }
	isOfChannel := func(before, after op.Place) bool {
		isBefore := func(at op.Place) bool { return isSame(before, at) }
		return isSame(after, x.close.At) && slices.ContainsFunc(x.sends, isBefore)
	}
	p := s.history.AnyPrefixBut(isOfChannel, send, closing)
	if p == nil || p.Verify() != nil {
		return nil
	}
	return p
}

// candidates returns the suspects where accesses to memory are not recorded: nothing is known of
// flags there.
func (s *sectioned) candidates(names op.Names) []rule.Finding {
	if s.history == nil || !s.history.IsOff() {
		return nil
	}
	var all []rule.Finding
	for i := range s.suspects {
		all = append(all, s.suspects[i].candidate(names))
	}
	return all
}

// describe returns the suspect as a pair, and in words.
func (x *suspect) describe(how rule.Certainty, names op.Names) (candidate.Pair, candidate.Description) {
	pair := candidate.Pair{
		Flaw: sendClosed, How: how, First: x.send.Mark, Second: x.close, Object: x.channel, Count: 1,
	}
	d := describe(candidate.Words{Names: names}, &pair)
	d.Notes = []string{sectionedNote}
	return pair, d
}

// candidate returns the suspect as a candidate: the close comes before the section with the send.
func (x *suspect) candidate(names op.Names) rule.Finding {
	pair, d := x.describe(rule.Possible, names)
	return d.Candidate(&pair, x.close.Step(x.channel), x.send.outer, x.send.Step(x.channel))
}

func (x *suspect) finding(p *reorder.Prefix, names op.Names) rule.Finding {
	how := rule.Predicted
	if p.Reverses() || p.IsOpen() {
		how = rule.Reordered
	}
	pair, d := x.describe(how, names)
	f := d.Finding(&pair)
	f.Reverses, f.Sectioned = p.Reverses(), true
	f.Schedule = append(withStep(p.Schedule(), x.close.Step(x.channel)), x.send.Step(x.channel))
	return f
}

// withStep inserts a step into a schedule before the next one of its task, else before the last
// steps of others.
func withStep(schedule []op.Step, x op.Step) []op.Step {
	i := slices.IndexFunc(schedule, func(s op.Step) bool { return s.Task == x.Task && s.K > x.K })
	if i < 0 {
		i = len(schedule)
	}
	return slices.Insert(schedule, i, x)
}
