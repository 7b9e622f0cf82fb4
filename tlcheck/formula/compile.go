package formula

import (
	"encoding/binary"
	stdslices "slices"
	"strconv"

	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// compiler adds formulas to a set.
type compiler struct {
	*Set
	slots map[string]int // of the task variables in scope
	// number of enclosing quantifiers by name of their task variable; nil without quantifiers
	around map[string]int
	bound  map[binding]int // slots of bound variables; nil without quantifiers
	locals map[string]int  // numbers by text
	nodes  map[string]*Node
	key    []byte // buffer
}

// binding is a task variable of a quantifier, with the number of enclosing quantifiers that bind
// the same name.
type binding struct {
	tiv    string
	around int
}

func newCompiler(s *Set) *compiler {
	return &compiler{Set: s, slots: map[string]int{}, locals: map[string]int{}, nodes: map[string]*Node{}}
}

// freeSlot returns the slot of a free task variable.
func (c *compiler) freeSlot(tiv string) int {
	slot, ok := c.slots[tiv]
	if !ok {
		slot = c.newSlot(tiv)
		c.slots[tiv] = slot
	}
	return slot
}

func (c *compiler) newSlot(tiv string) int {
	c.Names = append(c.Names, tiv)
	return len(c.Names) - 1
}

// resolve returns the part of f, and makes the parts of its operands.
func (c *compiler) resolve(f spec.Formula) *Part {
	p := &Part{Source: f, logic: c.Logic}
	switch f := f.(type) {
	case *spec.Atom:
		p.Slot, p.Atom = c.slots[f.TIV], c.local(f.Local)
		p.Free = []int{p.Slot}
	case *spec.If:
		for _, d := range f.Conds {
			cond := Cond{c.slots[d.Left], c.slots[d.Right], d.Caller, d.Differ}
			p.Conds = append(p.Conds, cond)
			p.Free = insertSlot(insertSlot(p.Free, cond.Left), cond.Right)
		}
	case *spec.Quant:
		leave := c.enter(f.TIV)
		defer leave()
		p.Slot = c.slots[f.TIV]
	}
	for _, x := range spec.Operands(f) {
		k := c.resolve(x)
		p.Kids = append(p.Kids, k)
		for _, slot := range k.Free {
			if _, ok := f.(*spec.Quant); !ok || slot != p.Slot {
				p.Free = insertSlot(p.Free, slot)
			}
		}
	}
	p.Local = len(p.Free) == 1 && p.isLocal()
	return p
}

// insertSlot inserts a slot into ascending slots, unless it is among them.
func insertSlot(slots []int, slot int) []int {
	i, found := stdslices.BinarySearch(slots, slot)
	if found {
		return slots
	}
	return stdslices.Insert(slots, i, slot)
}

// enter binds a task variable until leave is called.
func (c *compiler) enter(tiv string) (leave func()) {
	if c.bound == nil {
		c.bound, c.around = map[binding]int{}, map[string]int{}
	}
	outer, hidden := c.slots[tiv]
	b := binding{tiv, c.around[tiv]}
	slot, ok := c.bound[b]
	if !ok {
		slot = c.newSlot(tiv)
		c.bound[b] = slot
	}
	c.slots[tiv] = slot
	c.around[tiv]++
	return func() {
		c.around[tiv]--
		if delete(c.slots, tiv); hidden {
			c.slots[tiv] = outer
		}
	}
}

// isLocal reports whether the part has only atoms of one task variable, and connectives.
func (p *Part) isLocal() bool {
	switch p.Source.(type) {
	case *spec.Atom:
		return true
	case *spec.Not, *spec.Nary, *spec.Implies:
		return !stdslices.ContainsFunc(p.Kids, func(k *Part) bool { return !k.Local })
	}
	return false
}

func (c *compiler) local(l spec.Local) int {
	text := spec.FormatLocal(l)
	n, ok := c.locals[text]
	if !ok {
		n = len(c.Locals)
		c.locals[text] = n
		c.Locals = append(c.Locals, l)
	}
	return n
}

// node returns the node of the slices in which p has the value. A negation has no node of its own:
// it swaps the value.
func (c *compiler) node(p *Part, value bool) *Node {
	if _, ok := p.Source.(*spec.Not); ok {
		return c.node(p.Kids[0], !value)
	}
	i := 0
	if value {
		i = 1
	}
	if p.nodes[i] == nil {
		n := c.operator(p, value)
		n.Free, n.Local, n.Part, n.Value = p.Free, p.Local, p, value
		p.nodes[i] = c.unique(n)
	}
	return p.nodes[i]
}

func (c *compiler) operator(p *Part, value bool) Node {
	kid := func(i int, value bool) *Node { return c.node(p.Kids[i], value) }
	switch f := p.Source.(type) {
	case *spec.Atom:
		return Node{Kind: Atom, Atom: p.Atom, Want: lsl.TruthOf(value), Slot: p.Slot}
	case *spec.Nary:
		return c.chain(p, (f.Op == spec.And) == value, func(int) bool { return value })
	case *spec.Implies:
		return c.chain(p, !value, func(i int) bool { return (i == 1) == value })
	case *spec.If:
		return Node{Kind: If, Kids: []*Node{kid(0, value)}, Conds: p.Conds}
	case *spec.Future:
		return c.future(f, p, value)
	case *spec.Binary:
		// p before q is not (not p until q)
		before := f.Op == spec.Before
		return Node{Kind: Until, Complement: value == before, Kids: []*Node{kid(0, before), kid(1, true)}}
	}
	exists := p.Source.(*spec.Quant).Op == spec.Exists
	return Node{Kind: Exists, Complement: value != exists, Kids: []*Node{kid(0, exists)}, Slot: p.Slot}
}

// chain makes the intersection or the union of the operands' nodes for the given values.
func (c *compiler) chain(p *Part, intersection bool, of func(int) bool) Node {
	n := Node{Kind: Or}
	if intersection {
		n.Kind = And
	}
	for i, k := range p.Kids {
		n.Kids = append(n.Kids, c.node(k, of(i)))
		if n.Kind == Or && c.Logic == lsl.Frey96 && i < len(p.Kids)-1 {
			n.Guards = append(n.Guards, c.node(k, !of(i)))
		}
	}
	return n
}

// futureKinds are the kinds of the operators' nodes. A universal one is true where its operand is
// false in no later slice.
var futureKinds = map[spec.FutureOp]Kind{
	spec.Next: Next, spec.AllNext: Next, spec.Sometime: Sometime, spec.Always: Sometime,
	spec.Eventually: Eventually, spec.Henceforth: Eventually,
}

func (c *compiler) future(f *spec.Future, p *Part, value bool) Node {
	universal := f.Op.Universal()
	return Node{Kind: futureKinds[f.Op], K: f.K, Complement: value == universal,
		Kids: []*Node{c.node(p.Kids[0], !universal)}}
}

// unique returns the node that equals n, which may be n itself.
func (c *compiler) unique(n Node) *Node {
	c.key = n.appendKey(c.key[:0])
	same, ok := c.nodes[string(c.key)]
	if !ok {
		same = new(Node)
		*same = n
		same.Number = len(c.Nodes)
		c.nodes[string(c.key)] = same
		c.Nodes = append(c.Nodes, same)
	}
	return same
}

// appendKey appends an encoding that differs for different nodes.
func (n *Node) appendKey(b []byte) []byte {
	number := func(x int) { b = binary.AppendVarint(b, int64(x)) }
	flag := func(f bool) { b = strconv.AppendBool(b, f) }
	flag(n.Complement)
	for _, x := range [...]int{int(n.Kind), n.Atom, int(n.Want), n.K, n.Slot, len(n.Kids), len(n.Guards)} {
		number(x)
	}
	// n.Operands would make n escape to the heap
	for _, nodes := range [...][]*Node{n.Kids, n.Guards} {
		for _, k := range nodes {
			number(k.Number)
		}
	}
	for _, d := range n.Conds {
		number(d.Left)
		number(d.Right)
		flag(d.Caller)
		flag(d.Differ)
	}
	return b
}
