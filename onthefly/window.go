package onthefly

import (
	"cmp"
	"fmt"
	"maps"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// window is a node whose new slices have no simple description: all_next, and until of other than
// local formulas. It computes with sets of slices of the net as far as it is built, and passes on
// those that it has not passed on before. If a bounded number of steps decides, it only examines
// slices for which something can be new.
type window struct {
	of    *formula.Node
	free  []int // its slots, in order of the names of their TIVs
	slots int

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

// certainty has the slices that are certainly in a node, and those that are certainly not, however
// the run continues. A slice within a bounded number of steps of the unknown can be in neither.
type certainty struct{ in, out slices.Set }

func (d certainty) complement() certainty { return certainty{d.out, d.in} }

func newWindow(n *formula.Node, set *formula.Set) *window {
	byName := func(a, b int) int { return cmp.Compare(set.Names[a], set.Names[b]) }
	return &window{of: n, free: stdslices.SortedFunc(stdslices.Values(n.Free), byName), slots: len(set.Names),
		runs: make([][][]truthRun, len(set.Locals)), passedOn: map[string]bool{}, ahead: stepsAhead(n)}
}

// stepsAhead returns how many steps beyond a slice decide whether it is in a node, unbounded if
// there is no limit.
func stepsAhead(n *formula.Node) int {
	steps := 0
	for k := range n.Operands {
		more := stepsAhead(k)
		if more == unbounded {
			return unbounded
		}
		steps = max(steps, more)
	}
	switch n.Kind {
	case formula.Next:
		steps += n.K
	case formula.Sometime, formula.Eventually, formula.Until, formula.Exists:
		return unbounded
	}
	return steps
}

func (n *window) update(v *version, _ [][]*openInterval) ([]*openInterval, error) {
	n.record(v)
	if n.lat != nil && n.lat.Net() == v.net && v.whole {
		n.lat = n.lat.Grown()
	} else {
		n.lat = slices.NewLattice(v.net)
	}
	w := &windowEvaluator{window: n, v: v, budget: slices.Budget{Context: v.ctx}, tiva: noTIVA(n.slots)}
	everywhere := region{all: w.lat.All(), complete: w.completeSlices(), decided: w.lat.None()}
	recent := w.recent(everywhere)
	var fresh []*openInterval
	passed := map[string]bool{}
	w.each(n.free, func() {
		w.region = recent
		if stdslices.ContainsFunc(w.tiva, func(t san.Task) bool { return int(t) >= v.before }) {
			w.region = everywhere
		}
		for _, iv := range w.undecided().Intervals() {
			p, key := w.interval(iv)
			if !n.passedOn[key] {
				fresh = append(fresh, p)
			}
			passed[key] = true
		}
	})
	if n.ahead == unbounded {
		maps.Copy(n.passedOn, passed)
	} else {
		n.passedOn = passed
		n.frontier, n.decided = v.lastBut(n.ahead-1, n.frontier[:0])
	}
	return fresh, w.err
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

// windowEvaluator evaluates nodes in one version.
type windowEvaluator struct {
	*window
	v      *version
	budget slices.Budget
	err    error // the first error of the budget; sets are meaningless after it
	region region
	tiva   []san.Task // by slot; anyTask where no task is chosen
}

// region is a set of slices in which nodes are evaluated. It contains all slices above each of its
// slices.
type region struct {
	from     []int32    // by task: the events common to all of them; nil if there are none
	all      slices.Set // the slices
	complete slices.Set // those whose successors are all known
	decided  slices.Set // those decided in the last version
}

// set returns the result of an operation on sets, and keeps its error.
func (w *windowEvaluator) set(s slices.Set, err error) slices.Set {
	w.err = cmp.Or(w.err, err)
	return s
}

func (w *windowEvaluator) intersect(s, o slices.Set) slices.Set {
	return w.set(s.Intersect(w.budget, o))
}
func (w *windowEvaluator) union(s, o slices.Set) slices.Set { return w.set(s.Union(w.budget, o)) }
func (w *windowEvaluator) minus(s, o slices.Set) slices.Set { return w.set(s.Minus(w.budget, o)) }

// each calls do for every assignment of tasks to slots, until the budget ends.
func (w *windowEvaluator) each(slots []int, do func()) {
	if len(slots) == 0 {
		do()
		return
	}
	for t := san.Task(0); int(t) < w.v.tasks && w.err == nil; t++ {
		w.tiva[slots[0]] = t
		w.each(slots[1:], do)
	}
	w.tiva[slots[0]] = anyTask
}

// interval returns iv as an open interval without future events, and a key that identifies it.
func (w *windowEvaluator) interval(iv slices.Interval) (p *openInterval, key string) {
	p = &openInterval{tiva: stdslices.Clone(w.tiva), low: w.lat.Maximal(iv.Lo)}
	p.hasInitial = len(p.low) == 0
	for _, a := range w.lat.Enabled(iv.Hi) {
		x := happenedExit(a)
		p.out = append(p.out, &x)
	}
	key = fmt.Sprint(p.tiva, p.low, iv.Hi)
	for t := range san.Task(w.v.tasks) {
		if iv.Hi.At(t) == w.v.net.Len(t) && !w.v.net.Ended(t) {
			p.out = append(p.out, w.nextEvents[t])
		}
	}
	return p, key
}

// recent returns the region of the slices that may be decided in this version, but were not in the
// last one.
func (w *windowEvaluator) recent(everywhere region) region {
	if !w.decided {
		return everywhere
	}
	r := region{decided: w.lacking(w.frontier)}
	common := w.lat.Top()
	if len(w.frontier) > 0 {
		downs := make([]slices.Ideal, len(w.frontier))
		for i, a := range w.frontier {
			downs[i] = w.lat.Down(a)
		}
		common = w.lat.Intersection(downs)
	}
	r.from = make([]int32, w.v.tasks)
	for t := range r.from {
		r.from[t] = int32(common.At(san.Task(t)))
	}
	r.all = w.lat.Set(slices.Interval{Lo: common, Hi: w.lat.Top()})
	r.complete = w.intersect(everywhere.complete, r.all)
	return r
}

// lacking returns the slices that have none of the actions.
func (w *windowEvaluator) lacking(actions []san.Action) slices.Set {
	all := w.lat.All()
	for _, a := range actions {
		all = w.intersect(all, w.lat.Set(slices.Interval{Hi: w.lat.NotAbove(a)}))
	}
	return all
}

// completeSlices returns the slices in which every local state has its exit or belongs to a task
// that has ended.
func (w *windowEvaluator) completeSlices() slices.Set {
	if w.v.closed {
		return w.lat.All()
	}
	last, ok := w.v.lastBut(0, nil)
	if !ok {
		return w.lat.None()
	}
	return w.lacking(last)
}

// undecided returns the slices that are certainly in the window's node, without those decided
// before, in intervals without ranks.
func (w *windowEvaluator) undecided() slices.Set {
	in := w.minus(w.node(w.of).in, w.region.decided)
	return w.set(in.WithoutRanks(w.budget))
}

// node evaluates a node for the present assignment.
func (w *windowEvaluator) node(n *formula.Node) (d certainty) {
	switch {
	case w.err != nil:
		return certainty{}
	case n.Kind == formula.Atom:
		d.in = w.rows(n)
		d.out = w.minus(w.region.all, d.in)
	case n.Kind == formula.And:
		d = w.node(n.Kids[0])
		for _, k := range n.Kids[1:] {
			d = w.both(d, w.node(k))
		}
	case n.Kind == formula.Or:
		d = w.either(n)
	case n.Kind == formula.If && !w.v.admits(n.Conds, w.tiva):
		d = certainty{w.lat.None(), w.lat.All()}
	case n.Kind == formula.If:
		d = w.node(n.Kids[0])
	case n.Kind == formula.Next:
		d = w.node(n.Kids[0])
		for range n.K {
			d = w.next(d)
		}
	default: // it can still become true in any slice, so it is certain in none that it is false
		d = certainty{w.later(n), w.lat.None()}
	}
	if n.Complement {
		return d.complement()
	}
	return d
}

// rows returns the slices of the region that are in an atom.
func (w *windowEvaluator) rows(n *formula.Node) slices.Set {
	t := w.tiva[n.Slot]
	all, runs := w.lat.None(), w.runs[n.Atom][t]
	if w.region.from != nil {
		runs = runs[sort.Search(len(runs), func(i int) bool { return runs[i].to >= int(w.region.from[t]) }):]
	}
	for _, r := range runs {
		if r.truth == n.Want && w.err == nil {
			all = w.union(all, w.intersect(w.lat.Set(w.lat.Containing(t, r.from, r.to)), w.region.all))
		}
	}
	return all
}

// both evaluates an intersection.
func (w *windowEvaluator) both(d, e certainty) certainty {
	return certainty{w.intersect(d.in, e.in), w.union(d.out, e.out)}
}

// either evaluates a union. With guards, an operand counts only where those before it are false.
func (w *windowEvaluator) either(n *formula.Node) certainty {
	all := w.node(n.Kids[0])
	var open certainty // where all operands so far are false
	for i, k := range n.Kids[1:] {
		d := w.node(k)
		if i < len(n.Guards) {
			guard := w.node(n.Guards[i])
			if i > 0 {
				guard = w.both(open, guard)
			}
			open = guard
			d = w.both(open, d)
		}
		all = w.both(all.complement(), d.complement()).complement()
	}
	return all
}

// next evaluates the node of the slices with an immediate successor in another one.
func (w *windowEvaluator) next(d certainty) certainty {
	before := func(s slices.Set) slices.Set { return w.intersect(w.set(s.Next(w.budget)), w.region.all) }
	maybe := before(w.minus(w.region.all, d.out))
	return certainty{before(d.in), w.minus(w.region.complete, maybe)}
}

// later returns the slices that are certainly in a node about any number of later slices, or tasks.
func (w *windowEvaluator) later(n *formula.Node) slices.Set {
	switch n.Kind {
	case formula.Exists:
		some := w.lat.None()
		w.each([]int{n.Slot}, func() { some = w.union(some, w.node(n.Kids[0]).in) })
		return some
	case formula.Until:
		isFalse, goal := w.node(n.Kids[0]), w.node(n.Kids[1])
		bad := w.minus(w.region.all, isFalse.out)
		return w.set(w.lat.Until(w.budget, bad, goal.in, w.lat.All()))
	}
	in := w.node(n.Kids[0]).in
	below := w.set(in.Sometime(w.budget))
	if n.Kind == formula.Eventually {
		return w.union(in, below)
	}
	return below
}
