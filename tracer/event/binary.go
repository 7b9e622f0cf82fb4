package event

// BinaryMagic begins a binary trace. As in PNG, the first byte is no text, and the line ends reveal
// a file whose line ends were converted.
const BinaryMagic = "\x89ACT\r\n\x1a\n"

// The first byte of each part after the header.
const (
	blockEvents = 'B' // events, compressed; in version 1
	blockSummed = 'C' // events, compressed, and a checksum of the whole block; since version 2
	blockReset  = 'R' // the tables are emptied
	blockEnd    = 'E' // the trace is complete
)

// blockTarget is the number of bytes of events, before compression, after which a block ends.
const blockTarget = 256 << 10

// tableSizes are the sizes at which a writer empties its tables before the next block. They bound
// the memory for the names of a long run, on both sides.
type tableSizes struct {
	strings, bytes, tasks int
	shapes, names         int // names: in all shapes
}

var writerTables = tableSizes{strings: 1 << 16, bytes: 4 << 20, tasks: 1 << 16, shapes: 1 << 14, names: 1 << 17}

// maxTable bounds the entries that a reader allows in a table. A writer that empties its tables
// stays far below it.
const maxTable = 1 << 22

// The flags of a shape: optional fields of its events.
const (
	hasSpawn = 1 << iota
	hasObj
	hasTS
	hasRecord // excludes all others except names
	hasSkipped
	hasCode // excludes all others

	allFlags = 1<<iota - 1
)

// A shape has the parts that events of one place in the program share. Most events are a reference
// to their shape and a few numbers. So the trace is small, and quick to read: the strings of a
// shape are created once.
type shape struct {
	flags                     uint64
	enter, exit, op, at       string
	after, with               int
	set, global, write, extra []string

	records *recordsOf // nil for events
}
