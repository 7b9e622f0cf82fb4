// Package process turns the raw records of one Go process (internal/tracer/ring) into a trace:
// a header and events in an order that every reader accepts.
//
// Package causality says what comes before what, and which events are kept. Here is what is known of the program: its table of
// sites, which says what the records of traced functions and variables mean (frames.go), the header (header.go), and, with
// Options.Record, the records of operations themselves with what is known of the code that they lead to (record.go). Operations
// reads those of a trace, and gives them the order that they had in the run.
//
// # Trust
//
// A crashing program may have scribbled over its ring. A record that makes no sense
// is counted in Stats.Corrupt and skipped; whatever comes in, the events that go out
// are a valid trace.
package process
