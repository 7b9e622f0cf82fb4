package deadlock

import (
	"cmp"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// block notes that a task is about to wait.
func (d *Detector) block(a *actor, o *op.Op) {
	at := acquisitionAfter(o, o.Want)
	if a.blocked == nil {
		a.blocked = new(moment)
	}
	*a.blocked = moment{acquisition: at, begin: o.Full, started: a.started}
	a.waits = a.blocked
	switch o.Want {
	case op.Lock, op.RLock, op.Once:
		if o.Want == op.Once {
			a.waits.Kind = op.Lock
		}
		a.waits.lock = d.lock(o.Object)
		a.waits.Seq = d.next()
		if o.Want == op.RLock {
			a.waits.lock.readers = true
		}
		d.noteBegun(a)
	case op.Select:
		if o.OtherCases() > 0 {
			a.waits = nil // which tasks could end that is not known
			return
		}
		a.cases, a.mayWait = d.targetsOf(a, o.Cases), true
		a.waits.wait.all = &alternatives{targets: slices.Clone(a.cases)}
		for _, w := range a.cases {
			w.on.noteUse(w.side, a.task, o.K)
		}
	case op.Send, op.Recv:
		w := target{side: sideOf(o.Want)}
		if w.side == receives {
			d.noteWanted(a, o.Object)
		}
		if o.Object != 0 {
			w.on = d.medium(o.Object)
			a.waits.wait.on = w
			w.on.noteUse(w.side, a.task, o.K)
		}
	}
}

// Cycles returns the deadlocks found, after the last operation: first those in which the run has
// ended.
func (d *Detector) Cycles() []Cycle {
	blocked := d.blockedTasks()
	var cycles []Cycle
	for _, c := range newWaitsFor(d, false).cycles(blocked) {
		cycles = append(cycles, d.summarise(c, true))
	}
	for _, a := range blocked {
		if a.waits.lock != nil && len(a.held) > 0 {
			d.noteNested(a, &a.waits.acquisition, a.waits.begin)
		}
	}
	for _, c := range d.list {
		if d.isDeadlock(c, blocked) {
			cycles = append(cycles, d.summarise(c, false))
		}
	}
	return cycles
}

// blockedTasks returns the tasks that wait, in order.
func (d *Detector) blockedTasks() []*actor {
	blocked := slices.Collect(maps.Values(d.actors))
	blocked = slices.DeleteFunc(blocked, func(a *actor) bool { return a.waits == nil })
	slices.SortFunc(blocked, func(a, b *actor) int { return cmp.Compare(a.task, b.task) })
	return blocked
}

// cycles returns the cycles that waiting tasks lead to, each with different tasks.
func (w *waitsFor) cycles(from []*actor) []*cycle {
	var found []*cycle
	for _, a := range from {
		if _, done := w.visited[a]; done || !w.visit(a) {
			continue
		}
		found = append(found, w.cycle())
		for _, e := range w.path {
			w.visited[e.from] = false
		}
		w.path = w.path[:0]
	}
	return found
}

// waitsFor is a depth-first search for a cycle in the waits-for graph. All tasks that wait for a
// lock share their edges, and an edge is removed when nothing more can be found behind it. So the
// time is proportional to tasks and locks, and not to pairs of tasks.
type waitsFor struct {
	*Detector
	locksOnly bool            // waits for something else have no edges
	visited   map[*actor]bool // true while on the path
	path      []edge

	owners  map[lockRequest]*edges // to the blocked owners of a lock that exclude the request
	writers map[*lockable]*edges   // to the tasks that wait to write; nil: not yet known
}

func newWaitsFor(d *Detector, locksOnly bool) *waitsFor {
	return &waitsFor{Detector: d, locksOnly: locksOnly, visited: map[*actor]bool{}, owners: map[lockRequest]*edges{}}
}

// lockRequest is a wait for a lock: for writing or for reading.
type lockRequest struct {
	lock *lockable
	kind op.Kind
}

// edge says that from waits for to: for the section of held, or else for something that it does.
type edge struct {
	from, to *actor
	held     acquisition
}

// edges are those of one task, or of all tasks that wait for the same; from is not set then.
type edges struct {
	left []edge
	any  bool // there were some to begin with
}

func (e *edges) add(to *actor, held acquisition) {
	e.left, e.any = append(e.left, edge{to: to, held: held}), true
}

// visit goes on from a. If it returns true, the path ends with a cycle.
func (w *waitsFor) visit(a *actor) bool {
	w.visited[a] = true
	for from := w.edges(a); ; {
		e, ok := w.next(a, from)
		if !ok {
			break
		}
		w.path = append(w.path, e)
		if w.visited[e.to] || w.visit(e.to) {
			return true
		}
		w.path = w.path[:len(w.path)-1]
	}
	w.visited[a] = false
	return false
}

// next returns the next edge of a, and removes edges before it that lead to no cycle.
// A task does not wait for itself, but others may wait for it: that edge stays. It is the first one
// then, as the search has come to a by it or does not come to what is before it.
func (w *waitsFor) next(a *actor, from *edges) (edge, bool) {
	for i := 0; i < len(from.left); {
		e := from.left[i]
		switch onPath, seen := w.visited[e.to]; {
		case e.to == a:
			i++
		case seen && !onPath:
			from.left[i] = from.left[0]
			from.left = from.left[1:]
		default:
			e.from = a
			return e, true
		}
	}
	return edge{}, false
}

// cycle returns the cycle with which the path ends.
func (w *waitsFor) cycle() *cycle {
	last := w.path[len(w.path)-1].to
	c := new(cycle)
	for _, e := range w.path[slices.IndexFunc(w.path, func(e edge) bool { return e.from == last }):] {
		m := *e.from.waits
		m.hold = e.from.copyHeld()
		c.moments, c.blocker = append(c.moments, m), append(c.blocker, e.held)
	}
	return c
}

// edges returns the edges of a, which is blocked, to the blocked tasks that it waits for. A task
// that waits for a lock that it holds itself waits for no other task.
func (w *waitsFor) edges(a *actor) *edges {
	l := a.waits.lock
	switch {
	case l == nil && w.locksOnly:
		return new(edges)
	case l == nil:
		return w.partners(a)
	}
	owners := w.blockedOwners(lockRequest{l, a.waits.Kind})
	if a.waits.Kind != op.RLock || owners.any && !a.isInSectionOf(l) || w.locksOnly && !a.isInSectionOf(l) {
		// while the run goes on: a reader that a writer has let in may not have said so, unless its
		// own section keeps that one out
		return owners
	}
	return w.waitingWriters(l)
}

// blockedOwners returns the edges to owners of a lock that are blocked themselves.
func (w *waitsFor) blockedOwners(by lockRequest) *edges {
	to := w.owners[by]
	if to != nil {
		return to
	}
	to = new(edges)
	for _, owner := range by.lock.owners {
		if owner.waits == nil {
			continue
		}
		i := slices.IndexFunc(owner.held, func(h acquisition) bool {
			return h.lock == by.lock && reorder.Excludes(h.Kind, by.kind)
		})
		if i >= 0 {
			to.add(owner, owner.held[i])
		}
	}
	w.owners[by] = to
	return to
}

// waitingWriters returns the edges to tasks that wait to write: they keep new readers out.
func (w *waitsFor) waitingWriters(l *lockable) *edges {
	if w.writers == nil {
		w.writers = map[*lockable]*edges{}
		for _, b := range w.blockedTasks() {
			if b.waits.lock == nil || b.waits.Kind != op.Lock {
				continue
			}
			if w.writers[b.waits.lock] == nil {
				w.writers[b.waits.lock] = new(edges)
			}
			w.writers[b.waits.lock].add(b, acquisition{})
		}
	}
	if to := w.writers[l]; to != nil {
		return to
	}
	return new(edges)
}

// partners returns the edges to tasks that used the other side of the channels that a waits for.
// There are none if a task that can still use it is not blocked.
func (w *waitsFor) partners(a *actor) *edges {
	if !a.waits.wait.waits() && a.waits.wait.all == nil {
		return new(edges) // for a nil channel, or the counter of a WaitGroup
	}
	to := new(edges)
	for _, x := range a.waits.wait.targets() {
		other := sends + receives - x.side
		if x.on.outside || x.on.many[other] {
			return new(edges)
		}
		for _, u := range x.on.users[other] {
			b := w.actors[u.task]
			if b == nil || b == a || b.ended {
				continue
			}
			if b.waits == nil {
				return new(edges)
			}
			to.add(b, acquisition{})
		}
	}
	return to
}
