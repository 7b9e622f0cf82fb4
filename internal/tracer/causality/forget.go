package causality

import (
	"cmp"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// A server starts goroutines without end. Of one that has ended, and that neither the watcher nor a
// name of another one has, nothing is kept: no origin, and no number in clocks. A clock then says
// that it does not know of it. Causality asks clocks about such a task only to find out what is
// known already, so it computes the same again where a task was forgotten, and the order stays the
// same. Where accesses to memory are reported, any of them may be in conflict with one of a task
// that ended long ago, and nothing is forgotten.

// rarelyForgotten is how many tasks begin at least until some are forgotten again.
const rarelyForgotten = 1 << 16

// forget forgets tasks that have ended, where the watcher can do without them. The more it has to
// go through, the later it is called again.
func (p *Order) forget() {
	w := p.watch
	known := map[op.Task]bool{}
	keep := func(t op.Task) {
		for from := w.tasks.at(t); from != nil && !known[t]; from = w.tasks.at(t) {
			known[t] = true
			t = from.by
		}
	}
	pause := cmp.Or(p.opt.ForgetAfter, rarelyForgotten)
	if !op.Remembers(w.watcher, keep) {
		w.forgetAt = w.tasks.count + pause
		return
	}
	p.eachGoroutine(func(g *goroutine) { keep(g.self) })
	for _, l := range w.lateLoaders.of {
		keep(l.ops.task)
	}
	s := clock.NewSweep(w.tasks.count)
	for t := range known {
		s.Keep(int32(t))
	}
	s.Keep(w.tasks.count) // its block has room for those that come next

	p.nameUpTo(op.Task(w.tasks.count - 1)) // a name says how many have run the same function before
	gone := func(first int) bool { return s.IsGone(int32(first)) }
	w.tasks.table.Drop(gone)
	w.display.tasks.Drop(gone)
	op.Forget(w.watcher, s)
	p.eachKnowledge(func(k *operationClocks) { k.sweep(s) })
	p.forgetLate(s)
	p.know.clocks.Forget() // or it would keep what was dropped
	w.forgetAt = w.tasks.count + max(pause, int32(min(2*w.tasks.table.Held(), 1<<30)))
}

// sweep drops forgotten tasks from the clocks of h, and from earlier versions of these.
func (h *operationClocks) sweep(s *clock.Sweep) {
	h.clocks.sweep(s)
	for p := h.past; p != nil; p = p.ancestor {
		p.first.sweep(s)
		for i := range p.versions {
			p.versions[i].sweep(s)
		}
	}
}

func (c *clocks) sweep(s *clock.Sweep) {
	for _, each := range c {
		s.Clock(each)
	}
}

// eachGoroutine calls f for every goroutine that has not ended, also before a timer has started it.
func (p *Order) eachGoroutine(f func(*goroutine)) {
	p.goroutines.each(func(g *goroutine) {
		f(g)
		if g.firing != nil {
			f(g.firing)
		}
	})
	for _, g := range p.timers {
		f(g)
	}
}

// eachKnowledge calls see for all knowledge of operations.
func (p *Order) eachKnowledge(see func(*operationClocks)) {
	p.eachGoroutine(func(g *goroutine) { see(&g.know.ops) })
	for o := range p.objects.all() {
		o.each(see)
	}
	see(&p.watch.beforeLearning)
	see(&p.watch.ended.ops)
}

func (o *object) each(see func(*operationClocks)) {
	o.released.each(see)
	if v := o.atomic; v != nil {
		see(&v.stored.ops)
		v.loaded.each(see)
	}
	o.channel.each(see)
	o.held.each(see)
	o.rare.each(see)
}

func (s *sharedKnowledge) each(see func(*operationClocks)) {
	if s == nil {
		return
	}
	see(&s.ops)
	for i := range s.others {
		see(&s.others[i])
	}
}

func (u *rareState) each(see func(*operationClocks)) {
	if u == nil {
		return
	}
	if t := u.timer; t != nil {
		for _, known := range [...]*causalKnowledge{&t.pending, &t.armed, &t.idle, &t.idleBefore} {
			see(&known.ops)
		}
	}
	if u.counter != nil {
		for i := range u.counter.added {
			see(&u.counter.added[i].know.ops)
		}
	}
	if u.signals != nil {
		see(&u.signals.ops)
	}
	u.connections.each(see)
}

func (c *channel) each(see func(*operationClocks)) {
	if c == nil {
		return
	}
	if c.guard != nil {
		c.guard.left.each(see)
	}
	see(&c.closed.ops)
	for i := range c.slots {
		see(&c.slots[i].ops)
	}
	for _, slot := range c.far {
		see(&slot.ops)
	}
	if c.elements != nil {
		see(&c.elements.received.ops)
		c.elements.sent.each(see)
	}
}

func (l *lock) each(see func(*operationClocks)) {
	if l == nil {
		return
	}
	see(&l.writing.begin.ops)
	if r := l.readers; r != nil {
		see(&r.read.ops)
		see(&r.waiting.begin.ops)
		for i := range r.reading {
			see(&r.reading[i].begin.ops)
		}
	}
}
