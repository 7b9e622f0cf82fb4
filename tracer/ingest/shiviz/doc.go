// Package shiviz reads the logs of distributed systems that ShiViz draws: each event has a host, a
// text and its vector clock. The clock has, for each host, the number of its events up to this one,
// which counts itself.
//
//	Received Put reply
//	client {"client":4, "front-end":23, "node-10":249}
//
// A Reader makes events of them:
//
//	r := shiviz.NewReader(file, "shop.log", shiviz.Options{})
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//
// Hosts are the initial tasks of the trace. The causes of an event follow from its clock: the
// events that its host did not know before, without those that precede another one of these. Its
// text is the value of the variable "event" in the task's own scope. Every other group of the
// layout is a variable of that name.
//
// # Layout
//
// A regular expression with the groups host, clock and event describes an event, as in ShiViz,
// (?<event>.*)\n(?<host>\S*) (?<clock>{.*}) for the one above. It is Go's dialect: like
// JavaScript's, but without look-around and back-references. Without one, the first line of the log
// is taken if it is an expression, as some loggers write it; else the layout is guessed: a line
// with host and clock, before or after the line with the text.
//
// Unlike ShiViz this reader skips nothing, since missing events would change the meaning of a
// trace: all text must belong to an event. If a log has other lines, an alternative without a host
// names them: EXPRESSION|#.*
//
// # Executions
//
// Read splits a log with several executions at its delimiters: at what matches Options.Delimiter,
// or the second line of a log whose first line is an expression, if it has the group trace; else at
// lines like === NAME === if the events begin with one. The files that the processes of a run have
// written can be joined, each with the expression as its first line or without.
//
// # Clocks
//
// A clock may be a string with JSON in it, with or without the quotes around: "{\"a\":1}".
//
// Events may be in any order. Clocks must be those of a run: a host's own entry counts its events
// one by one from 1; no entry is larger than the number of the host's events; an event knows all
// that its host knew before, and all that the events it knows knew; and no two events know each
// other. Anything else is an error with the line. So the whole log is read before the first event
// is delivered.
package shiviz
