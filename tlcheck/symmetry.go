package tlcheck

import (
	"encoding/binary"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// exchangeable returns the classes of two or more free TIVs, each ascending, that play the same
// part in the formula: exchanging two of a class yields the same node, up to the order of the
// operands of intersections, unions and conditions, so violations remain violations. It suffices to
// compare with one member of a class: (b c) is (a b)(a c)(a b).
func exchangeable(b slices.Budget, f *formula.Formula) ([][]int, error) {
	known := &shapes{map[string]int{}}
	shape := known.of(f.Violated, 0, 0)
	var classes [][]int
	for tiv, slot := range f.Free {
		var err error
		i := stdslices.IndexFunc(classes, func(class []int) bool {
			if err == nil {
				err = b.Err()
			}
			return err != nil || known.of(f.Violated, f.Free[class[0]], slot) == shape
		})
		if err != nil {
			return nil, err
		}
		if i < 0 {
			classes = append(classes, []int{tiv})
			continue
		}
		classes[i] = append(classes[i], tiv)
	}
	return stdslices.DeleteFunc(classes, func(class []int) bool { return len(class) < 2 }), nil
}

// shapes numbers nodes up to the names of their bound TIVs: nodes with the same number are true in
// the same slices.
type shapes struct {
	numbers map[string]int // by the components of a shape
}

// of returns the number of the node in which slots a and b are exchanged.
func (s *shapes) of(n *formula.Node, a, b int) int {
	x := &exchange{shapes: s, slots: map[int]int{a: b, b: a}, done: map[occurrence]int{}}
	return x.node(n, 0)
}

// exchange numbers the nodes of a tree in which two slots are exchanged.
type exchange struct {
	*shapes
	slots map[int]int // the images of slots; others stay. Bound slots become negative, by depth
	done  map[occurrence]int
}

// occurrence is a node, the number of quantifiers around it, and the images of its free slots.
type occurrence struct {
	node  *formula.Node
	depth int
	slots string
}

func (x *exchange) occurrence(n *formula.Node, depth int) occurrence {
	var slots []byte
	for _, slot := range n.Free {
		slots = binary.AppendVarint(slots, int64(x.slot(slot)))
	}
	return occurrence{n, depth, string(slots)}
}

func (x *exchange) slot(slot int) int {
	if other, ok := x.slots[slot]; ok {
		return other
	}
	return slot
}

// node returns the number of a node below that many quantifiers.
func (x *exchange) node(n *formula.Node, depth int) int {
	here := x.occurrence(n, depth)
	if shape, ok := x.done[here]; ok {
		return shape
	}
	var own [3]int
	switch n.Kind {
	case formula.Atom:
		own = [3]int{n.Atom, int(n.Want), x.slot(n.Slot)}
	case formula.Next:
		own[0] = n.K
	case formula.Exists:
		depth++
		x.slots[n.Slot] = -depth
	}
	kids, guards := x.nodes(n.Kids, depth), x.nodes(n.Guards, depth)
	if n.Kind == formula.And || n.Kind == formula.Or && n.Guards == nil {
		stdslices.Sort(kids)
	}
	text := fmt.Sprint(n.Kind, n.Complement, own, kids, guards, x.conds(n.Conds))
	shape, ok := x.numbers[text]
	if !ok {
		shape = len(x.numbers)
		x.numbers[text] = shape
	}
	x.done[here] = shape
	return shape
}

func (x *exchange) nodes(nodes []*formula.Node, depth int) []int {
	var shapes []int
	for _, n := range nodes {
		shapes = append(shapes, x.node(n, depth))
	}
	return shapes
}

// conds returns the conditions in a canonical order.
func (x *exchange) conds(conds []formula.Cond) []string {
	var texts []string
	for _, c := range conds {
		left, right := x.slot(c.Left), x.slot(c.Right)
		if !c.Caller {
			left, right = min(left, right), max(left, right)
		}
		texts = append(texts, fmt.Sprint(c.Caller, c.Differ, left, right))
	}
	stdslices.Sort(texts)
	return texts
}
