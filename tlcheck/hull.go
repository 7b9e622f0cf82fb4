package tlcheck

import (
	"cmp"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// hopeful returns what lies within every slice above lo and below all of his that can be a
// violation better than the best; false if there is none such.
func (s *search) hopeful(b *branch, lo slices.Ideal, his []slices.Ideal) (slices.Ideal, bool, error) {
	h, err := b.hull(s, lo)
	if err != nil || h.none || s.best != nil && !s.better(h.size) || !below(h.slice, his) {
		return lo, false, err
	}
	for _, slot := range b.inner {
		w := b.tracks[slot]
		if w == nil || !s.isFixed(b, slot) {
			continue
		}
		tasks := s.candidates(b, slot)
		if len(tasks) == 0 {
			return lo, false, nil
		}
		in, ok := s.nextEntry(w, tasks[0], lo)
		if !ok || !below(in, his) {
			return lo, false, nil
		}
	}
	return h.slice, true, nil
}

func below(slice slices.Ideal, his []slices.Ideal) bool {
	return !stdslices.ContainsFunc(his, func(hi slices.Ideal) bool { return !slice.Leq(hi) })
}

// hull is what lies within every slice above some slice in which the core of the inner slots
// is true for some tasks. Slots for which a condition says the task do not count.
type hull struct {
	slice slices.Ideal
	size  int  // no such slice has less actions; not known before there is a best violation
	none  bool // there is no such slice
}

// hull returns the hull above lo. For each slot that is what the entries of the
// next spans of all tasks have in common.
func (b *branch) hull(s *search, lo slices.Ideal) (hull, error) {
	if b.hulls == nil || b.sized != (s.best != nil) {
		b.hulls, b.sized = map[slices.Ideal]hull{}, s.best != nil
	}
	if h, ok := b.hulls[lo]; ok {
		return h, nil
	}
	h := hull{slice: lo}
	for _, slot := range b.inner {
		w := b.tracks[slot]
		if w == nil || s.isFixed(b, slot) {
			continue
		}
		o, err := s.nextEntries(w, lo)
		if err != nil {
			return h, err
		}
		h = hull{h.slice.Join(o.slice), max(h.size, o.size), h.none || o.none}
	}
	b.hulls[lo] = h
	return h, nil
}

// maxHull bounds the counters of the slices from which a hull is made (4 bytes each).
const maxHull = 1 << 26

// nextEntries returns the hull of the slices in which some task is in one of its spans. Where that
// takes too much, it is lo: more is searched then.
func (s *search) nextEntries(w *requirement, lo slices.Ideal) (hull, error) {
	size := -1
	var entries []slices.Ideal
	for _, t := range s.tasks {
		in, ok := s.nextEntry(w, t, lo)
		if !ok {
			continue
		}
		n := s.net.Tasks()
		if in.Leq(lo) || n >= manyTracks && len(entries)*n > maxHull {
			return s.atLeastAbove(lo), nil
		}
		if n >= manyTracks {
			if err := s.stopped(); err != nil {
				return hull{}, err
			}
		}
		if s.best != nil && (size < 0 || in.Size() < size) {
			if n := lo.Join(in).Size(); size < 0 || n < size {
				size = n
			}
		}
		entries = append(entries, in)
	}
	return hull{s.lat.Common(entries), size, len(entries) == 0}, nil
}

// atLeastAbove returns lo as a hull.
func (s *search) atLeastAbove(lo slices.Ideal) hull {
	if s.best == nil {
		return hull{slice: lo}
	}
	return hull{slice: lo, size: lo.Size()}
}

// nextEntry returns what the entry of the first span of a task that is not over in lo generates;
// false if there is no such span.
func (s *search) nextEntry(w *requirement, t san.Task, lo slices.Ideal) (slices.Ideal, bool) {
	spans, state := w.spans[t], stateIn(s.lat, lo, t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= state })
	if i == len(spans) {
		return lo, false
	}
	if e, ok := entry(s.net, t, spans[i].from); ok {
		return s.lat.Down(e), true
	}
	return s.lat.Bottom(), true
}

// candidate is a task with the least slice above a lower bound in which it is where the core
// wants it.
type candidate struct {
	task  san.Task
	entry slices.Ideal // of the span; the slice is the union of this and the bound
	size  int          // of the slice
}

// alone returns the only inner slot, if it has a core and no condition says its task; false also
// as long as there is no violation to beat.
func (s *search) alone(b *branch) (int, bool) {
	if s.best == nil || len(b.inner) != 1 || b.tracks[b.inner[0]] == nil || s.isFixed(b, b.inner[0]) {
		return 0, false
	}
	return b.inner[0], true
}

// shortlisted searches an area by the candidates for the only inner slot. Which of them are small
// enough depends on the area's floor alone, which many areas share. Behind the first span of a task
// that is not over there a later one is of no use: the roof lacks what follows what it lacks.
func (s *search) shortlisted(b *branch, slot int, a *area) {
	lo := a.floor[0]
	if !below(lo, a.roof[:]) {
		return
	}
	s.assigned[slot] = true
	defer func() { s.assigned[slot], s.env[slot] = false, 0 }()
	for _, c := range s.shortlist(b, slot, lo) {
		if c.size > s.best.size {
			return // so are the others
		}
		s.env[slot] = c.task
		if s.admitted(b, slot) && s.better(c.size) && below(c.entry, a.roof[:]) {
			s.offer(lo.Join(c.entry))
		}
	}
}

// shortlist returns the candidates above lo that are not larger than the best violation, in
// order of size, then of tasks.
func (s *search) shortlist(b *branch, slot int, lo slices.Ideal) []candidate {
	if list, ok := b.shortlists[lo]; ok {
		return list
	}
	var list []candidate
	for _, t := range b.tracks[slot].tasks {
		in, ok := s.nextEntry(b.tracks[slot], t, lo)
		if !ok || in.Size() > s.best.size {
			continue
		}
		if size := lo.Join(in).Size(); size <= s.best.size {
			list = append(list, candidate{t, in, size})
		}
	}
	stdslices.SortStableFunc(list, func(c, d candidate) int { return cmp.Compare(c.size, d.size) })
	if b.shortlists == nil {
		b.shortlists = map[slices.Ideal][]candidate{}
	}
	b.shortlists[lo] = list
	return list
}
