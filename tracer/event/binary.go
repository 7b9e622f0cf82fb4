package event

// BinaryMagic begins a binary trace. As in PNG, the first byte is no text and the line
// ends show at once whether the file went through a conversion of line ends.
const BinaryMagic = "\x89ACT\r\n\x1a\n"

// What follows the header, each named by its first byte.
const (
	blockEvents = 'B' // events, compressed; in version 1
	blockSummed = 'C' // events, compressed, and a checksum of the whole block; since version 2
	blockReset  = 'R' // the tables are emptied
	blockEnd    = 'E' // the trace is complete
)

// blockTarget is how many bytes of events, before compression, make a block.
const blockTarget = 256 << 10

// tableSizes are those at which a writer empties its tables before the next block, so
// that neither side remembers the names of a long run for ever.
type tableSizes struct {
	strings, bytes, tasks int
	shapes, names         int // names in all shapes
}

var writerTables = tableSizes{strings: 1 << 16, bytes: 4 << 20, tasks: 1 << 16, shapes: 1 << 14, names: 1 << 17}

// maxTable is how many entries a reader allows in a table, far more than a writer that
// empties its tables ever needs.
const maxTable = 1 << 22

// The flags of a shape: fields that only some events have.
const (
	hasSpawn = 1 << iota
	hasObj
	hasTS
	hasRecord // and nothing else but names
	hasSkipped
	hasCode // and nothing else

	allFlags = 1<<iota - 1
)

// A shape is what events of one place in the program have in common. Most events are
// a reference to their shape and a few numbers, which is why the trace is small and
// why it is read quickly: the strings of a shape are made once.
type shape struct {
	flags                     uint64
	enter, exit, op, at       string
	after, with               int
	set, global, write, extra []string

	records *recordsOf // nil for events
}
