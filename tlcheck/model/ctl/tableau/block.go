package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

func (c *closure) newSet() smallset.Set { return smallset.New(len(c.list)) }

// truth is the value of a formula under a label.
type truth int8

const (
	open truth = iota
	yes
	no
)

// read returns a reader of a label, which must not change while it is in use.
func (c *closure) read(label smallset.Set) *reader {
	return &reader{closure: c, label: label, known: make([]truth, len(c.list)), asked: c.newSet()}
}

// reader evaluates all formulas under a label of elementary ones.
type reader struct {
	*closure
	label smallset.Set
	known []truth
	asked smallset.Set
}

func (r *reader) valueOf(n int) truth {
	if !r.asked.Has(n) {
		r.asked.Add(n)
		r.known[n] = r.compute(n)
	}
	return r.known[n]
}

func (r *reader) compute(n int) truth {
	f := r.list[n]
	switch {
	case f.op == isTrue:
		return yes
	case f.op == isFalse:
		return no
	case f.elementary():
		return r.elementaryValue(r.label, n)
	case f.fixpoint():
		return r.valueOf(r.unfold[n])
	}
	x, y := r.valueOf(f.x), r.valueOf(f.y)
	decides := no
	if f.op == isOr {
		decides = yes
	}
	switch {
	case x == decides || y == decides:
		return decides
	case x == y:
		return x
	}
	return open
}

// elementaryValue returns the value of an elementary formula under a label. If a process does not
// move, claims about all its moves are true, and claims about some move are false.
func (c *closure) elementaryValue(label smallset.Set, n int) truth {
	f := c.list[n]
	stays := (f.op == isAX || f.op == isEX) && label.Has(c.stays[f.y])
	switch {
	case label.Has(n) || stays && f.op == isAX:
		return yes
	case label.Has(c.not[n]) || stays:
		return no
	}
	return open
}

// branch is a partial block.
type branch struct {
	label   smallset.Set // elementary formulas
	done    smallset.Set // formulas already expanded
	choices []int        // disjunctions that are still open
}

// expansion finds the blocks of an OR-node: the sets of elementary formulas that make all formulas
// of the node true. It splits conjunctions, and tries both sides of disjunctions (Clarke and
// Emerson 1981, §5). If one side is true already, neither is tried; a side that contradicts
// the label is skipped. An eventuality that is put off for another reason is still tried: otherwise
// EG AX AF p would have no model.
type expansion struct {
	*closure
	ctx    context.Context
	most   int  // limit of blocks
	cut    bool // there may be more
	blocks []smallset.Set
	seen   map[string]bool
}

// blocksOf returns the blocks for a set of formulas, at most as many as most. It reports cut if
// there may be more.
func (c *closure) blocksOf(ctx context.Context, formulas []int, most int) (blocks []smallset.Set, cut bool, err error) {
	x := &expansion{closure: c, ctx: ctx, most: most, seen: map[string]bool{}}
	x.expand(branch{label: c.newSet(), done: c.newSet()}, formulas)
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	return x.blocks, x.cut, nil
}

// expand adds formulas to a branch, and finds the blocks that extend it.
func (x *expansion) expand(b branch, formulas []int) {
	for x.ctx.Err() == nil {
		if len(x.blocks) == x.most {
			x.cut = true
			return
		}
		if !x.split(&b, formulas) {
			return
		}
		var ok bool
		if formulas, ok = x.forceDisjunctions(&b); !ok {
			return
		}
		switch {
		case len(formulas) > 0:
		case len(b.choices) > 0:
			x.choose(b)
			return
		case !x.mustMove(b.label):
			formulas = []int{x.someProcess}
		default:
			x.emit(b.label)
			return
		}
	}
}

// split splits formulas. It reports whether they contradict neither each other nor the label.
func (x *expansion) split(b *branch, formulas []int) bool {
	for len(formulas) > 0 {
		n := formulas[len(formulas)-1]
		formulas = formulas[:len(formulas)-1]
		if b.done.Has(n) {
			continue
		}
		b.done.Add(n)
		switch f := x.list[n]; f.op {
		case isTrue:
		case isFalse:
			return false
		case isAnd:
			formulas = append(formulas, f.x, f.y)
		case isOr:
			b.choices = append(b.choices, n)
		case isEU, isAU, isER, isAR, isEGF, isAFG:
			formulas = append(formulas, x.unfold[n])
		default:
			if x.elementaryValue(b.label, n) == no {
				return false
			}
			b.label.Add(n)
			if f.op == isEX {
				b.label.Add(x.moves[f.y])
			}
		}
	}
	return true
}

// forceDisjunctions resolves the disjunctions for which the label allows one side. It returns the
// formulas that must be true, and reports whether each disjunction has a side that can be.
func (x *expansion) forceDisjunctions(b *branch) (formulas []int, ok bool) {
	r := x.read(b.label)
	var choices []int
	for _, n := range b.choices {
		f := x.list[n]
		left, right := r.valueOf(f.x), r.valueOf(f.y)
		switch {
		case left == yes || right == yes && (left == no || !x.putOff[n]):
		case left == no && right == no:
			return nil, false
		case left == no:
			formulas = append(formulas, f.y)
		case right == no:
			formulas = append(formulas, f.x)
		default:
			choices = append(choices, n)
		}
	}
	b.choices = choices
	return formulas, true
}

// choose tries both sides of a disjunction.
func (x *expansion) choose(b branch) {
	f, rest := x.list[b.choices[0]], b.choices[1:]
	for _, side := range []int{f.x, f.y} {
		x.expand(branch{slices.Clone(b.label), slices.Clone(b.done), slices.Clone(rest)}, []int{side})
	}
}

// mustMove reports whether some process must move.
func (x *expansion) mustMove(label smallset.Set) bool {
	return slices.ContainsFunc(x.moves, label.Has)
}

// emit adds a block, without claims about all moves of a process that does not move.
func (x *expansion) emit(label smallset.Set) {
	for i, stays := range x.stays {
		if !label.Has(stays) {
			continue
		}
		for n := range label.All() {
			if f := x.list[n]; f.op == isAX && f.y == i && n != stays {
				label.Remove(n)
			}
		}
	}
	if key := label.Key(); !x.seen[key] {
		x.seen[key] = true
		x.blocks = append(x.blocks, label)
	}
}
