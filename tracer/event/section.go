package event

import "strings"

// What an operation on a channel does that serves as a lock, behind the name of the operation.
const (
	Locks   = " (locks)"
	Unlocks = " (unlocks)"

	// Serves is that of the first task that uses the channel: whether it locks or unlocks shows
	// only when another one uses it. See Sections.
	Serves = " (lock)"
)

// Section is what an operation does to a critical section.
type Section struct {
	Begins, Ends bool
	Reads        bool // it does not exclude others that read
}

// Sections tells what the operations of a run do to critical sections. A channel that serves as a
// lock has an element in it while nobody is in a section, or only while somebody is. Which of them
// it is shows when a second task uses it: it locks.
type Sections struct {
	full map[string]bool // channels with an element in them while nobody is in a section
}

// Note has to be told all operations of the run (Event.Op, Event.Obj) first.
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
// in it while nobody is in a section.
func StartsFull(op string) bool { return op == "recv"+Locks }

// Of returns what an operation does to a critical section of its object; neither Begins nor Ends if
// it has nothing to do with one. An end before any beginning ends nothing.
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

// WithoutEffect returns the operation on a channel without what it does as that on a lock.
func WithoutEffect(op string) string {
	for _, effect := range []string{Locks, Unlocks, Serves} {
		op = strings.TrimSuffix(op, effect)
	}
	return op
}
