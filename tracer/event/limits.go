package event

// Limits bounds what a reader takes from a trace, which is untrusted. A field that is
// not positive means its default, so the zero Limits is a good one.
type Limits struct {
	// Line is how many bytes a line of text may have, without its end; default 16 MiB.
	// What can stand in such a line bounds an event of a binary trace.
	Line int

	Depth int   // nesting of lists and objects in one value; default 1000
	Total int64 // bytes that a compressed trace may unfold to; default 64 GiB
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

// elements is how many elements of lists and fields of objects fit into a line: each
// takes a digit and a comma. In bytes, a null takes one, so these need their own bound.
func (l Limits) elements() int { return l.Line / 2 }

// eventBytes is what an event in the longest line takes in a binary trace: a float
// like "1e0," grows from 4 bytes to 9.
func (l Limits) eventBytes() int { return l.Line/4*9 + 1<<10 }
