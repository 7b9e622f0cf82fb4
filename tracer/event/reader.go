package event

// Reader reads a trace in either form.
type Reader interface {
	// Header returns the header, and reads it at the first call.
	Header() (*Header, error)

	// Next reads the next event into e, replacing its contents; the next call reuses e's slices. It
	// returns io.EOF after the last event, and an *Error at a fault of the trace, after the events
	// before it. After an error it returns the same error.
	Next(e *Event) error

	// Pos returns the position of the last event: "file:line", or "file:event N" for a binary
	// trace.
	Pos() string
}

// Writer writes a trace. The first error is sticky: all later calls return it.
type Writer interface {
	// Write appends an event. It returns an error for an event that no reader would accept.
	Write(e *Event) error

	// Flush passes all events so far to the underlying writer. A reader sees them even if this
	// program is killed.
	Flush() error

	// Close ends the trace. It does not close the underlying writer.
	Close() error
}
