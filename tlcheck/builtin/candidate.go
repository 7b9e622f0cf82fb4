package builtin

import "github.com/antichain-go/antichain/tracer/op"

// candidate is a meeting, and another case that R could have taken.
type candidate struct {
	meeting
	object op.Object // the channel of the meeting
	other  int       // the case
	why    mark      // what makes it ready: of kind Arm, Close, Send or Recv
	count  int
}

type candidateKey struct {
	at, met op.Place
	other   int
	weak    bool // it convinces only if the run has shown what comes behind the other case
}

// maxCandidates bounds those of different places.
const maxCandidates = 1000

// consider looks for other cases of the meetings on a channel. It is the last time: the channel is gone, or
// the run is over.
func (d *stuckDetector) consider(object op.Object, c *thing) {
	meetings := c.seen().meetings
	for i := range meetings {
		m := &meetings[i]
		if c.rescued(m) {
			continue
		}
		for other := range m.cases {
			if why, ok := d.ready(m, other); ok && other != m.took {
				d.others.add(candidate{meeting: *m, object: object, other: other, why: why})
			}
		}
	}
}

func (x *otherCases) add(c candidate) {
	key := candidateKey{c.at, c.met.at, c.other, c.again || !c.helper}
	if old := x.candidates[key]; old != nil {
		old.count++
		return
	}
	if len(x.candidates) < maxCandidates {
		c.count = 1
		x.candidates[key] = &c
	}
}

// rescued reports whether somebody but R may have met S, or others that are not known any more.
func (t *thing) rescued(m *meeting) bool {
	if len(t.users.list) == maxUsers {
		return true
	}
	for _, u := range t.users.list {
		if u.task == m.task || u.task == m.met.task {
			continue
		}
		switch u.kind {
		case op.Close:
			return true
		case op.Recv, wouldReceive:
			if m.met.kind == op.Send {
				return true
			}
		case op.Send, wouldSend:
			if m.met.kind == op.Recv {
				return true
			}
		}
	}
	return false
}

// ready reports whether another case can be ready where R and S are about to meet, and why.
func (d *stuckDetector) ready(m *meeting, other int) (why mark, ok bool) {
	x := m.cases[other]
	if m.timed>>other&1 != 0 {
		return mark{task: op.NoTask, kind: op.Arm}, true
	}
	c := d.things.At(x.Object)
	if c == nil || x.Object == m.cases[m.took].Object {
		return mark{}, false
	}
	seen := c.seen()
	if !x.Send && seen.closing.kind == op.Close && !seen.closing.knows(&m.mark) {
		return seen.closing.mark, true
	}
	partner := sending
	if x.Send {
		partner = receiving
	}
	for i := range seen.came[partner].list {
		e := &seen.came[partner].list[i]
		if e.task != m.task && e.task != m.met.task && !e.knows(&m.mark) && !e.within(m.begin, m.task, m.k) {
			return e.mark, true
		}
	}
	return mark{}, false
}

// convinces reports whether it is to be expected that R does not come back behind the other case, and
// whether the run has shown it.
func (x *otherCases) convinces(c *candidate) (convinces, shown bool) {
	p := x.places[c.at]
	if p.varies || p.back[c.other]>>c.took&1 != 0 {
		return false, false
	}
	if p.taken[c.other] {
		return p.over[c.other], true
	}
	return c.helper && !c.again && c.ticks>>c.other&1 == 0, false
}
