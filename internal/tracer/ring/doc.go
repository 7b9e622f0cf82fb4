// Package ring moves records out of a traced process: a file of 64-byte slots that
// the process maps and writes into, and that another process reads at the same time
// (a ring) or later (a file written by a program that ran on its own).
//
// layout.go is the single description of the bytes. The hooks that are compiled into
// the traced program do not import this package; they receive the same constants as
// source text (see HookConstants), so the two sides cannot disagree.
//
// # Protocol
//
// A producer reserves 1+extra consecutive slot indexes with one atomic addition to
// the header's production counter. That counter is the order of the trace: hooks run
// inside the critical section of the synchronisation object they report on, so the
// order of reservations is a linear extension of happens-before. The producer fills
// the continuation slots, then the head slot, and publishes each by storing
// index+1 into its first word (continuation slots carry an additional mark); the
// head comes last. The consumer looks only at these words: a slot whose word is
// not the one it expects has not been published yet. It gives slots back by moving
// the consumption counter. A producer that finds the ring full waits.
//
// # A consumer that is slow
//
// Interpreting a record takes longer than writing it. Follow therefore has a goroutine that takes out of the
// ring what its function does not keep up with and queues it, packed to less than half, in
// memory and then in a file without a name. That goes on while the function takes long or waits for the
// garbage collector. Only when the queue has no room either, by its
// bounds or because the disk is filling up, does the ring fill up and the program wait: Waited says for how long.
// Nothing that was received is ever dropped. Stop lets the program go on untraced, and what was received is a
// prefix of the run.
//
// # Keeping step
//
// A goroutine may wait until its record has been judged (FlagStep): until its slots are given back. It says so
// in OffAsked, and both sides sleep on futexes of the header meanwhile, which are words that the other one
// changes: the consumer on OffAsked, as long as nobody asks, and a thread of the program on OffCons, which makes
// goroutines runnable that wait. Either side times out, in case the other one is gone.
//
// # A consumer that dies
//
// The consumer moves a heartbeat several times a second, independently of how fast
// it reads. A waiting producer that sees no beat for about two seconds of its own
// running time stops tracing for good, says so on its standard error, and counts what is
// lost. A program that never had to wait says at its exit that its parent is gone.
//
// # A producer that stands still
//
// What is reserved and not published is waited for as long as the process lives, and
// everything behind it waits, too. Its thread may be stopped by a signal or a debugger, or the machine
// may be busy. So a goroutine must not be preempted between the two: when the ring is
// full the others wait on all processors.
//
// # A producer that dies
//
// What is published is in the mapping, whatever happens to the process. A slot that
// was reserved and never published (the process died in the middle of a hook) is a
// hole, and Drain skips it. That changes nothing: the goroutine is still inside the
// hook, so the record would have been its last one; and a hook that gives
// something away (release, send, go, close) returns before the operation takes
// effect, so no other goroutine can have seen anything of it.
//
// # Trust
//
// Nothing read from the mapping is trusted: a crashing program may have scribbled on
// it. Sizes and the read position live in the consumer's own memory, every length
// and kind is checked, and a slot that makes no sense is counted in Stats.Corrupt
// and skipped. A trace with Stats.Missing() > 0 supports no verdict.
package ring
