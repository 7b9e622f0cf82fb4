//go:build unix

package launch

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// timeline dates the records of a program, which have no times themselves. It notes every few
// milliseconds how many records the program has written. So a record has its time however late it
// is delivered, and costs the program nothing.
type timeline struct {
	start   time.Time
	written func() uint64 // records so far

	over chan struct{} // closed when the program has ended, after end is set
	end  time.Duration // of the program

	next  atomic.Uint64 // index of the first of marks; no record has it if there are none
	mutex sync.Mutex
	marks []mark
	last  time.Duration // look
}

// mark says that records from an index on were written at a time or later.
type mark struct {
	index uint64
	at    time.Duration
}

const (
	precision = 10 * time.Millisecond // between two marks
	// between two looks where delivering takes long; without that it looks more often
	lookEvery = 50 * time.Millisecond
)

const noMark = math.MaxUint64

func newTimeline(written func() uint64) *timeline {
	t := &timeline{start: time.Now(), written: written, over: make(chan struct{})}
	t.next.Store(noMark)
	t.note(0, 0)
	return t
}

// follow makes marks until the program has ended.
func (t *timeline) follow(exited <-chan struct{}) {
	defer close(t.over)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-exited:
			t.end = time.Since(t.start)
			return
		case <-tick.C:
			t.look()
		}
	}
}

// look makes a mark if it is time. It may be called on any goroutine.
func (t *timeline) look() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if now := time.Since(t.start); now-t.last >= precision {
		t.last = now
		t.note(t.written(), now)
	}
}

// note makes a mark. One that no record has come behind is replaced. The caller holds the mutex.
func (t *timeline) note(index uint64, at time.Duration) {
	if last := len(t.marks) - 1; last >= 0 && t.marks[last].index == index {
		t.marks[last].at = at
		return
	}
	t.marks = append(t.marks, mark{index, at})
	t.next.Store(t.marks[0].index)
}

// before returns the time at which a record was written, or shortly before, if the last record that
// it was called for is older than that.
func (t *timeline) before(index uint64) (at time.Duration, dated bool) {
	if index < t.next.Load() {
		return 0, false
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	passed := 0
	for passed < len(t.marks) && t.marks[passed].index <= index {
		at = t.marks[passed].at
		passed++
	}
	t.marks = t.marks[passed:]
	next := uint64(noMark)
	if len(t.marks) > 0 {
		next = t.marks[0].index
	}
	t.next.Store(next)
	return at, passed > 0
}
