package event

// Error describes a fault of a trace, its position, and a remedy.
type Error struct {
	Pos    string // "file:line", "file:line:column" or "file:event N"
	Reason string // what is wrong
	Remedy string // may be empty
	Err    error  // the error of the input, if there was one
}

// Unwrap returns the error of the input.
func (e *Error) Unwrap() error { return e.Err }

// Error returns position, reason and remedy on one line. Reason quotes names from the trace, so the
// line is safe to print if the file's name is.
func (e *Error) Error() string {
	s := e.Reason
	if e.Pos != "" {
		s = e.Pos + ": " + s
	}
	if e.Remedy != "" {
		s += " (" + e.Remedy + ")"
	}
	return s
}
