package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// conjunctionJoin is a conjunction of local formulas of different slots at the top of a property,
// where it only matters whether there is a violation. Then few rows must be kept.
//
// Rows are taken in the order in which the run recorded their beginnings. So a kept row contains
// nothing that comes after a new row N, least of all the exit of N. N has a slice in common with
// rows P if it contains none of their exits. Let Q be other rows of the same parts, each of which
// is the one in P, or a later one of the same task, or begins after the end of the one in P. Then N
// contains no exit of Q if it contains none of P, because those of Q come later. So P is not needed
// any more if N with Q is a violation too, which holds if the tasks meet the conditions. None of
// this depends on the knowledge of tasks that have been idle for long.
type conjunctionJoin struct {
	undemanding
	slots []int
	conds []formula.Cond // on the tasks of a violation, as far as known here
	kept  []front

	spare *group // free for reuse; may be nil
	// by part: the leaves that reuse discarded rows; nil if none does, or their rows have other
	// readers
	leaves []*leaf

	tivs          int  // slots of all properties whose tasks must differ
	differ        bool // some tasks must differ
	distinguishes bool // other conditions distinguish tasks
}

// maxJoined bounds the parts of a join: there is a front for each set of parts, as bits.
const maxJoined = 6

// front has the kept rows of some parts.
type front struct {
	groups       []*group
	lastCompared int // the number of groups when a new one was last compared with all
}

// recent is how many of the last groups a new one is compared with. It is compared with all of them
// when their number has doubled. So groups that nothing replaces, as those of tasks that stay
// silent, are compared with few others, and replaceable ones do not accumulate.
const recent = 64

// group has compatible rows, one of each of some parts.
type group struct {
	*openInterval
	rows  [maxJoined]*openInterval // by part
	tasks groupTasks               // of the rows
	// replacements: tasks of groups, pairwise without a common task, that suffice where these tasks
	// are not in the way
	replacements []groupTasks
	room         [1]groupTasks // memory for the first of the replacements
	isReferenced bool          // an open interval names the exits of the rows
}

// groupTasks has the tasks of a group by part; anyTask where it has no row.
type groupTasks [maxJoined]san.Task

func newConjunctionJoin(slots []int, conds []formula.Cond, tivs int) *conjunctionJoin {
	n := &conjunctionJoin{slots: slots, conds: conds, kept: make([]front, 1<<len(slots)),
		leaves: make([]*leaf, len(slots)), tivs: tivs}
	for _, c := range conds {
		if c.Differ && !c.Caller {
			n.differ = true
		} else {
			n.distinguishes = true
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
				over := g.isOver(common)
				if over {
					n.drop(g)
				}
				return over
			})
		}
	}
	return fresh, nil
}

// earliest returns the part whose first row began first, -1 if no rows are left.
func (n *conjunctionJoin) earliest(in [][]*openInterval) int {
	first := -1
	for i, rows := range in {
		if len(rows) > 0 && (first < 0 || rows[0].firstState < in[first][0].firstState) {
			first = i
		}
	}
	return first
}

// take joins a row of a part with the kept rows of the others, and appends the joins of all parts
// to fresh.
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
			g.isReferenced, met = true, true
			if set|own == all {
				fresh = append(fresh, both)
			} else {
				n.keep(v, set|own, n.group(both, &g.rows, part, row))
			}
		}
	}
	g := n.group(row, &[maxJoined]*openInterval{}, part, row)
	g.isReferenced = met
	n.keep(v, own, g)
	return fresh
}

// group returns a group with one more row; all is the intersection of the rows.
func (n *conjunctionJoin) group(all *openInterval, rows *[maxJoined]*openInterval, part int, row *openInterval) *group {
	g := n.spare
	n.spare = nil
	if g == nil {
		g = new(group)
	}
	g.openInterval, g.replacements, g.isReferenced = all, nil, false
	for i := range n.slots { // there are no other slots
		g.rows[i] = rows[i]
	}
	g.rows[part] = row
	g.name(n.slots)
	return g
}

// drop discards a group, and those of its rows that nothing else names.
func (n *conjunctionJoin) drop(g *group) {
	n.spare = g
	if g.isReferenced {
		return
	}
	for part, row := range g.rows[:len(n.slots)] {
		if row == g.openInterval && n.leaves[part] != nil {
			n.leaves[part].reuse(row)
		}
	}
}

// name records the tasks of the rows.
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
	return v.admitsTasks(n.conds, func(slot int) san.Task {
		if q[slot] != anyTask {
			return q[slot]
		}
		return p[slot]
	})
}

// keep adds a group to the front of a set of parts.
func (n *conjunctionJoin) keep(v *version, set int, g *group) {
	needed := 1 // how many replacements make a group redundant
	if n.differ {
		// more than the other tasks of a violation, each of which could be in the way
		needed = n.tivs
	}
	f := &n.kept[set]
	first := max(0, len(f.groups)-recent)
	all := len(f.groups) >= 2*f.lastCompared+recent
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
		if !n.covers(v, g, o) || n.distinguishes && o.tasks != g.tasks || o.stays(g.tasks, needed) {
			kept = append(kept, o)
		} else {
			n.drop(o)
		}
	}
	clear(f.groups[len(kept):])
	f.groups = append(kept, g)
	if all {
		f.lastCompared = len(f.groups)
	}
}

// stays reports whether a group is needed although one with these tasks covers it, which it
// records.
func (g *group) stays(others groupTasks, needed int) bool {
	switch {
	case g.tasks == others:
		return false
	case stdslices.ContainsFunc(g.replacements, others.share):
		return true
	case len(g.replacements)+1 >= needed:
		return false
	case g.replacements == nil:
		g.replacements = g.room[:0]
	}
	g.replacements = append(g.replacements, others)
	return true
}

// covers reports whether everything that joins with o from now on also joins with g.
func (n *conjunctionJoin) covers(v *version, g, o *group) bool {
	for i := range n.slots {
		r, s := g.rows[i], o.rows[i]
		switch {
		case r == s: // both nil for parts without a row
		case g.tasks[i] == o.tasks[i]:
			if r.firstState < s.firstState {
				return false
			}
		case len(s.out) == 0 || !s.out[0].happened || !v.has(r.low, s.out[0].action):
			return false
		}
	}
	return true
}

// share reports whether some task is among both.
func (a groupTasks) share(b groupTasks) bool {
	return stdslices.ContainsFunc(a[:], func(t san.Task) bool { return t != anyTask && stdslices.Contains(b[:], t) })
}

// lendRows lets leaves reuse the rows that their only reader has discarded. A join of more than two
// parts keeps open intervals that name the exits of rows.
func (c *Checker) lendRows() {
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
