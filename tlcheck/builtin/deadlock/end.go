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
	at := after(o, o.Want)
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
		d.begins(a)
	case op.Select:
		if o.OtherCases() > 0 {
			a.waits = nil // who could end that is not known
			return
		}
		a.cases, a.mayWait = d.wishes(a, o.Cases), true
		a.waits.wait.all = &alternatives{wishes: slices.Clone(a.cases)}
		for _, w := range a.cases {
			w.on.used(w.side, a.task, o.K)
		}
	case op.Send, op.Recv:
		w := wish{side: sends}
		if o.Want == op.Recv {
			w.side = receives
			if l := d.locks.At(o.Object); l != nil {
				l.none = true // or else it would have found what it sent itself
			}
		}
		if o.Object != 0 {
			w.on = d.medium(o.Object)
			a.waits.wait.on = w
			w.on.used(w.side, a.task, o.K)
		}
	}
}

// Cycles returns the deadlocks found, after the last operation: first those in which the run has
// ended.
func (d *Detector) Cycles() []Cycle {
	blocked := d.blocked()
	var cycles []Cycle
	for _, c := range newWaitsFor(d, false).cycles(blocked) {
		cycles = append(cycles, d.summarise(c, true))
	}
	for _, a := range blocked {
		if a.waits.lock != nil && len(a.held) > 0 {
			d.nested(a, &a.waits.acquisition, a.waits.begin)
		}
	}
	for _, c := range d.list {
		if d.holds(c, blocked) {
			cycles = append(cycles, d.summarise(c, false))
		}
	}
	return cycles
}

// blocked returns the tasks that wait, in order.
func (d *Detector) blocked() []*actor {
	blocked := slices.Collect(maps.Values(d.actors))
	blocked = slices.DeleteFunc(blocked, func(a *actor) bool { return a.waits == nil })
	slices.SortFunc(blocked, func(a, b *actor) int { return cmp.Compare(a.task, b.task) })
	return blocked
}

// cycles returns those that tasks which wait lead to, each with different tasks.
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

// waitsFor is a depth-first search for a cycle in the graph of who waits for whom. All who wait for
// a lock have their edges in common, and each of these is removed when nothing more is to be found
// behind it: the search takes time in proportion to tasks and locks, and not to pairs of who waits
// and who is waited for.
type waitsFor struct {
	*Detector
	locksOnly bool            // who waits for something else waits for nobody
	visited   map[*actor]bool // true while on the path
	path      []edge

	owners  map[want]*edges      // to owners of a lock that are blocked, and keep out who wants it so
	writers map[*lockable]*edges // to those who wait to write; nil: not yet known
}

func newWaitsFor(d *Detector, locksOnly bool) *waitsFor {
	return &waitsFor{Detector: d, locksOnly: locksOnly, visited: map[*actor]bool{}, owners: map[want]*edges{}}
}

// want is to acquire a lock in one of the ways there are.
type want struct {
	lock *lockable
	kind op.Kind
}

// edge says that from waits for to: for the section of held, or else for something that it does.
type edge struct {
	from, to *actor
	held     acquisition
}

// edges are those of one task, or of all who wait for the same; from is not set then.
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

// next returns the next edge of a, and removes those before it behind which nothing is to be found.
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
		m.hold = e.from.holding()
		c.moments, c.blocker = append(c.moments, m), append(c.blocker, e.held)
	}
	return c
}

// edges returns for whom a, which is blocked, waits among the others that are. A task that waits
// for a lock that it holds itself waits for nobody.
func (w *waitsFor) edges(a *actor) *edges {
	l := a.waits.lock
	switch {
	case l == nil && w.locksOnly:
		return new(edges)
	case l == nil:
		return w.partners(a)
	}
	owners := w.blockedOwners(want{l, a.waits.Kind})
	if a.waits.Kind != op.RLock || owners.any && !a.owns(l) || w.locksOnly && !a.owns(l) {
		// while the run goes on: a reader that a writer has let in may not have said so, unless its
		// own section keeps that one out
		return owners
	}
	return w.waitingWriters(l)
}

// blockedOwners returns the edges to owners of a lock that are blocked themselves.
func (w *waitsFor) blockedOwners(by want) *edges {
	to := w.owners[by]
	if to != nil {
		return to
	}
	to = new(edges)
	for _, owner := range by.lock.owners {
		if owner.waits == nil {
			continue
		}
		if i := slices.IndexFunc(owner.held, func(h acquisition) bool { return h.lock == by.lock && reorder.Excludes(h.Kind, by.kind) }); i >= 0 {
			to.add(owner, owner.held[i])
		}
	}
	w.owners[by] = to
	return to
}

// waitingWriters returns the edges to those who wait to write: they keep new readers out.
func (w *waitsFor) waitingWriters(l *lockable) *edges {
	if w.writers == nil {
		w.writers = map[*lockable]*edges{}
		for _, b := range w.blocked() {
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

// partners returns those who used the other side of the channels that a waits for, if all who still
// could are blocked.
func (w *waitsFor) partners(a *actor) *edges {
	if !a.waits.wait.waits() && a.waits.wait.all == nil {
		return new(edges) // for a nil channel, or the counter of a WaitGroup
	}
	to := new(edges)
	for _, wish := range a.waits.wait.wishes() {
		other := sends + receives - wish.side
		if wish.on.outside || wish.on.many[other] {
			return new(edges)
		}
		for _, u := range wish.on.users[other] {
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
