// Package running is the temporal debugger on a running program. The program is halted, and goes on until a formula is
// satisfied.
//
// The states are the slices that the run passes, in the order in which they are recorded. A process cannot go back. The
// person may stand a little before the point that the program has reached, because a goroutine that could not be stopped in time
// has recorded a few more events. These come first when the person goes on.
//
// Only one of all possible continuations happens when the program goes on. If a formula asks for a certain order, the debugger
// helps by holding goroutines at their records (see guide), for half of the time that the step may take.
package running
