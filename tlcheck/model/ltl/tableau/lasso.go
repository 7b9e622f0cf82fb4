package tableau

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// step is an edge of a path.
type step struct {
	from, edge int32 // index for graph.edge(from, edge)
	to         int32
}

// lasso returns an infinite path from one of the roots into a component, as a stem and a repeated
// loop. The loop has all wanted marks. The stem and the paths to marks are shortest ones by the
// edges that the search has followed, or by all edges if those are cheap. If a shorter stem is too
// far to seek, the stem may be longer.
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
	w := walk{search: s, roots: roots, within: func(int32) bool { return true }, all: s.cheap,
		most: max(2*s.visits.Len(), fewSought)}
	if stem, err = w.path(enters); err != nil {
		return nil, nil, err
	}
	if stem == nil {
		w.all, w.most = false, s.visits.Len()
		if stem, err = w.path(enters); err != nil {
			return nil, nil, err
		}
	}
	loop, err = s.loop(stem[len(stem)-1].to, within, slices.Clone(wanted))
	return stem, loop, err
}

// loop returns a path from start back to start with all wanted marks. It repeatedly goes to the
// nearest edge with a missing mark.
func (s *search) loop(start int32, within func(int32) bool, wanted smallset.Set) ([]step, error) {
	var loop []step
	at := start
	extend := func(end func(to int32, marks smallset.Set) bool) error {
		way, err := (&walk{search: s, roots: []int32{at}, within: within, all: s.cheap, most: s.visits.Len()}).path(end)
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

// walk is a breadth-first search for a shortest path.
type walk struct {
	*search
	roots  []int32
	within func(int32) bool
	all    bool // by all edges, not only by those that the search has followed
	most   int  // limit of visited nodes

	steps map[int32]step // of each visited node, the step to it
}

// fewSought nodes may always be visited for a shorter stem, even if the search visited fewer.
const fewSought = 1 << 14

// path returns the steps, at least one, up to the first edge that is an end; nil if the limit is
// exceeded. There must be such an edge.
func (w *walk) path(end func(to int32, marks smallset.Set) bool) ([]step, error) {
	queue := slices.Clone(w.roots)
	w.steps = map[int32]step{}
	for _, n := range queue {
		w.steps[n] = step{from: none}
	}
	marks := smallset.New(w.marks)
	for ; len(queue) > 0; queue = queue[1:] {
		if err := w.contextPoll.poll(1); err != nil {
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
			if _, ok := w.steps[to]; !ok {
				if len(w.steps) >= w.most {
					return nil, nil
				}
				w.steps[to] = e
				queue = append(queue, to)
			}
		}
	}
	panic("tableau: a component has no way to what was seen in it")
}

// back returns the steps to a node.
func (w *walk) back(node int32) []step {
	var steps []step
	for e := w.steps[node]; e.from != none; e = w.steps[e.from] {
		steps = append(steps, e)
	}
	slices.Reverse(steps)
	return steps
}
