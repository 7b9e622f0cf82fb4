package kafkaservice

import "time"

// partitionClock is the time of a partition, by which its runs are late or over. It stands still
// while no member reads the partition: while the brokers are unreachable, the process is stopped,
// or no monitor owns the partition. Records of that time are in the topic, and are read first.
type partitionClock struct {
	last time.Time // real time of the last advance
	at   int64     // time of the clock, in nanoseconds; 0 before the first advance
}

// longestTick is the longest time between two advances while the partition is read: half as long
// again as between ticks.
const longestTick = 1500 * time.Millisecond

// advance returns the time of the clock at a real time.
func (c *partitionClock) advance(now time.Time) time.Time {
	switch {
	case c.at == 0:
		c.at = now.UnixNano()
	case !c.last.IsZero():
		c.at += int64(max(0, min(longestTick, now.Sub(c.last))))
	}
	c.last = now
	return time.Unix(0, c.at)
}
