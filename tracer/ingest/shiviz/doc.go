// Package shiviz reads the logs of distributed systems that ShiViz draws: each event has a host, a
// text and its vector clock, the number of events of each host that it comes after, its own
// host's counting itself.
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
// Hosts are the initial tasks of the trace. From its clock follow the causes of an event: those
// events that its host did not know before and that no other of them comes after. Its text is the
// value of the variable "event" in the task's own scope, and what else the layout names is a
// variable of that name.
//
// # Layout
//
// A regular expression with the groups host, clock and event says what an event looks like, as
// in ShiViz, (?<event>.*)\n(?<host>\S*) (?<clock>{.*}) for the one above. It is Go's dialect:
// as JavaScript's, but without look-around and back-references. Without one, the first line of
// the log is taken if it is an expression, as some loggers write it; else the layout is guessed: a
// line with host and clock, before or behind the line with the text.
//
// Unlike ShiViz this reader skips nothing, since the meaning of a trace rests on what it does not
// hold: all text must belong to an event. Where a log has other lines, an alternative
// without a host names them: EXPRESSION|#.*
//
// # Clocks
//
// Events stand in any order. Clocks must be those of a run: a host's own entry counts its events
// one by one from 1; no entry is larger than the number of the host's events; an event knows
// what its host knew before, and what those know that it knows; and no two events know each
// other. Anything else is an error with the line. So the whole log is read before the
// first event is delivered.
package shiviz
