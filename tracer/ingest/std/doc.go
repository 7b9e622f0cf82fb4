// Package std reads the logs of race detectors in the STD format of RAPID: a line for each
// operation, with its thread, the operation and its operand, and the place in the program.
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
// Threads are tasks; those that are never forked are initial. Each line is an event of its thread:
//
//	line                   event
//	T|r(x)|…    T|w(x)|…   op read, write of x
//	T|acq(m)|…             op lock of m; comes after the last unlock of m
//	T|rel(m)|…             op unlock of m
//	T|fork(U)|…            op go; creates U
//	T|req(m)|…             T is about to acquire m
//	T|join(U)|…            op join of U; comes after an event with op end of U, its last one,
//	                       which has no line of its own
//	T|begin|…   T|end|…    T enters, leaves a frame called atomic: the borders of a transaction,
//	                       with or without an operand
//
// An indented line without | below a line has a further frame of the stack there, and is left out.
//
// A thread may acquire a lock that it holds. Only the first acquisition and the last release have
// the ops lock and unlock, the others acq and rel. Accesses to memory order nothing, so two of them
// that could happen at the same time race.
//
// For formulas there are variables in the scope of each thread, from its first event on: op, as in
// the line, obj, the operand as a string, and locks, the list of the locks that it holds. So two
// threads race for x if this is violated:
//
//	not (t1:(op == "w" and obj == "x") and t2:((op == "w" or op == "r") and obj == "x")) if t1 != t2
//
// # Order
//
// The lines are in the order in which the operations happened. Threads wait for locks and for the
// end of other threads; the log has no lines for other waits. At the end of the log a thread waits
// for a lock if its last line requests it and another thread holds it. RAPID's loggers write a
// release before a wait on a monitor and an acquire after it.
//
// An impossible operation is an error with the line: a lock that two threads hold, the release of a
// lock by a thread that does not hold it, an event of a thread before it is forked or after it was
// joined, an end without its begin. Which threads are initial is known only at the end, so the log
// is kept in memory, with some twenty bytes for a line.
package std
