package onthefly

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// window is a formula whose new slices have no simple description: all_next, and until of other than
// local formulas. It computes with sets of slices of the net as far as it is built, and passes on
// what it has not passed on before.
type window struct {
	formula spec.Formula
	value   bool
	logic   lsl.Logic
	scope   map[string]int // slots of the TIVs
	slots   int
	locals  map[*spec.Atom]int

	runs   [][][]run // by local formula and task
	coming []*exit   // by task: its next event
	seen   map[string]bool
}

// run is a row of local states of one task with the same truth.
type run struct {
	from, to int
	truth    lsl.Truth
}

// decided are the slices in which it is certain, however the run goes on, what the value of a
// formula is or is not. Within a bounded number of steps of what is not known yet a
// slice can be in none of them.
type decided struct{ isTrue, isFalse, notTrue, notFalse slices.Set }

func (d decided) negated() decided { return decided{d.isFalse, d.isTrue, d.notFalse, d.notTrue} }

func (n *window) update(v *version, _ [][]*piece) []*piece {
	n.record(v)
	w := &windowed{window: n, v: v, lat: slices.NewLattice(v.net), env: map[string]san.Task{}}
	w.complete = w.whole()
	var fresh []*piece
	n.each(w, spec.TIVs(n.formula), func() {
		d := w.value(n.formula)
		set := d.isTrue
		if !n.value {
			set = d.isFalse
		}
		for _, iv := range set.Plain().Intervals() {
			if p := n.piece(w, iv); p != nil {
				fresh = append(fresh, p)
			}
		}
	})
	return fresh
}

func (n *window) record(v *version) {
	for i := range v.states {
		s := &v.states[i]
		for len(n.coming) <= int(s.task) {
			n.coming = append(n.coming, nil)
			for l := range n.runs {
				n.runs[l] = append(n.runs[l], nil)
			}
		}
		if x := n.coming[s.task]; x != nil {
			*x = happens(san.Action{Task: s.task, K: s.k})
		}
		n.coming[s.task] = &exit{}
		for l, truth := range s.truths {
			rs := n.runs[l][s.task]
			if last := len(rs) - 1; last >= 0 && rs[last].truth == truth {
				rs[last].to = int(s.k)
			} else {
				n.runs[l][s.task] = append(rs, run{int(s.k), int(s.k), truth})
			}
		}
	}
}

// each calls do for every assignment of tasks to the TIVs.
func (n *window) each(w *windowed, tivs []string, do func()) {
	if len(tivs) == 0 {
		do()
		return
	}
	for t := range san.Task(w.v.tasks) {
		w.env[tivs[0]] = t
		n.each(w, tivs[1:], do)
	}
}

// piece returns the interval, in which no slice contains an event that is not there yet; nil if
// it was passed on before.
func (n *window) piece(w *windowed, iv slices.Interval) *piece {
	p := &piece{tiva: noTIVA(n.slots), low: w.lat.Maximal(iv.Lo)}
	p.bottom = len(p.low) == 0
	for tiv, t := range w.env {
		if slot, ok := n.scope[tiv]; ok {
			p.tiva[slot] = t
		}
	}
	for _, a := range w.lat.Enabled(iv.Hi) {
		x := happens(a)
		p.out = append(p.out, &x)
	}
	key := fmt.Sprint(p.tiva, p.low, iv.Hi)
	for t := range san.Task(w.v.tasks) {
		if iv.Hi.At(t) == w.v.net.Len(t) && !w.v.net.Ended(t) {
			p.out = append(p.out, n.coming[t])
		}
	}
	if n.seen[key] {
		return nil
	}
	n.seen[key] = true
	return p
}

// windowed evaluates formulas in one version.
type windowed struct {
	*window
	v        *version
	lat      *slices.Lattice
	complete slices.Set // the slices all successors of which are known
	env      map[string]san.Task
}

// whole returns the slices in which every local state has its exit or belongs to a task that has
// ended.
func (w *windowed) whole() slices.Set {
	all := w.lat.All()
	for t := range san.Task(w.v.tasks) {
		if w.v.closed || w.v.net.Ended(t) {
			continue
		}
		a := san.Action{Task: t, K: int32(w.v.net.Len(t))}
		if a.K == 0 {
			var ok bool
			if a, ok = w.v.net.SpawnedBy(t); !ok {
				return w.lat.None()
			}
		}
		all = all.Intersect(w.lat.Set(slices.Interval{Hi: w.lat.Outside(a)}))
	}
	return all
}

func (w *windowed) value(f spec.Formula) decided {
	switch f := f.(type) {
	case *spec.Atom:
		return w.atom(f)
	case *spec.Not:
		return w.value(f.X).negated()
	case *spec.Nary:
		return w.chain(f.Xs, f.Op == spec.And)
	case *spec.Implies:
		return w.chain([]spec.Formula{&spec.Not{X: f.L}, f.R}, false)
	case *spec.If:
		if !w.hold(f.Conds) {
			none, all := w.lat.None(), w.lat.All()
			return decided{none, none, all, all}
		}
		return w.value(f.X)
	case *spec.Future:
		return w.future(f)
	case *spec.Binary:
		return w.binary(f)
	}
	return w.quantifier(f.(*spec.Quant))
}

func (w *windowed) atom(f *spec.Atom) decided {
	t := w.env[f.TIV]
	is := func(truth lsl.Truth) slices.Set {
		s := w.lat.None()
		for _, r := range w.runs[w.locals[f]][t] {
			if r.truth == truth {
				s = s.Union(w.lat.Set(w.lat.Containing(t, r.from, r.to)))
			}
		}
		return s
	}
	yes, no := is(lsl.True), is(lsl.False)
	return decided{yes, no, yes.Complement(), no.Complement()}
}

func (w *windowed) chain(xs []spec.Formula, and bool) decided {
	d := w.value(xs[0])
	if !and {
		d = d.negated()
	}
	for _, x := range xs[1:] {
		e := w.value(x)
		if !and {
			e = e.negated()
		}
		r := decided{isTrue: d.isTrue.Intersect(e.isTrue), notTrue: d.notTrue.Union(e.notTrue)}
		if w.logic == lsl.Frey96 {
			r.isFalse = d.isFalse.Union(d.isTrue.Intersect(e.isFalse))
			r.notFalse = d.notFalse.Intersect(d.notTrue.Union(e.notFalse))
		} else {
			r.isFalse, r.notFalse = d.isFalse.Union(e.isFalse), d.notFalse.Intersect(e.notFalse)
		}
		d = r
	}
	if !and {
		d = d.negated()
	}
	return d
}

// exists returns what is decided about an operator that is never undefined.
func exists(yes, no slices.Set) decided { return decided{yes, no, no, yes} }

func (w *windowed) future(f *spec.Future) decided {
	d := w.value(f.X)
	dual := f.Op == spec.AllNext || f.Op == spec.Always || f.Op == spec.Henceforth
	if dual {
		d = d.negated()
	}
	none := w.lat.None()
	switch f.Op {
	case spec.Next, spec.AllNext:
		for range max(f.K, 1) {
			d = exists(d.isTrue.Next(), w.complete.Minus(d.notTrue.Complement().Next()))
		}
	case spec.Sometime, spec.Always:
		d = exists(d.isTrue.Below(), none)
	default:
		d = exists(d.isTrue.Union(d.isTrue.Below()), none)
	}
	if dual {
		d = d.negated()
	}
	return d
}

func (w *windowed) binary(f *spec.Binary) decided {
	p, q := w.value(f.L), w.value(f.R)
	if f.Op == spec.Before {
		p = p.negated()
	}
	d := exists(w.lat.Until(p.notFalse.Complement(), q.isTrue), w.lat.None())
	if f.Op == spec.Before {
		d = d.negated()
	}
	return d
}

func (w *windowed) quantifier(f *spec.Quant) decided {
	outer, hidden := w.env[f.TIV]
	s := w.lat.None()
	for t := range san.Task(w.v.tasks) {
		w.env[f.TIV] = t
		d := w.value(f.X)
		if f.Op == spec.Forall {
			d = d.negated()
		}
		s = s.Union(d.isTrue)
	}
	delete(w.env, f.TIV)
	if hidden {
		w.env[f.TIV] = outer
	}
	d := exists(s, w.lat.None())
	if f.Op == spec.Forall {
		d = d.negated()
	}
	return d
}

func (w *windowed) hold(conds []spec.Cond) bool {
	return !stdslices.ContainsFunc(conds, func(c spec.Cond) bool {
		return !w.v.compare(w.env[c.Left], w.env[c.Right], c.Caller, c.Differ)
	})
}
