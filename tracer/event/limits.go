package event

// Limits bounds the resources that a reader spends on a trace, which is untrusted. A field that is
// not positive means its default, so the zero Limits is a good one.
type Limits struct {
	// Line bounds the bytes of a line of text, without its end; default 16 MiB. An event of a
	// binary trace is bounded by what fits into such a line.
	Line int

	Depth int   // nesting of lists and objects in one value; default 1000
	Total int64 // size of a decompressed trace in bytes; default 64 GiB
}

const (
	defaultLine  = 16 << 20
	defaultDepth = 1000
	defaultTotal = 64 << 30
)

func (l Limits) withDefaults() Limits {
	if l.Line <= 0 {
		l.Line = defaultLine
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Total <= 0 {
		l.Total = defaultTotal
	}
	return l
}

// elements bounds the elements of lists and fields of objects in a line: each takes at least a
// digit and a comma. A null takes one byte in the binary form, so these need a bound of their own.
func (l Limits) elements() int { return l.Line / 2 }

// eventBytes bounds the size in a binary trace of an event in the longest line: a float like "1e0,"
// grows from 4 bytes to 9.
func (l Limits) eventBytes() int { return l.Line/4*9 + 1<<10 }

// block bounds the bytes of a block: a block that is just below the target, plus the largest event.
func (l Limits) block() uint64 { return uint64(blockTarget + l.eventBytes()) }
