package deadlock

import (
	"cmp"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// block notes that a task is about to wait.
func (d *Detector) block(a *actor, o *op.Op) {
	at := acquisition{free: o.Free, task: a.task, k: o.K, at: o.At, kind: o.Want}
	a.waits = &moment{acquisition: at, begin: o.Full, who: a}
	switch o.Want {
	case op.Lock, op.RLock, op.Once:
		if o.Want == op.Once {
			a.waits.kind = op.Lock
		}
		a.waits.lock = d.lock(o.Object)
		a.waits.seq = d.next()
		if o.Want == op.RLock {
			a.waits.lock.readers = true
		}
		d.begins(a)
	case op.Select:
		if o.N > 0 {
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

// Cycles returns the deadlocks found, after the last operation: first those in which the run has ended.
func (d *Detector) Cycles() []Cycle {
	blocked := d.blocked()
	w := waitsFor{Detector: d, blocked: blocked, visited: map[*actor]bool{}}
	var cycles []Cycle
	for _, c := range w.cycles(blocked) {
		cycles = append(cycles, d.tell(c, true))
	}
	for _, a := range blocked {
		if a.waits.lock != nil && len(a.held) > 0 {
			d.nested(a, &a.waits.acquisition, a.waits.begin)
		}
	}
	for _, c := range d.list {
		if d.holds(c, blocked) {
			cycles = append(cycles, d.tell(c, false))
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

// waitsFor is a depth-first search for a cycle in the graph of who waits for whom.
type waitsFor struct {
	*Detector
	blocked   []*actor        // all of them, in order; nil: look when they are asked for
	locksOnly bool            // who waits for something else waits for nobody
	visited   map[*actor]bool // true while on the path
	path      []edge
}

// edge says that from waits for to: for the section of held, or else for something that it does.
type edge struct {
	from, to *actor
	held     acquisition
}

// visit goes on from a. If it returns true, the path ends with a cycle.
func (w *waitsFor) visit(a *actor) bool {
	w.visited[a] = true
	for _, e := range w.edges(a) {
		w.path = append(w.path, e)
		onPath, done := w.visited[e.to]
		if onPath || !done && w.visit(e.to) {
			return true
		}
		w.path = w.path[:len(w.path)-1]
	}
	w.visited[a] = false
	return false
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

// edges returns for whom a, which is blocked, waits among the others that are. A task that waits for a
// lock that it holds itself waits for nobody.
func (w *waitsFor) edges(a *actor) []edge {
	l := a.waits.lock
	switch {
	case l == nil && w.locksOnly:
		return nil
	case l == nil:
		return w.partners(a)
	}
	var edges []edge
	for _, owner := range l.owners {
		i := slices.IndexFunc(owner.held, func(h acquisition) bool { return h.excludes(&a.waits.acquisition) })
		if i >= 0 && owner != a && owner.waits != nil {
			edges = append(edges, edge{a, owner, owner.held[i]})
		}
	}
	if len(edges) > 0 || a.waits.kind != op.RLock || w.locksOnly && !slices.Contains(l.owners, a) {
		return edges // while the run goes on: a reader that a writer has let in may not have said so, unless its own section keeps that one out
	}
	if w.blocked == nil {
		w.blocked = w.Detector.blocked()
	}
	for _, b := range w.blocked {
		if b.waits.lock == l && b.waits.kind == op.Lock {
			edges = append(edges, edge{from: a, to: b}) // who waits to write keeps new readers out
		}
	}
	return edges
}

// partners returns those who used the other side of the channels that a waits for, if all who still could
// are blocked.
func (w *waitsFor) partners(a *actor) []edge {
	if !a.waits.wait.waits() && a.waits.wait.all == nil {
		return nil // for a nil channel, or the counter of a WaitGroup
	}
	var edges []edge
	for _, wish := range a.waits.wait.wishes() {
		other := sends + receives - wish.side
		if wish.on.outside || wish.on.many[other] {
			return nil
		}
		for _, u := range wish.on.users[other] {
			b := w.actors[u.task]
			if b == nil || b == a || b.ended {
				continue
			}
			if b.waits == nil {
				return nil
			}
			edges = append(edges, edge{from: a, to: b})
		}
	}
	return edges
}
