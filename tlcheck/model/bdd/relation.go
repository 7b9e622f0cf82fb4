package bdd

import (
	"cmp"
	"maps"
	"slices"
)

// Relation says how variables change: it has now and next values of some, and leaves all others as they are. The variable behind each one
// that it changes, with the number 1 more, stands for the next value. Other functions must not have these, but functions of now values,
// which are sets, are what a relation leads from and to.
type Relation struct {
	is                *Function
	now, next         *Function // the cubes of what changes
	forward, backward renaming  // from now to next, and back
	top               uint32    // the first variable that it looks at or changes
}

// renaming has a new number for variables. It keeps the order of all variables of the functions that are renamed.
type renaming struct {
	number edge // among the renamings of the table
	to     map[uint32]uint32
	last   uint32 // behind this variable none is renamed
}

// Relation returns a relation that changes these variables, which are in ascending order.
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

// Image returns the set of where a relation leads from f.
func (f *Function) Image(r *Relation) *Function {
	f.table.tidy()
	return f.table.function(f.table.image(f.root, r))
}

// Preimage returns the set of what a relation leads from to f.
func (f *Function) Preimage(r *Relation) *Function {
	f.table.tidy()
	return f.table.function(f.table.preimage(f.root, r))
}

func (t *Table) image(f edge, r *Relation) edge {
	return t.rename(t.andExists(f, r.is.root, r.now.root), &r.backward)
}

func (t *Table) preimage(f edge, r *Relation) edge {
	return t.andExists(t.rename(f, &r.forward), r.is.root, r.next.root)
}

// Closure returns the least set that has all of f and, of within, what relations lead to from the set; or if it goes back, what they lead from.
func (f *Function) Closure(within *Function, relations []*Relation, back bool) *Function {
	t := f.table
	t.tidy()
	s := &saturation{Table: t, step: t.image, known: map[closureKey]edge{}}
	if back {
		s.step = t.preimage
	}
	s.relations = slices.SortedStableFunc(slices.Values(relations), func(q, r *Relation) int { return cmp.Compare(q.top, r.top) })
	held := len(t.held)
	defer func() { t.held = t.held[:held] }()
	return t.function(s.saturate(f.root, within.root, 0))
}

// saturation finds closures below before above: a relation that only has to do with the last variables is applied to the parts of diagrams that
// are about these, until nothing changes any more, before one that has to do with more (Ciardo, Lüttgen and Siminiceanu, "Saturation: An
// Efficient Iteration Strategy for Symbolic State-Space Generation"; within a set: Zhao and Ciardo, "Symbolic CTL Model Checking of
// Asynchronous Systems Using Constrained Saturation"; on binary diagrams: van Dijk, Meijer and van de Pol, "Multi-core On-The-Fly
// Saturation").
type saturation struct {
	*Table
	relations []*Relation // by top
	step      func(edge, *Relation) edge
	known     map[closureKey]edge
}

// closureKey identifies a closure in the cache: that of f within a set, by the relations from some number on.
type closureKey struct {
	f, within edge
	from      int
}

// saturate returns a closure.
func (s *saturation) saturate(f, within edge, from int) edge {
	if f <= no || within == no || from == len(s.relations) {
		return f
	}
	q := closureKey{f, within, from}
	if is, ok := s.known[q]; ok {
		return is
	}
	// What is held is not collected: the question, and the last part of its answer.
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

// iterate applies the relations with the top of the first one, and those below, until nothing changes. The set is in held, behind what
// saturate holds from at on.
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
		if s.used >= s.most {
			needed := s.collect()
			maps.DeleteFunc(s.known, func(q closureKey, is edge) bool {
				return !needed.has(q.f) || !needed.has(q.within) || !needed.has(is)
			})
		}
	}
}
