// Package control halts a traced program, inspects it and changes its variables from
// another process. It sends requests, which the program's operator answers (package internal/tracer/agent).
//
// # Halting
//
// A goroutine stops right after its next record, or when it begins a channel operation;
// one that comes to neither within 10 ms is stopped where it is. Then the program stands
// still: nothing that becomes runnable runs, no timer fires, and no goroutine writes a record.
// Only C code and system calls that are under way go on, and their goroutines stop when
// they return. The garbage collector works, and writes a record of what it frees. All goroutines
// keep what they own, locks included; it is the operator that needs none of it.
//
// Records may still be in the ring when Halt returns, and a full ring keeps goroutines
// from stopping: read it while halting and once more after.
//
// # Holding
//
// Apart from halting, goroutines can be held (ring.Ring.Hold): such a one waits behind its next record, or
// before the next operation or record that it comes to, while the others go on. It keeps what it owns as
// well, but for things of the runtime: where it has any of these it is not held. It goes on when it is let go, when
// the ring is closed, and when the heartbeat of the ring has stopped.
//
// # Variables
//
// The program knows the package variables that its specification names, each with all its
// fields and elements: "queue", "queue.items[3].name", "ages[\"anna\"]". Elements of maps
// and values in interfaces can be read, not changed. What is changed makes no record: the
// trace learns of it when the program next records the variable. A goroutine that was
// stopped between two records (Task.State) may be in the middle of changing a variable
// itself; then a string or an interface may be half one and half the other.
//
// # Who may connect
//
// The socket is a file of mode 0600 in a directory of mode 0700; never TCP. Besides, both
// ends ask the kernel for the user at the other (SO_PEERCRED) and refuse any but their
// own. The program serves one checker at a time. It believes nothing that it is sent:
// messages are bounded, and whoever breaks the protocol, sends half a message or no
// greeting is put off, and the program goes on.
//
// # Checkers that go away
//
// When the connection ends, a halted program goes on at once. Unless the checker has
// detached, the program then watches the heartbeat of the ring: if that has stopped, it
// says so on its standard error and is traced no more.
//
// # Programs that wait
//
// A program that antichain build made and that is started with the environment variable
// ANTICHAIN_TRACE=wait waits, before any of its code runs, for a checker. It says on its
// standard error which process it is and where its socket lies. Attach puts a ring beside
// the socket, which starts the program.
package control
