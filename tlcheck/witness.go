package tlcheck

import (
	"cmp"
	"context"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Explanation is the truth of a formula in a slice and a TIVA with its reasons: a tree with the
// structure of the formula.
type Explanation struct {
	Source spec.Formula
	Truth  lsl.Truth
	Slice  slices.Ideal // that of the parent except below a temporal operator
	TIVA   []Binding    // the TIVs free in Source, in order of their names

	// For an atom: the task, its local state in Slice, and why the local formula has its value
	// there. Why is nil if the task is not created in Slice.
	Task  san.Task
	State int
	Why   *lsl.Explanation

	// Parts are the reasons of the truth. A connective has all its parts. A temporal operator has
	// one part, in a later slice, if a single slice is the reason: for a true next, sometime,
	// eventually or until and for a false all_next, always, henceforth or before. A false until and
	// a true before have, if the right side is ever true later, such a slice and one before it in
	// which the left side prevents it. A quantifier has one part, of the task that decides, or
	// those of the first tasks if none does.
	Parts []*Explanation

	// Here has the parts of a temporal operator in Slice itself. They are no reasons of its truth,
	// but give every part of the property a value in the witness. Below a temporal operator, in
	// later slices, it is empty.
	Here []*Explanation

	// Path has the actions from the parent's Slice to this one, in a feasible order with few task
	// switches.
	Path []san.Action

	of  *formula.Part
	env []san.Task // by slot
}

// An explanation has its own budget. So a violation found at the last moment is explained too, and
// no explanation takes long.
const (
	maxExplained = 500 // maximal number of parts
	maxTasks     = 16  // maximal number of parts of a quantifier that no single task decides
	explainTime  = 2 * time.Second
)

// explainer builds the explanation of a property's value.
type explainer struct {
	*search
	env     []san.Task
	left    int  // number of parts that may still be added
	present bool // leaves out later slices
}

func (c *check) witness(ctx context.Context, v *violation) *Witness {
	var tiva []Binding
	for i, tiv := range c.search.formula.TIVs {
		tiva = append(tiva, Binding{tiv, v.tiva[i]})
	}
	w := newWitness(c.search.lat, v.slice, tiva)
	if s := c.search.sections; s != nil {
		w.Schedule, w.Reordered = s.Schedule(v.slice), !s.InRunOrder(v.slice)
		if w.Reordered {
			w.Open = c.open
		}
	}
	w.Reason = c.reason(ctx, v, lsl.False)
	return w
}

// newWitness returns a witness without its reason.
func newWitness(lat *slices.Lattice, slice slices.Ideal, tiva []Binding) *Witness {
	w := &Witness{TIVA: tiva, Slice: slice, Schedule: lat.Schedule(lat.Bottom(), slice),
		Unseen: lat.Net().Header().Unordered}
	w.Happened = !w.Unseen && lat.Happened(slice)
	return w
}

// reason explains the value of the property in a slice and a TIVA, within a time limit of its own
// and that of ctx.
func (c *check) reason(ctx context.Context, v *violation, truth lsl.Truth) *Explanation {
	ctx, cancel := context.WithTimeout(ctx, explainTime)
	defer cancel()
	ctx, stop := budget.WithMemory(ctx, c.memory)
	defer stop()
	c.search.setContext(ctx)
	x := c.search.explainer(v.tiva)
	e := x.explain(c.search.formula.Root, v.slice, truth)
	x.present = true
	x.presence(e)
	return e
}

func (s *search) explainer(tiva []san.Task) *explainer {
	x := &explainer{search: s, env: make([]san.Task, len(s.formula.Set.Names)), left: maxExplained}
	for i, slot := range s.formula.Free {
		x.env[slot] = tiva[i]
	}
	return x
}

// explain returns the explanation of f, which has that truth in the slice.
func (x *explainer) explain(f *formula.Part, slice slices.Ideal, truth lsl.Truth) *Explanation {
	e := &Explanation{Source: f.Source, Truth: truth, Slice: slice, TIVA: x.bindings(f), of: f,
		env: stdslices.Clone(x.env)}
	part := func(k *formula.Part, at slices.Ideal) {
		if p := x.part(k, at); p != nil {
			if !at.Equal(slice) {
				p.Path = x.lat.Schedule(slice, at)
			}
			e.Parts = append(e.Parts, p)
		}
	}
	switch src := f.Source.(type) {
	case *spec.Atom:
		e.Task = x.env[f.Slot]
		e.State = slice.At(e.Task)
		if x.lat.Created(slice, e.Task) {
			w := x.net.Walk(e.Task)
			w.Seek(e.State)
			e.Why = x.atoms.byNumber[f.Atom].Explain(w.State())
		}
	case *spec.Quant:
		outer := x.env[f.Slot]
		for _, task := range x.decidingTasks(f, src, slice, truth) {
			x.include(task)
			x.env[f.Slot] = task
			part(f.Kids[0], slice)
		}
		x.env[f.Slot] = outer
	case *spec.Future, *spec.Binary:
		if x.present {
			break
		}
		if k, later, ok := x.decidingSlice(f, slice, truth); ok {
			part(k, later)
		} else if goal, obstacle, ok := x.nearestObstacle(f, slice, truth); ok {
			part(f.Kids[1], goal)
			part(f.Kids[0], obstacle)
		}
	default:
		for _, k := range f.Kids {
			part(k, slice)
		}
	}
	return e
}

// part returns the explanation of a part of a formula, nil if there is no room or time for it.
func (x *explainer) part(f *formula.Part, slice slices.Ideal) *Explanation {
	if x.left == 0 {
		return nil
	}
	x.left--
	truth, err := x.truth(f, slice)
	if err != nil {
		return nil
	}
	return x.explain(f, slice, truth)
}

// bindings returns the tasks of the free TIVs of f. A TIV that a quantifier binds
// around f is in env under the quantifier's slot.
func (x *explainer) bindings(f *formula.Part) []Binding {
	var bs []Binding
	for _, slot := range f.Free {
		bs = append(bs, Binding{x.formula.Set.Names[slot], x.env[slot]})
	}
	stdslices.SortFunc(bs, func(a, b Binding) int { return cmp.Compare(a.TIV, b.TIV) })
	return bs
}

func (x *explainer) truth(f *formula.Part, slice slices.Ideal) (lsl.Truth, error) {
	switch src := f.Source.(type) {
	case *spec.Atom:
		task := x.env[f.Slot]
		if !x.lat.Created(slice, task) {
			return lsl.Undefined, nil
		}
		return x.atoms.value(f.Atom, task, slice.At(task)), nil
	case *spec.Not:
		t, err := x.truth(f.Kids[0], slice)
		return t.Not(), err
	case *spec.Nary:
		return x.chain(f, slice, src.Op == spec.Or, false)
	case *spec.Implies:
		return x.chain(f, slice, true, true)
	case *spec.If:
		for _, c := range f.Conds {
			if !x.holds(c, x.env) {
				return lsl.Undefined, nil
			}
		}
		return x.truth(f.Kids[0], slice)
	}
	n, value := f.Node() // the remaining operators are never undefined
	in, err := x.contains(n, x.env, slice)
	if err != nil {
		return lsl.Undefined, err
	}
	return lsl.TruthOf(in == value), nil
}

// chain returns the value of a connective; both dialects evaluate it from left to right.
func (x *explainer) chain(f *formula.Part, slice slices.Ideal, or, implies bool) (lsl.Truth, error) {
	var t lsl.Truth
	for i, k := range f.Kids {
		u, err := x.truth(k, slice)
		if err != nil {
			return t, err
		}
		if i == 0 && implies {
			u = u.Not()
		}
		if i > 0 {
			u = x.formula.Set.Logic.Global(or, t, u)
		}
		t = u
	}
	return t, nil
}

// decidingTasks returns the task that makes an exists true or a forall false, or else the first
// tasks.
func (x *explainer) decidingTasks(f *formula.Part, q *spec.Quant, slice slices.Ideal, truth lsl.Truth) []san.Task {
	decisive := lsl.TruthOf(q.Op == spec.Exists)
	if truth != decisive {
		var first []san.Task
		for t := range san.Task(min(x.net.Tasks(), maxTasks)) {
			first = append(first, t)
		}
		return first
	}
	outer := x.env[f.Slot]
	defer func() { x.env[f.Slot] = outer }()
	for _, t := range x.tasks {
		x.env[f.Slot] = t
		if v, err := x.truth(f.Kids[0], slice); err == nil && v == decisive {
			return []san.Task{t}
		}
	}
	return nil
}

// presence completes an explanation with the values of the parts of temporal operators in its
// slice. It runs after the reasons have been found, which are more important if room or time is
// short.
func (x *explainer) presence(e *Explanation) {
	outer := x.env
	defer func() { x.env = outer }()
	for _, p := range e.Parts {
		if p.Slice.Equal(e.Slice) {
			x.env = p.env
			x.presence(p)
		}
	}
	x.env = e.env
	switch e.Source.(type) {
	case *spec.Future, *spec.Binary:
		for _, k := range e.of.Kids {
			if stdslices.ContainsFunc(e.Parts,
				func(p *Explanation) bool { return p.of == k && p.Slice.Equal(e.Slice) }) {
				continue
			}
			if p := x.part(k, e.Slice); p != nil {
				x.presence(p)
				e.Here = append(e.Here, p)
			}
		}
	}
}
