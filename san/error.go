package san

// ErrorKind classifies the faults of a trace.
type ErrorKind uint8

// The kinds of faults.
const (
	_         ErrorKind = iota
	BadHeader           // no tasks, duplicate tasks, an unknown version
	// an event that contradicts itself: enter and exit, one name in set and global, k < 1
	BadEvent
	BadReference // "after" names the event itself or a side of its own joint action
	// two events of one task in a joint action, or a one-sided "with" where both are required
	BadJoint
	ExitMismatch    // exit of a function that is not the top frame
	TaskTwice       // a task created twice
	EventAfterEnd   // an event of a task after its "end"
	UndeclaredShare // write to a variable the header does not declare as shared
	Dangling        // a reference to an event that was never read
	Uncreated       // an event of a task that no event creates
	Cycle           // events that wait for each other
	Overrun         // more events wait than the limit allows
	TooLarge        // more events or values in one task than can be counted
)

// Error is a fault of the trace.
type Error struct {
	Kind   ErrorKind
	Pos    string // position of the event, as given to Add; "header" for the header
	Reason string // the fault and its remedy
}

// Error returns "position: reason".
func (e *Error) Error() string { return e.Pos + ": " + e.Reason }
