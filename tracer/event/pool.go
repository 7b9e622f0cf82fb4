package event

// pool keeps one copy of each string that comes again and again in a trace, already
// made into a Value, so that reading an event allocates nothing.
type pool struct {
	values map[string]Value
	recent *recentStrings // nil for readers of little
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
func (p *pool) str(b []byte) string {
	if p.recent != nil {
		return p.recent.str(b)
	}
	return p.value(b).Str()
}

// newPool returns a pool for a reader of many events.
func newPool() *pool { return &pool{recent: new(recentStrings)} }

// recentStrings are strings that were read last, by a short hash: for readers that meet the same
// few names again and again. To compare one takes less than to look it up, or to copy it.
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
