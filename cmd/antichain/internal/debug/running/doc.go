// Package running is the temporal debugger on a running program. The program is halted, and resumes
// until a formula is satisfied.
//
// The states are the slices that the run passes, in the order in which they are recorded. A process
// cannot go back. The user may be slightly behind the program, since a goroutine that could not be
// stopped in time has recorded a few more events. These come first in the next step.
//
// Only one of all possible continuations happens when the program resumes. If a formula asks for a
// certain order, the debugger helps by holding goroutines at their records (see guide), for half of
// the time of the step.
package running
