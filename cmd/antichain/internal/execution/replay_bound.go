package execution

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// Tests that keep a schedule which leads to goroutines that wait may never end. They are ended when
// there is nothing more to see.
const (
	replayQuiet = 5 * time.Second // since the last operation, after the schedule
	// since the last step, whatever goes on; all attempts to confirm a finding take no longer
	replayTime = 30 * time.Second
)

// replayBound ends tests that keep a schedule. It implements op.Watcher.
type replayBound struct {
	steps      int                    // of the schedule, 0 if it is that of a seed
	operations atomic.Uint64          // so far
	why        atomic.Pointer[string] // the tests were ended, nil if they were not
}

// Op counts an operation.
func (b *replayBound) Op(*op.Op) { b.operations.Add(1) }

// bound returns what ends tests that keep the schedule, nil if that does not lead to goroutines
// that wait.
func (r *replay) bound() *replayBound {
	if r == nil || !r.schedule.Waits() {
		return nil
	}
	r.ends = &replayBound{steps: len(r.schedule.Steps)}
	if r.schedule.Keep.Seed != 0 {
		r.ends.steps = 0
	}
	return r.ends
}

// watch ends the tests when it is time for that.
func (b *replayBound) watch(run *started) {
	clock := newReplayClock(time.Now(), b.steps)
	for {
		select {
		case <-run.Exited():
			return
		case now := <-time.After(progressPoll):
			if why := clock.checkTime(now, run.Progress(), b.operations.Load()); why != "" {
				b.why.Store(&why)
				run.end()
				return
			}
		}
	}
}

// text says why the tests were ended, "" if they were not.
func (b *replayBound) text() string {
	if b == nil || b.why.Load() == nil {
		return ""
	}
	return *b.why.Load()
}

// replayClock decides when tests that keep a schedule are over.
type replayClock struct {
	steps      int // of the schedule; 0 if it is that of a seed, whose progress is unknown
	done       int // of these
	operations uint64

	stepped, changed time.Time // the last step, or the beginning; the last operation after that
}

func newReplayClock(now time.Time, steps int) *replayClock {
	return &replayClock{steps: steps, stepped: now, changed: now}
}

// checkTime returns why the tests are over; "" if they are not. Tests that have not reached the
// first step yet may take their time while they do something.
func (c *replayClock) checkTime(now time.Time, kept ring.Progress, operations uint64) string {
	if kept.Done != c.done {
		c.done, c.stepped = kept.Done, now
	}
	if operations != c.operations {
		c.operations, c.changed = operations, now
	}
	settled := c.steps > 0 && kept.Done == c.steps || kept.GaveUp
	quiet := now.Sub(later(c.changed, c.stepped))
	switch {
	case settled && quiet >= replayQuiet:
		return fmt.Sprintf("nothing had happened in them for %v", replayQuiet)
	case c.steps == 0 && now.Sub(c.stepped) >= replayTime:
		return fmt.Sprintf("they had taken %v", replayTime)
	case (settled || c.done > 0) && now.Sub(c.stepped) >= replayTime:
		return fmt.Sprintf("they had gone on for %v since the last step of the schedule", replayTime)
	case quiet >= replayTime:
		return fmt.Sprintf("nothing had happened in them for %v", replayTime)
	}
	return ""
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
