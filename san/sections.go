package san

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// Sections returns how the operations of the run begin and end critical sections. If a channel
// serves as a lock that starts full, it takes time linear in the number of events, else in the
// number of different operations.
func (n *Net) Sections() *event.Sections {
	s := new(event.Sections)
	startsFull := func(at site) bool { return event.StartsFull(n.strs.strs[at.op]) }
	if !slices.ContainsFunc(n.sites, startsFull) {
		return s
	}
	for a := range n.Order() {
		info := n.Event(a)
		s.Note(info.Op, info.Obj)
	}
	return s
}
