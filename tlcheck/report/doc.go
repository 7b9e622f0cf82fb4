// Package report prints results of checks (tlcheck.Result), of runs that are over and of runs that go on, for properties of
// specifications and for built-in ones:
//
//   - WriteText for people: a violation in words, with who stands where, what the formula looked at, and an order of the
//     run's events that leads there. Line is the same in one line.
//   - WriteJSON for programs: an object on a line, an Object or a BuiltinObject, which can be decoded again.
//
// WritePlan prints how a property is checked, and Slice any global state of a run.
//
// Everything that comes from a trace passes through event.Printable before it is printed as text.
package report
