// Package process turns the raw records of one Go process (internal/tracer/ring) into a trace: a
// header and events in an order that every reader accepts.
//
// Package causality decides which events come before which, and which are kept. This package adds
// the facts about the program: its table of sites, which gives the records of traced functions and
// variables their meaning (frames.go), the header (header.go), and, with Options.Record, the
// records of operations and a description of the code at their addresses (record.go). Operations
// reads such records from a trace, and restores the order of the run.
//
// # Trust
//
// A crashing program may have scribbled over its ring. A record that makes no sense is counted in
// Stats.Corrupt and skipped. The output is a valid trace for every input.
package process
