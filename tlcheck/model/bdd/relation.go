package bdd

import (
	"cmp"
	"maps"
	"slices"
)

// Relation describes how variables change. It has a current and a next value of some variables, and
// leaves all others as they are. The variable behind each one that it changes, whose number is 1
// more, stands for the next value. Sets are functions of current values and must not depend on
// variables for next values.
type Relation struct {
	is                *Function
	now, next         *Function // the cubes of the variables that change
	forward, backward renaming  // from current to next, and back
	top               uint32    // the first variable that the relation reads or changes
}

// renaming maps variables to other ones. It keeps the order of all variables of the functions that
// are renamed.
type renaming struct {
	number      edge // among the renamings of the table; part of the key of cached results
	to          map[uint32]uint32
	lastRenamed uint32 // no variable behind this one is renamed
}

// Relation makes f a relation that changes these variables. Their numbers must ascend.
func (f *Function) Relation(changes []int) *Relation {
	t := f.table
	next := make([]int, len(changes))
	forward, backward := map[uint32]uint32{}, map[uint32]uint32{}
	last := uint32(0)
	for i, v := range changes {
		next[i] = v + 1
		last = uint32(v + 1)
		forward[last-1], backward[last] = last, last-1
	}
	r := &Relation{is: f, now: t.Cube(changes), next: t.Cube(next),
		forward: renaming{t.renamings, forward, last}, backward: renaming{t.renamings + 1, backward, last}}
	t.renamings += 2
	r.top = min(t.level(f.root), t.level(r.now.root))
	return r
}

// Image returns the set of successors of f.
func (f *Function) Image(r *Relation) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.image(f.root, r))
}

// Preimage returns the set of predecessors of f.
func (f *Function) Preimage(r *Relation) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.preimage(f.root, r))
}

func (t *Table) image(f edge, r *Relation) edge {
	return t.rename(t.andExists(f, r.is.root, r.now.root), &r.backward)
}

func (t *Table) preimage(f edge, r *Relation) edge {
	return t.andExists(t.rename(f, &r.forward), r.is.root, r.next.root)
}

// Closure returns the least set that includes f and all successors within a set. With back, it
// takes predecessors instead.
func (f *Function) Closure(within *Function, relations []*Relation, back bool) *Function {
	t := f.table
	t.collectIfDue()
	s := &saturation{Table: t, step: t.image, known: map[closureKey]edge{}}
	if back {
		s.step = t.preimage
	}
	s.relations = slices.SortedStableFunc(slices.Values(relations), func(q, r *Relation) int {
		return cmp.Compare(q.top, r.top)
	})
	held := len(t.held)
	defer func() { t.held = t.held[:held] }()
	return t.function(s.saturate(f.root, within.root, 0))
}

// saturation computes closures from the bottom of the diagrams up. A relation that concerns only
// the last variables is applied to the parts of diagrams below, until nothing changes any more,
// before a relation that concerns more of them.
//
// The strategy is that of Ciardo, Lüttgen and Siminiceanu, "Saturation: An Efficient Iteration
// Strategy for Symbolic State-Space Generation", 2001. Within a set it follows Zhao and Ciardo,
// "Symbolic CTL Model Checking of Asynchronous Systems Using Constrained Saturation", 2009, and on
// binary diagrams van Dijk, Meijer and van de Pol, "Multi-core On-The-Fly Saturation", 2019.
type saturation struct {
	*Table
	relations []*Relation // by top
	step      func(edge, *Relation) edge
	known     map[closureKey]edge
}

// closureKey identifies a cached closure: of the set f, within another set, by the relations from
// one on.
type closureKey struct {
	f, within edge
	from      int
}

func (s *saturation) saturate(f, within edge, from int) edge {
	if f <= no || within == no || from == len(s.relations) {
		return f
	}
	q := closureKey{f, within, from}
	if is, ok := s.known[q]; ok {
		return is
	}
	// Collections keep what is held: the operands, and the last part of the result.
	at := len(s.held)
	s.held = append(s.held, f, within, f)
	top := s.relations[from].top
	if level := min(s.level(f), s.level(within)); level < top {
		f0, f1 := s.cofactors(f, level)
		within0, within1 := s.cofactors(within, level)
		s.held[at+2] = s.saturate(f0, within0, from)
		high := s.saturate(f1, within1, from)
		s.held[at+2] = s.node(level, s.held[at+2], high)
	} else {
		s.iterate(at, within, from)
	}
	is := s.held[at+2]
	s.held = s.held[:at]
	s.known[q] = is
	s.known[closureKey{is, within, from}] = is
	return is
}

// iterate applies the relations whose top is that of the first one, and those below, until nothing
// changes. The set is in held, behind the operands that saturate holds from at on.
func (s *saturation) iterate(at int, within edge, from int) {
	below := from
	for below < len(s.relations) && s.relations[below].top == s.relations[from].top {
		below++
	}
	for before := no; s.held[at+2] != before; {
		before = s.held[at+2]
		x := s.saturate(before, within, below)
		for _, r := range s.relations[from:below] {
			x = s.or(x, s.and(within, s.step(x, r)))
		}
		s.held[at+2] = x
		if s.used >= s.collectAt {
			needed := s.collect()
			maps.DeleteFunc(s.known, func(q closureKey, is edge) bool {
				return !needed.has(q.f) || !needed.has(q.within) || !needed.has(is)
			})
		}
	}
}
