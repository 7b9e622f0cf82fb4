package main

import "time"

// clock is the time of a partition, in which its runs are late, or over. It stands still while nobody listens: while the
// brokers are away, the process is stopped, or no monitor has the partition. What was missed then is in the
// topic, and comes first.
type clock struct {
	last time.Time // of all, when it was looked at last
	at   int64     // what it shows, in nanoseconds; 0 before it is looked at
}

// longest is the longest time between two looks at the clock while somebody listens: half as long again as between ticks.
const longest = 1500 * time.Millisecond

// pass returns what the clock shows at a time.
func (c *clock) pass(now time.Time) time.Time {
	switch {
	case c.at == 0:
		c.at = now.UnixNano()
	case !c.last.IsZero():
		c.at += int64(max(0, min(longest, now.Sub(c.last))))
	}
	c.last = now
	return time.Unix(0, c.at)
}
