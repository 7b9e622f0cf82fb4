// Package report prints the results of checks (tlcheck.Result), for properties of specifications
// and for built-in properties, on complete runs and on runs that are not over.
//
//	err := report.WriteText(os.Stdout, result, report.Style{})
//	err = report.WriteJSON(os.Stdout, "run.jsonl", result, report.Source{})
//
// WriteText is for people: it describes a violation in words, with the positions of the goroutines,
// the values that the formula read, and an order of the run's events that leads there. Line prints
// a result on one line. WriteJSON is for programs: it prints an object on a line, an Object or a
// BuiltinObject, which can be decoded again. WritePlan prints how a property is checked, and Slice
// any global state of a run.
//
// Every text from a trace passes through event.Printable before it is printed.
package report
