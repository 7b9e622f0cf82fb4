package tlcheck

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
)

// exchangeable returns the classes of two and more slots below n, each ascending, of which the
// root says the same: exchanging two of a class gives the same node, up to the order of what
// intersections, unions and conditions consist of, so that violations remain violations.
// What can be exchanged with one member can with all: (b c) is (a b)(a c)(a b).
func exchangeable(b slices.Budget, root *node, n int) ([][]int, error) {
	known := &shapes{map[*atom]int{}, map[string]int{}}
	shape := known.of(root, 0, 0)
	var classes [][]int
	for slot := range n {
		var err error
		i := stdslices.IndexFunc(classes, func(class []int) bool {
			if err == nil {
				err = b.Err()
			}
			return err != nil || known.of(root, class[0], slot) == shape
		})
		if err != nil {
			return nil, err
		}
		if i < 0 {
			classes = append(classes, []int{slot})
			continue
		}
		classes[i] = append(classes[i], slot)
	}
	return stdslices.DeleteFunc(classes, func(class []int) bool { return len(class) < 2 }), nil
}

// shapes numbers what nodes are but for the names of their bound TIVs: nodes with the same number are
// true in the same slices.
type shapes struct {
	atoms   map[*atom]int
	numbers map[string]int // by what a shape consists of
}

// of returns the number of the node in which slots a and b are exchanged.
func (s *shapes) of(n *node, a, b int) int {
	x := &exchange{shapes: s, slots: map[int]int{a: b, b: a}, done: map[*node]int{}}
	return x.node(n, 0)
}

// exchange numbers the nodes of a tree in which two slots are exchanged.
type exchange struct {
	*shapes
	slots map[int]int   // what slots become; others stay. Bound ones become negative, by depth
	done  map[*node]int // each occurs below the same quantifiers everywhere
}

func (x *exchange) slot(slot int) int {
	if other, ok := x.slots[slot]; ok {
		return other
	}
	return slot
}

// node returns the number of a node below so many quantifiers.
func (x *exchange) node(n *node, depth int) int {
	if shape, ok := x.done[n]; ok {
		return shape
	}
	var own [3]int
	switch n.kind {
	case kindAtom:
		own = [3]int{numberIn(x.atoms, n.atom), int(n.want), x.slot(n.slot)}
	case kindNext:
		own[0] = n.k
	case kindExists:
		depth++
		x.slots[n.slot] = -depth
	}
	kids, guards := x.nodes(n.kids, depth), x.nodes(n.guards, depth)
	if n.kind == kindAnd || n.kind == kindOr && n.guards == nil {
		stdslices.Sort(kids)
	}
	shape := numberIn(x.numbers, fmt.Sprint(n.kind, n.not, own, kids, guards, x.conds(n.conds)))
	x.done[n] = shape
	return shape
}

func (x *exchange) nodes(nodes []*node, depth int) []int {
	var shapes []int
	for _, n := range nodes {
		shapes = append(shapes, x.node(n, depth))
	}
	return shapes
}

// conds returns the conditions in an order that does not depend on how they are written.
func (x *exchange) conds(conds []cond) []string {
	var texts []string
	for _, c := range conds {
		left, right := x.slot(c.left), x.slot(c.right)
		if !c.Caller {
			left, right = min(left, right), max(left, right)
		}
		texts = append(texts, fmt.Sprint(c.Caller, c.Differ, left, right))
	}
	stdslices.Sort(texts)
	return texts
}

// numberIn returns the number of what has one, else a new one.
func numberIn[K comparable](numbers map[K]int, key K) int {
	n, ok := numbers[key]
	if !ok {
		n = len(numbers)
		numbers[key] = n
	}
	return n
}
