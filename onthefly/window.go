package onthefly

import (
	"fmt"
	"maps"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// window is a formula whose new slices have no simple description: all_next, and until of other
// than local formulas. It computes with sets of slices of the net as far as it is built, and passes
// on those that it has not passed on before. If a bounded number of steps decides, it only examines
// slices for which something can be new.
type window struct {
	formula spec.Formula
	value   bool
	logic   lsl.Logic
	scope   map[string]int // slots of the TIVs
	slots   int
	locals  map[*spec.Atom]int

	lat        *slices.Lattice // of the last version
	runs       [][][]truthRun  // by local formula and task
	nextEvents []*exit         // by task: its next event
	// results passed on: all of them, or the last version's if ahead is bounded
	passedOn map[string]bool

	// ahead is how many steps beyond a slice suffice to decide the formula, or unbounded. If it is
	// bounded, the last version decided all slices without an action of frontier: they could not
	// reach its end in one step less. Every other slice contains the predecessors of one of these
	// actions, and so all that they have in common.
	ahead    int
	frontier []san.Action
	decided  bool // there is such a version, and the frontier had every task that had not ended
}

// truthRun is a row of local states of one task with the same truth.
type truthRun struct {
	from, to int
	truth    lsl.Truth
}

// certainty has the slices in which the value of a formula is certain, or one value is certainly
// excluded, however the run continues. A slice within a bounded number of steps of the unknown can
// be in none of them.
type certainty struct{ isTrue, isFalse, notTrue, notFalse slices.Set }

func (d certainty) negated() certainty { return certainty{d.isFalse, d.isTrue, d.notFalse, d.notTrue} }

func newWindow(n *formula.Node, set *formula.Set) *window {
	w := &window{formula: n.Part.Source, value: n.Value, logic: set.Logic, slots: len(set.Names),
		scope: map[string]int{}, locals: map[*spec.Atom]int{}, runs: make([][][]truthRun, len(set.Locals)),
		passedOn: map[string]bool{}}
	for _, slot := range n.Free {
		w.scope[set.Names[slot]] = slot
	}
	w.number(n.Part)
	w.ahead = stepsAhead(w.formula)
	return w
}

// stepsAhead returns how many steps beyond a slice decide a formula, unbounded if there is no
// limit.
func stepsAhead(f spec.Formula) int {
	steps := 0
	for _, k := range spec.Operands(f) {
		more := stepsAhead(k)
		if more == unbounded {
			return unbounded
		}
		steps = max(steps, more)
	}
	switch f := f.(type) {
	case *spec.Binary, *spec.Quant:
		return unbounded
	case *spec.Future:
		if f.Op != spec.Next && f.Op != spec.AllNext {
			return unbounded
		}
		steps += max(f.K, 1)
	}
	return steps
}

// number records the numbers of local formulas.
func (n *window) number(p *formula.Part) {
	if a, ok := p.Source.(*spec.Atom); ok {
		n.locals[a] = p.Atom
	}
	for _, k := range p.Kids {
		n.number(k)
	}
}

func (n *window) update(v *version, _ [][]*openInterval) ([]*openInterval, error) {
	n.record(v)
	if n.lat != nil && n.lat.Net() == v.net && v.whole {
		n.lat = n.lat.Grown()
	} else {
		n.lat = slices.NewLattice(v.net)
	}
	w := &windowEvaluator{window: n, v: v, budget: slices.Budget{Context: v.ctx}, env: map[string]san.Task{}}
	everywhere, err := w.everywhere()
	if err != nil {
		return nil, err
	}
	recent, err := w.recent(everywhere)
	if err != nil {
		return nil, err
	}
	var fresh []*openInterval
	passed := map[string]bool{}
	err = n.each(w, spec.TIVs(n.formula), func() error {
		w.region = recent
		if w.isNew() {
			w.region = everywhere
		}
		set, err := w.set()
		if err != nil {
			return err
		}
		for _, iv := range set.Intervals() {
			p, key := n.interval(w, iv)
			if !n.passedOn[key] {
				fresh = append(fresh, p)
			}
			passed[key] = true
		}
		return nil
	})
	if n.ahead == unbounded {
		maps.Copy(n.passedOn, passed)
	} else {
		n.passedOn = passed
		n.frontier, n.decided = v.lastBut(n.ahead-1, n.frontier[:0])
	}
	return fresh, err
}

func (n *window) record(v *version) {
	for i := range v.states {
		s := &v.states[i]
		for len(n.nextEvents) <= int(s.task) {
			n.nextEvents = append(n.nextEvents, nil)
			for l := range n.runs {
				n.runs[l] = append(n.runs[l], nil)
			}
		}
		if x := n.nextEvents[s.task]; x != nil {
			*x = happenedExit(san.Action{Task: s.task, K: s.k})
		}
		n.nextEvents[s.task] = &exit{}
		for l, truth := range s.truths {
			rs := n.runs[l][s.task]
			if last := len(rs) - 1; last >= 0 && rs[last].truth == truth {
				rs[last].to = int(s.k)
			} else {
				n.runs[l][s.task] = append(rs, truthRun{int(s.k), int(s.k), truth})
			}
		}
	}
}

// each calls do for every assignment of tasks to the TIVs, until it fails.
func (n *window) each(w *windowEvaluator, tivs []string, do func() error) error {
	if len(tivs) == 0 {
		return do()
	}
	for t := range san.Task(w.v.tasks) {
		w.env[tivs[0]] = t
		if err := n.each(w, tivs[1:], do); err != nil {
			return err
		}
	}
	return nil
}

// interval returns iv as an open interval without future events, and a key that identifies it.
func (n *window) interval(w *windowEvaluator, iv slices.Interval) (p *openInterval, key string) {
	p = &openInterval{tiva: noTIVA(n.slots), low: w.lat.Maximal(iv.Lo)}
	p.hasInitial = len(p.low) == 0
	for tiv, t := range w.env {
		if slot, ok := n.scope[tiv]; ok {
			p.tiva[slot] = t
		}
	}
	for _, a := range w.lat.Enabled(iv.Hi) {
		x := happenedExit(a)
		p.out = append(p.out, &x)
	}
	key = fmt.Sprint(p.tiva, p.low, iv.Hi)
	for t := range san.Task(w.v.tasks) {
		if iv.Hi.At(t) == w.v.net.Len(t) && !w.v.net.Ended(t) {
			p.out = append(p.out, n.nextEvents[t])
		}
	}
	return p, key
}

// windowEvaluator evaluates formulas in one version.
type windowEvaluator struct {
	*window
	v      *version
	budget slices.Budget
	region region
	env    map[string]san.Task
}

// region is a set of slices in which formulas are evaluated. It contains all slices above each of
// its slices.
type region struct {
	from     []int32    // by task: the events common to all of them; nil if there are none
	all      slices.Set // the slices
	complete slices.Set // those whose successors are all known
	decided  slices.Set // those decided in the last version
}

// everywhere returns the region of all slices, in which nothing is decided.
func (w *windowEvaluator) everywhere() (region, error) {
	complete, err := w.completeSlices()
	return region{all: w.lat.All(), complete: complete, decided: w.lat.None()}, err
}

// recent returns the region of the slices that may be decided in this version, but were not in the
// last one.
func (w *windowEvaluator) recent(everywhere region) (r region, err error) {
	if !w.decided {
		return everywhere, nil
	}
	r.decided = w.lat.All()
	downs := make([]slices.Ideal, len(w.frontier))
	for i, a := range w.frontier {
		downs[i] = w.lat.Down(a)
		if r.decided, err = r.decided.Intersect(w.budget,
			w.lat.Set(slices.Interval{Hi: w.lat.NotAbove(a)})); err != nil {
			return r, err
		}
	}
	common := w.lat.Top()
	if len(downs) > 0 {
		common = w.lat.Intersection(downs)
	}
	r.from = make([]int32, w.v.tasks)
	for t := range r.from {
		r.from[t] = int32(common.At(san.Task(t)))
	}
	r.all = w.lat.Set(slices.Interval{Lo: common, Hi: w.lat.Top()})
	r.complete, err = everywhere.complete.Intersect(w.budget, r.all)
	return r, err
}

// isNew reports whether a task of the assignment is new in this version.
func (w *windowEvaluator) isNew() bool {
	for _, t := range w.env {
		if int(t) >= w.v.before {
			return true
		}
	}
	return false
}

// set returns the slices in which the formula has the wanted value, without those decided before,
// in intervals without ranks.
func (w *windowEvaluator) set() (slices.Set, error) {
	d, err := w.value(w.formula)
	if err != nil {
		return slices.Set{}, err
	}
	set := d.isTrue
	if !w.window.value {
		set = d.isFalse
	}
	if set, err = set.Minus(w.budget, w.region.decided); err != nil {
		return set, err
	}
	return set.WithoutRanks(w.budget)
}

// completeSlices returns the slices in which every local state has its exit or belongs to a task
// that has ended.
func (w *windowEvaluator) completeSlices() (slices.Set, error) {
	if w.v.closed {
		return w.lat.All(), nil
	}
	last, ok := w.v.lastBut(0, nil)
	if !ok {
		return w.lat.None(), nil
	}
	all := w.lat.All()
	for _, a := range last {
		var err error
		if all, err = all.Intersect(w.budget, w.lat.Set(slices.Interval{Hi: w.lat.NotAbove(a)})); err != nil {
			return slices.Set{}, err
		}
	}
	return all, nil
}

func (w *windowEvaluator) value(f spec.Formula) (certainty, error) {
	switch f := f.(type) {
	case *spec.Atom:
		return w.atom(f)
	case *spec.Not:
		d, err := w.value(f.X)
		return d.negated(), err
	case *spec.Nary:
		return w.chain(f.Xs, f.Op == spec.And)
	case *spec.Implies:
		return w.chain([]spec.Formula{&spec.Not{X: f.L}, f.R}, false)
	case *spec.If:
		if !w.hold(f.Conds) {
			none, all := w.lat.None(), w.lat.All()
			return certainty{none, none, all, all}, nil
		}
		return w.value(f.X)
	case *spec.Future:
		return w.future(f)
	case *spec.Binary:
		return w.binary(f)
	}
	return w.quantifier(f.(*spec.Quant))
}

func (w *windowEvaluator) atom(f *spec.Atom) (d certainty, err error) {
	if d.isTrue, err = w.where(f, lsl.True); err != nil {
		return d, err
	}
	if d.isFalse, err = w.where(f, lsl.False); err != nil {
		return d, err
	}
	if d.notTrue, err = w.region.all.Minus(w.budget, d.isTrue); err != nil {
		return d, err
	}
	d.notFalse, err = w.region.all.Minus(w.budget, d.isFalse)
	return d, err
}

// where returns the slices in which an atom has a value.
func (w *windowEvaluator) where(f *spec.Atom, truth lsl.Truth) (s slices.Set, err error) {
	t := w.env[f.TIV]
	s = w.lat.None()
	runs := w.runs[w.locals[f]][t]
	if w.region.from != nil {
		runs = runs[sort.Search(len(runs), func(i int) bool { return runs[i].to >= int(w.region.from[t]) }):]
	}
	for _, r := range runs {
		if r.truth != truth {
			continue
		}
		row, err := w.lat.Set(w.lat.Containing(t, r.from, r.to)).Intersect(w.budget, w.region.all)
		if err == nil {
			s, err = s.Union(w.budget, row)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// chain evaluates a conjunction, or a disjunction as the negation of one.
func (w *windowEvaluator) chain(xs []spec.Formula, and bool) (certainty, error) {
	value := func(x spec.Formula) (certainty, error) {
		d, err := w.value(x)
		if !and {
			d = d.negated()
		}
		return d, err
	}
	d, err := value(xs[0])
	for _, x := range xs[1:] {
		if err != nil {
			return d, err
		}
		var e certainty
		if e, err = value(x); err == nil {
			d, err = w.both(d, e)
		}
	}
	if !and {
		d = d.negated()
	}
	return d, err
}

// both evaluates the conjunction of two formulas.
func (w *windowEvaluator) both(d, e certainty) (r certainty, err error) {
	if r.isTrue, err = d.isTrue.Intersect(w.budget, e.isTrue); err != nil {
		return r, err
	}
	if r.notTrue, err = d.notTrue.Union(w.budget, e.notTrue); err != nil {
		return r, err
	}
	// In frey96 the second operand counts only where the first is true.
	isFalse, notFalse := e.isFalse, e.notFalse
	if w.logic == lsl.Frey96 {
		if isFalse, err = d.isTrue.Intersect(w.budget, e.isFalse); err != nil {
			return r, err
		}
		if notFalse, err = d.notTrue.Union(w.budget, e.notFalse); err != nil {
			return r, err
		}
	}
	if r.isFalse, err = d.isFalse.Union(w.budget, isFalse); err != nil {
		return r, err
	}
	r.notFalse, err = d.notFalse.Intersect(w.budget, notFalse)
	return r, err
}

// exists returns the certainty of an operator that is never undefined.
func exists(yes, no slices.Set) certainty { return certainty{yes, no, no, yes} }

func (w *windowEvaluator) future(f *spec.Future) (certainty, error) {
	d, err := w.value(f.X)
	if err != nil {
		return d, err
	}
	dual := f.Op == spec.AllNext || f.Op == spec.Always || f.Op == spec.Henceforth
	if dual {
		d = d.negated()
	}
	switch f.Op {
	case spec.Next, spec.AllNext:
		for n := max(f.K, 1); n > 0 && err == nil; n-- {
			d, err = w.next(d)
		}
	case spec.Sometime, spec.Always:
		d, err = w.later(d, false)
	default:
		d, err = w.later(d, true)
	}
	if dual {
		d = d.negated()
	}
	return d, err
}

// next evaluates the formula that some immediate successor satisfies another one.
func (w *windowEvaluator) next(d certainty) (certainty, error) {
	yes, err := w.before(d.isTrue)
	if err != nil {
		return d, err
	}
	maybe, err := w.region.all.Minus(w.budget, d.notTrue)
	if err == nil {
		maybe, err = w.before(maybe)
	}
	if err != nil {
		return d, err
	}
	no, err := w.region.complete.Minus(w.budget, maybe)
	return exists(yes, no), err
}

// before returns the slices of the region with an immediate successor in a set.
func (w *windowEvaluator) before(s slices.Set) (slices.Set, error) {
	s, err := s.Next(w.budget)
	if err != nil {
		return s, err
	}
	return s.Intersect(w.budget, w.region.all)
}

// later evaluates the formula that some later slice satisfies another one, or the slice itself if
// now is set.
func (w *windowEvaluator) later(d certainty, now bool) (certainty, error) {
	yes, err := d.isTrue.Sometime(w.budget)
	if err == nil && now {
		yes, err = d.isTrue.Union(w.budget, yes)
	}
	return exists(yes, w.lat.None()), err
}

func (w *windowEvaluator) binary(f *spec.Binary) (certainty, error) {
	p, err := w.value(f.L)
	if err != nil {
		return p, err
	}
	q, err := w.value(f.R)
	if err != nil {
		return q, err
	}
	if f.Op == spec.Before {
		p = p.negated()
	}
	bad, err := w.region.all.Minus(w.budget, p.notFalse)
	if err != nil {
		return p, err
	}
	yes, err := w.lat.Until(w.budget, bad, q.isTrue, w.lat.All())
	d := exists(yes, w.lat.None())
	if f.Op == spec.Before {
		d = d.negated()
	}
	return d, err
}

func (w *windowEvaluator) quantifier(f *spec.Quant) (certainty, error) {
	outer, hidden := w.env[f.TIV]
	defer func() {
		delete(w.env, f.TIV)
		if hidden {
			w.env[f.TIV] = outer
		}
	}()
	s := w.lat.None()
	for t := range san.Task(w.v.tasks) {
		w.env[f.TIV] = t
		d, err := w.value(f.X)
		if f.Op == spec.Forall {
			d = d.negated()
		}
		if err == nil {
			s, err = s.Union(w.budget, d.isTrue)
		}
		if err != nil {
			return d, err
		}
	}
	d := exists(s, w.lat.None())
	if f.Op == spec.Forall {
		d = d.negated()
	}
	return d, nil
}

func (w *windowEvaluator) hold(conds []spec.Cond) bool {
	return !stdslices.ContainsFunc(conds, func(c spec.Cond) bool {
		return !w.v.compare(w.env[c.Left], w.env[c.Right], c.Caller, c.Differ)
	})
}
