// Package std reads the logs of race detectors in the STD format of RAPID: a line for each
// operation, with the thread that did it, the operation and its operand, and the place in the program.
//
//	T0|fork(T1)|114
//	T1|acq(L34)|120
//	T1|w(V234.23[0])|121
//	T1|rel(L34)|122
//	T0|join(T1)|134
//
// A Reader makes events of them:
//
//	r := std.NewReader(file, "lock.std", std.Options{})
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//
// Threads are tasks; those that nobody forks are initial. Each line is an event of its thread:
//
//	line                   event
//	T|r(x)|…    T|w(x)|…   op read, write of x
//	T|acq(m)|…             op lock of m; comes after the last unlock of m
//	T|rel(m)|…             op unlock of m
//	T|fork(U)|…            op go; creates U
//	T|join(U)|…            op join of U; comes after an event with op end of U, its last one,
//	                       which has no line of its own
//	T|begin|…   T|end|…    T enters, leaves a frame called atomic: the borders of a transaction,
//	                       with or without an operand
//
// A thread may acquire a lock that it holds; only what is acquired first and released last has the op
// of a lock, the others acq and rel. Accesses to memory order nothing, so two of them that could
// happen at the same time race.
//
// For formulas there are variables in the scope of each thread, from its first event on: op, as in the line, obj,
// the operand as a string, and locks, the list of the locks that it holds. So two threads race for x if this
// is violated:
//
//	not (t1:(op == "w" and obj == "x") and t2:((op == "w" or op == "r") and obj == "x")) if t1 != t2
//
// # Order
//
// The lines stand in the order in which the operations happened. The log has no line for what a thread
// waits for beside locks and the end of other threads; RAPID's loggers write a release before such a
// wait on a monitor and an acquire behind it.
//
// What cannot have happened is an error with the line: a lock that two threads hold, the release of
// a lock by a thread that does not hold it, an event of a thread before it is forked or after it was joined, an
// end without its begin. Which threads are initial is known only at the end, so the log is kept in
// memory, with some twenty bytes for a line.
package std
