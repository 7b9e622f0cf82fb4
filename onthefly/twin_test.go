package onthefly_test

import (
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// twin decides which slices of a prefix of a run are violations however the run goes on, by
// enumeration, line by line from the definitions.
type twin struct {
	net      *san.Net
	logic    lsl.Logic
	graph    *slicestest.Graph
	complete []bool // all successors of the slice are known
	env      map[string]san.Task
}

// belief is what is certain about a value in a slice.
type belief struct{ isTrue, isFalse, notTrue, notFalse bool }

func newTwin(net *san.Net, logic lsl.Logic) *twin {
	w := &twin{net: net, logic: logic, env: map[string]san.Task{}}
	lat := slices.NewLattice(net)
	w.graph, _ = slicestest.Enumerate(lat, 1<<20)
	for i := range w.graph.Len() {
		s, complete := w.graph.Slice(i), true
		for t := range san.Task(net.Tasks()) {
			if lat.Created(s, t) && s.At(t) == net.Len(t) && !net.Ended(t) {
				complete = false
			}
		}
		w.complete = append(w.complete, complete)
	}
	return w
}

// violated reports whether the formula is certain to be false in some slice for some TIVA.
func (w *twin) violated(f spec.Formula, initially bool) bool {
	found := false
	w.each(spec.TIVs(f), func() {
		for i, b := range w.value(f) {
			found = found || b.isFalse && (i == 0 || !initially)
		}
	})
	return found
}

func (w *twin) each(tivs []string, do func()) {
	if len(tivs) == 0 {
		do()
		return
	}
	for t := range san.Task(w.net.Tasks()) {
		w.env[tivs[0]] = t
		w.each(tivs[1:], do)
	}
}

func (w *twin) value(f spec.Formula) []belief {
	switch f := f.(type) {
	case *spec.Atom:
		return w.atom(f)
	case *spec.Not:
		return w.not(w.value(f.X))
	case *spec.Nary:
		return w.chain(f.Xs, f.Op == spec.And)
	case *spec.Implies:
		return w.chain([]spec.Formula{&spec.Not{X: f.L}, f.R}, false)
	case *spec.If:
		bs := w.value(f.X)
		for i := range bs {
			if !w.hold(f.Conds) {
				bs[i] = belief{notTrue: true, notFalse: true}
			}
		}
		return bs
	case *spec.Future:
		return w.future(f)
	case *spec.Binary:
		return w.binary(f)
	}
	q := f.(*spec.Quant)
	outer, hidden := w.env[q.TIV]
	out := make([]belief, w.graph.Len())
	for t := range san.Task(w.net.Tasks()) {
		w.env[q.TIV] = t
		for i, b := range w.value(q.X) {
			if q.Op == spec.Forall && b.isFalse {
				out[i].isFalse, out[i].notTrue = true, true
			}
			if q.Op == spec.Exists && b.isTrue {
				out[i].isTrue, out[i].notFalse = true, true
			}
		}
	}
	delete(w.env, q.TIV)
	if hidden {
		w.env[q.TIV] = outer
	}
	return out
}

func (w *twin) atom(f *spec.Atom) []belief {
	t := w.env[f.TIV]
	formula := lsl.Compile(w.net, f.Local, w.logic)
	var truths []lsl.Truth
	walker := w.net.Walk(t)
	for ok := true; ok; ok = walker.Next() {
		truths = append(truths, formula.Eval(walker.State(), nil))
	}
	lat := slices.NewLattice(w.net)
	out := make([]belief, w.graph.Len())
	for i := range out {
		truth := lsl.Undefined
		if s := w.graph.Slice(i); lat.Created(s, t) {
			truth = truths[s.At(t)]
		}
		out[i] = belief{truth == lsl.True, truth == lsl.False, truth != lsl.True, truth != lsl.False}
	}
	return out
}

func (w *twin) not(bs []belief) []belief {
	out := make([]belief, len(bs))
	for i, b := range bs {
		out[i] = belief{b.isFalse, b.isTrue, b.notFalse, b.notTrue}
	}
	return out
}

func (w *twin) chain(xs []spec.Formula, and bool) []belief {
	if !and {
		var negated []spec.Formula
		for _, x := range xs {
			negated = append(negated, &spec.Not{X: x})
		}
		return w.not(w.chain(negated, true))
	}
	out := w.value(xs[0])
	for _, x := range xs[1:] {
		for i, q := range w.value(x) {
			p := out[i]
			r := belief{isTrue: p.isTrue && q.isTrue, notTrue: p.notTrue || q.notTrue}
			if w.logic == lsl.Frey96 {
				r.isFalse = p.isFalse || p.isTrue && q.isFalse
				r.notFalse = p.notFalse && (p.notTrue || q.notFalse)
			} else {
				r.isFalse, r.notFalse = p.isFalse || q.isFalse, p.notFalse && q.notFalse
			}
			out[i] = r
		}
	}
	return out
}

func (w *twin) future(f *spec.Future) []belief {
	dual := f.Op == spec.AllNext || f.Op == spec.Always || f.Op == spec.Henceforth
	bs := w.value(f.X)
	if dual {
		bs = w.not(bs)
	}
	for range max(f.K, 1) {
		out := make([]belief, len(bs))
		for i := range out {
			switch f.Op {
			case spec.Next, spec.AllNext:
				out[i].isFalse = w.complete[i]
				for _, j := range w.graph.Successors(i) {
					out[i].isTrue = out[i].isTrue || bs[j].isTrue
					out[i].isFalse = out[i].isFalse && bs[j].notTrue
				}
			default:
				here := f.Op == spec.Eventually || f.Op == spec.Henceforth
				out[i].isTrue = here && bs[i].isTrue
				for j, ok := w.graph.Above(i).NextSet(0); ok; j, ok = w.graph.Above(i).NextSet(j + 1) {
					out[i].isTrue = out[i].isTrue || bs[j].isTrue
				}
			}
			out[i].notTrue, out[i].notFalse = out[i].isFalse, out[i].isTrue
		}
		bs = out
	}
	if dual {
		bs = w.not(bs)
	}
	return bs
}

func (w *twin) binary(f *spec.Binary) []belief {
	p, q := w.value(f.L), w.value(f.R)
	if f.Op == spec.Before {
		p = w.not(p)
	}
	out := make([]belief, len(p))
	for i := range out {
		above := w.graph.Above(i)
		for j, ok := above.NextSet(0); ok; j, ok = above.NextSet(j + 1) {
			clear := q[j].isTrue
			for k, ok := above.NextSet(0); ok; k, ok = above.NextSet(k + 1) {
				if w.graph.Above(int(k)).Test(j) && !p[k].notFalse {
					clear = false
				}
			}
			out[i].isTrue = out[i].isTrue || clear
		}
		out[i].notFalse = out[i].isTrue
	}
	if f.Op == spec.Before {
		out = w.not(out)
	}
	return out
}

func (w *twin) hold(conds []spec.Cond) bool {
	for _, c := range conds {
		other, ok := w.env[c.Right], true
		if c.Caller {
			other, ok = w.net.Parent(other)
		}
		if (ok && w.env[c.Left] == other) == c.Differ {
			return false
		}
	}
	return true
}
