package san

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/tracer/event"
)

// sharedVariable is a shared variable with all its writes.
type sharedVariable struct {
	name    string
	initial event.Value
	writers []writer
	byTask  map[handle]int // index into writers
}

// writer has the writes of one task to one shared variable.
type writer struct {
	h      handle
	writes []write // by k
}

type write struct {
	k    int32
	word uint32 // index of the value in the task's words
}

// addWrites indexes the writes of event k, which was stored last. They are the last part of its
// words.
func (n *Net) addWrites(h handle, k int32, start uint32) {
	words := n.handles[h].words
	i := start + 1
	for range words[start] {
		v := &n.shared[n.sharedOf[words[i]]]
		w, ok := v.byTask[h]
		if !ok {
			w = len(v.writers)
			v.byTask[h] = w
			v.writers = append(v.writers, writer{h: h})
		}
		ws := &v.writers[w].writes
		if last := len(*ws) - 1; last >= 0 && (*ws)[last].k == k {
			*ws = (*ws)[:last] // an event wrote one name twice: the last write counts
		}
		*ws = append(*ws, write{k, i + 1})
		_, i = n.value(words, i+1)
	}
}

// seal drops the writes that are not part of the net.
func (n *Net) seal(v *sharedVariable) {
	for i := range v.writers {
		w := &v.writers[i]
		done := n.handles[w.h].done
		w.writes = w.writes[:sort.Search(len(w.writes), func(i int) bool { return w.writes[i].k > done })]
	}
	v.writers = stdslices.DeleteFunc(v.writers, func(w writer) bool { return len(w.writes) == 0 })
	sort.Slice(v.writers,
		func(i, j int) bool { return n.handles[v.writers[i].h].rank < n.handles[v.writers[j].h].rank })
	v.byTask = nil
}

// sharedValues returns the possible values of a shared variable in local state (t,k): the initial
// value if no write is known there, the value of each known write that no other known one follows,
// and the values of the writes that are concurrent with the state.
//
//	u   ──w──w──w──w──w──w──      known up to lo, not before exit(s) from hi on:
//	        ╲ lo     ╱ hi         the last one up to lo and all from lo to hi count
//	t   ─────(s)────
func (n *Net) sharedValues(v *sharedVariable, t Task, k int32) []event.Value {
	entry, hasEntry := n.entry(t, k)
	var set valueSet
	var latest []Action
	var words []uint32
	for i := range v.writers {
		w := &v.writers[i]
		u := n.handles[w.h].rank
		lo := 0
		if hasEntry {
			known := n.Known(entry, u)
			lo = sort.Search(len(w.writes), func(i int) bool { return int(w.writes[i].k) > known })
		}
		if lo > 0 {
			latest = append(latest, Action{u, w.writes[lo-1].k})
			words = append(words, w.writes[lo-1].word)
		}
		hi := len(w.writes)
		if int(k) < n.Len(t) {
			outside := n.NotAboveIn(Action{t, k + 1}, u)
			hi = sort.Search(len(w.writes), func(i int) bool { return int(w.writes[i].k) > outside })
		}
		for _, x := range w.writes[lo:max(lo, hi)] {
			val, _ := n.value(n.tasks[u].words, x.word)
			set.add(val)
		}
	}
	for i, a := range latest {
		overwritten := stdslices.ContainsFunc(latest, func(b Action) bool { return n.Precedes(a, b) })
		if !overwritten {
			val, _ := n.value(n.tasks[a.Task].words, words[i])
			set.add(val)
		}
	}
	if len(latest) == 0 {
		set.add(v.initial)
	}
	return set.values
}

// entry returns the action that produced local state (t,k).
func (n *Net) entry(t Task, k int32) (Action, bool) {
	if k > 0 {
		return Action{t, k}, true
	}
	return n.SpawnedBy(t)
}

// valueSet collects distinct values, in order.
type valueSet struct {
	values []event.Value
	index  map[string]bool // by key, once there are many
}

func (s *valueSet) add(v event.Value) {
	const few = 16
	if s.index == nil {
		if stdslices.ContainsFunc(s.values, func(o event.Value) bool { return sameValue(o, v) }) {
			return
		}
		s.values = append(s.values, v)
		if len(s.values) == few {
			s.index = make(map[string]bool)
			for _, o := range s.values {
				s.index[valueKey(o)] = true
			}
		}
		return
	}
	key := valueKey(v)
	if !s.index[key] {
		s.index[key] = true
		s.values = append(s.values, v)
	}
}

// sameValue reports whether two values have the same kind and content.
func sameValue(a, b event.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case event.Null:
		return true
	case event.String:
		return a.Str() == b.Str()
	case event.List, event.Object:
		return valueKey(a) == valueKey(b)
	}
	return a.Uint() == b.Uint() // the bits of a boolean or a number
}

// valueKey returns a string that identifies a value.
func valueKey(v event.Value) string { return string(event.AppendValue(nil, v)) }
