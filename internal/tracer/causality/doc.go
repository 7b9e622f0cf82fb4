// Package causality finds what comes before what in a run of goroutines. It reads the records of what they do to synchronise
// (internal/tracer/ring), from a program that runs or from a trace, and gives events their causes and operations their clocks.
//
//	order := causality.New(causality.Options{Watch: detectors, Keep: write, Traced: functions})
//	err := order.Feed(&record)
//
// # Causality
//
// There is one mechanism. Every goroutine and every object that goroutines
// synchronise on has a knowledge: the kept events that come before whatever happens
// there next, of which only the maximal ones are stored. Releasing puts the
// goroutine's knowledge into the object, acquiring adds the object's knowledge to
// the goroutine's. A kept event is written with its goroutine's foreign knowledge as
// causes, and from then on is that goroutine's knowledge.
//
//	kept events      e1 ─── unlock m            g1 knows {e1}, gives it to m
//	                            ╲
//	                             lock m ─── e2  g2 takes {e1}; e2 is written "after e1"
//
// What a specification can see is kept: functions entered and left and statements, of which Options.Traced has events made, and
// (but see Tasks) tasks beginning and ending. All other records only move
// knowledge, so the order of the kept events is the order that the full trace
// (Options.Full) has among them. One exception: the first operation that
// follows a function's entry or exit is kept, because it ends the phase start or term.
//
//	go statement           the new goroutine takes the parent's knowledge with the spawn event
//	acquire, release       through the object; a release replaces what the object knew unless it merges
//	buffered channel       slot by slot: the k-th send, its receive, the send that fills the slot again
//	unbuffered channel     one joint action: both sides take each other's knowledge
//	close                  from the close to every receive of a closed channel
//	atomics                a load after the last store; a store after the last store and all loads since
//	timers                 through the timer; AfterFunc's goroutine is a child of the task that armed it
//
// That is what Go's memory model says. The outcomes of the run say more: an element of a buffered
// channel is received after the ones before it; who finds a channel, a lock or a timer in some state
// comes after what has brought it there. Knowledge moves for that at the same places (see relation),
// but data races are decided without it.
//
// # Tasks
//
// The main goroutine is the task "main"; the n-th go statement (or armed AfterFunc)
// of task T creates T.n. C threads that call into Go and the runtime's own
// finalizer goroutines have no parent in the program: they are children of the
// initial task "env", and exist in the trace only if something of theirs is kept.
//
// With Options.Sparse that is so for all goroutines but main. A goroutine of which
// nothing is kept yet is blank: it has a name, it knows what its parent knew at the go
// statement, it learns and tells, but it leaves nothing in the trace. A go statement is
// an event only where it ends a phase. The first event of a blank goroutine makes it a
// task, by an event of env that carries the function and the position of the go
// statement and comes after nothing; what the goroutine knows by then are the causes of
// its first event. So the kept events have the order that they have in the other trace,
// and tasks have the same names. What is different is when tasks begin, who creates
// them, and that some are missing: tlcheck.Sparse says which properties cannot see it.
//
// # Operations
//
// Options.Watch is told the same run as operations (package op), for those who look for what is wrong
// in it without a specification. Knowledge of them moves with that of kept events, at the same places
// and as clocks, of two orders: in the one without locks, unlocking hands on nothing. Whatever hands on
// knowledge has a number among the operations of its goroutine, told or not, and every goroutine is a
// task from its go statement, in sparse traces too. What the runtime does on no goroutine's behalf has no
// number and only passes on what it is told.
//
// # Memory
//
// A blank goroutine that has ended leaves nothing, or where it came from and its place in clocks if
// operations are told. Another one leaves its name in the knowledge of those who heard of it last,
// and a number in vector clocks, which share what they have in common. Addresses that
// the program synchronised on are remembered as long as it runs; the garbage collector
// hands the same ones out again, so their number is bounded by the program's own memory.
package causality
