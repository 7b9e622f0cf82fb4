package event

// pool has one copy of each frequent string of a trace, as a Value, so reading an event allocates
// nothing.
type pool struct {
	values map[string]Value
	recent *recentStrings // nil for readers of few events
}

const (
	poolStrings = 1 << 16 // number of strings at which all are dropped
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
func (p *pool) str(b []byte) string {
	if p.recent != nil {
		return p.recent.str(b)
	}
	return p.value(b).Str()
}

// newPool returns a pool for a reader of many events.
func newPool() *pool { return &pool{recent: new(recentStrings)} }

// recentStrings is a cache of strings by a short hash, for readers that meet the same few names
// again and again. Comparing one is faster than looking it up or copying it.
type recentStrings [1 << 8]string

// str returns b as a string that shares no memory with it.
func (r *recentStrings) str(b []byte) string {
	if len(b) > poolLength {
		return string(b)
	}
	s := &r[recentIndex(b)]
	if *s != string(b) {
		*s = string(b)
	}
	return *s
}
