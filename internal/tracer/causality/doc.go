// Package causality computes the order of events in a run of goroutines. It reads the records of
// their synchronisation (internal/tracer/ring), from a running program or a trace, and gives events
// their causes and operations their clocks.
//
//	order := causality.New(causality.Options{Watch: detectors, Keep: write, Traced: functions})
//	err := order.Feed(&record)
//
// # Causality
//
// There is one mechanism. Every goroutine and every object that goroutines synchronise on has a
// knowledge: the kept events that come before whatever happens there next. Only the maximal ones
// are stored. Releasing puts the goroutine's knowledge into the object, acquiring adds the object's
// knowledge to the goroutine's. A kept event is written with its goroutine's foreign knowledge as
// causes, and from then on is that goroutine's knowledge.
//
//	kept events      e1 ─── unlock m            g1 knows {e1}, gives it to m
//	                            ╲
//	                             lock m ─── e2  g2 takes {e1}; e2 is written "after e1"
//
// Kept events are those that a specification can see: entries and exits of functions and
// statements, which Options.Traced turns into events, and (but see Tasks) the begin and end of
// tasks. All other records only transfer knowledge. So kept events have the order that the full
// trace (Options.Full) gives them. One exception: the first operation after a function's entry or
// exit is kept, because it ends the phase start or term.
//
//	go statement           the new goroutine takes the parent's knowledge with the spawn event
//	acquire, release       through the object; a release replaces what the object knew unless it merges
//	buffered channel       slot by slot: the k-th send, its receive, the send that fills the slot again
//	unbuffered channel     one joint action: both sides take each other's knowledge
//	close                  from the close to every receive of a closed channel
//	atomics                a load after the last store; a store after the last store and all loads since
//	timers                 through the timer; AfterFunc's goroutine is a child of the task that armed it
//
// That is the order of Go's memory model. The outcomes of the run imply more: an element of a
// buffered channel is received after the ones before it; an operation that finds a channel, a lock
// or a timer in some state comes after the operation that caused this state. Knowledge moves for
// that at the same places (see relation), but data races are decided without it.
//
// # Tasks
//
// The main goroutine is the task "main"; the n-th go statement (or armed AfterFunc) of task T
// creates T.n. C threads that call into Go and the runtime's own finalizer goroutines have no
// parent in the program: they are children of the initial task "env", and exist in the trace only
// if one of their events is kept.
//
// With Options.Sparse that holds for all goroutines but main. A goroutine without kept events is
// blank: it has a name, it starts with its parent's knowledge at the go statement, and it learns
// and hands on knowledge, but it leaves nothing in the trace. A go statement is an event only where
// it ends a phase. The first event of a blank goroutine makes it a task, by an event of env that
// carries the function and the position of the go statement and comes after nothing; the
// goroutine's knowledge becomes the causes of its first event. So the kept events have the same
// order, and tasks the same names, as in the other trace. Three things differ: when tasks begin,
// their creators, and that some are missing. tlcheck.Sparse says which properties cannot see this.
//
// # Operations
//
// Options.Watch receives the same run as operations (package op), to search it for errors without a
// specification. Knowledge of them moves with that of kept events, at the same places and as
// clocks, of several orders: in the one without locks, unlocking hands on nothing. Every step that
// hands on knowledge has a number among the operations of its goroutine, reported or not, and every
// goroutine is a task from its go statement, in sparse traces too. Actions of the runtime on no
// goroutine's behalf have no number and only pass knowledge on.
//
// # Memory
//
// A blank goroutine that has ended leaves nothing or, if operations are reported, its origin and
// its place in clocks. Another goroutine leaves its name in the knowledge of those that learnt of
// it last, and a number in vector clocks, which share their common parts. Addresses that the
// program synchronised on are remembered as long as it runs. The garbage collector reuses them, so
// the program's own memory bounds their number.
package causality
