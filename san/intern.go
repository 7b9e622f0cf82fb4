package san

import "strings"

// interner numbers strings from 0 in order of their first appearance.
type interner struct {
	ids   map[string]uint32
	strs  []string
	bytes int // that they take, roughly
}

func newInterner(first ...string) interner {
	in := interner{ids: make(map[string]uint32)}
	for _, s := range first {
		in.id(s)
	}
	return in
}

// id returns the number of s, a new one if need be. The copy it keeps does not pin the
// buffer that s may be part of.
func (in *interner) id(s string) uint32 {
	if id, ok := in.ids[s]; ok {
		return id
	}
	s = strings.Clone(s)
	id := uint32(len(in.strs))
	in.ids[s] = id
	in.strs = append(in.strs, s)
	in.bytes += len(s) + 60
	return id
}

// find returns the number of s, or -1 if it never appeared.
func (in *interner) find(s string) int32 {
	if id, ok := in.ids[s]; ok {
		return int32(id)
	}
	return -1
}
