package reorder

import (
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Point is a place between two operations of a task.
type Point struct {
	Task op.Task
	Done int32        // number of its last operation before
	Data *clock.Clock // what it knows there
}

// Prefix is the least correct prefix in which some tasks stand at points. Only IsOpen may be called
// after the history has received another operation.
type Prefix struct {
	history *History
	points  []Point
	clock   *clock.Clock // operations of all tasks, without the tail
	last    *tail        // comes after all else; nil: the order is that of the run
}

// lockState is the state of a lock in a closure.
type lockState struct {
	closure         int        // its number
	latest          int64      // section in the set; -1: none
	latestExclusive int64      // one that excludes all others
	open            []*section // that have begun in the set and not ended
	isDue           bool       // in closure.due
}

// closure makes a set of operations larger until it is a correct prefix.
type closure struct {
	*Prefix
	number int
	grown  []*task // have operations in the set that have not been looked at
	due    []*lock // may have sections that must end

	isNone   func(before, after op.Place) bool // see AnyPrefixBut; may be nil
	blocking *section                          // could not end
}

// Prefix returns the least correct prefix in which the tasks, all different, stand at these points,
// nil if there is none or too little is remembered.
//
// Time: a step for each operation that is added, or if that is less, for the last section of each
// lock of its task; and for all tasks whenever a section is made to end.
func (h *History) Prefix(points ...Point) *Prefix { return h.search(points, nil, 1) }

// search returns the prefix of the first closure that is one. The first has no tail, each further
// one a longer tail.
func (h *History) search(points []Point, isNone func(before, after op.Place) bool, closures int) *Prefix {
	if h.isOff || !h.remembers(points) {
		return nil
	}
	var last *tail
	for n := 1; ; n++ {
		c := h.newClosure(points, last)
		c.isNone = isNone
		if c.begin() && c.close() {
			if c.readsAhead() || last != nil && c.clashes() {
				return nil
			}
			return c.Prefix
		}
		if n == closures {
			return nil
		}
		if last = c.longerTail(); last == nil {
			return nil
		}
	}
}

func (h *History) newClosure(points []Point, last *tail) *closure {
	h.closures++
	for _, t := range h.list {
		t.in, t.entered = 0, 0
	}
	return &closure{Prefix: &Prefix{history: h, points: points, last: last}, number: h.closures}
}

// limit returns how many operations of a point's task are in the set when it is closed.
func (p *Prefix) limit(x *Point) int32 {
	if p.last != nil && p.last.Task == x.Task {
		return p.last.from - 1
	}
	return x.Done
}

// remembers reports whether no point is before what is remembered. It counts if one is.
func (h *History) remembers(points []Point) bool {
	for _, p := range points {
		if p.Done < h.dropped.At(int32(p.Task)) || p.Done < h.written.At(int32(p.Task)) {
			h.work.Lost++
			return false
		}
	}
	return true
}

// operationsDone returns how many operations of a task are in the prefix.
func (p *Prefix) operationsDone(t op.Task) int32 {
	if p.last != nil && p.last.Task == t {
		return p.last.Done
	}
	return p.clock.At(int32(t))
}

// Has reports whether the prefix has operation k of a task.
func (p *Prefix) Has(t op.Task, k int32) bool { return p.operationsDone(t) >= k }

// begin adds what comes before the points.
func (c *closure) begin() bool {
	if c.last != nil {
		c.beginTail()
	}
	all := c.history.dropped
	for i := range c.points {
		p := &c.points[i]
		all = clock.Join(all, c.before(p)).With(int32(p.Task), c.limit(p))
	}
	return c.add(all)
}

// add adds the operations of a clock. It fails if a task would be beyond its point, or in the tail.
func (c *closure) add(known *clock.Clock) bool {
	c.clock = clock.Join(c.clock, known)
	for i := range c.points {
		if p := &c.points[i]; c.clock.At(int32(p.Task)) > c.limit(p) {
			return false
		}
	}
	for _, t := range c.history.list {
		if k := known.At(int32(t.id)); k > t.in {
			if t.in == t.entered {
				c.grown = append(c.grown, t)
			}
			t.in = k
		}
	}
	c.history.work.Steps += int64(1 + len(c.history.list)/2)
	return true
}

// close adds the ends of sections after which others have begun.
func (c *closure) close() bool {
	for len(c.grown) > 0 || len(c.due) > 0 {
		if n := len(c.grown); n > 0 {
			t := c.grown[n-1]
			c.grown = c.grown[:n-1]
			c.enterSections(t)
			continue
		}
		l := c.due[len(c.due)-1]
		c.due = c.due[:len(c.due)-1]
		l.state.isDue = false
		if !c.endSections(&l.state) {
			return false
		}
	}
	return true
}

// enterSections looks at the sections that a task has begun in what was added: at each one or, if
// that is less, at the last one of each lock.
func (c *closure) enterSections(t *task) {
	from := t.entered
	t.entered = t.in
	begun := t.begun.all()
	first, end := begunBy(begun, from), begunBy(begun, t.in)
	const search = 16 // to find the last one of a lock takes as long as looking at this many
	if end-first <= search*len(t.uses) {
		c.beginAll(begun[first:end])
		return
	}
	c.history.work.Steps += int64(search * len(t.uses))
	for _, u := range t.uses {
		of := u.begun.all()
		n := begunBy(of, t.in)
		switch {
		case n == 0 || of[n-1].k <= from:
		case u.nested:
			c.beginAll(of[begunBy(of, from):n])
		default:
			c.beginAll(of[n-1 : n])
		}
	}
}

// beginAll notes that sections of a task have begun in the set.
func (c *closure) beginAll(sections []*section) {
	c.history.work.Steps += int64(len(sections))
	for _, s := range sections {
		l := c.state(s.lock)
		l.latest = max(l.latest, s.seq)
		if s.write != nil {
			l.latestExclusive = max(l.latestExclusive, s.write.seq)
		}
		if !s.isEnded() {
			l.open = append(l.open, s)
		}
		c.mustEnd(s.lock)
	}
}

// mustEnd notes that open sections of a lock may have to end.
func (c *closure) mustEnd(lock *lock) {
	if l := c.state(lock); len(l.open) > 0 && !l.isDue {
		l.isDue = true
		c.due = append(c.due, lock)
	}
}

// state returns what this closure knows of a lock.
func (c *closure) state(l *lock) *lockState {
	if l.state.closure != c.number {
		l.state = lockState{
			closure: c.number, latest: -1, latestExclusive: -1, open: append(l.state.open[:0], l.carried...),
		}
	}
	return &l.state
}

// isEnded reports whether the set that is being closed has the end of a section.
func (s *section) isEnded() bool { return s.endTask != nil && s.endTask.in >= s.endK }

// endSections adds the ends of those sections of a lock that come before others which they exclude.
// It fails if there is one without end.
func (c *closure) endSections(l *lockState) bool {
	left := l.open[:0]
	for _, s := range l.open {
		later := l.latest
		if s.reads() {
			later = l.latestExclusive
		}
		switch {
		case s.isEnded():
		case later <= s.seq:
			left = append(left, s)
		case s.endTask == nil || !c.add(s.endData.With(int32(s.endTask.id), s.endK)):
			c.blocking = s
			return false
		}
	}
	clear(l.open[len(left):])
	l.open = left
	return true
}

// readsAhead reports whether a read of the prefix may have seen what a task has written at the
// moment of its point.
func (c *closure) readsAhead() bool {
	for _, p := range c.points {
		for r := range c.history.readsOf(position{p.Task, p.Done}) {
			c.history.work.Steps++
			if c.mayHave(r) {
				return true
			}
		}
	}
	return false
}

// mayHave reports whether a read may be in the prefix. One at the moment of a point is in it if
// what comes before the point has what it has seen, unless it is the access that is being reported,
// which is at its point.
func (p *Prefix) mayHave(r *read) bool {
	if done := p.operationsDone(r.at.task); done != r.at.moment {
		return done > r.at.moment
	}
	if x := p.pointAt(r.at); x != nil {
		return !(r == p.history.own && !r.several) && p.history.knowsRead(x.Data, r)
	}
	return p.clock.At(int32(r.of.task)) >= r.of.moment
}

// knowsRead reports whether a clock has all that comes before what a read has seen.
func (h *History) knowsRead(c *clock.Clock, r *read) bool {
	seen := r.after()
	for _, t := range h.list {
		if c.At(int32(t.id)) < seen.At(int32(t.id)) && t.id != r.at.task {
			return false
		}
	}
	return c.At(int32(r.of.task)) >= r.of.moment
}

// pointAt returns the point at a position, nil if there is none.
func (p *Prefix) pointAt(x position) *Point {
	for i := range p.points {
		if q := &p.points[i]; q.Task == x.task && q.Done == x.moment {
			return q
		}
	}
	return nil
}

// Operations returns the number of operations of each task in the prefix, without those of a tail
// (see AnyPrefix).
func (p *Prefix) Operations() *clock.Clock { return p.clock }

// IsOpen reports whether a read in the prefix may have seen another value than the run's order
// says, as it races with a write, by all operations that the history has received so far.
func (p *Prefix) IsOpen() bool { return p.history.hasUnreported || p.history.IsOpenIn(p.clock) }

// IsOpenIn reports whether a reported race leaves open what some read in a set of operations has
// seen.
func (h *History) IsOpenIn(set *clock.Clock) bool {
	if h.allReadsOpen {
		return true
	}
	for t, moment := range h.openReads {
		if set.At(int32(t)) >= moment {
			return true
		}
	}
	return false
}
