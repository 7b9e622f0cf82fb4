package kafkaservice

import "time"

// partitionClock is the time of a partition, in which its runs are late, or over. It stands still while nobody reads
// the partition: while the brokers are away, the process is stopped, or no monitor has the partition. Records that were
// missed then are in the topic, and come first.
type partitionClock struct {
	last time.Time // of all, when it was looked at last
	at   int64     // what it shows, in nanoseconds; 0 before it is looked at
}

// longestTick is the longest time between two looks at the clock while the partition is read: half as long again as between ticks.
const longestTick = 1500 * time.Millisecond

// advance returns what the clock shows at a time.
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
