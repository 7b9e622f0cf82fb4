package event

// Reader reads a trace in whichever form it has.
type Reader interface {
	// Header returns the header, and reads it if that has not happened yet.
	Header() (*Header, error)

	// Next reads the next event into e, over whatever e holds; e's slices are used
	// again by the next call. It returns io.EOF after the last event and an *Error
	// if the trace is broken; events before the broken place have been delivered.
	// After an error it returns the same error.
	Next(e *Event) error

	// Pos says where the last event came from: "file:line", or "file:event N" for a
	// binary trace.
	Pos() string
}

// Writer writes a trace. The first error stays: all later calls return it.
type Writer interface {
	// Write appends an event. An event that no reader would accept is an error.
	Write(e *Event) error

	// Flush hands everything written so far to the underlying writer, so that a
	// reader sees it even if this program is killed.
	Flush() error

	// Close ends the trace. It does not close the underlying writer.
	Close() error
}
