// Package stream moves events from where they are sent into the runs that they belong to.
//
//	standard input ─┐                                   ┌─► Sink of run a
//	file that grows ┤  producers, a   ┌─────────┐ Serve ├─► Sink of run b
//	socket, a peer ─┼► goroutine ────►│ mailbox │──────►┤
//	socket, a peer ─┘  each           └─────────┘       └─► …
//
//	sources := []stream.Source{stream.FromReader("the run", r)}
//	err := stream.Serve(ctx, sources, handler) // which makes a sink for each run
//
// A [Source] has one producer or, if it listens, any number of them. A producer sends a header, then
// events, in either form of a trace. [Serve] takes what all of them have sent, in the order in which
// it came, adds it to the sinks of the runs and tells these when nothing more is there: what was
// added since the last time is a version. A producer that is faster than the sinks waits.
//
// # Runs
//
// Producers whose headers have the same "run" make one run, if more than one can come at all: each
// task of a later one is created by an event of an environment task, which is an initial task of
// such a run. It is called env, with primes if the first producer has a task of that name. The names of
// the producers' tasks must differ. Without "run", each producer is a run of its own.
//
// A run is over when its producer has closed its stream. One that others may still join stays open
// until nobody can, or until it is the oldest of more than [MaxIdle] such runs without a producer. Nobody can when all that the
// sources can bring has begun: a source that listens can always bring more, any other one brings one producer. From then on
// the environment task has ended, so that what is over can be forgotten.
//
// A producer that closes its stream in order says that its tasks have ended. One that breaks off (an
// error of the input, a binary trace without an end, an interrupt) leaves them cut off: nobody knows
// what they would have done. A text trace has no end marker, so the two look alike there if it breaks
// off behind a complete line.
package stream
