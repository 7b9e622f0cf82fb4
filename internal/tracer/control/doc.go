// Package control halts a traced program, inspects it and changes its variables from another
// process. It sends requests to the program's operator (package internal/tracer/agent), which
// answers.
//
// # Halting
//
// A goroutine stops right after its next record, or when it begins a channel operation; one that
// reaches neither within 10 ms is stopped where it is. Then the program stands still: no runnable
// goroutine runs, no timer fires, and no goroutine writes a record. Only C code and system calls in
// progress continue, and their goroutines stop when they return. The garbage collector works, and
// writes a record of what it frees. All goroutines keep what they own, locks included; the operator
// needs none of it.
//
// Records may still be in the ring when Halt returns, and a full ring keeps goroutines from
// stopping: read it while halting and once more after.
//
// # Holding
//
// Goroutines can also be held one by one (ring.Ring.Hold). A held goroutine waits after its next
// record, or before the next operation or record that it reaches, while the others run. It keeps
// what it owns. A goroutine that owns resources of the runtime is not held there. A held goroutine
// continues when it is released, when the ring is closed, and when the heartbeat of the ring has
// stopped.
//
// # Variables
//
// The program knows the package variables that its specification names, each with all its fields
// and elements: "queue", "queue.items[3].name", "ages[\"anna\"]". Elements of maps and values in
// interfaces can be read, not changed. A change makes no record: the trace shows it when the
// program next records the variable. A goroutine that was stopped between two records (Task.State)
// may be in the middle of changing a variable itself; then a string or an interface may be half old
// and half new.
//
// # Access
//
// The socket is a file of mode 0600 in a directory of mode 0700; never TCP. Besides, both ends ask
// the kernel for the user at the other (SO_PEERCRED) and refuse any but their own. The program
// serves one checker at a time and trusts no message: messages are bounded. It closes the
// connection of a peer that breaks the protocol, sends half a message or sends no greeting, and
// continues.
//
// # Checkers that disappear
//
// When the connection ends, a halted program resumes at once. Unless the checker has detached, the
// program then watches the heartbeat of the ring: if that has stopped, it reports so on its
// standard error and is no longer traced.
//
// # Programs that wait
//
// A program that antichain build made and that is started with the environment variable
// ANTICHAIN_TRACE=wait waits for a checker before any of its code runs. It prints its process id
// and the path of its socket on its standard error. Attach puts a ring beside the socket, which
// starts the program.
package control
