package tlcheck

import (
	"context"
	"errors"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// That the task of a TIV stands at a place says something of its local state, as the predicates of a property do. So where byRoles can count
// the violations, it can count those of a group, and the search finds the first of them: they are those of the property with one more such
// predicate for each TIV. It is the combinations of places that are gone through then, and not the TIVAs.

// grouping groups violations by combinations of places.
type grouping struct {
	*violationCounter
	ctx      context.Context
	branches []*branch
	stands   []*standing // by number of the place
}

// standing are the local states in which tasks stand at a place.
type standing struct {
	spans [][]span // by task
}

// groupsByRoles groups all violations; false, and nothing is grouped, if they cannot be counted by roles, or if there are more combinations of
// places than that.
func (t *violationCounter) groupsByRoles(branches []*branch, most *big.Int) bool {
	s := &t.search
	castings, ok := t.castings(branches)
	if !ok {
		return false
	}
	g := &grouping{violationCounter: t, branches: branches, stands: t.standings()}
	if n, ok := g.combinations(castings); !ok || n.Cmp(most) > 0 {
		return false
	}
	outer := s.budget.Context
	defer s.within(outer)
	ctx, cancel := budget.Half(t.counting)
	defer cancel()
	g.ctx = ctx
	s.within(ctx)
	if g.place(castings, nil) {
		return true
	}
	t.startAnew()
	return false
}

// startAnew forgets the groups, and what searching for violations has told the evaluator of what it evaluates.
func (t *violationCounter) startAnew() {
	clear(t.groups)
	t.number = Number{new(big.Int), new(big.Int)}
	t.search.vary = t.search.formula.Slots
	t.search.expect([]*formula.Node{t.search.formula.Violated})
}

// standings returns who stands where, by number of the place.
func (t *violationCounter) standings() []*standing {
	var all []*standing
	for _, task := range t.search.tasks {
		for _, r := range t.places.of(task) {
			for r.place >= len(all) {
				all = append(all, &standing{make([][]span, t.search.net.Tasks())})
			}
			all[r.place].spans[task] = append(all[r.place].spans[task], r.span)
		}
	}
	return all
}

// combinations returns how many combinations there are of places at which some task can be in a violation; false if one of these is that of
// tasks that are not created, which no predicate is true of.
func (g *grouping) combinations(castings []casting) (*big.Int, bool) {
	n := big.NewInt(1)
	for tiv := range g.search.formula.Free {
		places := int64(0)
		for place := range g.stands {
			if len(g.standingAt(castings, tiv, place)) == 0 {
				continue
			}
			if g.places.places[place].Absent {
				return nil, false
			}
			places++
		}
		n.Mul(n, big.NewInt(places))
	}
	return n, true
}

// standingAt returns what is left of the castings if the task of a TIV stands at the place: those that are possible.
func (g *grouping) standingAt(castings []casting, tiv, place int) []casting {
	var left []casting
	for _, c := range castings {
		c.wanted = stdslices.Clone(c.wanted)
		if c.wanted[tiv] = bothSpans(c.wanted[tiv], g.stands[place].spans); c.possible() {
			left = append(left, c)
		}
	}
	return left
}

// place tries every place for the TIVs behind those that stand at places; false if something is not found.
func (g *grouping) place(castings []casting, places []int) bool {
	if len(places) == len(g.search.formula.Free) {
		return g.add(castings, places)
	}
	if v, err := g.first(places, true); v == nil || err != nil {
		return err == nil
	}
	for place := range g.stands {
		left := g.standingAt(castings, len(places), place)
		if len(left) > 0 && !g.place(left, append(places[:len(places):len(places)], place)) {
			return false
		}
	}
	return true
}

// first returns the first violation in which the tasks of the first TIVs stand at the places, or any; nil if there is none.
func (g *grouping) first(places []int, any bool) (*violation, error) {
	s := &g.search
	stands := map[int]*standing{}
	for i, place := range places {
		stands[s.formula.Free[i]] = g.stands[place]
	}
	sub := search{evaluator: s.evaluator, formula: s.formula, joint: s.joint, last: s.last && !any, any: any}
	for _, b := range g.branches {
		sub.branches = append(sub.branches, b.where(stands))
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
