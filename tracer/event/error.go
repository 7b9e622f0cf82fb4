package event

// Error says what is wrong with a trace, where, and what can be done about it.
type Error struct {
	Pos    string // "file:line", "file:line:column" or "file:event N"
	Reason string // what is wrong
	Remedy string // what to do; may be empty
	Err    error  // the error of the input, if that is what happened, else nil
}

// Unwrap returns the error of the input.
func (e *Error) Unwrap() error { return e.Err }

// Error puts position, reason and remedy into one line. Names from the trace are
// quoted in Reason, so the line is safe to print if the file's name is.
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
