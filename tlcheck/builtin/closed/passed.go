package closed

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// passed has the places where a task has found a channel open and went on without closing it. There
// something else decides which task closes, such as an item that only one of them finds.
type passed map[op.Place]bool

func (ps *passed) note(at op.Place) {
	if *ps == nil {
		*ps = passed{}
	}
	if len(*ps) < candidate.MaxPairs {
		(*ps)[at] = true
	}
}

// doubt makes a description doubtful if a task has come the same way and did not close.
func (ps passed) doubt(d *candidate.Description, names op.Names, way []string) {
	for at := range ps {
		if isBelow(way, callsOf(names, at)) {
			d.IsDoubted = true
			d.Notes = append(d.Notes, "in this run a goroutine found it open there, and went on without closing it")
			return
		}
	}
}
