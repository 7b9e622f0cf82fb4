// Package report tells people and programs what a check found: a violation in words, with who
// stands where, what the formula looked at, and an order of the run's events that leads
// there; and the same as one JSON object.
//
// Everything that comes from a trace passes through event.Printable before it is printed.
package report
