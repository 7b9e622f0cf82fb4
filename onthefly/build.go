package onthefly

import (
	"fmt"
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// builder makes the stages of properties. Equal subformulas of several properties are one stage:
// the TIVs that are free in a property have a slot by their name.
type builder struct {
	logic  lsl.Logic
	slots  map[string]int // of free TIVs
	count  int            // slots so far
	locals []spec.Local
	byText map[string]int // of local formulas
	shared map[key]*stage
	stages []*stage

	// Of the property being built.
	initially bool   // only the slice before all events counts
	conds     []cond // around what is built now, at the top
	around    string // these as text
}

// key says when two subformulas are one stage.
type key struct {
	formula, in    string // as text
	value          bool
	top, initially bool
	around         string // at the top
}

func newBuilder(logic lsl.Logic, props []*spec.Property) *builder {
	b := &builder{logic: logic, slots: map[string]int{}, byText: map[string]int{}, shared: map[key]*stage{}}
	for _, p := range props {
		for _, tiv := range spec.TIVs(p.Formula) {
			if _, ok := b.slots[tiv]; !ok {
				b.slots[tiv] = b.count
				b.count++
			}
		}
	}
	return b
}

// root returns the root of a property.
func (b *builder) root(p *spec.Property) *root {
	r := &root{property: p}
	for _, tiv := range spec.TIVs(p.Formula) {
		r.slots = append(r.slots, b.slots[tiv])
	}
	r.top = b.property(p)
	return r
}

// finish tells the nodes what is known when all are made.
func (b *builder) finish() {
	for _, s := range b.stages {
		switch n := s.node.(type) {
		case *leaf:
			n.slots = b.count
		case *beginning:
			n.slots = b.count
		case *conjunctionJoin:
			n.tivs = b.count
		case *window:
			n.slots, n.runs = b.count, make([][][]run, len(b.locals))
		}
	}
}

// scope says which slot a TIV stands for.
type scope struct {
	slots map[string]int
	text  string // of the slots
}

func newScope(slots map[string]int) scope { return scope{slots, fmt.Sprint(slots)} }

func (b *builder) property(p *spec.Property) *stage {
	slots := map[string]int{}
	for _, tiv := range spec.TIVs(p.Formula) {
		slots[tiv] = b.slots[tiv]
	}
	b.initially, b.conds, b.around = p.Initially, nil, ""
	return b.formula(p.Formula, false, newScope(slots), true)
}

// formula returns the stage of where the formula is true, or false: the negation and
// transformation of F96 §5.1 and §5.2, for a formula that tlcheck.Monitorable accepts.
//
// At the top, all that matters of a violation is its TIVA.
func (b *builder) formula(f spec.Formula, value bool, in scope, top bool) *stage {
	k := key{formula: spec.Format(f), in: in.text, value: value}
	if top {
		k.top, k.initially, k.around = true, b.initially, b.around
	}
	if s, ok := b.shared[k]; ok {
		return s
	}
	s := b.build(f, value, in, top)
	b.shared[k] = s
	if s.formula == nil {
		s.formula, s.value = f, value
	}
	return s
}

func (b *builder) build(f spec.Formula, value bool, in scope, top bool) *stage {
	if tiv, ok := localTo(f); ok {
		return b.leaf(f, value, in.slots[tiv])
	}
	kid := func(f spec.Formula, value bool) *stage { return b.formula(f, value, in, top) }
	switch f := f.(type) {
	case *spec.Not:
		return kid(f.X, !value)
	case *spec.Nary:
		return b.chain(f.Xs, (f.Op == spec.And) == value, func(int) bool { return value }, in, top)
	case *spec.Implies:
		return b.chain([]spec.Formula{f.L, f.R}, !value, func(i int) bool { return (i == 1) == value }, in, top)
	case *spec.If:
		n := &when{top: top}
		for _, c := range f.Conds {
			n.conds = append(n.conds, cond{in.slots[c.Left], in.slots[c.Right], c.Caller, c.Differ})
		}
		conds, around := b.conds, b.around
		b.conds = stdslices.Concat(conds, n.conds)
		b.around = fmt.Sprint(b.conds)
		defer func() { b.conds, b.around = conds, around }()
		return b.stage(n, kid(f.X, value))
	case *spec.Future:
		return b.future(f, value, in)
	case *spec.Binary:
		return b.binary(f, value, in, top)
	case *spec.Quant:
		slot, inner := b.count, maps.Clone(in.slots)
		inner[f.TIV] = slot
		b.count++
		return b.stage(some{slot}, b.formula(f.X, value, newScope(inner), top))
	}
	panic(fmt.Sprintf("onthefly: an atom is local: %T", f))
}

// chain is an intersection or a union. In frey96 a part of a union counts only where those
// before it are false.
func (b *builder) chain(xs []spec.Formula, and bool, of func(int) bool, in scope, top bool) *stage {
	if and {
		var parts []part
		for i, x := range xs {
			parts = flatten(parts, part{x, of(i)})
		}
		return b.conjunction(parts, in, top)
	}
	var parts []*stage
	var open *stage // where all before are false
	for i, x := range xs {
		part := b.formula(x, of(i), in, top && b.logic == lsl.L3)
		if b.logic == lsl.L3 {
			parts = append(parts, part)
			continue
		}
		if open != nil {
			part = b.stage(&both{}, open, part)
		}
		parts = append(parts, part)
		if i == len(xs)-1 {
			break
		}
		if not := b.formula(x, !of(i), in, false); open == nil {
			open = not
		} else {
			open = b.stage(&both{}, open, not)
		}
	}
	return b.stage(either{}, parts...)
}

func (b *builder) future(f *spec.Future, value bool, in scope) *stage {
	existential := f.Op == spec.Next || f.Op == spec.Sometime || f.Op == spec.Eventually
	if existential != value {
		return b.window(f, value, in)
	}
	s := b.formula(f.X, value, in, false)
	switch f.Op {
	case spec.Next, spec.AllNext:
		return b.stage(next{f.K}, s)
	case spec.Sometime, spec.Always:
		return b.stage(sometime{}, s)
	}
	return b.stage(either{}, b.stage(sometime{}, s), s)
}

func (b *builder) binary(f *spec.Binary, value bool, in scope, top bool) *stage {
	if !b.simple(f, value) {
		return b.window(f, value, in)
	}
	if top && b.initially {
		return b.guarded(b.stage(&beginning{}), f, in)
	}
	p, q, bad, goal := b.operands(f, in)
	return b.stage(&until{newWays(p, q)}, bad, goal)
}

// guarded returns the stage of an until of local formulas where something else is true.
func (b *builder) guarded(core *stage, f *spec.Binary, in scope) *stage {
	p, q, bad, goal := b.operands(f, in)
	return b.stage(&guarded{ways: newWays(p, q), initially: b.initially}, core, bad, goal)
}

// simple reports whether the formula, if it is to have that value, is an until of local formulas:
// p before q is not (not p until q).
func (b *builder) simple(f *spec.Binary, value bool) bool {
	_, p := localTo(f.L)
	_, q := localTo(f.R)
	return (f.Op == spec.Until) == value && p && q
}

// operands returns the slots of p and q, and where p is false and q is true.
func (b *builder) operands(f *spec.Binary, in scope) (p, q int, bad, goal *stage) {
	l, _ := localTo(f.L)
	r, _ := localTo(f.R)
	return in.slots[l], in.slots[r], b.formula(f.L, f.Op == spec.Before, in, false), b.formula(f.R, true, in, false)
}

func (b *builder) window(f spec.Formula, value bool, in scope) *stage {
	n := &window{formula: f, value: value, logic: b.logic, scope: in.slots, locals: map[*spec.Atom]int{}, seen: map[string]bool{}}
	atoms(f, func(a *spec.Atom) { n.locals[a] = b.local(a.Local) })
	return b.stage(n)
}

// localTo returns the only TIV of a formula of atoms and connectives.
func localTo(f spec.Formula) (tiv string, ok bool) {
	same := func(xs ...spec.Formula) (string, bool) {
		tiv, ok := localTo(xs[0])
		for _, x := range xs[1:] {
			t, local := localTo(x)
			ok = ok && local && t == tiv
		}
		return tiv, ok
	}
	switch f := f.(type) {
	case *spec.Atom:
		return f.TIV, true
	case *spec.Not:
		return same(f.X)
	case *spec.Nary:
		return same(f.Xs...)
	case *spec.Implies:
		return same(f.L, f.R)
	}
	return "", false
}

func (b *builder) local(l spec.Local) int {
	text := spec.FormatLocal(l)
	n, ok := b.byText[text]
	if !ok {
		n = len(b.locals)
		b.byText[text] = n
		b.locals = append(b.locals, l)
	}
	return n
}

func (b *builder) leaf(f spec.Formula, value bool, slot int) *stage {
	return b.stage(&leaf{truth: b.truth(f), want: lsl.TruthOf(value), slot: slot})
}

// truth returns how the value of a formula local to one task follows from those of its local
// formulas.
func (b *builder) truth(f spec.Formula) func([]lsl.Truth) lsl.Truth {
	switch f := f.(type) {
	case *spec.Atom:
		n := b.local(f.Local)
		return func(ts []lsl.Truth) lsl.Truth { return ts[n] }
	case *spec.Not:
		x := b.truth(f.X)
		return func(ts []lsl.Truth) lsl.Truth { return x(ts).Not() }
	case *spec.Implies:
		return b.connective([]spec.Formula{&spec.Not{X: f.L}, f.R}, false)
	}
	n := f.(*spec.Nary)
	return b.connective(n.Xs, n.Op == spec.And)
}

// connective is "and" of the temporal logic, or its dual.
func (b *builder) connective(xs []spec.Formula, and bool) func([]lsl.Truth) lsl.Truth {
	var parts []func([]lsl.Truth) lsl.Truth
	for _, x := range xs {
		parts = append(parts, b.truth(x))
	}
	decides := lsl.TruthOf(!and)
	return func(ts []lsl.Truth) lsl.Truth {
		result := decides.Not()
		for _, p := range parts {
			switch truth := p(ts); {
			case truth == decides && (result != lsl.Undefined || b.logic == lsl.L3):
				return decides
			case truth == lsl.Undefined:
				result = truth
			}
		}
		return result
	}
}

func (b *builder) stage(n node, kids ...*stage) *stage {
	s := &stage{node: n, kids: kids, fresh: make([][]*openInterval, len(kids))}
	for _, k := range kids {
		s.deep = s.deep || k.lag == unbounded
	}
	b.stages = append(b.stages, s)
	s.lag = lagOf(n, kids)
	switch n := n.(type) {
	case *both:
		n.left.lag, n.right.lag = kids[1].lag, kids[0].lag
	case *guarded:
		n.core.lag = max(1, kids[0].lag)
		n.close.left.lag, n.close.right.lag = 1, kids[0].lag
	}
	return s
}

// unbounded is the lag of a node whose open intervals can have slices that lie back any number of
// steps.
const unbounded = -1

// lagOf returns how many events of its own the task of the youngest local state in some slice of a
// new open interval can lie back at most.
func lagOf(n node, kids []*stage) int {
	lag := 0
	for _, k := range kids {
		if k.lag == unbounded {
			return unbounded
		}
		lag = max(lag, k.lag)
	}
	switch n := n.(type) {
	case *leaf, *beginning, *both, *conjunctionJoin, either, some:
		return lag
	case next:
		return lag + n.k
	}
	return unbounded
}
