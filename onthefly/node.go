package onthefly

import (
	"cmp"
	"context"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// node computes, version by version, the pieces of a formula: in is what is new of each of its
// children. An error is the cause why the version's context has ended.
type node interface {
	update(v *version, in [][]*piece) ([]*piece, error)
}

// version is an extension of the net.
type version struct {
	graph
	ctx    context.Context
	number int     // in the checker, from 1
	states []state // the new local states, in the order in which they were recorded
	tasks  int     // how many tasks there are
	before int     // how many there were before
	sweep  bool    // it is time to drop what is over
	floors *floors
	closed bool // the run has ended: there will be no other version
	whole  bool // the net begins where the checker began
}

// state is a new local state with the truth of all local formulas.
type state struct {
	task   san.Task
	k      int32
	number int         // in the run, of all tasks
	truths []lsl.Truth // by local formula
}

// leaf is a local formula that is true, or false, in local states of the task that a slot stands for.
// Its pieces are the rows of local states in which it is.
type leaf struct {
	truth func([]lsl.Truth) lsl.Truth // from those of the local formulas
	want  lsl.Truth
	slot  int
	slots int

	open  []*exit  // by task: of the row that has not ended; nil if there is none
	fresh []*piece // room for what is new
}

func (n *leaf) update(v *version, _ [][]*piece) ([]*piece, error) {
	for len(n.open) < v.tasks {
		n.open = append(n.open, nil)
	}
	clear(n.fresh)
	n.fresh = n.fresh[:0]
	for i := range v.states {
		s := &v.states[i]
		x := n.open[s.task]
		switch is := n.truth(s.truths) == n.want; {
		case is && x == nil:
			p := n.row(v, s)
			n.open[s.task] = p.out[0]
			n.fresh = append(n.fresh, p)
		case !is && x != nil:
			x.action, x.happened = san.Action{Task: s.task, K: s.k}, true
			n.open[s.task] = nil
		}
	}
	return n.fresh, nil
}

// row returns the row that begins with a local state. What it consists of is allocated at once.
func (n *leaf) row(v *version, s *state) *piece {
	row := &struct {
		piece
		exit
		low  [1]san.Action
		out  [1]*exit
		tiva [fewSlots]san.Task
	}{piece: piece{born: s.number}}
	row.out[0] = &row.exit
	p := &row.piece
	p.out, p.tiva = row.out[:], fillTIVA(row.tiva[:0], n.slots)
	p.tiva[n.slot] = s.task
	if s.k > 0 {
		row.low[0] = san.Action{Task: s.task, K: s.k}
		p.low = row.low[:]
	} else if spawn, ok := v.net.SpawnedBy(s.task); ok {
		row.low[0] = spawn
		p.low = row.low[:]
	}
	p.bottom = len(p.low) == 0
	return p
}

// fewSlots is how many slots most properties have at most.
const fewSlots = 4

func noTIVA(slots int) []san.Task { return fillTIVA(nil, slots) }

// fillTIVA returns a TIVA of no tasks, in the room there is if that is enough.
func fillTIVA(room []san.Task, slots int) []san.Task {
	t := stdslices.Grow(room, slots)[:slots:slots]
	for i := range t {
		t[i] = anyTask
	}
	return t
}

// beginning is "true", for what only counts in the slice before all events.
type beginning struct {
	slots int
	begun bool
}

func (n *beginning) update(*version, [][]*piece) ([]*piece, error) {
	if n.begun {
		return nil, nil
	}
	n.begun = true
	return []*piece{{tiva: noTIVA(n.slots), bottom: true}}, nil
}

// both is the conjunction of two formulas.
type both struct{ left, right kept }

// kept are the pieces of one side, for what is still to come on the other.
type kept struct {
	pieces []*piece
	lag    int // how far the new pieces of the other side can lie back; see lagOf

	// last are slots, if of the pieces that agree in these only the last is needed for what is still to come.
	last []int
}

func (n *both) update(v *version, in [][]*piece) ([]*piece, error) { return n.meet(v, in), nil }

// meet returns what is new of the conjunction.
func (n *both) meet(v *version, in [][]*piece) []*piece {
	var fresh []*piece
	meet := func(ps, qs []*piece) {
		for _, p := range ps {
			for _, q := range qs {
				if m, ok := v.meet(p, q); ok {
					fresh = append(fresh, m)
				}
			}
		}
	}
	meet(in[0], n.right.pieces)
	n.left.add(v, in[0])
	meet(n.left.pieces, in[1])
	n.right.add(v, in[1])
	n.left.prune(v, in[0])
	n.right.prune(v, in[1])
	return fresh
}

func (k *kept) add(v *version, ps []*piece) { k.pieces = append(k.pieces, ps...) }

// prune drops the pieces that are not needed, fresh ones having come.
func (k *kept) prune(v *version, fresh []*piece) {
	if len(k.last) > 0 && len(fresh) > 0 {
		k.pieces = lastOf(k.pieces, k.last)
	}
	if !v.sweep || k.lag == unbounded {
		return
	}
	floor := v.floor(k.lag)
	k.pieces = stdslices.DeleteFunc(k.pieces, func(p *piece) bool { return p.over(floor) })
}

// lastOf returns the last of the pieces for each choice of tasks in some slots.
func lastOf(pieces []*piece, slots []int) []*piece {
	return lastBy(pieces, func(p *piece) string {
		var tiva []san.Task
		for _, s := range slots {
			tiva = append(tiva, p.tiva[s])
		}
		return tivaKey(tiva)
	})
}

// lastBy returns the last of the pieces with each key, and all those whose key is empty.
func lastBy(pieces []*piece, keyOf func(*piece) string) []*piece {
	seen := map[string]bool{}
	var kept []*piece
	for _, p := range stdslices.Backward(pieces) {
		key := keyOf(p)
		if key == "" || !seen[key] {
			seen[key] = true
			kept = append(kept, p)
		}
	}
	stdslices.Reverse(kept)
	return kept
}

// either is the disjunction of formulas.
type either struct{}

func (either) update(_ *version, in [][]*piece) ([]*piece, error) {
	return stdslices.Concat(in...), nil
}

// some is "exists" for a slot.
type some struct{ slot int }

func (n some) update(_ *version, in [][]*piece) ([]*piece, error) {
	var fresh []*piece
	for _, p := range in[0] {
		q := *p
		q.tiva = stdslices.Clone(p.tiva)
		q.tiva[n.slot] = anyTask
		fresh = append(fresh, &q)
	}
	return fresh, nil
}

// sometime: what is below a piece. What lies strictly below a slice of it lacks the
// exits that this lacks.
type sometime struct{}

func (sometime) update(_ *version, in [][]*piece) ([]*piece, error) {
	var fresh []*piece
	for _, p := range in[0] {
		fresh = append(fresh, &piece{tiva: p.tiva, out: p.out, duties: []duty{later{p}}, bottom: true})
	}
	return fresh, nil
}

// next: what is k actions below a piece. Some of these actions are among those that all slices
// of the piece contain; the slice lacks these then.
type next struct{ k int }

func (n next) update(v *version, in [][]*piece) ([]*piece, error) { return n.below(v, in[0]), nil }

// below returns what is k actions below the pieces.
func (n next) below(v *version, pieces []*piece) []*piece {
	var fresh []*piece
	for _, p := range pieces {
		level := []lower{{low: v.maximal(p.low)}}
		for r := 0; r <= n.k && len(level) > 0; r++ {
			for _, l := range level {
				q := l.piece(p, n.k-r)
				q.bottom = r == 0 && p.bottom || len(q.low) == 0 && v.whole
				fresh = append(fresh, q)
			}
			if r < n.k {
				level = v.further(level)
			}
		}
	}
	return fresh
}

// lower is a slice without some of its actions.
type lower struct {
	low  cut // maximal
	lost cut // sorted
}

func (l lower) piece(p *piece, more int) *piece {
	q := &piece{tiva: p.tiva, low: l.low, out: stdslices.Clone(p.out)}
	for _, a := range l.lost {
		x := happens(a)
		q.out = append(q.out, &x)
	}
	if more > 0 || len(p.duties) > 0 {
		q.duties = []duty{climb{p, l.lost, more}}
	}
	return q
}

// further returns the slices without one more action, each once.
func (g graph) further(level []lower) []lower {
	var out []lower
	seen := map[string]bool{}
	for _, l := range level {
		for i, a := range l.low {
			m := lower{lost: append(stdslices.Clone(l.lost), g.net.Canonical(a))}
			stdslices.SortFunc(m.lost, func(a, b san.Action) int {
				return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.K, b.K))
			})
			if key := fmt.Sprint(m.lost); !seen[key] {
				seen[key] = true
				m.low = g.maximal(stdslices.Concat(l.low[:i], l.low[i+1:], g.predecessors(a)))
				out = append(out, m)
			}
		}
	}
	return out
}

// when is a formula under conditions between tasks. Conditions on slots that stand for any task
// are tried with every task, also with those that are created later.
type when struct {
	conds []cond
	kept  []*piece // with such slots

	// top says that it only matters whether there is a violation for a TIVA. Then the last
	// piece of each will do for tasks to come, if no duty can make a difference.
	top bool
}

// cond compares the tasks of two slots.
type cond struct {
	left, right    int
	caller, differ bool
}

func (n *when) update(v *version, in [][]*piece) ([]*piece, error) {
	var fresh []*piece
	for _, p := range n.kept {
		n.expand(v, p, v.before, false, &fresh)
	}
	for _, p := range in[0] {
		if stdslices.ContainsFunc(n.slots(), func(s int) bool { return p.tiva[s] == anyTask }) {
			n.kept = append(n.kept, p)
		}
		n.expand(v, p, 0, true, &fresh)
	}
	if n.top && len(in[0]) > 0 {
		n.kept = lastAlike(n.kept)
	}
	return fresh, nil
}

// lastAlike returns the last piece of each TIVA that has the slice before all events, and the last that has not, and all
// pieces with duties.
func lastAlike(pieces []*piece) []*piece {
	return lastBy(pieces, func(p *piece) string {
		switch key := tivaKey(p.tiva); {
		case len(p.duties) > 0:
			return ""
		case p.bottom:
			return key + "bottom"
		default:
			return key
		}
	})
}

func (n *when) slots() []int {
	var slots []int
	for _, c := range n.conds {
		slots = append(slots, c.left, c.right)
	}
	return slots
}

// expand adds the piece for all tasks in the open slots of the conditions for which they hold,
// but, if not all is set, only where one of the tasks is from first on.
func (n *when) expand(v *version, p *piece, first int, all bool, fresh *[]*piece) {
	for _, slot := range n.slots() {
		if p.tiva[slot] != anyTask {
			continue
		}
		for t := range san.Task(v.tasks) {
			q := *p
			q.tiva = stdslices.Clone(p.tiva)
			q.tiva[slot] = t
			n.expand(v, &q, first, all || int(t) >= first, fresh)
		}
		return
	}
	if all && n.hold(v, p.tiva) {
		*fresh = append(*fresh, p)
	}
}

func (n *when) hold(v *version, tiva []san.Task) bool {
	return !stdslices.ContainsFunc(n.conds, func(c cond) bool {
		return !v.compare(tiva[c.left], tiva[c.right], c.caller, c.differ)
	})
}

// compare evaluates a condition between two tasks: that they are the same, or that the left one
// created the right one, or its negation.
func (g graph) compare(left, right san.Task, caller, differ bool) bool {
	ok := true
	if caller {
		right, ok = g.net.Parent(right)
	}
	return (ok && left == right) != differ
}
