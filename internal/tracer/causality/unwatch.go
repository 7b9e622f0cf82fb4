package causality

// Unwatch stops passing operations to Options.Watch, which has run out of memory. It drops the
// knowledge of operations; names of reported ones stay. The causes of kept events do not change.
func (p *Order) Unwatch() {
	if p.watch == nil {
		return
	}
	p.named = &watch{tasks: p.watch.tasks, tests: p.watch.tests, stacks: p.watch.stacks,
		display: p.watch.display, symbols: p.watch.symbols}
	p.watch = nil
	p.goroutines.each((*goroutine).forgetOperations)
	for _, g := range p.timers {
		g.forgetOperations()
	}
	for o := range p.objects.all() {
		o.forgetOperations()
	}
}

func (g *goroutine) forgetOperations() {
	g.know.forgetOperations()
	g.moments = moments{}
	if g.firing != nil {
		g.firing.know.forgetOperations()
	}
}

func (k *causalKnowledge) forgetOperations() { k.ops = operationClocks{} }

func (o *object) forgetOperations() {
	o.released.forgetOperations()
	if v := o.atomic; v != nil {
		v.stored.forgetOperations()
		v.loaded.forgetOperations()
	}
	o.channel.forgetOperations()
	o.held.forgetOperations()
	o.rare.forgetOperations()
}

func (u *rareState) forgetOperations() {
	if u == nil {
		return
	}
	if t := u.timer; t != nil {
		for _, known := range [...]*causalKnowledge{&t.pending, &t.armed, &t.idle} {
			known.forgetOperations()
		}
	}
	if u.counter != nil {
		for i := range u.counter.added {
			u.counter.added[i].know.forgetOperations()
		}
	}
	if u.signals != nil {
		u.signals.forgetOperations()
	}
}

// forgetOperations also ends a channel's use as a lock: the knowledge of a guard beside operations
// is that of the last receive.
func (c *channel) forgetOperations() {
	if c == nil {
		return
	}
	c.guard = nil
	c.closed.forgetOperations()
	for i := range c.slots {
		c.slots[i].forgetOperations()
	}
	for _, slot := range c.far {
		slot.forgetOperations()
	}
	if c.elements != nil {
		c.elements.received.forgetOperations()
		c.elements.sent.forgetOperations()
	}
}

func (l *lock) forgetOperations() {
	if l == nil {
		return
	}
	l.writing.begin.forgetOperations()
	if r := l.readers; r != nil {
		r.read.forgetOperations()
		r.waiting.begin.forgetOperations()
		for i := range r.reading {
			r.reading[i].begin.forgetOperations()
		}
	}
}
