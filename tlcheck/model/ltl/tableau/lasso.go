package tableau

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// step is an edge of a path.
type step struct {
	from, edge int32 // graph.edge(from, edge) is the edge
	to         int32
}

// lasso returns an infinite path from one of some nodes into a component that was found, as a stem and a loop that is repeated for ever. All
// wanted marks are on the loop. Stem and the ways to marks are shortest ones, by edges that the search has followed unless others are cheap. So is
// the stem where a shorter one would be too far to seek.
func (s *search) lasso(roots, component []int32, wanted smallset.Set) (stem, loop []step, err error) {
	inside := map[int32]bool{}
	for _, n := range component {
		inside[n] = true
	}
	within := func(n int32) bool { return inside[n] }
	if i := slices.IndexFunc(roots, within); i >= 0 {
		loop, err = s.loop(roots[i], within, slices.Clone(wanted))
		return nil, loop, err
	}
	enters := func(to int32, _ smallset.Set) bool { return inside[to] }
	w := walk{search: s, roots: roots, within: func(int32) bool { return true }, all: s.cheap, most: max(2*s.visits.Len(), fewSought)}
	if stem, err = w.way(enters); err != nil {
		return nil, nil, err
	}
	if stem == nil {
		w.all, w.most = false, s.visits.Len()
		if stem, err = w.way(enters); err != nil {
			return nil, nil, err
		}
	}
	loop, err = s.loop(stem[len(stem)-1].to, within, slices.Clone(wanted))
	return stem, loop, err
}

// loop returns a way from start back to start that has all wanted marks: to the nearest edge with one that is missing, until none is.
func (s *search) loop(start int32, within func(int32) bool, wanted smallset.Set) ([]step, error) {
	var loop []step
	at := start
	extend := func(end func(to int32, marks smallset.Set) bool) error {
		way, err := (&walk{search: s, roots: []int32{at}, within: within, all: s.cheap, most: s.visits.Len()}).way(end)
		if err != nil {
			return err
		}
		for _, e := range way {
			marks := smallset.New(s.marks)
			if _, _, err := s.edge(e.from, e.edge, marks); err != nil {
				return err
			}
			for i := range marks.All() {
				wanted.Remove(i)
			}
		}
		loop = append(loop, way...)
		at = way[len(way)-1].to
		return nil
	}
	for i := range s.marks {
		if wanted.Has(i) {
			if err := extend(func(_ int32, marks smallset.Set) bool { return marks.Has(i) }); err != nil {
				return nil, err
			}
		}
	}
	if at == start && len(loop) > 0 {
		return loop, nil
	}
	return loop, extend(func(to int32, _ smallset.Set) bool { return to == start })
}

// walk is a search for a shortest way, breadth first.
type walk struct {
	*search
	roots  []int32
	within func(int32) bool
	all    bool // by all edges, and not only by those that the search has followed
	most   int  // so many nodes may be met

	came map[int32]step // how a node was met first
}

// fewSought is how many nodes may always be met for a shorter stem, also where the search has met fewer.
const fewSought = 1 << 14

// way returns the steps, at least one, up to the first edge that is an end, nil if it would meet too many nodes. There must be such an edge.
func (w *walk) way(end func(to int32, marks smallset.Set) bool) ([]step, error) {
	queue := slices.Clone(w.roots)
	w.came = map[int32]step{}
	for _, n := range queue {
		w.came[n] = step{from: none}
	}
	marks := smallset.New(w.marks)
	for ; len(queue) > 0; queue = queue[1:] {
		if err := w.lookout.after(1); err != nil {
			return nil, err
		}
		from := queue[0]
		for i := int32(0); w.all || i < w.visits.At(int(from)).next; {
			clear(marks)
			to, next, err := w.edge(from, i, marks)
			if err != nil {
				return nil, err
			}
			if next == 0 {
				break
			}
			i = next
			if !w.within(to) {
				continue
			}
			e := step{from, next - 1, to}
			if end(to, marks) {
				return append(w.back(from), e), nil
			}
			if _, ok := w.came[to]; !ok {
				if len(w.came) >= w.most {
					return nil, nil
				}
				w.came[to] = e
				queue = append(queue, to)
			}
		}
	}
	panic("tableau: a component has no way to what was seen in it")
}

// back returns the steps to a node.
func (w *walk) back(node int32) []step {
	var steps []step
	for e := w.came[node]; e.from != none; e = w.came[e.from] {
		steps = append(steps, e)
	}
	slices.Reverse(steps)
	return steps
}
