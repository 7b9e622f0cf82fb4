package tlcheck

import "time"

// cost is the time and space that a node takes in a profiled check. A nil cost counts nothing; the
// nodes of other checks have it.
type cost struct {
	NodeCost
	clock *clock
}

// clock attributes elapsed time to the current computation.
type clock struct {
	now     func() time.Time
	running *cost
	since   time.Time
}

// newClock returns a clock that attributes time to running until a node is entered.
func newClock(now func() time.Time, running *cost) *clock {
	return &clock{now: now, running: running, since: now()}
}

// turn stops the time of the running cost and starts that of c.
func (k *clock) turn(c *cost) (before *cost) {
	now := k.now()
	before = k.running
	before.Own += now.Sub(k.since)
	k.running, k.since = c, now
	return before
}

// enter begins the computation of one set. It returns the argument for leave.
func (c *cost) enter() (outer *cost) {
	if c == nil {
		return nil
	}
	return c.clock.turn(c)
}

// leave ends the computation of one set with that many intervals.
func (c *cost) leave(outer *cost, intervals int) {
	if c == nil {
		return
	}
	c.clock.turn(outer)
	c.Sets++
	c.Intervals += intervals
	c.Largest = max(c.Largest, intervals)
}
