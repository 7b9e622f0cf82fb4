package san

import "github.com/antichain-go/antichain/tracer/event"

// Sections returns how the operations of the run begin and end critical sections. If a channel
// serves as a lock that starts full, it takes time linear in the number of events, else in the
// number of different operations.
func (n *Net) Sections() *event.Sections {
	s := new(event.Sections)
	if !n.hasFullChannel() {
		return s
	}
	for a := range n.Order() {
		info := n.Event(a)
		s.Note(info.Op, info.Obj)
	}
	return s
}

// hasFullChannel reports whether a channel serves as a lock that starts full.
func (n *Net) hasFullChannel() bool {
	for _, s := range n.sites {
		if event.StartsFull(n.strs.strs[s.op]) {
			return true
		}
	}
	return false
}
