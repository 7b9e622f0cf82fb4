package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// graph is searched for an infinite path. Its nodes are small numbers.
type graph interface {
	// edge returns the first edge of a node with an index of at least i, and the index behind it.
	// next is 0 if there are no more. The marks of the edge are added to marks, which is empty.
	edge(node int32, i int32, marks smallset.Set) (to, next int32, err error)
	// enter is called when a search reaches a node; leave, in the opposite order, after it has
	// followed all edges of the node.
	enter(node int32) error
	leave(node int32) error
}

// search looks for a strongly connected component whose inner edges together have all marks. It is
// the depth-first algorithm of Couvreur 1999, which knows components as far as they were visited,
// and stops at the first one with all marks. It removes other components when it leaves them, as no
// accepting path leads through them.
type search struct {
	graph
	contextPoll contextPoll
	marks       int // number of marks
	// judge, if not nil, decides about each complete component with an edge inside. It returns
	// accepted nodes of the component; nil if there are none.
	judge func(nodes []int32, marks smallset.Set) ([]int32, error)
	// removed receives each removed component and the marks of its inner edges. A single node may
	// have no edge to itself.
	removed func(nodes []int32, marks smallset.Set, cycle bool)

	// cheap allows a lasso to use all edges for a shorter path, not only those that were followed.
	cheap bool

	visits column.Column[visit] // of each node
	path   []int32              // from the root to the present node
	open   []int32              // visited nodes that are not removed
	// as long as the path if there are no cycles, so the elements are small
	roots []component
	// of each root, its marks, and those of the edge to it from the component before
	sets []uint64
}

// visit is the progress of the search at a node.
type visit struct {
	order int32 // 0 if not visited, gone if removed, else its index in open plus 1
	next  int32 // index of its next edge
}

const gone = -1

// component is the visited part of a strongly connected component.
type component struct {
	first int32 // order of its first node
	cycle bool  // there is an edge inside
}

// marksOf returns the marks of the inner edges of a component, by its index in roots.
func (s *search) marksOf(root int) smallset.Set {
	words := smallset.Words(s.marks)
	return s.sets[2*root*words : (2*root+1)*words]
}

// enterOf returns the marks of the edge to a component from the one before.
func (s *search) enterOf(root int) smallset.Set {
	words := smallset.Words(s.marks)
	return s.sets[(2*root+1)*words : (2*root+2)*words]
}

func (s *search) cut(roots int) {
	s.roots, s.sets = s.roots[:roots], s.sets[:2*roots*smallset.Words(s.marks)]
}

// contextPoll looks at a context at intervals: as edges are followed, and as states are expanded,
// which alone may have thousands of moves.
type contextPoll struct {
	ctx  context.Context
	made int // edges or moves since the last look
}

// searchedBetween is the number of edges or moves between two checks of the context.
const searchedBetween = 4096

// poll adds edges or moves, and returns the cause if the context has ended.
func (l *contextPoll) poll(more int) error {
	if l.made += more; l.made < searchedBetween {
		return nil
	}
	l.made = 0
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	return nil
}

// searchFrom searches the nodes reachable from a root. It returns the nodes of an accepting
// component; nil if there is none.
func (s *search) searchFrom(root int32) ([]int32, error) {
	if s.isVisited(root) {
		return nil, nil
	}
	marks := smallset.New(s.marks)
	if err := s.visit(root, marks); err != nil {
		return nil, err
	}
	for len(s.path) > 0 {
		if err := s.contextPoll.poll(1); err != nil {
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
		case !s.isVisited(to):
			if err := s.visit(to, marks); err != nil {
				return nil, err
			}
		case s.visits.At(int(to)).order != gone && s.close(to, marks):
			return s.open[s.roots[len(s.roots)-1].first-1:], nil
		}
	}
	return nil, nil
}

func (s *search) isVisited(node int32) bool {
	for int(node) >= s.visits.Len() {
		s.visits.Add(visit{})
	}
	return s.visits.At(int(node)).order != 0
}

func (s *search) visit(node int32, enter smallset.Set) error {
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

// close merges the components that an edge back to a node joins. It reports whether the result is
// accepting.
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
	return s.judge == nil && s.hasAllMarks(joined)
}

// hasAllMarks reports whether no mark is missing.
func (s *search) hasAllMarks(marks smallset.Set) bool {
	for i := range s.marks {
		if !marks.Has(i) {
			return false
		}
	}
	return true
}

// leave removes a finished node from the path. If it is the root of its component, leave removes
// the component, unless that is accepting.
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
