package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
)

// The channel of a meeting and that of its other case are freed in any order, long before the run
// is over. Once the former is gone, no other task can meet S any more; the other case can become
// ready until its own channel is gone.

// readyCase is another case of a meeting, and what makes it ready.
type readyCase struct {
	other int
	why   candidate.Mark
}

// openCase is another case, of a meeting on a channel that has been freed.
type openCase struct {
	meeting
	object op.Object
	other  int
}

// Limits for a channel, beside maxMeetings: the channels that cite it.
const maxCiting = 8

// cite notes that the channels of the other cases of a meeting matter for it.
func (x *otherCases) cite(channel op.Object, m *meeting) {
	for other, option := range m.cases {
		if option.Object == 0 || option.Object == channel || m.timed>>other&1 != 0 {
			continue
		}
		t := x.channels.Ensure(option.Object)
		if slices.Contains(t.citing, channel) {
			continue
		}
		if len(t.citing) == maxCiting {
			t.citing = slices.Delete(t.citing, 0, 1)
		}
		t.citing = append(t.citing, channel)
	}
}

// noteFree notes that a channel is freed.
func (x *otherCases) noteFree(object op.Object, freed *state.Object) {
	x.findAlternatives(object, freed, nil)
	t := x.trafficOf(object)
	for i := range t.meetings {
		if m := &t.meetings[i]; !mayBeRescued(freed, m) {
			x.keepOpen(object, m)
		}
	}
	for _, c := range t.citing {
		meetings := x.trafficOf(c).meetings
		for i := range meetings {
			x.settle(&meetings[i], object, freed)
		}
	}
}

// keepOpen keeps the cases of a meeting on a freed channel that may still become ready.
func (x *otherCases) keepOpen(object op.Object, m *meeting) {
	for other, option := range m.cases {
		if x.run.Objects.At(option.Object) == nil || option.Object == object {
			continue
		}
		if _, ready := x.readyCause(m, other); ready {
			continue
		}
		t := x.channels.Ensure(option.Object)
		i := slices.IndexFunc(t.open, func(o openCase) bool {
			return o.At == m.At && o.met.At == m.met.At && o.other == other
		})
		switch open := (openCase{m.clone(), object, other}); {
		case i >= 0:
			t.open[i] = open
		case len(t.open) < maxMeetings:
			t.open = append(t.open, open)
		}
	}
}

// settle notes for a meeting that the channel of another case is freed.
func (x *otherCases) settle(m *meeting, object op.Object, freed *state.Object) {
	for other, option := range m.cases {
		if option.Object != object {
			continue
		}
		if why, ok := x.causeIn(freed, m, other); ok {
			m.settled = append(m.settled, readyCase{other, why})
		}
	}
}
