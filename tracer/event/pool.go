package event

// pool keeps one copy of each string that comes again and again in a trace, already
// made into a Value, so that reading an event allocates nothing.
type pool struct {
	values map[string]Value
}

const (
	poolStrings = 1 << 16 // how many strings are kept; then all are forgotten
	poolLength  = 128     // longer strings are not kept
)

// value returns a Value of kind String that shares no memory with b.
func (p *pool) value(b []byte) Value {
	if len(b) > poolLength {
		return StringValue(string(b))
	}
	if v, ok := p.values[string(b)]; ok {
		return v
	}
	if p.values == nil || len(p.values) >= poolStrings {
		p.values = make(map[string]Value)
	}
	s := string(b)
	v := StringValue(s)
	p.values[s] = v
	return v
}

// str returns b as a string that shares no memory with it.
func (p *pool) str(b []byte) string { return p.value(b).Str() }
