package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// node computes, version by version, the pieces of a formula: in is what is new of each of its
// children.
type node interface {
	update(v *version, in [][]*piece) []*piece
}

// version is an extension of the net.
type version struct {
	graph
	states []state // the new local states, in the order in which they were recorded
	tasks  int     // how many tasks there are
	before int     // how many there were before
	closed bool    // the run has ended: there will be no other version
}

// state is a new local state with the truth of all local formulas.
type state struct {
	task   san.Task
	k      int32
	truths []lsl.Truth // by local formula
}

// leaf is a local formula that is true, or false, in local states of the task that a slot stands for.
// Its pieces are the rows of local states in which it is.
type leaf struct {
	truth func([]lsl.Truth) lsl.Truth // from those of the local formulas
	want  lsl.Truth
	slot  int
	slots int

	open map[san.Task]*exit // of the rows that have not ended
}

func (n *leaf) update(v *version, _ [][]*piece) []*piece {
	var fresh []*piece
	for i := range v.states {
		s := &v.states[i]
		x := n.open[s.task]
		switch is := n.truth(s.truths) == n.want; {
		case is && x == nil:
			x = &exit{}
			n.open[s.task] = x
			fresh = append(fresh, n.row(v, s, x))
		case !is && x != nil:
			x.action, x.happened = san.Action{Task: s.task, K: s.k}, true
			delete(n.open, s.task)
		}
	}
	return fresh
}

func (n *leaf) row(v *version, s *state, x *exit) *piece {
	p := &piece{tiva: noTIVA(n.slots), out: []*exit{x}}
	p.tiva[n.slot] = s.task
	if s.k > 0 {
		p.low = cut{{Task: s.task, K: s.k}}
	} else if spawn, ok := v.net.SpawnedBy(s.task); ok {
		p.low = cut{spawn}
	}
	return p
}

func noTIVA(slots int) []san.Task {
	t := make([]san.Task, slots)
	for i := range t {
		t[i] = anyTask
	}
	return t
}

// both is the conjunction of two formulas.
type both struct{ left, right []*piece }

func (n *both) update(v *version, in [][]*piece) []*piece {
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
	meet(in[0], n.right)
	n.left = append(n.left, in[0]...)
	meet(n.left, in[1])
	n.right = append(n.right, in[1]...)
	return fresh
}

// either is the disjunction of formulas.
type either struct{}

func (either) update(_ *version, in [][]*piece) []*piece { return stdslices.Concat(in...) }

// some is "exists" for a slot.
type some struct{ slot int }

func (n some) update(_ *version, in [][]*piece) []*piece {
	var fresh []*piece
	for _, p := range in[0] {
		q := *p
		q.tiva = stdslices.Clone(p.tiva)
		q.tiva[n.slot] = anyTask
		fresh = append(fresh, &q)
	}
	return fresh
}

// sometime: what is below a piece. What lies strictly below a slice of it lacks the
// exits that this lacks.
type sometime struct{}

func (sometime) update(_ *version, in [][]*piece) []*piece {
	var fresh []*piece
	for _, p := range in[0] {
		fresh = append(fresh, &piece{tiva: p.tiva, out: p.out, duties: []duty{later{p}}})
	}
	return fresh
}

// next: what is one action below a piece. The action may be one of low, which then is not in the
// slice, or not.
type next struct{}

func (next) update(v *version, in [][]*piece) []*piece {
	var fresh []*piece
	for _, p := range in[0] {
		fresh = append(fresh, &piece{tiva: p.tiva, low: p.low, out: p.out, duties: []duty{oneMore{p}}})
		for _, a := range v.maximal(p.low) {
			q := &piece{tiva: p.tiva, out: append(stdslices.Clone(p.out), &exit{a, true})}
			q.low = append(stdslices.DeleteFunc(v.maximal(p.low), func(b san.Action) bool { return b == a }), v.predecessors(a)...)
			if len(p.duties) > 0 {
				q.duties = []duty{with{a, p.duties}}
			}
			fresh = append(fresh, q)
		}
	}
	return fresh
}

// when is a formula under conditions between tasks. Conditions on slots that stand for any task
// are tried with every task, also with those that are created later.
type when struct {
	conds []cond
	kept  []*piece // with such slots
}

// cond compares the tasks of two slots.
type cond struct {
	left, right    int
	caller, differ bool
}

func (n *when) update(v *version, in [][]*piece) []*piece {
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
	return fresh
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
		other, ok := tiva[c.right], true
		if c.caller {
			other, ok = v.net.Parent(other)
		}
		return (ok && tiva[c.left] == other) == c.differ
	})
}
