package strategy

// This file is part of package runtime of a traced program, too; see lottery.go.

// maxConstraints bounds the constraints of a run under RFF.
const maxConstraints = 16

// constraintPatience is for how many steps a constraint may decide without coming true.
const constraintPatience = 1 << 10

// constraint says what an operation of a place reads: what one of another place has written, or
// anything else. An operation reads what the last one before it on the same object has written,
// unless that is of the same goroutine.
type constraint struct {
	writer, reader uint32 // sites
	other          bool   // the reader is to read anything else

	over    bool // it has come true, or was given up
	awaited bool // a goroutine is about to do an operation of the reader's place
	// of the writer's last operation, as long as no other one has written
	objects [ticketObjects]uint64
	path    uint64 // of the goroutine that did it
	steps   uint32 // that it may have decided
}

// isWritten reports whether an operation of the writer's place was the last one to write.
//
//go:nosplit
func (c *constraint) isWritten() bool { return c.objects[0] != 0 }

// reads reports whether the next operation of t reads what the writer has written.
//
//go:nosplit
func (c *constraint) reads(t *ticket) bool {
	return t.site == c.reader && t.path != c.path && meet(&c.objects, &t.objects)
}

// overwrites reports whether the next operation of t writes in its place.
//
//go:nosplit
func (c *constraint) overwrites(t *ticket) bool { return !t.looks && meet(&c.objects, &t.objects) }

// judges reports whether t should go before others, or behind them.
//
//go:nosplit
func (c *constraint) judges(t *ticket) (first, last bool) {
	switch {
	case c.over || t.site == 0:
		return false, false
	case c.isWritten() && c.reads(t):
		return !c.other, c.other
	case c.isWritten():
		overwrites := c.overwrites(t)
		return c.other && overwrites, !c.other && overwrites
	case c.other:
		return t.site == c.reader, t.site == c.writer
	}
	return c.awaited && t.site == c.writer, t.site == c.reader
}

// follows notes that the goroutine of t does its next operation.
//
//go:nosplit
func (c *constraint) follows(t *ticket) {
	if c.over || t.site == 0 {
		return
	}
	if c.awaited || c.isWritten() {
		c.steps++
	}
	c.over = c.steps >= constraintPatience || t.site == c.reader && c.reads(t) != c.other
	if c.overwrites(t) {
		c.objects = [ticketObjects]uint64{}
	}
	if t.site == c.writer {
		c.objects, c.path = t.objects, t.path
	}
}

// constrained returns the priority of t: those of operations that fit the constraints are above all
// others, and those that do not are below.
//
//go:nosplit
func (l *lottery) constrained(t *ticket) uint64 {
	first, last := false, false
	for i := range l.constraints {
		f, l := l.constraints[i].judges(t)
		first, last = first || f, last || l
	}
	switch {
	case first && !last:
		return t.priority | priorityFirst
	case last && !first:
		return t.priority &^ priorityDrawn
	}
	return t.priority
}

// follows notes that the goroutine of t does its next operation.
//
//go:nosplit
func (l *lottery) follows(t *ticket) {
	for i := range l.constraints {
		l.constraints[i].follows(t)
	}
	t.site = 0
}
