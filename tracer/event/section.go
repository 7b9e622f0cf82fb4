package event

import "strings"

// The effect of an operation on a channel that serves as a lock, after the name of the operation.
const (
	Locks   = " (locks)"
	Unlocks = " (unlocks)"

	// Serves marks the operations of the first task that uses the channel: only a use by another
	// task shows whether they lock or unlock. See Sections.
	Serves = " (lock)"
)

// Section is the effect of an operation on critical sections.
type Section struct {
	Begins, Ends bool
	Reads        bool // it does not exclude other reading sections
}

// Sections determines the effect of the operations of a run on critical sections. A channel that
// serves as a lock has an element in it either while no section is open, or only while one is. The
// first use by a second task shows which: that task locks.
type Sections struct {
	full map[string]bool // channels with an element in them while no section is open
}

// Note must be called for all operations of the run (Event.Op, Event.Obj) before Of.
func (s *Sections) Note(op, obj string) {
	if !StartsFull(op) || s.full[obj] {
		return
	}
	if s.full == nil {
		s.full = map[string]bool{}
	}
	s.full[obj] = true
}

// StartsFull reports whether an operation shows that a channel serves as a lock that has an element
// in it while no section is open.
func StartsFull(op string) bool { return op == "recv"+Locks }

// Of returns the effect of an operation on critical sections of its object; neither Begins nor Ends
// if it has none. An end before any beginning ends nothing.
func (s *Sections) Of(op, obj string) Section {
	switch op {
	case "lock":
		return Section{Begins: true}
	case "rlock":
		return Section{Begins: true, Reads: true}
	case "unlock":
		return Section{Ends: true}
	case "runlock":
		return Section{Ends: true, Reads: true}
	}
	does, serves := strings.CutSuffix(op, Serves)
	if serves {
		begins := (does == "recv") == s.full[obj]
		return Section{Begins: begins, Ends: !begins}
	}
	return Section{Begins: strings.HasSuffix(op, Locks), Ends: strings.HasSuffix(op, Unlocks)}
}

// WithoutEffect returns the operation on a channel without its effect as a lock.
func WithoutEffect(op string) string {
	for _, effect := range []string{Locks, Unlocks, Serves} {
		op = strings.TrimSuffix(op, effect)
	}
	return op
}
