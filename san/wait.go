package san

import (
	"cmp"
	"fmt"
	"math"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// The builder looks for a cycle among waiting events when it reads an event that may close one.
// That walk can be long, so it is paid from a credit that grows with the events read. When the
// credit runs out, the walk is given up. One walk over all waiting events makes up for the
// abandoned ones, as soon as the credit suffices or the trace ends. So hostile input costs time
// linear in its length.
const (
	initialCredit = 1 << 16
	maximumCredit = 1 << 24
	creditPerRead = 16
)

// noteReference notes a reference to x, which may not be scheduled yet.
func (b *Builder) noteReference(x ref) {
	r := &b.readers[x.h]
	if x.k > b.n.handles[x.h].done {
		r.lastReferenced = max(r.lastReferenced, x.k)
	}
	b.credit += 4
}

// checkWaiting finds faults of the waiting events that have become certain with x, the event read
// last.
func (b *Builder) checkWaiting(x ref, e *event.Event) *Error {
	b.credit = min(b.credit+creditPerRead, max(maximumCredit, 8*b.waiting))
	t, r := b.n.handles[x.h], &b.readers[x.h]
	if t.ended && r.lastReferenced > x.k {
		return b.afterEndError(x)
	}
	if b.waiting == 0 {
		return nil
	}
	if x.k > t.done && !b.gaveUpCycle && (r.lastReferenced >= x.k || e.Spawn != "" || b.groups[x] != nil) {
		if err := b.findCycle([]ref{x}); err != nil {
			return err
		}
	}
	if b.gaveUpCycle && b.credit > 4*b.waiting {
		b.gaveUpCycle = false
		if err := b.findCycle(b.heads()); err != nil {
			return err
		}
	}
	if b.waiting > b.limit {
		return b.overrunError()
	}
	return nil
}

func (b *Builder) overrunError() *Error {
	err := b.stuckError()
	if err.Kind == Cycle || err.Kind == BadReference {
		return err
	}
	return b.fault(Overrun,
		"more than %d events wait for others; %s: %s; "+
			"sort the trace, so that events come soon after those that they wait for",
		b.limit, err.Pos, err.Reason)
}

// stuckError says why the waiting events cannot be scheduled without further events.
func (b *Builder) stuckError() *Error {
	heads := b.heads()
	b.credit = math.MaxInt
	if err := b.findCycle(heads); err != nil {
		return err
	}
	return b.missingError(b.oldest(heads))
}

// oldest returns the event among several waiting ones that was read first.
func (b *Builder) oldest(waiting []ref) ref {
	return stdslices.MinFunc(waiting, func(x, y ref) int { return cmp.Compare(b.waiter(x).seq, b.waiter(y).seq) })
}

// heads returns the first waiting event of each task.
func (b *Builder) heads() []ref {
	var heads []ref
	for h, t := range b.n.handles {
		if int(t.done) < len(t.records) {
			heads = append(heads, ref{handle(h), t.done + 1})
		}
	}
	return heads
}

// waiter returns the description of a waiting event. After a replay, only the events that made it
// necessary have one.
func (b *Builder) waiter(x ref) waiter {
	queue := b.readers[x.h].queue
	if i := int(x.k - b.n.handles[x.h].done - 1); i < len(queue) {
		return queue[i]
	}
	return b.late[x]
}

func (b *Builder) isRead(x ref) bool { return int(x.k) <= len(b.n.handles[x.h].records) }

// missingError follows the events that x waits for to one that was not read.
func (b *Builder) missingError(x ref) *Error {
	for {
		t := b.n.handles[x.h]
		if t.rank < 0 && t.spawner.k == 0 {
			return &Error{Uncreated, b.waiter(ref{x.h, 1}).pos,
				fmt.Sprintf(`task %q has events but is neither initial nor created by a "spawn"`, t.name)}
		}
		next, how := b.firstNeed(x)
		if !b.isRead(next) {
			return &Error{Dangling, b.waiter(x).pos,
				fmt.Sprintf("%q of %s names %s, which was not read%s", how, b.describe(x), b.describe(next),
					b.extent(next.h))}
		}
		x = next
	}
}

// firstNeed returns some event that the waiting event x needs first.
func (b *Builder) firstNeed(x ref) (need ref, how string) {
	t := b.n.handles[x.h]
	if x.k > t.done+1 {
		return ref{x.h, t.done + 1}, "order"
	}
	if t.rank < 0 {
		return t.spawner, "spawn"
	}
	p := t.parts(&t.records[x.k-1])
	for c := range p.refs {
		if b.n.handles[c.h].done < c.k {
			return c, "after"
		}
	}
	for _, s := range b.groups[x].sides {
		d := b.n.handles[s.h].done
		if !b.isRead(s) || s.k > d && s != x && !b.arrived(s) {
			return s, "with"
		}
	}
	panic(fmt.Sprintf("san: event %d of task %q waits for nothing", x.k, t.name))
}

// arrived reports whether a side of a joint action waits only for other sides.
func (b *Builder) arrived(s ref) bool {
	t := b.n.handles[s.h]
	if t.rank < 0 || s.k != t.done+1 {
		return false
	}
	p := t.parts(&t.records[s.k-1])
	for c := range p.refs {
		if b.n.handles[c.h].done < c.k {
			return false
		}
	}
	return true
}

// number returns the trace's number of event k of a task.
func (b *Builder) number(h handle, k int32) int64 { return b.n.handles[h].number(k) }

// lastRead returns the trace's number of the last event of a task that was read.
func (b *Builder) lastRead(h handle) int64 { return b.number(h, int32(len(b.n.handles[h].records))) }

// extent says how much of a task was read.
func (b *Builder) extent(h handle) string {
	t := b.n.handles[h]
	switch {
	case b.lastRead(h) > 0:
		return fmt.Sprintf("; the last event of that task was %d", b.lastRead(h))
	case t.rank < 0 && t.spawner.k == 0:
		return "; no such task occurs"
	}
	return "; that task has no events"
}

// afterEndError is the error of an event that names one after x, the end of its task.
func (b *Builder) afterEndError(x ref) *Error {
	var who, what ref
	how := ""
	earliest := ^uint64(0)
	note := func(w, y ref, label string) {
		if y.h == x.h && y.k > x.k && b.waiter(w).seq < earliest {
			who, what, how, earliest = w, y, label, b.waiter(w).seq
		}
	}
	for h, t := range b.n.handles {
		for k := t.done + 1; int(k) <= len(t.records); k++ {
			w := ref{handle(h), k}
			p := t.parts(&t.records[k-1])
			for c := range p.refs {
				note(w, c, "after")
			}
			if g := b.groups[w]; g != nil && g.side(x.h) > x.k {
				note(w, ref{x.h, g.side(x.h)}, "with")
			}
		}
	}
	return &Error{Dangling, b.waiter(who).pos,
		fmt.Sprintf("%q of %s names %s, but the task has ended with its event %d", how, b.describe(who),
			b.describe(what), b.number(x.h, x.k))}
}

func (b *Builder) describe(x ref) string {
	return fmt.Sprintf("event %d of task %q", b.number(x.h, x.k), b.n.handles[x.h].name)
}

// findCycle looks for a cycle among the events that the starts wait for, within the credit.
func (b *Builder) findCycle(starts []ref) *Error {
	const open, closed = 1, 2
	type frame struct {
		node  ref
		needs []ref
	}
	if len(starts) == 1 && len(b.needs(b.node(starts[0]))) == 0 {
		return nil
	}
	state := make(map[ref]int)
	var path []frame
	push := func(x ref) {
		x = b.node(x)
		state[x] = open
		path = append(path, frame{x, b.needs(x)})
	}
	for _, s := range starts {
		if state[b.node(s)] != 0 {
			continue
		}
		push(s)
		for len(path) > 0 {
			if b.credit < 0 {
				b.gaveUpCycle = true
				return nil
			}
			top := &path[len(path)-1]
			if len(top.needs) == 0 {
				state[top.node] = closed
				path = path[:len(path)-1]
				continue
			}
			next := b.node(top.needs[0])
			top.needs = top.needs[1:]
			switch state[next] {
			case 0:
				push(next)
			case open:
				var cycle []ref
				for i := len(path) - 1; len(cycle) == 0 || cycle[len(cycle)-1] != next; i-- {
					cycle = append(cycle, path[i].node)
				}
				return b.cycleError(cycle)
			}
		}
	}
	return nil
}

// node returns the representative of x in walks: one event for all sides of a joint action.
func (b *Builder) node(x ref) ref {
	if g := b.groups[x]; g != nil {
		return g.sides[0]
	}
	return x
}

// needs returns the events that are not scheduled and must be right before x can be. x need not be
// read.
func (b *Builder) needs(x ref) []ref {
	sides := []ref{x}
	if g := b.groups[x]; g != nil {
		sides = g.sides
	}
	if b.credit -= len(sides); b.credit < 0 {
		return nil // the caller gives up
	}
	var needs []ref
	for _, s := range sides {
		t := b.n.handles[s.h]
		if s.k <= t.done {
			continue
		}
		if before := b.before(s); before > t.done {
			needs = append(needs, ref{s.h, before})
		} else if t.rank < 0 && t.spawner.k > 0 {
			needs = append(needs, t.spawner)
		}
		if !b.isRead(s) {
			continue
		}
		p := t.parts(&t.records[s.k-1])
		for c := range p.refs {
			if b.n.handles[c.h].done < c.k {
				needs = append(needs, c)
			}
		}
	}
	b.credit -= len(needs)
	return needs
}

// before returns the last event before x of its task that was read or is a side of a joint action.
func (b *Builder) before(x ref) int32 {
	last := int32(len(b.n.handles[x.h].records))
	if x.k <= last {
		return x.k - 1
	}
	r := &b.readers[x.h]
	if r.sorted < len(r.named) {
		if b.credit -= len(r.named); b.credit < 0 {
			return last
		}
		stdslices.Sort(r.named)
		r.sorted = len(r.named)
	}
	if i, _ := stdslices.BinarySearch(r.named, x.k); i > 0 {
		return max(last, r.named[i-1])
	}
	return last
}

// cycleError is the error of events that wait for each other, given against the order of waiting.
func (b *Builder) cycleError(nodes []ref) *Error {
	if len(nodes) == 1 {
		if x, y, ok := b.ownSide(nodes[0]); ok {
			return b.afterSide(x, y, b.lastPos(nodes))
		}
	}
	const shown = 6
	var names []string
	for i := len(nodes) - 1; i >= 0 && len(names) < shown; i-- {
		names = append(names, b.describe(nodes[i]))
	}
	if len(nodes) > shown {
		names = append(names, fmt.Sprintf("… (%d more)", len(nodes)-shown))
	}
	names = append(names, names[0])
	return &Error{Cycle, b.lastPos(nodes), "events wait for each other in a cycle: " + strings.Join(names, " → ")}
}

// ownSide finds a side of x's joint action that comes after another one by "after".
func (b *Builder) ownSide(x ref) (side, cause ref, ok bool) {
	g := b.groups[x]
	if g == nil {
		return x, x, false
	}
	for _, s := range g.sides {
		if !b.isRead(s) {
			continue
		}
		t := b.n.handles[s.h]
		p := t.parts(&t.records[s.k-1])
		for c := range p.refs {
			if b.groups[c] == g {
				return s, c, true
			}
		}
	}
	return x, x, false
}

// lastPos returns the position of the event of a cycle that was read last, which made the cycle
// certain.
func (b *Builder) lastPos(nodes []ref) string {
	var last waiter
	for _, x := range nodes {
		sides := []ref{x}
		if g := b.groups[x]; g != nil {
			sides = g.sides
		}
		for _, s := range sides {
			if b.isRead(s) && s.k > b.n.handles[s.h].done {
				if w := b.waiter(s); w.seq > last.seq {
					last = w
				}
			}
		}
	}
	return last.pos
}
