package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// moment is a task about to do something for which it may have to wait: to acquire a lock, or to
// use a channel or WaitGroup.
type moment struct {
	acquisition              // without lock if it is on a channel or WaitGroup; Free is what the task knew before
	begin       *clock.Clock // what it knew then in the full order
	started     *goStatement // of the task; the task itself would keep all its other moments
	hold        *holding     // nil: it holds no lock
	wait        wait         // for what, if not for a lock
}

// holding is what a task holds at a moment.
type holding struct {
	held  []acquisition
	since reorder.Known  // the first since it held nothing
	left  []reorder.Span // that it has left since then
}

// heldLocks returns the locks held.
func (m *moment) heldLocks() []acquisition {
	if m.hold == nil {
		return nil
	}
	return m.hold.held
}

// copyHeld copies what a holds.
func (a *actor) copyHeld() *holding {
	return &holding{slices.Clone(a.held), a.Since, slices.Clone(a.Left)}
}

// newMoment returns the entry for a new moment.
func (a *actor) newMoment() *moment {
	if len(a.moments) < maxMoments {
		a.moments = append(a.moments, moment{})
		return &a.moments[len(a.moments)-1]
	}
	m := &a.moments[a.oldest]
	a.oldest = (a.oldest + 1) % maxMoments
	*m = moment{}
	return m
}

// dependency is an edge of a lock-order graph: some task was in sections of locks, and could not
// leave them before it, or another task that it waited for, had acquired a lock.
type dependency struct {
	key, places uint64
	locks       []*lockable // held
	wanted      *lockable
	instances   []instance
	count       int // how often it was seen

	cyclic  bool // the lock wanted leads back to a lock held
	checked int  // in this version of the graph
}

// instance is a dependency at one time: the moment of the holder, of those it waits for in turn,
// and at last of the task that wants the lock, which for nested sections is the holder.
type instance []moment

func (i instance) holder() *moment { return &i[0] }
func (i instance) waiter() *moment { return &i[len(i)-1] }

// noteNested notes that a task which holds locks is about to acquire another one. It returns what
// it holds if that was not seen often enough before.
func (d *Detector) noteNested(a *actor, next *acquisition, begin *clock.Clock) *holding {
	if a.Many {
		return nil
	}
	o := d.dependencyOf(a.held, nil, next)
	if o == nil || !o.isDue(a.task) {
		return nil
	}
	hold := a.copyHeld()
	d.add(o, instance{{acquisition: *next, begin: begin, started: a.started, hold: hold}})
	return hold
}

// dependencyOf returns the dependency of a holder that, by way of waits, needs a lock; nil if there
// are too many.
func (d *Detector) dependencyOf(held []acquisition, by []moment, next *acquisition) *dependency {
	key, places := uint64(len(held)), uint64(len(held))
	for i := range held {
		key, places = mix(key, &held[i], true), mix(places, &held[i], false)
	}
	for i := range by {
		key, places = mix(key, &by[i].acquisition, true), mix(places, &by[i].acquisition, false)
	}
	key, places = mix(key, next, true), mix(places, next, false)
	if o := d.dependencies[key]; o != nil {
		return o
	}
	if d.alike[places] >= maxAlike || len(d.dependencies) >= maxOrders {
		return nil
	}
	o := &dependency{key: key, places: places, wanted: next.lock}
	for i := range held {
		if l := held[i].lock; !slices.Contains(o.locks, l) {
			o.locks = append(o.locks, l)
			l.first = append(l.first, o)
		}
	}
	o.wanted.wanted = append(o.wanted.wanted, o)
	d.dependencies[key] = o
	d.alike[places]++
	d.version++
	return o
}

// drop removes a dependency from the lock-order graph.
func (d *Detector) drop(o *dependency) {
	for _, l := range o.locks {
		l.first = without(l.first, o)
	}
	o.wanted.wanted = without(o.wanted.wanted, o)
	delete(d.dependencies, o.key)
	if d.alike[o.places]--; d.alike[o.places] == 0 {
		delete(d.alike, o.places)
	}
}

func without(orders []*dependency, o *dependency) []*dependency {
	i := slices.Index(orders, o)
	return slices.Delete(orders, i, i+1)
}

// mix hashes an acquisition, with its lock or without. Locks and places are numbers that the run
// gives in order, so no program can choose them to collide.
func mix(h uint64, a *acquisition, withLock bool) uint64 {
	h = (h ^ uint64(a.At)<<8 ^ uint64(a.Kind)) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	if withLock && a.lock != nil {
		h = (h ^ uint64(a.lock.object)) * 0xbf58476d1ce4e5b9
		h ^= h >> 32
	}
	return h
}

// isDue counts an occurrence and reports whether to search for cycles through it: for the first
// ones of different tasks, and then more and more rarely. So what happens often costs little, and
// the last search is not long ago.
func (o *dependency) isDue(t op.Task) bool {
	o.count++
	if o.count&(o.count-1) == 0 {
		return true
	}
	if len(o.instances) == maxInstances {
		return false
	}
	return !slices.ContainsFunc(o.instances, func(i instance) bool { return i.holder().Task == t })
}

// add keeps an instance and looks for cycles through it.
func (d *Detector) add(o *dependency, i instance) {
	if len(o.instances) < maxInstances {
		o.instances = append(o.instances, i)
	} else {
		o.instances[1+o.count%(maxInstances-1)] = i // the first one stays
	}
	if d.isCyclic(o) {
		d.search(i)
	}
}

// isCyclic reports whether the lock that is wanted leads to one that is held.
func (d *Detector) isCyclic(o *dependency) bool {
	if o.checked == d.version {
		return o.cyclic
	}
	o.checked, o.cyclic = d.version, false
	seen := map[*lockable]bool{o.wanted: true}
	for todo := []*lockable{o.wanted}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if slices.Contains(o.locks, l) || len(seen) > maxSteps {
			o.cyclic = true
			break
		}
		for _, next := range l.first {
			if !seen[next.wanted] {
				seen[next.wanted] = true
				todo = append(todo, next.wanted)
			}
		}
	}
	return o.cyclic
}

// keepWriter keeps a moment before Lock for readers' cycles: see search.
func (d *Detector) keepWriter(l *lockable, m *moment) {
	if m.Kind != op.Lock {
		return
	}
	l.writes++
	known := slices.ContainsFunc(l.writers, func(w moment) bool { return w.Task == m.Task })
	switch {
	case l.writes&(l.writes-1) != 0 && (known || !l.readers || len(l.writers) == maxInstances):
		return
	case len(l.writers) < maxInstances:
		l.writers = append(l.writers, *m)
	default:
		l.writers[l.writes%maxInstances] = *m
	}
	if !l.readers {
		return
	}
	for _, o := range l.first {
		for _, i := range o.instances {
			d.search(i)
		}
	}
}
