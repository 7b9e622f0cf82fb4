package event

// Limits bounds what a reader takes from a trace, which is untrusted. A field that is
// not positive means its default, so the zero Limits is a good one.
type Limits struct {
	Line  int   // bytes of one line of text, line end not counted; default 16 MiB
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
