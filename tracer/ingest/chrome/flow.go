package chrome

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// flowEnd is where a flow leaves a track, or arrives at one.
type flowEnd struct {
	arrival
	arrives bool
	track   *track
	step    int // its index
}

// link gives the steps at which flows arrive their causes: the last step before, in time, from
// which the flow has left.
func (ts *tracks) link() {
	sent := map[string]event.Ref{}
	for _, e := range ts.flowEnds() {
		if !e.arrives {
			sent[e.flow] = event.Ref{Task: e.track.name, K: e.step + 1}
			continue
		}
		from, ok := sent[e.flow]
		switch s := &e.track.steps[e.step]; {
		case !ok:
			ts.lost++
		case from.Task != e.track.name:
			s.after = append(s.after, from)
		}
	}
}

// flowEnds returns the ends of all flows in the order of time. A flow that goes on arrives first.
func (ts *tracks) flowEnds() (ends []flowEnd) {
	for _, t := range ts.all {
		for i := range t.steps {
			s := &t.steps[i]
			for _, a := range s.receives {
				ends = append(ends, flowEnd{a, true, t, i})
			}
			for _, f := range s.sends {
				ends = append(ends, flowEnd{arrival{f, s.time, s.position}, false, t, i})
			}
		}
	}
	slices.SortStableFunc(ends, func(a, b flowEnd) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.number, b.number))
	})
	return ends
}
