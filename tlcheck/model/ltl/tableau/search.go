package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// graph is what is searched for an infinite path. Its nodes are small numbers.
type graph interface {
	// edge returns the edge of a node that is i or, if that is none, the first one behind it, with the index behind that. There
	// are no more if next is 0. The marks that the edge has are put into marks, which is empty.
	edge(node int32, i int32, marks smallset.Set) (to, next int32, err error)
}

// search looks for a strongly connected component with an edge inside whose edges together have all marks. It is the algorithm of
// Couvreur, depth first: components are known as far as they have been seen, and the first one that has all is
// enough. Others are removed when they have been left: no path through them is accepted.
type search struct {
	graph
	ctx   context.Context
	marks int // how many there are
	// judge, if there is one, is asked about each component with an edge inside when all of it is known, instead of what was
	// said above. It returns the nodes that were looked for, nil if there are none among those of the component.
	judge func(nodes []int32, marks smallset.Set) ([]int32, error)
	// removed is told of a component that is removed, and of the marks of the edges inside. A single node may have no edge to itself.
	removed func(nodes []int32, marks smallset.Set, cycle bool)

	// cheap says that a lasso may use all edges, and not only those that were followed, if that makes it shorter.
	cheap bool

	order []int32 // of each node: 0 if not met, gone if removed, else its place in open, from 1
	next  []int32 // of each node, where its edges go on
	path  []int32 // from the root to where the search is
	open  []int32 // nodes that have been met and not removed
	roots []component
	steps int
}

const gone = -1

// component is a strongly connected component as far as it is known.
type component struct {
	first int32        // the order of its first node
	marks smallset.Set // of the edges inside
	enter smallset.Set // of the edge that leads to it from the component before
	cycle bool         // there is an edge inside
}

// searchedBetween is how many edges are followed between looks at the context.
const searchedBetween = 4096

// from searches what can be reached from a node, and returns the nodes of a component, nil if there is none.
func (s *search) from(root int32) ([]int32, error) {
	if s.met(root) {
		return nil, nil
	}
	marks := smallset.New(s.marks)
	s.meet(root, marks)
	for len(s.path) > 0 {
		if s.steps++; s.steps%searchedBetween == 0 && s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		at := s.path[len(s.path)-1]
		clear(marks)
		to, next, err := s.edge(at, s.next[at], marks)
		if err != nil {
			return nil, err
		}
		if next == 0 {
			if nodes, err := s.leave(at); nodes != nil || err != nil {
				return nodes, err
			}
			continue
		}
		s.next[at] = next
		switch {
		case !s.met(to):
			s.meet(to, marks)
		case s.order[to] != gone && s.close(to, marks):
			return s.open[s.roots[len(s.roots)-1].first-1:], nil
		}
	}
	return nil, nil
}

func (s *search) met(node int32) bool {
	for int(node) >= len(s.order) {
		s.order = append(s.order, 0)
		s.next = append(s.next, 0)
	}
	return s.order[node] != 0
}

func (s *search) meet(node int32, enter smallset.Set) {
	s.open = append(s.open, node)
	s.path = append(s.path, node)
	s.order[node] = int32(len(s.open))
	s.roots = append(s.roots, component{first: s.order[node], marks: smallset.New(s.marks), enter: slices.Clone(enter)})
}

// close makes one component of those that an edge to a node joins, and reports whether it is what is looked for.
func (s *search) close(to int32, marks smallset.Set) bool {
	top := len(s.roots) - 1
	for s.order[to] < s.roots[top].first {
		marks.Join(s.roots[top].marks)
		marks.Join(s.roots[top].enter)
		top--
	}
	s.roots = s.roots[:top+1]
	c := &s.roots[top]
	c.marks.Join(marks)
	c.cycle = true
	return s.judge == nil && s.full(c.marks)
}

// full reports whether no mark is missing.
func (s *search) full(marks smallset.Set) bool {
	for i := range s.marks {
		if !marks.Has(i) {
			return false
		}
	}
	return true
}

// leave takes a node whose edges have been followed from the path, and removes its component if the node is the first one of it, unless
// that is what was looked for.
func (s *search) leave(node int32) ([]int32, error) {
	s.path = s.path[:len(s.path)-1]
	c := s.roots[len(s.roots)-1]
	if c.first != s.order[node] {
		return nil, nil
	}
	nodes := s.open[c.first-1:]
	if s.judge != nil && c.cycle {
		if found, err := s.judge(nodes, c.marks); found != nil || err != nil {
			return found, err
		}
	}
	s.roots = s.roots[:len(s.roots)-1]
	s.open = s.open[:c.first-1]
	for _, n := range nodes {
		s.order[n] = gone
	}
	if s.removed != nil {
		s.removed(nodes, c.marks, c.cycle)
	}
	return nil, nil
}
