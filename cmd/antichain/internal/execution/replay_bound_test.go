package execution

import (
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Tests that keep a schedule are over when nothing happens any more behind its end, or when nothing
// comes of it for long.
func TestReplayClock(t *testing.T) {
	never := ring.Progress{}
	kept := ring.Progress{Done: 4}
	halfway := ring.Progress{Done: 2}
	givenUp := ring.Progress{Done: 2, GaveUp: true}
	for _, tt := range []struct {
		name     string
		steps    int
		progress ring.Progress
		busy     bool // there are operations all the time
		want     time.Duration
		why      string
	}{
		{"kept", 4, kept, false, replayQuiet, "nothing had happened"},
		{"kept, and others go on", 4, kept, true, replayTime, "since the last step"},
		{"given up", 4, givenUp, false, replayQuiet, "nothing had happened"},
		{"given up, and others go on", 4, givenUp, true, replayTime, "since the last step"},
		{"in between", 4, halfway, false, replayTime, "since the last step"},
		{"not begun, and others go on", 4, never, true, 0, ""},
		{"not begun", 4, never, false, replayTime, "nothing had happened"},
		{"seed", 0, never, false, replayTime, "they had taken"},
		{"seed, and others go on", 0, never, true, replayTime, "they had taken"},
	} {
		start := time.Now()
		clock := newReplayClock(start, tt.steps)
		const settles = time.Second // the schedule has come so far
		ended, why := time.Duration(0), ""
		for at := time.Duration(0); at < time.Hour && why == ""; at += 100 * time.Millisecond {
			progress, operations := never, uint64(0)
			if at >= settles {
				progress = tt.progress
			}
			if tt.busy {
				operations = uint64(at)
			}
			ended, why = at, clock.checkTime(start.Add(at), progress, operations)
		}
		want := tt.want
		if tt.progress != never {
			want += settles
		}
		if why == "" {
			ended = 0
		}
		if ended != want || !strings.Contains(why, tt.why) || (why == "") != (tt.why == "") {
			t.Errorf("%s: after %v, want %v: %s", tt.name, ended, want, why)
		}
	}
}
