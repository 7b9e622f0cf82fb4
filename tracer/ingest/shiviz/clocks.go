package shiviz

import (
	"fmt"

	"github.com/antichain-go/antichain/tracer/event"
)

// clocks computes the causes of events.
type clocks struct {
	*log

	// By host: the knowledge of the event in hand, and the maximum of the knowledge of the events
	// it learns of. Both are 0 between two events.
	known, behind []int32
}

func (l *log) clocks() *clocks {
	return &clocks{log: l, known: make([]int32, len(l.names)), behind: make([]int32, len(l.names))}
}

// causes appends the causes of a record: the events that its host did not know before, without
// those that precede another one of these. It checks the clock: by induction over the records it is
// enough to compare it with the clocks of these events and of the previous event.
func (c *clocks) causes(refs []event.Ref, r *record) ([]event.Ref, error) {
	for _, e := range r.clock {
		c.known[e.host] = e.k
	}
	defer c.forget(r)
	before, err := c.before(r)
	if err != nil {
		return nil, err
	}
	learned, err := c.learn(r, before)
	if err != nil {
		return nil, err
	}
	for _, e := range learned {
		if c.behind[e.host] < e.k {
			refs = append(refs, event.Ref{Task: c.names[e.host], K: int(e.k)})
		}
	}
	return refs, nil
}

// before returns the clock of the previous event on the same host, which the record must know.
func (c *clocks) before(r *record) ([]entry, error) {
	if r.k == 1 {
		return nil, nil
	}
	before := c.records[c.byHost[r.host][r.k-2]].clock
	for _, e := range before {
		if c.known[e.host] < e.k {
			return nil, c.fault(r, fmt.Sprintf("the clock of host %q counts %d events of host %q, but before it "+
				"counted %d", c.names[r.host], c.known[e.host], c.names[e.host], e.k))
		}
	}
	return before, nil
}

// learn returns the entries that are larger than before, and notes the knowledge of the last events
// that they count.
func (c *clocks) learn(r *record, before []entry) ([]entry, error) {
	var learned []entry
	for _, e := range r.clock {
		for len(before) > 0 && before[0].host < e.host {
			before = before[1:]
		}
		if len(before) > 0 && before[0] == e {
			continue
		}
		learned = append(learned, e)
		if done := len(c.byHost[e.host]); int(e.k) > done {
			return nil, c.fault(r, fmt.Sprintf("the clock of host %q counts %d events of host %q, which has only %d "+
				"in the whole log", c.names[r.host], e.k, c.names[e.host], done))
		}
		for _, f := range c.records[c.byHost[e.host][e.k-1]].clock {
			switch {
			case f.host == r.host && f.k >= r.k:
				return nil, c.fault(r, fmt.Sprintf("the clock of host %q counts event %d of host %q, whose clock "+
					"counts this event: each would come after the other", c.names[r.host], e.k, c.names[e.host]))
			case f.host != r.host && f.k > c.known[f.host]:
				return nil, c.fault(r, fmt.Sprintf("the clock of host %q counts event %d of host %q, but of host %q "+
					"only %d of the %d events that that one comes after",
					c.names[r.host], e.k, c.names[e.host], c.names[f.host], c.known[f.host], f.k))
			}
			c.behind[f.host] = max(c.behind[f.host], f.k)
		}
	}
	return learned, nil
}

// forget resets known and behind to 0; only entries of the clock, and the host itself, were set.
func (c *clocks) forget(r *record) {
	for _, e := range r.clock {
		c.known[e.host], c.behind[e.host] = 0, 0
	}
	c.behind[r.host] = 0
}

func (c *clocks) fault(r *record, reason string) error {
	return &event.Error{
		Pos: c.pos(r), Reason: "inconsistent clock: " + reason,
		Remedy: "the log is incomplete, or the clocks were not passed on with every message; if each process has " +
			"written a file of its own, join these",
	}
}

func (l *log) pos(r *record) string { return fmt.Sprintf("%s:%d", l.name, r.line) }
