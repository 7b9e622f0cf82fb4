package san

import "strings"

// interner numbers strings from 0 in order of their first appearance.
type interner struct {
	ids   map[string]uint32
	strs  []string
	bytes int // that they take, roughly

	// recent has numbers of strings that were looked up last, by recentIndex: a trace names few things at a
	// time, and to compare two strings takes less than to hash one.
	recent [16]uint32
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
	at := &in.recent[recentIndex(s)]
	if in.isRecent(*at, s) {
		return *at
	}
	id, ok := in.ids[s]
	if !ok {
		s = strings.Clone(s)
		id = uint32(len(in.strs))
		in.ids[s] = id
		in.strs = append(in.strs, s)
		in.bytes += len(s) + 60
	}
	*at = id
	return id
}

// find returns the number of s, or -1 if it never appeared. It changes nothing, so nets that do not grow can be
// asked by many at a time.
func (in *interner) find(s string) int32 {
	if at := in.recent[recentIndex(s)]; in.isRecent(at, s) {
		return int32(at)
	}
	if id, ok := in.ids[s]; ok {
		return int32(id)
	}
	return -1
}

func (in *interner) isRecent(id uint32, s string) bool {
	return int(id) < len(in.strs) && in.strs[id] == s
}

// recentIndex looks at the end of s: names of tasks, functions and places differ there.
func recentIndex(s string) uint {
	n := uint(len(s))
	if n == 0 {
		return 0
	}
	return (n + 3*uint(s[n-1]) + 7*uint(s[n/2])) % 16
}
