package san

import "github.com/antichain-go/antichain/tracer/event"

// Sections returns what the operations of the run do to critical sections. Takes time linear in the
// number of events if a channel serves as a lock that starts full, else in that of different
// operations.
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
