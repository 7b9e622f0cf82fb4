package stuck

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// alternative is a meeting, and another case that R could have taken.
type alternative struct {
	meeting
	object op.Object      // the channel of the meeting
	other  int            // the case
	why    candidate.Mark // what makes it ready: of kind Arm, Close, Send or Recv
	count  int
}

type alternativeKey struct {
	at, met op.Place
	other   int
	weak    bool // it convinces only if the run has shown what comes behind the other case
}

// maxAlternatives bounds those of different places.
const maxAlternatives = 1000

// consider looks for other cases of the meetings on a channel. It is the last time: the channel is gone, or
// the run is over.
func (x *otherCases) consider(object op.Object, c *thing) {
	meetings := c.seen().meetings
	for i := range meetings {
		m := &meetings[i]
		if c.rescued(m) {
			continue
		}
		for other := range m.cases {
			if why, ok := x.ready(m, other); ok && other != m.took {
				x.add(alternative{meeting: *m, object: object, other: other, why: why})
			}
		}
	}
}

func (x *otherCases) add(c alternative) {
	key := alternativeKey{c.At, c.met.At, c.other, c.again || !c.helper}
	if old := x.alternatives[key]; old != nil {
		old.count++
		return
	}
	if len(x.alternatives) < maxAlternatives {
		c.count = 1
		x.alternatives[key] = &c
	}
}

// rescued reports whether somebody but R may have met S, or others that are not known any more.
func (t *thing) rescued(m *meeting) bool {
	if len(t.users.List) == maxUsers {
		return true
	}
	for _, u := range t.users.List {
		if u.Task == m.Task || u.Task == m.met.Task {
			continue
		}
		switch u.Kind {
		case op.Close:
			return true
		case op.Recv, wouldReceive:
			if m.met.Kind == op.Send {
				return true
			}
		case op.Send, wouldSend:
			if m.met.Kind == op.Recv {
				return true
			}
		}
	}
	return false
}

// ready reports whether another case can be ready where R and S are about to meet, and why.
func (x *otherCases) ready(m *meeting, other int) (why candidate.Mark, ok bool) {
	option := m.cases[other]
	if m.timed>>other&1 != 0 {
		return candidate.Mark{Task: op.NoTask, Kind: op.Arm}, true
	}
	c := x.things.At(option.Object)
	if c == nil || option.Object == m.cases[m.took].Object {
		return candidate.Mark{}, false
	}
	seen := c.seen()
	if !option.Send && seen.closing.Kind == op.Close && !seen.closing.Knows(&m.Mark) {
		return seen.closing.Mark, true
	}
	partner := sending
	if option.Send {
		partner = receiving
	}
	for i := range seen.came[partner].list {
		e := &seen.came[partner].list[i]
		if e.Task != m.Task && e.Task != m.met.Task && !e.Knows(&m.Mark) && !e.Within(m.begin, m.Task, m.K) {
			return e.Mark, true
		}
	}
	return candidate.Mark{}, false
}

// convinces reports whether it is to be expected that R does not come back behind the other case, and
// whether the run has shown it.
func (x *otherCases) convinces(c *alternative) (convinces, shown bool) {
	p := x.places[c.At]
	if p.varies || p.back[c.other]>>c.took&1 != 0 {
		return false, false
	}
	if p.taken[c.other] {
		return p.over[c.other], true
	}
	return c.helper && !c.again && c.ticks>>c.other&1 == 0, false
}
