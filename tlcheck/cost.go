package tlcheck

import "time"

// cost is what a node has taken in a check that is profiled. A nil cost, that of nodes in
// other checks, counts nothing.
type cost struct {
	NodeCost
	clock *clock
}

// clock gives the time that passes to what is being computed.
type clock struct {
	now     func() time.Time
	running *cost
	since   time.Time
}

// newClock returns a clock that gives the time to running until a node is entered.
func newClock(now func() time.Time, running *cost) *clock {
	return &clock{now: now, running: running, since: now()}
}

// turn stops the time of what is running and starts that of c.
func (k *clock) turn(c *cost) (before *cost) {
	now := k.now()
	before = k.running
	before.Own += now.Sub(k.since)
	k.running, k.since = c, now
	return before
}

// enter begins the computation of one set and returns what leave wants.
func (c *cost) enter() (outer *cost) {
	if c == nil {
		return nil
	}
	return c.clock.turn(c)
}

// leave ends the computation of one set, of so many intervals.
func (c *cost) leave(outer *cost, intervals int) {
	if c == nil {
		return
	}
	c.clock.turn(outer)
	c.Sets++
	c.Intervals += intervals
	c.Largest = max(c.Largest, intervals)
}
