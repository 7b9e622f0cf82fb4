package san

import (
	"fmt"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/tracer/event"
)

// group is a joint action that waits. Its sides are the transitive closure so far of the "with"
// references.
type group struct {
	sides   []ref
	byTask  map[handle]int32 // of sides, once there are many
	arrived int              // sides that wait only for other sides
	id      int32            // number of the joint action during a replay, else -1
}

const manySides = 8

// side returns the event of that task in the group, 0 if none.
func (g *group) side(h handle) int32 {
	if g.byTask != nil {
		return g.byTask[h]
	}
	for _, s := range g.sides {
		if s.h == h {
			return s.k
		}
	}
	return 0
}

func (g *group) add(x ref) {
	g.sides = append(g.sides, x)
	switch {
	case g.byTask != nil:
		g.byTask[x.h] = x.k
	case len(g.sides) > manySides:
		g.byTask = make(map[handle]int32)
		for _, s := range g.sides {
			g.byTask[s.h] = s.k
		}
	}
}

// unite puts event x, just read, and the events that its "with" names into one group.
func (b *Builder) unite(x ref, e *event.Event) *Error {
	g := b.groups[x]
	others := false
	for _, r := range e.With {
		others = others || r.Task != e.Task
	}
	if !others {
		if g != nil && b.mutual {
			return b.fault(BadJoint, `%s is a side of a joint action but has no "with"; name another side in it`,
				b.describe(x))
		}
		return b.checkCauses(x, g, e)
	}
	if g == nil {
		g = b.newGroup()
		b.join(g, x)
	}
	for _, r := range e.With {
		if r.Task == e.Task {
			continue
		}
		y := ref{b.task(r.Task), int32(r.K)}
		b.noteReference(y)
		var err *Error
		if g, err = b.uniteWith(g, x, y); err != nil {
			return err
		}
	}
	return b.checkCauses(x, g, e)
}

func (b *Builder) newGroup() *group {
	if last := len(b.freeGroups) - 1; last >= 0 {
		g := b.freeGroups[last]
		b.freeGroups = b.freeGroups[:last]
		*g = group{sides: g.sides[:0], id: -1}
		return g
	}
	return &group{id: -1}
}

// uniteWith adds y, which x names, to g and returns the group that has both.
func (b *Builder) uniteWith(g *group, x, y ref) (*group, *Error) {
	if other := b.groups[y]; other != nil {
		return b.merge(g, other)
	}
	t := b.n.handles[y.h]
	if int(y.k) <= len(t.records) && b.mutual {
		return g, b.fault(BadJoint,
			`"with" names %s, which was read before without a "with" that leads here; every side must name another`,
			b.describe(y))
	}
	if y.k > t.done {
		return g, b.addSide(g, y)
	}
	if b.late == nil {
		b.late = make(map[ref]waiter)
	}
	b.late[x] = waiter{b.position(), b.seq}
	sides := []ref{y}
	if id, ok := t.jointOf(y.k); ok {
		sides = b.n.sidesOf(id)
	}
	for _, s := range sides {
		if err := b.addSide(g, s); err != nil {
			return g, err
		}
		g.arrived++
	}
	return g, nil
}

// addSide adds an event that has no group yet.
func (b *Builder) addSide(g *group, y ref) *Error {
	if k := g.side(y.h); k != 0 {
		return b.twoSides(y.h, k, y.k)
	}
	b.join(g, y)
	return nil
}

func (b *Builder) join(g *group, y ref) {
	if b.groups[y] == nil && !b.isRead(y) {
		b.noteUnread(y)
	}
	g.add(y)
	if b.groups == nil {
		b.groups = make(map[ref]*group)
	}
	b.groups[y] = g
}

// noteUnread notes an unread side.
func (b *Builder) noteUnread(y ref) {
	r := &b.readers[y.h]
	n := len(r.named)
	if n > 0 && r.sorted == n && int(r.named[n-1]) <= len(b.n.handles[y.h].records) {
		n, r.named, r.sorted = 0, r.named[:0], 0 // all of them were read
	}
	if r.sorted == n && (n == 0 || r.named[n-1] < y.k) {
		r.sorted++
	}
	r.named = append(r.named, y.k)
}

// merge joins two groups, the smaller into the larger.
func (b *Builder) merge(g, other *group) (*group, *Error) {
	if g == other {
		return g, nil
	}
	if len(g.sides) < len(other.sides) {
		g, other = other, g
	}
	for _, s := range other.sides {
		if err := b.addSide(g, s); err != nil {
			return g, err
		}
	}
	g.arrived += other.arrived
	return g, nil
}

func (b *Builder) twoSides(h handle, k, l int32) *Error {
	return b.fault(BadJoint, "events %d and %d of task %q in one joint action", b.number(h, min(k, l)),
		b.number(h, max(k, l)), b.n.handles[h].name)
}

// checkCauses finds an "after" of x that names a side of its own joint action. checkWaiting finds
// those that only show when further sides are read.
func (b *Builder) checkCauses(x ref, g *group, e *event.Event) *Error {
	if g == nil {
		return nil
	}
	for _, r := range e.After {
		if y := (ref{b.task(r.Task), int32(r.K)}); b.groups[y] == g {
			return b.afterSide(x, y, b.position())
		}
	}
	return nil
}

func (b *Builder) afterSide(x, y ref, pos string) *Error {
	return &Error{BadReference, pos,
		fmt.Sprintf(`"after" of %s names %s, a side of its own joint action`, b.describe(x), b.describe(y))}
}

// orderedSidesError is the error of a joint action with a side that is known to come before another
// side.
func (b *Builder) orderedSidesError(g *group, s ref) *Error {
	for _, x := range g.sides {
		t := b.n.handles[x.h]
		p := t.parts(&t.records[x.k-1])
		for c := range p.refs {
			if c == s {
				return b.afterSide(x, s, b.position())
			}
		}
	}
	return b.fault(Cycle, "%s is a side of a joint action and comes before another side of it", b.describe(s))
}

// nameJoint gives a joint action its number.
func (n *Net) nameJoint(g *group) uint32 {
	if g.id >= 0 {
		copy(n.sidesOf(uint32(g.id)), g.sides)
		return uint32(g.id)
	}
	if len(n.starts) == 0 {
		n.starts = append(n.starts, 0)
	}
	n.sides = append(n.sides, g.sides...)
	n.starts = append(n.starts, uint32(len(n.sides)))
	return uint32(len(n.starts) - 2)
}

func (n *Net) sidesOf(id uint32) []ref { return n.sides[n.starts[id]:n.starts[id+1]] }

func (n *Net) jointOf(a Action) (uint32, bool) { return n.tasks[a.Task].jointOf(a.K) }

// jointOf returns the number of the joint action of event k.
func (t *task) jointOf(k int32) (uint32, bool) {
	more := t.records[k-1].more
	if more == 0 || t.words[more-1]&isJoint == 0 {
		return 0, false
	}
	return t.joints[t.findJoint(k)].id, true
}

func (t *task) findJoint(k int32) int {
	return sort.Search(len(t.joints), func(i int) bool { return t.joints[i].k >= k })
}

func (t *task) setJoint(k int32, id uint32) {
	i := t.findJoint(k)
	if i < len(t.joints) && t.joints[i].k == k {
		t.joints[i].id = id
		return
	}
	t.joints = stdslices.Insert(t.joints, i, jointAt{k, id})
	r := &t.records[k-1]
	if r.more == 0 {
		t.words = append(t.words, 0)
		r.more = uint32(len(t.words))
	}
	t.words[r.more-1] |= isJoint
}
