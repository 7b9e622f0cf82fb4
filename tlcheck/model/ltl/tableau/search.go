package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// graph is what is searched for an infinite path. Its nodes are small numbers.
type graph interface {
	// edge returns the edge of a node that is i or, if that is none, the first one behind it, with the index behind that. There
	// are no more if next is 0. The marks that the edge has are put into marks, which is empty.
	edge(node int32, i int32, marks smallset.Set) (to, next int32, err error)
	// enter is called when a search comes to a node, and leave, in the opposite order, when it has followed all edges of the node.
	enter(node int32) error
	leave(node int32) error
}

// search looks for a strongly connected component with an edge inside whose edges together have all marks. It is the algorithm of
// Couvreur, depth first: components are known as far as they have been seen, and the first one that has all is
// enough. Others are removed when they have been left: no path through them is accepted.
type search struct {
	graph
	lookout lookout
	marks   int // how many there are
	// judge, if there is one, is asked about each component with an edge inside when all of it is known, instead of what was
	// said above. It returns the nodes that were looked for, nil if there are none among those of the component.
	judge func(nodes []int32, marks smallset.Set) ([]int32, error)
	// removed is told of a component that is removed, and of the marks of the edges inside. A single node may have no edge to itself.
	removed func(nodes []int32, marks smallset.Set, cycle bool)

	// cheap says that a lasso may use all edges, and not only those that were followed, if that makes it shorter.
	cheap bool

	visits column.Column[visit] // of each node
	path   []int32              // from the root to where the search is
	open   []int32              // nodes that have been met and not removed
	roots  []component          // as many as the path is long, where there are no cycles: so they are kept small
	sets   []uint64             // of each of roots, its marks, and those of the edge that leads to it from the component before
}

// visit is how far the search has come with a node.
type visit struct {
	order int32 // 0 if not met, gone if removed, else its place in open, from 1
	next  int32 // where its edges go on
}

const gone = -1

// component is a strongly connected component as far as it is known.
type component struct {
	first int32 // the order of its first node
	cycle bool  // there is an edge inside
}

// marksOf returns the marks of the edges inside of a component, by its place in roots.
func (s *search) marksOf(root int) smallset.Set {
	words := smallset.Words(s.marks)
	return s.sets[2*root*words : (2*root+1)*words]
}

// enterOf returns the marks of the edge that leads to a component from the one before.
func (s *search) enterOf(root int) smallset.Set {
	words := smallset.Words(s.marks)
	return s.sets[(2*root+1)*words : (2*root+2)*words]
}

// cut leaves so many of roots.
func (s *search) cut(roots int) {
	s.roots, s.sets = s.roots[:roots], s.sets[:2*roots*smallset.Words(s.marks)]
}

// lookout looks at a context now and then: as edges are followed, and as states are expanded, of which one alone may have thousands of moves.
type lookout struct {
	ctx  context.Context
	made int // edges or moves, since the last look
}

// searchedBetween is how many edges are followed, or moves of states made, between looks at the context.
const searchedBetween = 4096

// after returns why the context ended, if it has, when there have been more edges or moves.
func (l *lookout) after(more int) error {
	if l.made += more; l.made < searchedBetween {
		return nil
	}
	l.made = 0
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	return nil
}

// from searches what can be reached from a node, and returns the nodes of a component, nil if there is none.
func (s *search) from(root int32) ([]int32, error) {
	if s.met(root) {
		return nil, nil
	}
	marks := smallset.New(s.marks)
	if err := s.meet(root, marks); err != nil {
		return nil, err
	}
	for len(s.path) > 0 {
		if err := s.lookout.after(1); err != nil {
			return nil, err
		}
		at := s.path[len(s.path)-1]
		clear(marks)
		to, next, err := s.edge(at, s.visits.At(int(at)).next, marks)
		if err != nil {
			return nil, err
		}
		if next == 0 {
			if nodes, err := s.leave(at); nodes != nil || err != nil {
				return nodes, err
			}
			continue
		}
		s.visits.Place(int(at)).next = next
		switch {
		case !s.met(to):
			if err := s.meet(to, marks); err != nil {
				return nil, err
			}
		case s.visits.At(int(to)).order != gone && s.close(to, marks):
			return s.open[s.roots[len(s.roots)-1].first-1:], nil
		}
	}
	return nil, nil
}

func (s *search) met(node int32) bool {
	for int(node) >= s.visits.Len() {
		s.visits.Add(visit{})
	}
	return s.visits.At(int(node)).order != 0
}

func (s *search) meet(node int32, enter smallset.Set) error {
	s.open = append(s.open, node)
	s.path = append(s.path, node)
	order := int32(len(s.open))
	s.visits.Place(int(node)).order = order
	s.roots = append(s.roots, component{first: order})
	for range enter {
		s.sets = append(s.sets, 0)
	}
	s.sets = append(s.sets, enter...)
	return s.graph.enter(node)
}

// close makes one component of those that an edge to a node joins, and reports whether it is what is looked for.
func (s *search) close(to int32, marks smallset.Set) bool {
	top, order := len(s.roots)-1, s.visits.At(int(to)).order
	for order < s.roots[top].first {
		marks.Join(s.marksOf(top))
		marks.Join(s.enterOf(top))
		top--
	}
	s.cut(top + 1)
	joined := s.marksOf(top)
	joined.Join(marks)
	s.roots[top].cycle = true
	return s.judge == nil && s.full(joined)
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
	if err := s.graph.leave(node); err != nil {
		return nil, err
	}
	s.path = s.path[:len(s.path)-1]
	last := len(s.roots) - 1
	c, marks := s.roots[last], s.marksOf(last)
	if c.first != s.visits.At(int(node)).order {
		return nil, nil
	}
	nodes := s.open[c.first-1:]
	if s.judge != nil && c.cycle {
		if found, err := s.judge(nodes, marks); found != nil || err != nil {
			return found, err
		}
	}
	s.cut(last)
	s.open = s.open[:c.first-1]
	for _, n := range nodes {
		s.visits.Place(int(n)).order = gone
	}
	if s.removed != nil {
		s.removed(nodes, marks, c.cycle)
	}
	return nil, nil
}
