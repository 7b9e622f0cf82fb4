package tlcheck

import (
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// span is a sequence of local states of one task. State uncreated stands for the slices in which
// the task does not exist yet.
type span struct{ from, to int }

const uncreated = -1

// entry returns the action that produces state k of a task; false for state 0 of an initial task.
func entry(net *san.Net, t san.Task, k int) (san.Action, bool) {
	switch {
	case k == uncreated:
		return san.Action{}, false
	case k == 0:
		return net.SpawnedBy(t)
	}
	return san.Action{Task: t, K: int32(k)}, true
}

// exit returns the action that ends state k of a task; false if it never ends.
func exit(net *san.Net, t san.Task, k int) (san.Action, bool) {
	switch {
	case k == uncreated:
		return net.SpawnedBy(t)
	case k == net.Len(t):
		return san.Action{}, false
	}
	return san.Action{Task: t, K: int32(k + 1)}, true
}

func stateIn(lat *slices.Lattice, i slices.Ideal, t san.Task) int {
	k := i.At(t)
	if k == 0 && !lat.Created(i, t) {
		return uncreated
	}
	return k
}

// spans returns the local states of the task in which the atom of a node has the node's value.
func (t *atomTable) spans(n *formula.Node, task san.Task) []span {
	var out []span
	for _, r := range t.byNumber[n.Atom].runs[task] {
		if r.truth == n.Want {
			out = append(out, span{r.from, r.to})
		}
	}
	return out
}

// spans returns the local states of the task in which a local node is true.
func (e *evaluator) spans(n *formula.Node, task san.Task) []span {
	s := spanner{evaluator: e, task: task}
	return s.spans(n)
}

// commonSpans returns the local states of the task in which all of the local nodes are true.
func (e *evaluator) commonSpans(nodes []*formula.Node, task san.Task) []span {
	out := e.spans(nodes[0], task)
	for _, n := range nodes[1:] {
		out = intersectSpans(out, e.spans(n, task))
	}
	return out
}

// spanner computes the spans of a node and of those below it, in one task. A guard occurs a second
// time below the node that it guards, so without known the time would double with each level.
type spanner struct {
	*evaluator
	task  san.Task
	known map[int][]span // of unions, by number of the node
}

func (s *spanner) spans(n *formula.Node) []span {
	if spans, ok := s.known[n.Number]; ok {
		return spans
	}
	c := s.memos[n.Number].cost
	outer := c.enter()
	spans := s.compute(n)
	c.leave(outer, len(spans))
	if n.Kind == formula.Or {
		if s.known == nil {
			s.known = map[int][]span{}
		}
		s.known[n.Number] = spans
	}
	return spans
}

func (s *spanner) compute(n *formula.Node) []span {
	switch n.Kind {
	case formula.Atom:
		return s.atoms.spans(n, s.task)
	case formula.And:
		out := s.spans(n.Kids[0])
		for _, k := range n.Kids[1:] {
			out = intersectSpans(out, s.spans(k))
		}
		return out
	}
	var out, open []span // open has the spans in which all guards so far hold
	for i, k := range n.Kids {
		spans := s.spans(k)
		if i > 0 && n.Guards != nil {
			if g := s.spans(n.Guards[i-1]); i == 1 {
				open = g
			} else {
				open = intersectSpans(open, g)
			}
			spans = intersectSpans(spans, open)
		}
		out = unionSpans(out, spans)
	}
	return out
}

// complementSpans returns all states of the task outside of spans.
func complementSpans(net *san.Net, task san.Task, spans []span) []span {
	var out []span
	next := uncreated
	if net.Initial(task) {
		next = 0
	}
	for _, s := range spans {
		if next < s.from {
			out = append(out, span{next, s.from - 1})
		}
		next = s.to + 1
	}
	if next <= net.Len(task) {
		out = append(out, span{next, net.Len(task)})
	}
	return out
}

// intersectSpans returns the intersection of two ascending lists of spans.
func intersectSpans(a, b []span) []span {
	var out []span
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, to := max(a[i].from, b[j].from), min(a[i].to, b[j].to); from <= to {
			out = append(out, span{from, to})
		}
		if a[i].to < b[j].to {
			i++
		} else {
			j++
		}
	}
	return out
}

// overlaps reports whether one of the ascending spans overlaps another one.
func overlaps(spans []span, other span) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= other.from })
	return i < len(spans) && spans[i].from <= other.to
}

// unionSpans returns the union of two ascending lists of spans. It merges neighbours.
func unionSpans(a, b []span) []span {
	if len(a) == 0 {
		return b
	}
	out := make([]span, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			a, b = b, a
		}
		if n := len(out); n > 0 && a[0].from <= out[n-1].to+1 {
			out[n-1].to = max(out[n-1].to, a[0].to)
		} else {
			out = append(out, a[0])
		}
		a = a[1:]
	}
	return out
}
