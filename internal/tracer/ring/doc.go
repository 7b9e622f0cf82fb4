// Package ring moves records out of a traced process: a file of 64-byte slots that the process maps
// and writes into, and that another process reads at the same time (a ring) or later (a file
// written by a program that ran on its own).
//
// layout.go is the single description of the bytes. The hooks that are compiled into the traced
// program do not import this package. They receive the same constants as source text (see
// HookConstants), which keeps the two sides consistent.
//
// # Protocol
//
// A producer reserves 1+extra consecutive slot indexes with one atomic addition to the header's
// production counter. That counter is the order of the trace: hooks run inside the critical section
// of the synchronisation object they report on, so the order of reservations is a linear extension
// of happens-before. The producer fills the continuation slots, then the head slot, and publishes
// each by storing index+1 into its first word (continuation slots carry an additional mark); the
// head comes last. The consumer looks only at these words: a slot with an unexpected word has not
// been published yet. It gives slots back by moving the consumption counter. A producer that finds
// the ring full waits.
//
// # A slow consumer
//
// Interpreting a record takes longer than writing it. Follow therefore has a goroutine that takes
// the records that its function is too slow for out of the ring. It queues them, packed to less
// than half, in memory and then in a file without a name. That continues while the function takes
// long or waits for the garbage collector. The ring fills up and the program waits only when the
// queue has no room either, by its bounds or because the disk is filling up: Waited says for how
// long. No received record is ever dropped. Stop lets the program continue untraced, and the
// received records are a prefix of the run.
//
// # Keeping step
//
// A goroutine may wait until its record has been judged (FlagStep): until its slots are given back.
// It announces that in OffAsked. Meanwhile both sides sleep on futexes of the header, which are
// words that the other one changes: the consumer on OffAsked, until a goroutine waits, and a thread
// of the program on OffCons, which makes waiting goroutines runnable. Either side times out, in
// case the other one has died.
//
// # A consumer that dies
//
// The consumer moves a heartbeat several times a second, independently of how fast it reads. A
// waiting producer that sees no beat for about two seconds of its own running time stops tracing
// for good, reports that on its standard error, and counts the lost records. A program that never
// had to wait reports at its exit that its parent has died.
//
// # A producer that is stopped
//
// The consumer waits for a slot that is reserved and not published as long as the process lives,
// and so do all slots behind it. Its thread may be stopped by a signal or a debugger, or the
// machine may be busy. So a goroutine must not be preempted between the two: when the ring is full
// the others wait on all processors.
//
// # A producer that dies
//
// Published slots are in the mapping, whatever happens to the process. A slot that was reserved and
// never published (the process died in the middle of a hook) is a hole, and Drain skips it. That
// changes nothing. The goroutine is still inside the hook, so the record would have been its last
// one. A hook of an operation that hands something on (release, send, go, close) returns before the
// operation takes effect, so no other goroutine can have seen any effect of it.
//
// # Trust
//
// The mapping is untrusted: a crashing program may have scribbled on it. Sizes and the read
// position live in the consumer's own memory, every length and kind is checked, and a slot that
// makes no sense is counted in Stats.Corrupt and skipped. A trace with Stats.Missing() > 0 supports
// no verdict.
package ring
