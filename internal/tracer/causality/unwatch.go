package causality

// Unwatch stops passing operations to Options.Watch, which has run out of memory. It drops the
// knowledge of operations; names of reported ones stay. The causes of kept events do not change.
func (p *Order) Unwatch() {
	if p.watch == nil {
		return
	}
	p.eachKnowledge(func(k *operationClocks) { *k = operationClocks{} })
	p.eachGoroutine(func(g *goroutine) { g.moments = moments{} })
	for o := range p.objects.all() {
		o.dropOperations()
	}
	p.named = &watch{tasks: p.watch.tasks, tests: p.watch.tests, stacks: p.watch.stacks,
		display: p.watch.display, symbols: p.watch.symbols}
	p.watch = nil
}

// dropOperations drops what is only there for operations: tasks that are kept apart, and a
// channel's use as a lock, since the knowledge of a guard beside operations is that of the last
// receive.
func (o *object) dropOperations() {
	o.released.forgetOperations()
	if o.atomic != nil {
		o.atomic.loaded.forgetOperations()
	}
	if c := o.channel; c != nil {
		c.guard = nil
		if c.elements != nil {
			c.elements.sent.forgetOperations()
		}
	}
	if o.rare != nil && o.rare.connections != nil {
		o.rare.connections.shared((*sharedKnowledge).forgetOperations)
	}
}
