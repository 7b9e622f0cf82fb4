package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// conjunctionJoin is a conjunction of local formulas of different slots at the top of a property,
// where it only matters whether there is a violation. Then few rows need to be kept.
//
// Rows are taken in the order in which the run recorded their beginnings. So what is kept contains
// nothing that comes after a new row N, the exit of N least of all, and N goes together with rows P
// if it contains none of their exits. Let Q be other rows of the same parts, each of which is that
// in P, or a later one of the same task, or begins after the end of that in P. Then N contains no
// exit of Q if it contains none of P, for those of Q come later. So P is not needed any more, if N
// with Q is a violation too: if the conditions hold for the tasks. None of this depends on what is
// known to tasks that have been idle for long.
type conjunctionJoin struct {
	slots []int
	conds []formula.Cond // on the tasks of a violation, as far as they are known here
	kept  []front

	spare *group // of no use any more; nil if there is none
	// by part: those that make a row again of one of no use any more; nil if there are none, or
	// others read their rows
	leaves []*leaf

	tivs    int  // slots of all properties, for tasks that must differ
	differ  bool // some tasks must
	private bool // other conditions single out tasks
}

// maxJoined is how many parts can be joined: there is a front for each set of them, as bits.
const maxJoined = 6

// front are the rows of some parts that are kept.
type front struct {
	groups []*group
	tidy   int // how many there were when all were compared with a new one
}

// recent is how many of the last rows a new one is compared with. With all of them it is when they
// have doubled: so rows that stand for themselves, as those of tasks of which nobody hears again,
// are compared with few others, and others do not pile up.
const recent = 64

// group are rows that go together, one of each of some parts.
type group struct {
	*openInterval
	rows  [maxJoined]*openInterval // by part
	tasks tasks                    // of the rows
	// others, no two with a task in common, of rows which will do instead where these are not in
	// the way
	better []tasks
	room   [1]tasks // of the first of these
	met    bool     // there is something that names the exits of the rows
}

// tasks are those of a group by part; anyTask where it has no row.
type tasks [maxJoined]san.Task

func newConjunctionJoin(slots []int, conds []formula.Cond, tivs int) *conjunctionJoin {
	n := &conjunctionJoin{slots: slots, conds: conds, kept: make([]front, 1<<len(slots)),
		leaves: make([]*leaf, len(slots)), tivs: tivs}
	for _, c := range conds {
		if c.Differ && !c.Caller {
			n.differ = true
		} else {
			n.private = true
		}
	}
	return n
}

func (n *conjunctionJoin) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	var fresh []*openInterval
	for next := n.earliest(in); next >= 0; next = n.earliest(in) {
		row := in[next][0]
		in[next] = in[next][1:]
		fresh = n.take(v, next, row, fresh)
	}
	if v.sweep {
		common := v.commonKnowledge(0)
		for i := range n.kept {
			n.kept[i].groups = stdslices.DeleteFunc(n.kept[i].groups, func(g *group) bool {
				over := g.over(common)
				if over {
					n.drop(g)
				}
				return over
			})
		}
	}
	return fresh, nil
}

// earliest returns the part whose first row began first, -1 if there are no more.
func (n *conjunctionJoin) earliest(in [][]*openInterval) int {
	first := -1
	for i, rows := range in {
		if len(rows) > 0 && (first < 0 || rows[0].born < in[first][0].born) {
			first = i
		}
	}
	return first
}

// take joins a row of a part with what is kept of the others, and adds what contains all parts to
// fresh.
func (n *conjunctionJoin) take(v *version, part int, row *openInterval, fresh []*openInterval) []*openInterval {
	own, all, met := 1<<part, len(n.kept)-1, false
	for set := range n.kept {
		if set == 0 || set&own != 0 {
			continue
		}
		for _, g := range n.kept[set].groups {
			if !n.allowed(v, g.tiva, row.tiva) {
				continue
			}
			both, ok := v.meet(g.openInterval, row)
			if !ok {
				continue
			}
			g.met, met = true, true
			if set|own == all {
				fresh = append(fresh, both)
			} else {
				n.keep(v, set|own, n.group(both, &g.rows, part, row))
			}
		}
	}
	g := n.group(row, &[maxJoined]*openInterval{}, part, row)
	g.met = met
	n.keep(v, own, g)
	return fresh
}

// group returns rows with one more, and the open interval that they are together.
func (n *conjunctionJoin) group(all *openInterval, rows *[maxJoined]*openInterval, part int, row *openInterval) *group {
	g := n.spare
	n.spare = nil
	if g == nil {
		g = new(group)
	}
	g.openInterval, g.better, g.met = all, nil, false
	for i := range n.slots { // there are no others
		g.rows[i] = rows[i]
	}
	g.rows[part] = row
	g.name(n.slots)
	return g
}

// drop gives a group up that is of no use any more, and the rows that nothing else names.
func (n *conjunctionJoin) drop(g *group) {
	n.spare = g
	if g.met {
		return
	}
	for part, row := range g.rows[:len(n.slots)] {
		if row == g.openInterval && n.leaves[part] != nil {
			n.leaves[part].reuse(row)
		}
	}
}

// name notes the tasks of the rows.
func (g *group) name(slots []int) {
	for i := range g.tasks {
		g.tasks[i] = anyTask
		if i < len(slots) {
			g.tasks[i] = g.tiva[slots[i]]
		}
	}
}

// allowed reports whether the conditions hold for the tasks of two open intervals, as far as these
// are known.
func (n *conjunctionJoin) allowed(v *version, p, q []san.Task) bool {
	task := func(slot int) san.Task {
		if q[slot] != anyTask {
			return q[slot]
		}
		return p[slot]
	}
	return !stdslices.ContainsFunc(n.conds, func(c formula.Cond) bool {
		left, right := task(c.Left), task(c.Right)
		return left != anyTask && right != anyTask && !v.compare(left, right, c.Caller, c.Differ)
	})
}

// keep adds rows to the front of a set of parts.
func (n *conjunctionJoin) keep(v *version, set int, g *group) {
	needed := 1 // groups that will do instead of one
	if n.differ {
		needed = n.tivs // more than there are other tasks in a violation, which could be in the way
	}
	f := &n.kept[set]
	first := max(0, len(f.groups)-recent)
	all := len(f.groups) >= 2*f.tidy+recent
	if all {
		first = 0
	}
	for _, o := range f.groups[first:] {
		if o.tasks == g.tasks && n.covers(v, o, g) {
			n.drop(g)
			return
		}
	}
	kept := f.groups[:first]
	for _, o := range f.groups[first:] {
		if !n.covers(v, g, o) || n.private && o.tasks != g.tasks || o.stays(g.tasks, needed) {
			kept = append(kept, o)
		} else {
			n.drop(o)
		}
	}
	clear(f.groups[len(kept):])
	f.groups = append(kept, g)
	if all {
		f.tidy = len(f.groups)
	}
}

// stays reports whether a group is needed although it is covered by one of these tasks, which is
// noted.
func (g *group) stays(others tasks, needed int) bool {
	switch {
	case g.tasks == others:
		return false
	case stdslices.ContainsFunc(g.better, others.share):
		return true
	case len(g.better)+1 >= needed:
		return false
	case g.better == nil:
		g.better = g.room[:0]
	}
	g.better = append(g.better, others)
	return true
}

// covers reports whether what goes together with o from now on does so with g.
func (n *conjunctionJoin) covers(v *version, g, o *group) bool {
	for i := range n.slots {
		r, s := g.rows[i], o.rows[i]
		switch {
		case r == s: // of parts that are not there, too
		case g.tasks[i] == o.tasks[i]:
			if r.born < s.born {
				return false
			}
		case len(s.out) == 0 || !s.out[0].happened || !v.has(r.low, s.out[0].action):
			return false
		}
	}
	return true
}

// share reports whether some task is among both.
func (a tasks) share(b tasks) bool {
	return stdslices.ContainsFunc(a[:], func(t san.Task) bool { return t != anyTask && stdslices.Contains(b[:], t) })
}

// lend lets leaves make rows again of those that their only reader does not need any more. A join
// of more than two parts keeps open intervals that name the exits of rows.
func (c *Checker) lend() {
	for _, s := range c.stages {
		n, ok := s.node.(*conjunctionJoin)
		if !ok || len(n.slots) > 2 {
			continue
		}
		for part, k := range s.kids {
			if leaf, ok := k.node.(*leaf); ok && k.readers == 1 {
				n.leaves[part] = leaf
			}
		}
	}
}
