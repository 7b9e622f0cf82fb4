package tlcheck

import (
	"encoding/binary"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// exchangeableTIVs returns the classes of two or more free TIVs, each ascending, that play the same
// part in the formula. Exchanging two TIVs of a class maps violations to violations, since the node
// stays the same up to the order of operands and conditions. Each TIV is compared with one member
// of a class only: exchanges with that member generate all others.
func exchangeableTIVs(b slices.Budget, f *formula.Formula) ([][]int, error) {
	known := &shapes{map[string]int{}}
	shape := known.numberExchanged(f.Violated, 0, 0)
	var classes [][]int
	for tiv, slot := range f.Free {
		var err error
		i := stdslices.IndexFunc(classes, func(class []int) bool {
			if err == nil {
				err = b.Err()
			}
			return err != nil || known.numberExchanged(f.Violated, f.Free[class[0]], slot) == shape
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

// numberExchanged returns the shape of n with slots a and b exchanged.
func (s *shapes) numberExchanged(n *formula.Node, a, b int) int {
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

// representatives returns the tasks with which TIVs must be tried, in order. Tasks for which every
// atom yields the same, no slice or all slices, are exchangeable. Of each such class as many stay
// as there are slots, because conditions can distinguish at most that many. The first ones stay,
// which preserves the first TIVA.
func representatives(b slices.Budget, f *formula.Formula, atoms *atomTable) ([]san.Task, error) {
	net := atoms.net
	leaves, callers := leavesOf(f)
	var tasks []san.Task
	members := map[string]int{}
	for task := range san.Task(net.Tasks()) {
		if err := b.Err(); err != nil {
			return nil, err
		}
		class, own := "", true
		if !callers {
			class, own = signature(leaves, atoms, task)
		}
		if !own {
			members[class]++
		}
		if own || members[class] <= max(f.Slots, 1) {
			tasks = append(tasks, task)
		}
	}
	return tasks, nil
}

// leavesOf returns the nodes of atoms, and whether some condition asks which task created another.
func leavesOf(f *formula.Formula) (leaves []*formula.Node, callers bool) {
	for _, n := range f.Nodes {
		if n.Kind == formula.Atom {
			leaves = append(leaves, n)
		}
		callers = callers || stdslices.ContainsFunc(n.Conds, func(c formula.Cond) bool { return c.Caller })
	}
	return leaves, callers
}

// signature describes the atoms' values for the task; own reports that the task is in no class.
func signature(leaves []*formula.Node, atoms *atomTable, task san.Task) (class string, own bool) {
	var sig []byte
	for _, l := range leaves {
		r := atoms.reach(l, task)
		if r == reachSome {
			return "", true
		}
		sig = append(sig, byte(r))
	}
	return string(sig), false
}
