package tlcheck

import (
	"context"
	"errors"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// That the task of a TIV stands at a place is a statement about its local state, like the
// predicates of a property. So if byRoles can count the violations, it can also count those of a
// group, and the search finds the first of them: they are the violations of the property with one
// more such predicate for each TIV. This iterates over combinations of places instead of TIVAs.

// grouping groups violations by combinations of places.
type grouping struct {
	*violationCounter
	ctx      context.Context
	branches []*branch
	castings []casting   // of the branches, the possible ones
	stands   []*standing // by number of the place
	// by index of the TIV among the free ones: the numbers of the places of its task in violations,
	// ascending
	reach [][]int
}

// standing has the local states in which tasks stand at a place. Most tasks never do.
type standing struct {
	tasks []san.Task // ascending
	spans [][]span   // of each
}

// statesOf returns the local states of a task.
func (s *standing) statesOf(t san.Task) []span {
	if i, ok := stdslices.BinarySearch(s.tasks, t); ok {
		return s.spans[i]
	}
	return nil
}

// statesByTask returns the local states of the tasks from 0 to tasks-1.
func (s *standing) statesByTask(tasks int) [][]span {
	all := make([][]span, tasks)
	for i, t := range s.tasks {
		all[t] = s.spans[i]
	}
	return all
}

// rows returns the number of intervals with local states that are wanted of the tasks; nil wants
// all.
func (s *standing) rows(wanted [][]span) int {
	n := 0
	for i, t := range s.tasks {
		for _, sp := range s.spans[i] {
			if wanted == nil || overlaps(wanted[t], sp) {
				n++
			}
		}
	}
	return n
}

// add appends local states of a task, which must follow all present ones.
func (s *standing) add(t san.Task, sp span) {
	last := len(s.tasks) - 1
	if last < 0 || s.tasks[last] != t {
		s.tasks, s.spans = append(s.tasks, t), append(s.spans, nil)
		last++
	}
	s.spans[last] = append(s.spans[last], sp)
}

// piecesPerCombination is roughly how many intervals are counted in the time of one count by roles
// and one search.
const piecesPerCombination = 16

// groupsByRoles groups all violations. It returns false, without any groups, if they cannot be
// counted by roles, or if iterating over TIVAs is faster, as when each task has places of its own.
func (t *violationCounter) groupsByRoles(branches []*branch) bool {
	castings, ok := t.castings(branches)
	if !ok {
		return false
	}
	outer := t.search.budget.Context
	defer t.search.setContext(outer)
	ctx, cancel := budget.Half(t.counting)
	defer cancel()
	t.search.setContext(ctx)
	g, ok := t.newGrouping(ctx, branches, castings)
	if !ok {
		return false
	}
	if n := g.combinations(); n.Mul(n, big.NewInt(piecesPerCombination)).Cmp(g.pieces()) > 0 {
		return false
	}
	if g.tryPlaces(g.castings, nil, 1) {
		return true
	}
	if outer.Err() == nil { // else the time is over, and the groups so far stay
		t.reset()
	}
	return false
}

// newGrouping determines which tasks can stand where. It returns false if a TIV can stand for a
// task that is not created, for which every predicate is undefined, or if the time is over.
func (t *violationCounter) newGrouping(ctx context.Context, branches []*branch, castings []casting) (*grouping, bool) {
	g := &grouping{violationCounter: t, ctx: ctx, branches: branches}
	for _, c := range castings {
		if c.possible() {
			g.castings = append(g.castings, c)
		}
	}
	for _, task := range t.search.tasks {
		if t.search.stopped() != nil {
			return nil, false
		}
		for _, r := range t.places.rowsOf(task) {
			for r.place >= len(g.stands) {
				g.stands = append(g.stands, new(standing))
			}
			g.stands[r.place].add(task, r.span)
		}
	}
	for tiv := range t.search.formula.Free {
		reach, ok := g.reachOf(tiv)
		if !ok {
			return nil, false
		}
		g.reach = append(g.reach, reach)
	}
	return g, true
}

// reachOf returns the places of a TIV's task in violations, ascending; false as newGrouping.
func (g *grouping) reachOf(tiv int) (reach []int, ok bool) {
	for place, at := range g.stands {
		if g.search.stopped() != nil {
			return nil, false
		}
		if !stdslices.ContainsFunc(g.castings, func(c casting) bool { return at.rows(c.wanted[tiv]) > 0 }) {
			continue
		}
		if g.places.places[place].Absent {
			return nil, false
		}
		reach = append(reach, place)
	}
	return reach, true
}

// reset discards the groups, and what the search for violations has added to the evaluator.
func (t *violationCounter) reset() {
	clear(t.groups)
	t.number = Number{new(big.Int), new(big.Int)}
	t.search.covered = 0
	t.search.vary = t.search.formula.Slots
	t.search.expect([]*formula.Node{t.search.formula.Violated})
}

// pieces returns the number of intervals that iterating over TIVAs counts: the castings' local
// states, cut where the places change.
func (g *grouping) pieces() *big.Int {
	sum := new(big.Int)
	for _, c := range g.castings {
		n := big.NewInt(1)
		for _, wanted := range c.wanted {
			rows := 0
			for _, at := range g.stands {
				rows += at.rows(wanted)
			}
			n.Mul(n, big.NewInt(int64(rows)))
		}
		sum.Add(sum, n)
	}
	return sum
}

// combinations returns the number of combinations of places of tasks in violations.
func (g *grouping) combinations() *big.Int {
	n := big.NewInt(1)
	for _, places := range g.reach {
		n.Mul(n, big.NewInt(int64(len(places))))
	}
	return n
}

// standingAt returns the possible castings in which the task of a TIV stands at the place.
func (g *grouping) standingAt(castings []casting, tiv, place int) []casting {
	stand := g.stands[place].statesByTask(g.search.net.Tasks())
	var left []casting
	for _, c := range castings {
		c.wanted = stdslices.Clone(c.wanted)
		if c.wanted[tiv] = bothSpans(c.wanted[tiv], stand); c.possible() {
			left = append(left, c)
		}
	}
	return left
}

// tryPlaces tries every place for the TIVs after those at places, which have a share of all
// combinations; false if a number or violation cannot be determined.
func (g *grouping) tryPlaces(castings []casting, places []int, share float64) bool {
	if len(places) == len(g.search.formula.Free) {
		return g.add(castings, places)
	}
	if v, err := g.first(places, true); v == nil || err != nil {
		return err == nil
	}
	reach := g.reach[len(places)]
	share /= float64(len(reach))
	decided := g.search.covered
	for _, place := range reach {
		if g.search.stopped() != nil {
			return false
		}
		left := g.standingAt(castings, len(places), place)
		if len(left) > 0 && !g.tryPlaces(left, append(places[:len(places):len(places)], place), share) {
			return false
		}
		decided += share
		g.search.covered = decided
	}
	return true
}

// first returns the first violation in which the tasks of the first TIVs stand at the places, or
// any if whichever is set; nil if there is none.
func (g *grouping) first(places []int, whichever bool) (*violation, error) {
	s := &g.search
	stands := map[int]*standing{}
	for i, place := range places {
		stands[s.formula.Free[i]] = g.stands[place]
	}
	sub := search{evaluator: s.evaluator, formula: s.formula, hasJointAction: s.hasJointAction,
		last: s.last && !whichever, anyViolation: whichever}
	for _, b := range g.branches {
		sub.branches = append(sub.branches, b.copyWith(b.items, b.far, stands))
	}
	err := sub.run()
	if errors.Is(err, errFound) {
		err = nil
	}
	return sub.best, err
}

// add adds the violations in which the tasks of the TIVs stand at the places.
func (g *grouping) add(castings []casting, places []int) bool {
	first, err := g.first(places, false)
	if first == nil || err != nil {
		return err == nil
	}
	n, ok := g.countCastings(g.ctx, castings)
	if !ok {
		return false
	}
	group, err := g.groupOf(places)
	if err != nil {
		return false
	}
	group.number.add(Number{n, n})
	g.number.add(Number{n, n})
	group.offer(&g.search, first, places)
	return true
}
