// Package running is the temporal debugger on a process: a dialogue about a traced program that is halted, and goes on, as far as
// a formula says.
//
// The states are the slices that the run passes, in the order in which they are recorded, and nobody can go back. Where
// the person is may be a little before the point that the program has come to: a goroutine that could not be stopped in time
// has made a few events more. They come first when the person goes on.
//
// Of all that could happen something does when the program goes on. A step whose formula asks for a certain order is helped
// by holding goroutines at their records (see guide), for half of the time that the step may take.
package running
