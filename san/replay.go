package san

// replay schedules all events again in their earlier order, but with every joint action whole. It
// is needed if a side of a joint action was scheduled alone, because it has no "with" and the event
// that names it came later. It returns false if events remain that wait for each other.
func (b *Builder) replay() bool {
	order := b.unwind()
	for id := range max(len(b.n.starts), 1) - 1 {
		b.regroup(uint32(id))
	}
	for h, t := range b.n.handles {
		if t.initial {
			b.create(handle(h), 0)
		}
	}
	for _, h := range order {
		b.readers[h].avail++
		b.waiting++
		b.run(h)
	}
	return b.waiting == 0
}

// unwind takes all events out of the net and returns their tasks in order.
func (b *Builder) unwind() []handle {
	n := b.n
	byRank := make([]handle, len(n.tasks))
	for h, t := range n.handles {
		if t.rank >= 0 {
			byRank[t.rank] = handle(h)
		}
		t.rank, t.done, t.initialClock = -1, 0, 0
		r := &b.readers[h]
		r.knows, r.avail, r.halted, r.queue = 0, 0, false, nil
	}
	order := make([]handle, len(n.order))
	for i, t := range n.order {
		order[i] = byRank[t]
	}
	n.tasks, n.order, n.actions, n.clocks = nil, n.order[:0], 0, newClocks()
	clear(b.blocked)
	clear(b.groups)
	b.ready, b.waiting, b.broken = nil, 0, nil
	return order
}

// regroup makes a joint action wait again. If it became part of a larger one, it has the lower
// number, and the larger one takes over its sides.
func (b *Builder) regroup(id uint32) {
	g := &group{id: int32(id)}
	for _, s := range b.n.sidesOf(id) {
		b.join(g, s)
	}
}
