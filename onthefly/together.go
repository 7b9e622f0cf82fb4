package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// together is a conjunction of local formulas of different slots at the top of a property, where it
// only matters with which TIVAs there is a violation. Then few rows need to be kept.
//
// Rows are taken in the order in which the run recorded their beginnings. So what is kept contains
// nothing that comes after a new row N, the exit of N least of all, and N goes together with rows
// P if it contains none of their exits. If Q are rows of the same tasks, each the same as in P or a
// later one, that holds for Q whenever it holds for P, as the exits of Q come not before those of P. So
// P is not needed any more; of a single formula and task only the last row is. None of this
// depends on what is known to tasks that have been idle for long.
type together struct {
	slots []int
	kept  []front // by set of parts, as bits
}

// maxTogether is how many parts can be together: there is a front for each set of them.
const maxTogether = 6

// front is what is kept of some parts: for each TIVA the rows of which none is as good as others.
type front struct {
	index  map[[maxTogether]san.Task]int
	groups [][]*group
}

// group are rows that go together, one of each of some parts.
type group struct {
	*piece
	born [maxTogether]int // when the rows began, by part
}

func newTogether(slots []int) *together {
	n := &together{slots: slots, kept: make([]front, 1<<len(slots))}
	for i := range n.kept {
		n.kept[i] = newFront()
	}
	return n
}

func newFront() front { return front{index: map[[maxTogether]san.Task]int{}} }

func (n *together) update(v *version, in [][]*piece) []*piece {
	var fresh []*piece
	for next := n.earliest(in); next >= 0; next = n.earliest(in) {
		row := in[next][0]
		in[next] = in[next][1:]
		fresh = n.take(v, next, row, fresh)
	}
	if v.sweep {
		floor := v.floor(0)
		for i := range n.kept {
			n.kept[i].prune(floor)
		}
	}
	return fresh
}

// earliest returns the part whose first row began first, -1 if there are no more.
func (n *together) earliest(in [][]*piece) int {
	first := -1
	for i, rows := range in {
		if len(rows) > 0 && (first < 0 || rows[0].born < in[first][0].born) {
			first = i
		}
	}
	return first
}

// take joins a row of a part with what is kept of the others, and adds what contains all parts to fresh.
func (n *together) take(v *version, part int, row *piece, fresh []*piece) []*piece {
	own := 1 << part
	alone := &group{piece: row}
	alone.born[part] = row.born
	for set := range n.kept {
		if set&own != 0 {
			continue
		}
		if set == 0 {
			n.keep(own, alone)
			continue
		}
		for _, like := range n.kept[set].groups {
			for _, g := range like {
				both, ok := v.meet(g.piece, row)
				switch {
				case !ok:
				case set|own == len(n.kept)-1:
					fresh = append(fresh, both)
				default:
					born := g.born
					born[part] = row.born
					n.keep(set|own, &group{both, born})
				}
			}
		}
	}
	return fresh
}

// keep adds rows to the front of a set of parts.
func (n *together) keep(set int, g *group) {
	f := &n.kept[set]
	var key [maxTogether]san.Task
	for i, slot := range n.slots {
		key[i] = g.tiva[slot]
	}
	i, ok := f.index[key]
	if !ok {
		f.index[key] = len(f.groups)
		f.groups = append(f.groups, []*group{g})
		return
	}
	like := f.groups[i]
	if stdslices.ContainsFunc(like, func(o *group) bool { return o.asGood(g) }) {
		return
	}
	f.groups[i] = append(stdslices.DeleteFunc(like, g.asGood), g)
}

// asGood reports whether each row of g is that of o or a later one.
func (g *group) asGood(o *group) bool {
	for i := range g.born {
		if g.born[i] < o.born[i] {
			return false
		}
	}
	return true
}

// prune drops the rows that are over.
func (f *front) prune(floor []int32) {
	for key, i := range f.index {
		f.groups[i] = stdslices.DeleteFunc(f.groups[i], func(g *group) bool { return g.over(floor) })
		if len(f.groups[i]) == 0 {
			delete(f.index, key)
		}
	}
	if len(f.index) > len(f.groups)/2 {
		return
	}
	at := make([]int, len(f.groups))
	kept := f.groups[:0]
	for i, like := range f.groups {
		if len(like) > 0 {
			at[i] = len(kept)
			kept = append(kept, like)
		}
	}
	clear(f.groups[len(kept):])
	f.groups = kept
	for key, i := range f.index {
		f.index[key] = at[i]
	}
}
