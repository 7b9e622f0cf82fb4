package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// least returns the least slice above lo that counts and in which the tracks' tasks are in their
// spans; false if there is none. The slices that respect mutual exclusion, and those of the tracks,
// are closed under intersection. So there is a least one, and going up in turns reaches it.
func (s *search) least(tracks []track, lo slices.Ideal) (slices.Ideal, bool, error) {
	for {
		slice, ok, err := least(s.budget, s.lat, tracks, lo)
		if !ok || err != nil || s.sections == nil {
			return slice, ok, err
		}
		closed, ok := s.sections.Closure(slice)
		if !ok || closed.Equal(slice) {
			return closed, ok, nil
		}
		lo = closed
	}
}

// Most properties about critical sections say that they exclude each other. If sections order
// nothing (Options.Sections), no order of the spans shows that, as it does in
// search.excludedByOrder. But a lock does: if all spans of a group are in sections of one lock, and
// those of one predicate exclude all others there, no valid slice has a span of each, of different
// tasks. Such groups may be ordered in turn, one after the other.

// guard is a lock in whose sections all spans of a group are.
type guard struct {
	lock int
	// whether the sections of the first, and of the second, predicate exclude all others
	excludesAll [2]bool
}

// guards finds groups of spans that a lock separates.
type guards struct {
	sections *slices.Sections
	found    []guard
	held     []slices.Hold // the locks held during a span
}

// separatedPrefix returns the length of the longest prefix of the spans that one lock separates.
// same says that both predicates have the same spans.
func (g *guards) separatedPrefix(all []section, same bool) int {
	g.found = g.found[:0]
	for n := range all {
		if g.findHeldLocks(&all[n]); n == 0 {
			for _, h := range g.held {
				g.found = append(g.found, guard{h.Lock, [2]bool{true, true}})
			}
		}
		kind := 0
		if all[n].second {
			kind = 1
		}
		left := 0
		for _, x := range g.found {
			i := stdslices.IndexFunc(g.held, func(h slices.Hold) bool { return h.Lock == x.lock })
			if i < 0 {
				continue
			}
			x.excludesAll[kind] = x.excludesAll[kind] && g.held[i].Excludes
			if x.excludesAll[0] || !same && x.excludesAll[1] {
				g.found[left] = x
				left++
			}
		}
		if g.found = g.found[:left]; left == 0 {
			return n
		}
	}
	return len(all)
}

// findHeldLocks finds the locks that a task holds throughout a span.
func (g *guards) findHeldLocks(s *section) {
	g.held = g.held[:0]
	if s.span.from != uncreated {
		g.held = g.sections.Held(s.task, s.span.from, s.span.to, g.held)
	}
}

// exclude reports whether no slice has tasks in spans of both requirements.
func (s *search) exclude(first, second *requirement) bool {
	return !stdslices.ContainsFunc(first.tasks, func(t san.Task) bool {
		return len(intersectSpans(first.spans[t], second.spans[t])) > 0
	})
}
