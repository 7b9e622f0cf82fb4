package san

import (
	"cmp"
	stdslices "slices"
)

// create makes a task part of the net, with the knowledge of its creator.
func (b *Builder) create(h handle, knows clock) {
	t := b.n.handles[h]
	t.rank = Task(len(b.n.tasks))
	t.initialClock = knows
	b.n.tasks = append(b.n.tasks, t)
	b.n.clocks.fitTasks(len(b.n.tasks))
	b.readers[h].knows = knows
	b.wake(ref{h, 0})
}

// run schedules the events of a task, and of the tasks that these wake, as far as possible.
func (b *Builder) run(h handle) {
	for b.step(h) {
	}
	for i := 0; i < len(b.ready); i++ { // grows while it runs
		for b.step(b.ready[i]) {
		}
	}
	b.ready = b.ready[:0]
}

// step schedules the head of a task unless it must wait. It reports whether the next event of the
// task can be tried.
func (b *Builder) step(h handle) bool {
	t, r := b.n.handles[h], &b.readers[h]
	if r.halted || t.done == r.avail {
		return false
	}
	if t.rank < 0 {
		b.halt(h, ref{h, 0})
		return false
	}
	rec := &t.records[t.done]
	var p parts
	if rec.more != 0 {
		p = t.parts(rec)
		for c := range p.refs {
			if b.n.handles[c.h].done < c.k {
				b.halt(h, c)
				return false
			}
		}
	}
	if len(b.groups) > 0 {
		if g := b.groups[ref{h, t.done + 1}]; g != nil {
			r.halted = true
			g.arrived++
			if g.arrived == len(g.sides) {
				b.scheduleJoint(g)
			}
			return false
		}
	}
	b.schedule(h, rec, &p)
	return true
}

// halt makes the head of h wait for an event, or for the creation of a task.
func (b *Builder) halt(h handle, on ref) {
	b.readers[h].halted = true
	if b.blocked == nil {
		b.blocked = make(map[ref][]handle)
	}
	b.blocked[on] = append(b.blocked[on], h)
}

// wake resumes the tasks that wait for x.
func (b *Builder) wake(x ref) {
	if len(b.blocked) == 0 {
		return
	}
	woken, ok := b.blocked[x]
	if !ok {
		return
	}
	delete(b.blocked, x)
	for _, h := range woken {
		b.readers[h].halted = false
	}
	b.ready = append(b.ready, woken...)
}

// schedule makes an event that is an action of its own part of the net.
func (b *Builder) schedule(h handle, rec *record, p *parts) {
	r := &b.readers[h]
	knows := r.knows
	if len(p.causes) > 0 {
		t := b.n.handles[h]
		b.n.clocks.begin(Action{t.rank, t.done + 1}, view{knows, Action{t.rank, t.done}})
		knows = b.learn(knows, h, p)
	}
	b.n.actions++
	b.advance(h, rec, knows)
	if p.flags&hasSpawn != 0 {
		t := b.n.handles[h]
		own := Action{t.rank, t.done}
		b.n.clocks.begin(own, view{knows, own})
		b.create(p.spawn, b.n.clocks.raise(knows, own.Task, own.K))
	}
	b.wake(ref{h, b.n.handles[h].done})
}

// advance appends the head of a task to the net.
func (b *Builder) advance(h handle, rec *record, knows clock) {
	t, r := b.n.handles[h], &b.readers[h]
	rec.clock, r.knows = knows, knows
	t.done++
	b.n.order = append(b.n.order, t.rank)
	b.waiting--
	if len(r.queue) > 0 {
		if r.queue = r.queue[1:]; len(r.queue) == 0 {
			r.queue = nil
		}
	}
}

// learn adds to a clock under construction what an event of h learns from its causes.
func (b *Builder) learn(knows clock, h handle, p *parts) clock {
	cs := &b.n.clocks
	for c := range p.refs {
		t := b.n.handles[c.h]
		if c.h == h || cs.at(knows, t.rank) >= c.k {
			continue // knowing an event includes all that the event knows
		}
		knows = cs.join(knows, view{t.records[c.k-1].clock, Action{t.rank, c.k}})
	}
	return knows
}

// scheduleJoint makes a joint action part of the net once all sides are read and wait only for each
// other.
func (b *Builder) scheduleJoint(g *group) {
	n := b.n
	stdslices.SortFunc(g.sides, func(x, y ref) int {
		return cmp.Compare(n.handles[x.h].rank, n.handles[y.h].rank)
	})
	knows, ok := b.jointClock(g)
	if !ok {
		return
	}
	id := n.nameJoint(g)
	n.actions++
	for _, s := range g.sides {
		delete(b.groups, s)
		t := n.handles[s.h]
		t.setJoint(s.k, id)
		if t.done >= s.k {
			continue // scheduled too early; replay corrects its clock
		}
		b.advance(s.h, &t.records[s.k-1], knows)
		b.readers[s.h].halted = false
		b.ready = append(b.ready, s.h)
	}
	for _, s := range g.sides {
		t := n.handles[s.h]
		if p := t.parts(&t.records[s.k-1]); p.flags&hasSpawn != 0 && n.handles[p.spawn].rank < 0 {
			b.create(p.spawn, knows)
		}
		b.wake(s)
	}
	if g.id < 0 {
		b.freeGroups = append(b.freeGroups, g)
	}
}

// jointClock returns the union of what the sides of a joint action know. It returns false, and
// reports an error, if one of them comes after another, which is possible only if one was scheduled
// without the others.
func (b *Builder) jointClock(g *group) (clock, bool) {
	n, cs := b.n, &b.n.clocks
	for _, s := range g.sides {
		if t := n.handles[s.h]; t.done < s.k {
			// at least one side is not scheduled yet; see scheduleJoint
			cs.begin(Action{t.rank, s.k}, t.before(s.k))
			break
		}
	}
	var knows clock
	for _, s := range g.sides {
		t := n.handles[s.h]
		p := t.parts(&t.records[s.k-1])
		knows = b.learn(cs.join(knows, t.before(s.k)), s.h, &p)
	}
	for _, s := range g.sides {
		if cs.at(knows, n.handles[s.h].rank) >= s.k {
			b.broken = b.orderedSidesError(g, s)
			return 0, false
		}
	}
	for _, s := range g.sides {
		knows = cs.raise(knows, n.handles[s.h].rank, s.k)
	}
	return knows, true
}

// before returns the view from the local state before event k of the task.
func (t *task) before(k int32) view {
	if k == 1 {
		return view{t.initialClock, Action{t.rank, 0}}
	}
	return view{t.records[k-2].clock, Action{t.rank, k - 1}}
}
