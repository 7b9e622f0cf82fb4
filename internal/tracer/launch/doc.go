// Package launch runs a traced program and delivers its events while it runs.
//
// The program keeps its own standard input, output and error, its arguments and its exit code. Its
// environment has one more variable, which is removed before any of its code runs. Events arrive on
// a goroutine of their own, in the order of the trace. The program has priority: events that come
// too fast wait in a queue (package ring), and where processors are scarce the thread that delivers
// is the last to get one. A consumer that is too slow for the queue makes the program wait. A
// consumer that has died does not: the ring's heartbeat lets the program continue untraced, and the
// program reports that.
//
// # Files
//
// The ring lies in a directory of mode 0700 with a random name, made anew for each run in
// XDG_RUNTIME_DIR, or else in the directory for temporary files. It holds values of the program's
// variables, and so is removed with the run. A run that was killed leaves its directory behind; the
// next start removes it. A lock on a file inside shows that the run is dead, since the kernel
// releases it with the process. The file of the queue has no name and needs none of this.
//
// # Signals
//
// A terminal sends its signals (interrupt, quit, window change) to the whole foreground process
// group, and so to the program. Other signals sent to this process are passed on. Without a
// terminal the program gets a process group of its own and all signals are passed on. So a signal
// sent to our group reaches it exactly once.
package launch
