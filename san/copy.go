package san

import stdslices "slices"

// Copy returns a copy of the net as far as it is built. The copy does not grow: it can be read
// while the builder continues. A builder only appends to its net, so the copy shares the events and
// has its own list of tasks. It needs RequireMutual; otherwise a later event can change an earlier
// one.
func (b *Builder) Copy() *Net {
	n := *b.n
	n.growing = false
	n.names, n.strs, n.vars = b.n.names.share(), b.n.strs.share(), b.n.vars.share()
	n.copyTasks(b.n)
	// the builder replaces the last chunk by a longer one
	n.clocks.chunks = stdslices.Clone(n.clocks.chunks)
	n.shared = stdslices.Clone(n.shared)
	for i := range n.shared {
		v := &n.shared[i]
		v.writers = stdslices.Clone(v.writers)
		n.seal(v)
	}
	return &n
}

// copyTasks copies the tasks of another net, each with its present number of events.
func (n *Net) copyTasks(of *Net) {
	room := make([]task, len(of.handles))
	n.handles, n.tasks = make([]*task, len(of.handles)), make([]*task, len(of.tasks))
	for h, t := range of.handles {
		room[h] = *t
		n.handles[h] = &room[h]
		if t.rank >= 0 {
			n.tasks[t.rank] = &room[h]
		}
	}
}
