// Package launch runs a traced program and delivers its events while it runs.
//
// The program keeps its own standard input, output and error, its arguments, its
// environment but for one variable that it removes before any of its code runs, and
// its exit code. Events arrive on a goroutine of their own, in the order of the
// trace. The program goes first: what comes too fast waits in a queue (package ring), and
// where processors are scarce the thread that delivers is the last to get one. A consumer
// that is too slow for the queue makes the program wait; one that is gone does not: the
// ring's heartbeat lets the program go on untraced, which the program itself says.
//
// # Files
//
// The ring lies in a directory of mode 0700 with a random name, made anew for each
// run in XDG_RUNTIME_DIR, or else in the directory for temporary files. It holds
// values of the program's variables, so it goes away with the run. A run that was
// killed leaves its directory behind; the next start removes it. That it is dead is known
// from a lock on a file inside, which the kernel releases with the process. The file of
// the queue has no name and needs none of this.
//
// # Signals
//
// What a terminal sends (interrupt, quit, window change) goes to the whole foreground
// process group, so the program has it already; other signals sent to this process
// are passed on. Without a terminal the program gets a process group of its own and
// all signals are passed on: a signal sent to our group then reaches it exactly once.
package launch
