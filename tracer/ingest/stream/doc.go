// Package stream moves events from their sources into the runs that they belong to.
//
//	standard input ─┐                                   ┌─► Sink of run a
//	file that grows ┤  producers, a   ┌─────────┐ Serve ├─► Sink of run b
//	socket, a peer ─┼► goroutine ────►│ mailbox │──────►┤
//	socket, a peer ─┘  each           └─────────┘       └─► …
//
//	sources := []stream.Source{stream.FromReader("the run", r)}
//	err := stream.Serve(ctx, sources, handler) // which makes a sink for each run
//
// A [Source] has one producer or, if it listens, any number of them. A producer sends a header,
// then events, in either form of a trace. [Serve] takes everything that they have sent, in the
// order of arrival, adds it to the sinks of the runs and calls Step when nothing more is there: the
// events since the last Step are a version. A producer that is faster than the sinks waits.
//
// # Runs
//
// Producers whose headers have the same "run" make one run, if more than one can exist at all: each
// task of a later one is created by an event of an environment task, which is an initial task of
// such a run. It is called env, with primes if the first producer has a task of that name. The
// names of the producers' tasks must differ. Without "run", each producer is a run of its own.
//
// A run is over when its producer has closed its stream. One that others may still join stays open
// until no producer can, or until it is the oldest of more than [MaxIdle] such runs without a
// producer. No producer can when all possible ones have begun: a source that listens may always
// bring another, any other source brings one. From then on the environment task has ended, and old
// states can be discarded.
//
// A producer that closes its stream in order ends its tasks. One that breaks off (an error of the
// input, a binary trace without an end, an interrupt) leaves them cut off: their further events are
// unknown. A text trace has no end marker, so the two look alike there if it breaks off after a
// complete line.
package stream
