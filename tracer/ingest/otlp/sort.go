package otlp

import (
	"fmt"
	"strings"
)

// sort returns the nodes in a topological order; where there is a choice, the one with the earliest
// time is first. If there is no such order it returns the nodes that have none.
func (b *builder) sort() (order []int32, stuck []bool) {
	after, open := b.successors()
	ready := heap{nodes: b.nodes}
	for n := range b.nodes {
		if open[n] == 0 {
			ready.push(int32(n))
		}
	}
	order = make([]int32, 0, len(b.nodes))
	for len(ready.queue) > 0 {
		n := ready.pop()
		order = append(order, n)
		for _, m := range after.of(n) {
			if open[m]--; open[m] == 0 {
				ready.push(m)
			}
		}
	}
	if len(order) == len(b.nodes) {
		return order, nil
	}
	stuck = make([]bool, len(b.nodes))
	for n := range stuck {
		stuck[n] = open[n] > 0
	}
	return nil, stuck
}

// before calls f with all direct predecessors of a node.
func (b *builder) before(n int32, f func(int32)) {
	if t := &b.tasks[b.nodes[n].task]; n > t.first {
		f(n - 1)
	} else if t.creator != none {
		f(t.creator)
	}
	for _, m := range b.furtherCauses(n) {
		f(m)
	}
}

// lists are lists of nodes, one for each node, in one array.
type lists struct {
	all   []int32
	first []int32 // by node; one more for the end
}

func (l *lists) of(n int32) []int32 { return l.all[l.first[n]:l.first[n+1]] }

// successors inverts before, and counts for each node its predecessors.
func (b *builder) successors() (l lists, open []int32) {
	open = make([]int32, len(b.nodes))
	l.first = make([]int32, len(b.nodes)+1)
	for n := range b.nodes {
		b.before(int32(n), func(m int32) {
			open[n]++
			l.first[m]++
		})
	}
	sum := int32(0)
	for n := range l.first {
		sum += l.first[n]
		l.first[n] = sum
	}
	l.all = make([]int32, sum)
	for n := range b.nodes {
		b.before(int32(n), func(m int32) {
			l.first[m]--
			l.all[l.first[m]] = int32(n)
		})
	}
	return l, open
}

// heap is a queue of nodes, the earliest first.
type heap struct {
	nodes []node
	queue []int32
}

func (h *heap) less(i, j int) bool {
	m, n := h.queue[i], h.queue[j]
	if h.nodes[m].time != h.nodes[n].time {
		return h.nodes[m].time < h.nodes[n].time
	}
	return m < n
}

func (h *heap) swap(i, j int) { h.queue[i], h.queue[j] = h.queue[j], h.queue[i] }

func (h *heap) push(n int32) {
	h.queue = append(h.queue, n)
	for i := len(h.queue) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		h.swap(i, (i-1)/2)
	}
}

func (h *heap) pop() int32 {
	top, last := h.queue[0], len(h.queue)-1
	h.swap(0, last)
	h.queue = h.queue[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && h.less(child+1, child) {
			child++
		}
		if !h.less(child, i) {
			return top
		}
		h.swap(i, child)
		i = child
	}
}

// shown is the number of events of a cycle that are named.
const shown = 8

// circle names the events of a cycle. Every stuck node has a stuck predecessor, so going back leads
// to a cycle.
func (b *builder) circle(stuck []bool) string {
	back := func(n int32) int32 {
		first := int32(none)
		b.before(n, func(m int32) {
			if first == none && stuck[m] {
				first = m
			}
		})
		return first
	}
	n := int32(0)
	for !stuck[n] {
		n++
	}
	// a node that is visited twice is in the cycle
	for met := map[int32]bool{}; !met[n]; n = back(n) {
		met[n] = true
	}
	var names []string
	for m := n; ; {
		if name := b.describe(m); name != "" {
			names = append(names, name)
		}
		if m = back(m); m == n {
			break
		}
	}
	if more := len(names) - shown; more > 0 {
		names = append(names[:shown], fmt.Sprintf("and %d others", more))
	}
	return strings.Join(names, ", ")
}

// describe names an event of a span, "" for one that is named with another, or belongs to a helper.
func (b *builder) describe(n int32) string {
	d := b.nodes[n]
	switch d.does {
	case enters:
		return fmt.Sprintf("the start of %.80q", b.tasks[d.task].name)
	case ends:
		return fmt.Sprintf("the end of %.80q", b.tasks[d.task].name)
	case steps:
		return fmt.Sprintf("event %.40q of %.80q", b.spans[d.task].Moments[d.arg].Name, b.tasks[d.task].name)
	}
	return ""
}
