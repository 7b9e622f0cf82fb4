package kafkaservice

import (
	"testing"
	"time"
)

// The clock begins with the present time, goes on with ticks, and stands still while there are
// none; a state that was saved continues where it has stopped.
func TestPartitionClock(t *testing.T) {
	begin := time.Unix(1000, 0)
	for _, test := range []struct {
		saved int64           // what a state says; 0 is none
		looks []time.Duration // since begin
		want  time.Duration   // of the last look, since begin
	}{
		{0, []time.Duration{0}, 0},
		{0, []time.Duration{0, time.Second, 2 * time.Second}, 2 * time.Second},
		{0, []time.Duration{0, time.Hour}, longestTick},
		{0, []time.Duration{0, -time.Hour}, 0},
		{begin.UnixNano(), []time.Duration{time.Hour}, 0},
		{begin.UnixNano(), []time.Duration{time.Hour, time.Hour + time.Second}, time.Second},
	} {
		c := partitionClock{at: test.saved}
		var shows time.Time
		for _, look := range test.looks {
			shows = c.advance(begin.Add(look))
		}
		if got := shows.Sub(begin); got != test.want {
			t.Errorf("%+v: shows %v", test, got)
		}
	}
}
