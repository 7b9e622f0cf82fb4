package event

import "strings"

// What an operation on a channel does that serves as a lock, behind the name of the operation.
const (
	Locks   = " (locks)"
	Unlocks = " (unlocks)"
)

// Section is what an operation does to a critical section.
type Section struct {
	Begins, Ends bool
	Reads        bool // it does not exclude others that read
}

// SectionOf returns what an operation (Event.Op) does to a critical section; neither Begins nor Ends if it has nothing to do with one.
func SectionOf(op string) Section {
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
	return Section{Begins: strings.HasSuffix(op, Locks), Ends: strings.HasSuffix(op, Unlocks)}
}

// WithoutEffect returns the operation on a channel without what it does as that on a lock.
func WithoutEffect(op string) string {
	return strings.TrimSuffix(strings.TrimSuffix(op, Locks), Unlocks)
}
