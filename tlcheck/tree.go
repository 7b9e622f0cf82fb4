package tlcheck

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// kind is what a node of the formula tree computes from its children.
type kind uint8

// The kinds of nodes. Each operator that is never undefined has two: its set, and
// the complement of it for the negation.
const (
	kindAtom   kind = iota
	kindAnd         // intersection
	kindOr          // union; in frey96 a child counts only where those before it are false
	kindIf          // the child's set, or empty if a condition fails
	kindNext        // k steps before the child's set
	kindBelow       // strictly below it
	kindReach       // in it or below it
	kindUntil       // children: where p is false, where q is true
	kindExists      // union over tasks
)

// node is a node of the formula tree: the slices in which a formula is true, or those
// in which it is false, as a function of the tasks that its TIVs stand for. F96 §5.3
// calls these s-nodes; its u-nodes are not needed because all_next is computed as the
// complement of next.
type node struct {
	kind kind
	not  bool // the complement of what kind says; only for kinds that are never undefined
	kids []*node

	guards []*node   // kindOr in frey96: where kids[i] is false, for all but the last
	atom   *atom     // kindAtom
	want   lsl.Truth // kindAtom: where it has this value
	conds  []cond    // kindIf
	k      int       // kindNext
	slot   int       // kindAtom: the TIV; kindExists: the TIV bound

	free    []int // slots that the set depends on, ascending
	local   bool  // it depends on the local state of one slot's task and on nothing else
	parents int   // nodes that use this one
	memo    memo
	cost    *cost // nil unless the check is profiled

	// Of a local node below until, by task:
	marks  [][]mark
	before map[san.Task]slices.Set // see evaluator.next
}

// cond is a condition on slots.
type cond struct {
	spec.Cond
	left, right int
}

// sub is an occurrence of a formula with its TIVs resolved to slots. From it the
// nodes for "true" and "false" are made when they are needed.
type sub struct {
	src  spec.Formula
	kids []*sub
	atom *atom
	cond []cond
	slot int            // of the TIV of an atom or quantifier
	free map[string]int // what the free TIVs of src stand for

	nodes [2]*node // where it is false, where it is true
}

// tree is a formula with its nodes. Slots 0 … len(tivs)-1 are its free TIVs in order
// of their names; each quantifier has one more slot, so that hiding needs no care.
type tree struct {
	root      *sub
	logic     lsl.Logic
	tivs      []string
	slots     int
	names     []string // of the TIVs, by slot
	atoms     *atomTable
	leaves    []*node // of kind kindAtom, made so far
	hasCaller bool    // some condition asks who created a task
}

func newTree(f spec.Formula, logic lsl.Logic, atoms *atomTable) *tree {
	t := &tree{logic: logic, tivs: spec.TIVs(f), atoms: atoms}
	t.slots, t.names = len(t.tivs), stdslices.Clone(t.tivs)
	scope := map[string]int{}
	for i, tiv := range t.tivs {
		scope[tiv] = i
	}
	t.root = t.resolve(f, scope)
	return t
}

// namesOf returns the TIVs that slots stand for.
func (t *tree) namesOf(slots []int) []string {
	var names []string
	for _, slot := range slots {
		names = append(names, t.names[slot])
	}
	return names
}

// resolve makes the subs of f, in which scope says what a TIV means.
func (t *tree) resolve(f spec.Formula, scope map[string]int) *sub {
	s := &sub{src: f}
	add := func(xs ...spec.Formula) {
		for _, x := range xs {
			s.kids = append(s.kids, t.resolve(x, scope))
		}
	}
	switch f := f.(type) {
	case *spec.Atom:
		s.slot, s.atom = scope[f.TIV], t.atoms.add(f.Local)
		s.addFree(f.TIV, s.slot)
	case *spec.Not:
		add(f.X)
	case *spec.Nary:
		add(f.Xs...)
	case *spec.Implies:
		add(f.L, f.R)
	case *spec.Future:
		add(f.X)
	case *spec.Binary:
		add(f.L, f.R)
	case *spec.If:
		add(f.X)
		for _, c := range f.Conds {
			s.cond = append(s.cond, cond{c, scope[c.Left], scope[c.Right]})
			t.hasCaller = t.hasCaller || c.Caller
			s.addFree(c.Left, scope[c.Left])
			s.addFree(c.Right, scope[c.Right])
		}
	case *spec.Quant:
		outer, hidden := scope[f.TIV]
		s.slot = t.slots
		t.slots++
		t.names = append(t.names, f.TIV)
		scope[f.TIV] = s.slot
		add(f.X)
		delete(scope, f.TIV)
		if hidden {
			scope[f.TIV] = outer
		}
	}
	for _, k := range s.kids {
		for tiv, slot := range k.free {
			if _, quant := f.(*spec.Quant); !quant || slot != s.slot {
				s.addFree(tiv, slot)
			}
		}
	}
	return s
}

func (s *sub) addFree(tiv string, slot int) {
	if s.free == nil {
		s.free = map[string]int{}
	}
	s.free[tiv] = slot
}

// node returns the node of where s is true, or of where it is false. This is the
// negation and transformation of F96 §5.1 and §5.2: a negation is never a node, it
// only decides which of the two is asked for.
func (t *tree) node(s *sub, value bool) *node {
	if _, ok := s.src.(*spec.Not); ok {
		return t.node(s.kids[0], !value)
	}
	i := 0
	if value {
		i = 1
	}
	if s.nodes[i] == nil {
		s.nodes[i] = t.build(s, value)
		s.nodes[i].finish()
	}
	return s.nodes[i]
}

func (t *tree) build(s *sub, value bool) *node {
	kid := func(i int, value bool) *node { return t.node(s.kids[i], value) }
	switch f := s.src.(type) {
	case *spec.Atom:
		n := &node{kind: kindAtom, atom: s.atom, want: lsl.TruthOf(value), slot: s.slot}
		t.leaves = append(t.leaves, n)
		return n
	case *spec.Nary:
		return t.chain(s, (f.Op == spec.And) == value, func(int) bool { return value })
	case *spec.Implies:
		return t.chain(s, !value, func(i int) bool { return (i == 1) == value })
	case *spec.If:
		return &node{kind: kindIf, kids: []*node{kid(0, value)}, conds: s.cond}
	case *spec.Future:
		return t.future(f, s, value)
	case *spec.Binary:
		// p before q is not (not p until q).
		before := f.Op == spec.Before
		return &node{kind: kindUntil, not: value == before, kids: []*node{kid(0, before), kid(1, true)}}
	}
	q := s.src.(*spec.Quant)
	exists := q.Op == spec.Exists
	return &node{kind: kindExists, not: value != exists, kids: []*node{kid(0, exists)}, slot: s.slot}
}

// chain is the node of a connective that is an intersection or a union of what its
// children say with the given values.
func (t *tree) chain(s *sub, intersection bool, of func(int) bool) *node {
	n := &node{kind: kindOr}
	if intersection {
		n.kind = kindAnd
	}
	for i, k := range s.kids {
		n.kids = append(n.kids, t.node(k, of(i)))
		if n.kind == kindOr && t.logic == lsl.Frey96 && i < len(s.kids)-1 {
			n.guards = append(n.guards, t.node(k, !of(i)))
		}
	}
	return n
}

func (t *tree) future(f *spec.Future, s *sub, value bool) *node {
	n := &node{k: f.K}
	universal := false // true iff no later slice is false
	switch f.Op {
	case spec.Next:
		n.kind = kindNext
	case spec.AllNext:
		n.kind, universal = kindNext, true
	case spec.Sometime:
		n.kind = kindBelow
	case spec.Always:
		n.kind, universal = kindBelow, true
	case spec.Eventually:
		n.kind = kindReach
	case spec.Henceforth:
		n.kind, universal = kindReach, true
	}
	n.not = value == universal
	n.kids = []*node{t.node(s.kids[0], !universal)}
	return n
}

// finish computes what the node depends on, once its children are known.
func (n *node) finish() {
	seen := map[int]bool{}
	for _, k := range stdslices.Concat(n.kids, n.guards) {
		k.parents++
		for _, slot := range k.free {
			seen[slot] = true
		}
	}
	for _, c := range n.conds {
		seen[c.left], seen[c.right] = true, true
	}
	switch n.kind {
	case kindAtom:
		seen[n.slot] = true
	case kindExists:
		delete(seen, n.slot)
	}
	n.free = stdslices.Sorted(maps.Keys(seen))
	n.local = len(n.free) == 1 && n.isLocal()
}

func (n *node) isLocal() bool {
	switch n.kind {
	case kindAtom:
		return true
	case kindAnd, kindOr:
		return !stdslices.ContainsFunc(stdslices.Concat(n.kids, n.guards), func(k *node) bool { return !k.local })
	}
	return false
}
