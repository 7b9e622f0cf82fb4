package event

// recentCache is a small cache in front of a map with string keys. A trace names few things at a
// time, and a tracer uses the same memory for a name each time. So a hit costs a short hash and a
// comparison of pointers.
type recentCache[V any] struct {
	entries [1 << 8]struct {
		key   string
		known uint64 // the turn, counted from 1, in which it was set
		value V
	}
	turn uint64
}

// forget drops all entries. Clearing them would take long beside a part of few events.
func (r *recentCache[V]) forget() { r.turn++ }

func (r *recentCache[V]) get(key string) (value V, ok bool) {
	e := &r.entries[recentIndex(key)]
	if e.known == r.turn+1 && e.key == key {
		return e.value, true
	}
	return value, false
}

func (r *recentCache[V]) put(key string, value V) {
	e := &r.entries[recentIndex(key)]
	e.key, e.known, e.value = key, r.turn+1, value
}

// recentIndex hashes the end of s: names of tasks, objects and places differ there.
func recentIndex[S string | []byte](s S) uint8 {
	var h uint64
	switch n := len(s); {
	case n >= 8:
		t := s[n-8:]
		h = uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
	case n > 0:
		h = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	h = (h + uint64(len(s))) * 0x9e3779b97f4a7c15
	return uint8(h >> 56)
}

// recentShapes is such a cache for the shapes of events without variables, by their fields instead
// of their coding.
type recentShapes struct {
	entries [1 << 8]plainShape
	turn    uint64
}

// forget drops all entries.
func (r *recentShapes) forget() { r.turn++ }

// plainShape has the fields that identify a shape if the event binds no variables.
type plainShape struct {
	flags               uint64
	after, with         int
	at, op, enter, exit string

	known uint64 // the turn, counted from 1, in which it was set
	index uint64
}

// bindsNothing reports whether e binds no variables.
func bindsNothing(e *Event) bool { return len(e.Set)|len(e.Global)|len(e.Write)|len(e.Extra) == 0 }

// entry returns the cache entry of e's shape.
func (r *recentShapes) entry(e *Event) *plainShape {
	h := uint(recentIndex(e.At)) + 31*uint(recentIndex(e.Op)) + 7*uint(len(e.After)) + 3*uint(len(e.With)) +
		5*uint(len(e.Enter))
	return &r.entries[h%uint(len(r.entries))]
}

// has reports whether s is the shape of e, which has these flags.
func (r *recentShapes) has(s *plainShape, e *Event, flags uint64) bool {
	return s.known == r.turn+1 && s.flags == flags && s.after == len(e.After) && s.with == len(e.With) &&
		s.at == e.At && s.op == e.Op && s.enter == e.Enter && s.exit == e.Exit
}

// set makes s the shape of e.
func (r *recentShapes) set(s *plainShape, e *Event, flags, index uint64) {
	*s = plainShape{flags, len(e.After), len(e.With), e.At, e.Op, e.Enter, e.Exit, r.turn + 1, index}
}
