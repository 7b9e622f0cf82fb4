package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// For an until of two conjunctions of local predicates, the slices in question are closed under
// union and intersection, case by case (see goal.go and crossing.go), and so are those in which the
// core is true. So each case has a least slice, which alternating sweeps find: of the core upwards,
// and of the goal above that. Unassigned task variables require nothing; then the slice is a lower
// bound.

// goal is the conjunction of local predicates on the right side of an until in a branch's rest.
type goal struct {
	until  *formula.Node
	left   []leftPart           // the conjunction on its left side
	tracks map[int]*requirement // by slot
	core   map[int]*requirement // by slot, of the branch
	whole  bool                 // the right side of the until has no other parts
}

// leftPart is a local predicate on the left side of an until, which is a conjunction.
type leftPart struct {
	negation *formula.Node // where it is false
	slot     int
	states   *requirement // the states in which it is not false: the stretches

	stretches [][]stretch // by task; see search.stretchesOf
}

// maxLeft bounds the predicates on the left side: each one multiplies the combinations of stretches
// by those of a task.
const maxLeft = 3

// beforeGoals splits branches by whether one action leads to the right side of an until or more are
// needed. In the first case the left side is irrelevant, and the branch has fewer task variables.
func (s *search) beforeGoals(branches []*branch) []*branch {
	todo := stdslices.Clone(branches)
	stdslices.Reverse(todo)
	var done []*branch
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at := stdslices.IndexFunc(b.items,
			func(n *formula.Node) bool { return isGoalUntil(n) && !stdslices.Contains(b.far, n) })
		if at < 0 || len(done)+len(todo)+2 > maxBranches {
			done = append(done, b)
			continue
		}
		until, items := b.items[at], stdslices.Clone(b.items)
		items[at] = s.newNode(formula.Node{Kind: formula.Next, K: 1, Kids: until.Kids[1:]})
		todo = append(todo, b.copyWith(b.items, append(stdslices.Clone(b.far), until), b.stands),
			b.copyWith(items, b.far, b.stands))
	}
	return done
}

// copyWith returns a copy of the branch with other items, other untils that need more than one
// action, and other places at which tasks must stand.
func (b *branch) copyWith(items, far []*formula.Node, stands map[int]*standing) *branch {
	w := &branch{core: map[int][]*formula.Node{}, conds: b.conds, items: items, far: far, stands: stands}
	w.finish()
	return w
}

// isGoalUntil reports whether the node is an until, not complemented and not a simple one, whose
// left side is a conjunction of local predicates and whose right side is a conjunction with local
// parts.
func isGoalUntil(n *formula.Node) bool {
	if n.Kind != formula.Until || n.Complement || isSimple(n) {
		return false
	}
	left, ok := locals(n.Kids[0])
	if !ok || len(left) > maxLeft {
		return false
	}
	_, ok = waitsFor(n)
	return ok
}

// waitsFor returns the parts of the conjunction on the right side of an until; false if it is no
// conjunction or no part is local.
func waitsFor(n *formula.Node) (*branch, bool) {
	parts := &branch{core: map[int][]*formula.Node{}}
	if parts.flatten(n.Kids[1:]) >= 0 {
		return nil, false
	}
	parts.finish()
	return parts, len(parts.core) > 0
}

// findGoals returns the goals of the branch: the goals of its untils that need more than one
// action.
func (b *branch) findGoals(e *evaluator) ([]goal, error) {
	var goals []goal
	for _, n := range b.far {
		parts, _ := waitsFor(n)
		left, _ := locals(n.Kids[0])
		g := goal{until: n, tracks: map[int]*requirement{}, core: b.tracks, whole: len(parts.rest) == 0}
		var err error
		for slot, nodes := range parts.core {
			if g.tracks[slot], err = e.requirement(func(t san.Task) []span {
				return e.commonSpans(nodes, t)
			}); err != nil {
				return nil, err
			}
		}
		for _, bad := range left {
			p := leftPart{negation: bad, slot: bad.Free[0], stretches: make([][]stretch, e.net.Tasks())}
			if p.states, err = e.requirement(func(t san.Task) []span {
				return complementSpans(e.net, t, e.spans(bad, t))
			}); err != nil {
				return nil, err
			}
			g.left = append(g.left, p)
		}
		goals = append(goals, g)
	}
	return goals, nil
}

// locals returns local nodes whose union is n; false if n is no such union.
func locals(n *formula.Node) (nodes []*formula.Node, ok bool) {
	if n.Local {
		return []*formula.Node{n}, true
	}
	if n.Kind != formula.Or || n.Guards != nil ||
		stdslices.ContainsFunc(n.Kids, func(k *formula.Node) bool { return !k.Local }) {
		return nil, false
	}
	return n.Kids, true
}

// isLeft reports whether the left side refers to the slot.
func (g *goal) isLeft(slot int) bool {
	return stdslices.ContainsFunc(g.left, func(p leftPart) bool { return p.slot == slot })
}

// goalsLast moves slots of goals without a core after those of the left side: assigning the latter,
// and those with a core, excludes most tasks.
func (b *branch) goalsLast() {
	waits := func(slot int) bool {
		return len(b.core[slot]) == 0 &&
			stdslices.ContainsFunc(b.goals, func(g goal) bool { return g.tracks[slot] != nil && !g.isLeft(slot) })
	}
	order := stdslices.Clone(b.outer)
	stdslices.SortStableFunc(order, func(s, t int) int {
		switch s, t := waits(s), waits(t); {
		case s == t:
			return 0
		case t:
			return -1
		}
		return 1
	})
	b.outer = order
}

// onlyGoal returns the goal of the rest's only node, if its right side has no other parts.
func (b *branch) onlyGoal() *goal {
	if len(b.rest) == 1 && len(b.goals) == 1 && b.goals[0].whole {
		return &b.goals[0]
	}
	return nil
}

// untilGoal searches a branch whose rest is an until with a conjunction on its right side.
func (s *search) untilGoal(b *branch, g *goal, tracks []track) error {
	wanted, ok := s.conjoin(nil, g.until.Kids[1], s.env)
	if !ok {
		panic("tlcheck: the goal of an until is no conjunction")
	}
	if stdslices.ContainsFunc(wanted, track.empty) {
		return nil
	}
	return s.acrossLeft(b, g, b.inner, tracks, wanted)
}

// acrossLeft assigns the remaining inner slots, for the slices from which more than one action
// leads to the goal.
func (s *search) acrossLeft(b *branch, g *goal, slots []int, tracks, wanted []track) error {
	core, ok, err := least(s.budget, s.lat, tracks, s.lat.Bottom())
	if !ok || err != nil || !s.better(core.Size()) {
		return err
	}
	if len(slots) == 0 {
		_, err := s.crossings(g, tracks, wanted, core, func(at slices.Ideal) bool {
			s.offer(at)
			return false
		})
		return err
	}
	if ok, err := s.crossings(g, tracks, wanted, core, func(slices.Ideal) bool { return true }); !ok || err != nil {
		return err
	}
	w := b.tracks[slots[0]]
	return s.each(b, slots[0], func(t san.Task) error {
		if w == nil { // only conditions refer to it
			return s.acrossLeft(b, g, slots[1:], tracks, wanted)
		}
		next := withTrack(tracks, t, w.spans[t])
		if next[len(next)-1].empty() || s.best != nil && !s.better(s.atLeast(b, b.tracks, next)) {
			return nil
		}
		return s.acrossLeft(b, g, slots[1:], next, wanted)
	})
}

// goalsAttainable reports whether the goals admit a violation better than the best with the TIVA so
// far; core is the least slice in which the core is true.
func (s *search) goalsAttainable(b *branch, tracks []track, core slices.Ideal) (bool, error) {
	for i := range b.goals {
		if ok, err := s.reachesGoal(&b.goals[i], tracks, core); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// reachesGoal is goalsAttainable for one goal.
func (s *search) reachesGoal(g *goal, tracks []track, core slices.Ideal) (bool, error) {
	if !stdslices.ContainsFunc(g.left, func(p leftPart) bool { return s.assigned[p.slot] }) {
		return true, nil
	}
	wanted := s.assignedTracks(nil, g.tracks)
	if stdslices.ContainsFunc(wanted, track.empty) {
		return false, nil
	}
	return s.crossings(g, tracks, wanted, core, func(slices.Ideal) bool { return true })
}

// assignedTracks returns the tracks together with the requirements on the tasks in the assigned
// slots.
func (s *search) assignedTracks(tracks []track, wanted map[int]*requirement) []track {
	for slot, w := range wanted {
		if s.assigned[slot] {
			tracks = withTrack(tracks, s.env[slot], w.spans[s.env[slot]])
		}
	}
	return tracks
}
