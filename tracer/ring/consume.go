package ring

import (
	"math"
	"sync/atomic"
	"time"
)

// Consume delivers records until exited is closed and everything is drained, or
// until yield returns false.
func (r *Ring) Consume(exited <-chan struct{}, yield func(*Record) bool) error {
	if more, err := r.Follow(exited, yield); !more || err != nil {
		return err
	}
	return r.Drain(yield)
}

// Follow delivers records until exited is closed, after which Drain delivers the rest, or
// until yield returns false, which it reports as no more.
//
// What yield does not keep up with is taken out of the ring and queued, so that the
// program waits only if the queue has no room either. As long as the ring is nearly empty
// records do not go through the queue, which costs as much as the cheapest of yields.
func (r *Ring) Follow(exited <-chan struct{}, yield func(*Record) bool) (more bool, err error) {
	for {
		select {
		case <-exited:
			return true, nil
		default:
		}
		var found int
		more = true
		if r.queue.empty() && r.behind <= r.cursor.n/8 {
			found, err = r.Poll(batch, func(rec *Record) bool { more = yield(rec); return more })
		} else {
			found, more, err = r.relieve(yield)
		}
		if err != nil || !more {
			return false, err
		}
		if r.queue.empty() {
			r.pause(found)
		}
	}
}

// relieve empties the ring into the queue and delivers some of the queue.
func (r *Ring) relieve(yield func(*Record) bool) (found int, more bool, err error) {
	if r.queue.room() {
		if found, err = r.Poll(int(r.cursor.n), r.queue.put); err != nil {
			return found, false, err
		}
	}
	more, err = r.deliver(batch, yield)
	return found, more, err
}

// FollowInStep is Follow for a program that shall not run ahead. Behind at most a thousand
// records it calls judge, also when there were none (idle), and gives the slots back only
// then. Nothing is queued: where judge does not keep up with it, the program waits. judge ends
// this as yield does.
func (r *Ring) FollowInStep(exited <-chan struct{}, yield func(*Record) bool, judge func(idle bool) bool) (more bool, err error) {
	for {
		select {
		case <-exited:
			return true, nil
		default:
		}
		found, more, err := r.step(yield, judge)
		if err != nil || !more {
			return false, err
		}
		r.watch(found)
	}
}

// watch is pause for a consumer that somebody may be waiting for.
func (r *Ring) watch(found int) {
	if r.idle++; found > 0 {
		r.idle = 0
	}
	switch {
	case found == batch:
	case r.idle < 100:
		nap(20 * time.Microsecond)
	default:
		time.Sleep(time.Millisecond)
	}
}

// step delivers a batch and has it judged.
func (r *Ring) step(yield func(*Record) bool, judge func(idle bool) bool) (found int, more bool, err error) {
	defer r.guard(&err)()
	defer r.giveBack()
	more = true
	found, _ = r.take(batch, func(rec *Record) bool { more = yield(rec); return more })
	if err := r.plausible(); err != nil {
		return found, false, err
	}
	return found, more && judge(found == 0), nil
}

// deliver delivers the oldest n records of the queue, or all.
func (r *Ring) deliver(n int, yield func(*Record) bool) (more bool, err error) {
	for ; n > 0; n-- {
		rec, err := r.queue.next()
		if rec == nil {
			return err == nil, err
		}
		if !yield(rec) {
			return false, nil
		}
	}
	r.alive.Store(time.Now().UnixNano())
	return true, nil
}

// Drain delivers all that is left after the traced process has ended.
func (r *Ring) Drain(yield func(*Record) bool) (err error) {
	if more, err := r.deliver(math.MaxInt, yield); !more {
		return err
	}
	defer r.guard(&err)()
	defer r.giveBack()
	reserved := atomic.LoadUint64(r.word64(OffProd)) &^ ClosedBit
	// Reservations beyond the size of the ring were still waiting for room.
	end := min(reserved, r.given+r.cursor.n)
	r.cursor.drain(end, yield)
	return nil
}

// pause waits after a Poll that found few records, the longer the more such Polls
// there were, at most about a millisecond. A consumer right behind the producer would
// take each cache line away from it while it is being written; one that lets some
// records gather costs the program less.
func (r *Ring) pause(found int) {
	switch {
	case found >= batch:
		r.idle = 0
		return
	case found > 0:
		r.idle = 1
	default:
		r.idle++
	}
	switch {
	case r.idle < 20:
		time.Sleep(20 * time.Microsecond)
	case r.idle < 60:
		time.Sleep(200 * time.Microsecond)
	default:
		time.Sleep(time.Millisecond)
	}
}
