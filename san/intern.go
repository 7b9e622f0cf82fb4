package san

import (
	"maps"
	stdslices "slices"
	"strings"
)

// interner numbers strings from 0, in order of their first appearance.
type interner struct {
	strs      []string
	ids       map[string]uint32 // once there are many
	sharedIDs bool              // a copy shares ids
	bytes     int               // approximate memory of the strings

	// recent caches the numbers of recently used strings, by recentIndex. A trace names few things
	// at a time, and comparing two strings is cheaper than hashing one.
	recent [16]uint32
}

// fewStrings bounds the strings, or sites, that are searched linearly: most nets are small.
const fewStrings = 16

func newInterner(first ...string) (in interner) {
	for _, s := range first {
		in.id(s)
	}
	return in
}

// id returns the number of s, a new one for a new string. Its copy does not pin the buffer that s
// may be part of.
func (in *interner) id(s string) uint32 {
	at := &in.recent[recentIndex(s)]
	if in.isRecent(*at, s) {
		return *at
	}
	if id, ok := in.lookup(s); ok {
		*at = id
		return id
	}
	s = strings.Clone(s)
	*at = uint32(len(in.strs))
	in.strs = append(in.strs, s)
	in.bytes += len(s) + 60
	switch {
	case in.ids != nil:
		if in.sharedIDs { // a copy may read it concurrently
			in.ids, in.sharedIDs = maps.Clone(in.ids), false
		}
		in.ids[s] = *at
	case len(in.strs) > fewStrings:
		in.ids = make(map[string]uint32, 2*fewStrings)
		for id, s := range in.strs {
			in.ids[s] = uint32(id)
		}
	}
	return *at
}

// share returns a copy with the present strings. Both share one map until either has a new string.
func (in *interner) share() interner {
	in.sharedIDs = true
	return *in
}

// find returns the number of s, or -1 if it never appeared. It changes nothing, so finished nets
// are safe for concurrent use.
func (in *interner) find(s string) int32 {
	if at := in.recent[recentIndex(s)]; in.isRecent(at, s) {
		return int32(at)
	}
	if id, ok := in.lookup(s); ok {
		return int32(id)
	}
	return -1
}

// lookup looks s up where it must be if it is present.
func (in *interner) lookup(s string) (id uint32, ok bool) {
	if in.ids != nil {
		id, ok = in.ids[s]
		return id, ok
	}
	i := stdslices.Index(in.strs, s)
	return uint32(i), i >= 0
}

func (in *interner) isRecent(id uint32, s string) bool {
	return int(id) < len(in.strs) && in.strs[id] == s
}

// recentIndex hashes the end of s: names of tasks, functions and places differ there.
func recentIndex(s string) uint {
	n := uint(len(s))
	if n == 0 {
		return 0
	}
	return (n + 3*uint(s[n-1]) + 7*uint(s[n/2])) % 16
}
