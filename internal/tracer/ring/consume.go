package ring

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Consume delivers records until exited is closed and the ring is drained, or until yield returns
// false.
func (r *Ring) Consume(exited <-chan struct{}, yield func(*Record) bool) error {
	if more, err := r.Follow(exited, yield); !more || err != nil {
		return err
	}
	return r.Drain(yield)
}

// Follow delivers records until exited is closed, after which Drain delivers the rest, or until
// yield returns false, which it reports as no more.
//
// Records that yield is too slow for are taken out of the ring and queued by another goroutine (see
// relief). So the program waits only if the queue has no room either, however long a call of yield
// takes. While the ring is nearly empty records bypass the queue, which costs as much as the
// cheapest yield.
func (r *Ring) Follow(exited <-chan struct{}, yield func(*Record) bool) (more bool, err error) {
	stop, relief := make(chan struct{}), sync.WaitGroup{}
	r.resting = true
	relief.Go(func() { r.relief(stop) })
	defer relief.Wait()
	defer close(stop)
	for {
		select {
		case <-exited:
			return true, nil
		default:
		}
		found, more, err := r.follow(yield)
		if err != nil || !more {
			return false, err
		}
		if r.opt.Between != nil {
			r.opt.Between()
		}
		if found >= 0 {
			r.pause(found)
		}
	}
}

// follow delivers records of the queue or, if that is empty, of the ring; found is negative if it
// was the queue.
func (r *Ring) follow(yield func(*Record) bool) (found int, more bool, err error) {
	if found, err = r.takeDirectly(); err != nil {
		return found, false, err
	}
	if found < 0 {
		more, err = r.deliver(batch, yield)
		return found, more, err
	}
	for i := range r.direct.records {
		if !yield(&r.direct.records[i]) {
			return found, false, nil
		}
	}
	return found, true, nil
}

// takeDirectly copies the records in the ring; found is negative if the queue must be delivered
// first.
func (r *Ring) takeDirectly() (found int, err error) {
	r.direct.reset()
	r.taking.Lock()
	defer r.taking.Unlock()
	switch {
	case r.unreadable != nil:
		return 0, r.unreadable
	case !r.queue.empty():
		found = -1
	case r.stopped.Load():
		return 0, nil
	default:
		found, err = r.Poll(batch, r.direct.add)
	}
	r.delivers = found != 0
	if r.behind > r.cursor.n/8 || r.delivers && r.resting {
		r.callRelief()
	}
	return found, err
}

// callRelief makes relief look at the ring, which the caller holds.
func (r *Ring) callRelief() {
	r.resting = false
	select {
	case r.wake <- struct{}{}:
	default: // it has been called
	}
}

// direct has copies of records that bypass the queue. The ring is held while they are made, and not
// while they are delivered.
type direct struct {
	records []Record
	payload []byte
}

const directPayload = 4 * MaxPayload

func (d *direct) reset() { d.records, d.payload = d.records[:0], d.payload[:0] }

// add copies a record, and reports whether there is room for another one.
func (d *direct) add(r *Record) bool {
	if d.payload == nil {
		d.records, d.payload = make([]Record, 0, batch), make([]byte, 0, directPayload)
	}
	d.records = append(d.records, *r)
	if len(r.Payload) > 0 {
		start := len(d.payload)
		d.payload = append(d.payload, r.Payload...)
		d.records[len(d.records)-1].Payload = d.payload[start:len(d.payload):len(d.payload)]
	}
	return len(d.records) < batch && len(d.payload) <= directPayload-MaxPayload
}

// The intervals at which relief looks at the ring: in relieveEvery a program can fill about half of
// it.
const (
	relieveEvery = 2 * time.Millisecond
	// if there is nothing to deliver: Follow finds new records, and calls relief before it delivers
	// them
	relieveIdle = time.Second
)

// relief takes records that are not delivered in time out of the ring, until stop is closed. It
// allocates nothing: the garbage collector may hold up the delivery, but not this.
func (r *Ring) relief(stop <-chan struct{}) {
	timer := time.NewTimer(relieveIdle)
	defer timer.Stop()
	var waits waitClock
	for {
		select {
		case <-stop:
			return
		case <-r.wake:
		case <-timer.C:
		}
		again, idle := r.relieve(&waits)
		switch {
		case again:
			timer.Reset(0)
		case idle:
			timer.Reset(relieveIdle)
		default:
			timer.Reset(relieveEvery)
		}
	}
}

// relieve empties the ring into the queue if there is much in it. It reports whether there may be
// as much again, and whether there is nothing to deliver.
func (r *Ring) relieve(waits *waitClock) (again, idle bool) {
	r.taking.Lock()
	defer r.taking.Unlock()
	if r.unreadable != nil || r.stopped.Load() {
		return false, true
	}
	if err := r.look(); err != nil {
		r.unreadable = err
		return false, true
	}
	full, much := r.behind >= r.cursor.n, r.behind > r.cursor.n/8
	idle = r.behind == 0 && !r.delivers
	r.resting = idle
	if much && r.queue.room() {
		r.unreadable = r.empty()
	}
	r.waited.Add(int64(waits.look(time.Now(), full && !r.queue.room())))
	return much && r.behind > r.cursor.n/8 && r.queue.room(), idle
}

// empty moves the records in the ring to the queue.
func (r *Ring) empty() error {
	_, err := r.Poll(int(r.cursor.n), r.queue.put)
	return err
}

// waitClock measures how long the program waits, by samples.
type waitClock struct{ last time.Time } // look

// look returns how long the program has waited since the last look, if it waits. Records that have
// since been taken out of the ring may have let it run for a moment.
func (c *waitClock) look(now time.Time, waits bool) (d time.Duration) {
	if waits && !c.last.IsZero() {
		d = now.Sub(c.last)
	}
	c.last = now
	return d
}

// Waited returns how long the program has waited so far, while it was followed, because neither the
// ring nor the queue had room. It may be called on any goroutine.
func (r *Ring) Waited() time.Duration { return time.Duration(r.waited.Load()) }

// Stop lets the program continue untraced. Records that have been taken out of the ring are still
// delivered, and no others: the delivered records are a prefix of the run. Stop may be called on
// any goroutine at any time.
func (r *Ring) Stop() error {
	r.taking.Lock() // records written without flags have gaps, and must not be taken
	defer r.taking.Unlock()
	r.stopped.Store(true)
	return r.command(OffFlags, func(flags *uint32) { atomic.StoreUint32(flags, 0) })
}

// FollowInStep is Follow for a program that must not run ahead. After at most a thousand records it
// calls judge, also if there were none (idle), and only then gives the slots back. Nothing is
// queued: the program waits for judge. judge ends the delivery as yield does.
func (r *Ring) FollowInStep(exited <-chan struct{}, yield func(*Record) bool,
	judge func(idle bool) bool) (more bool, err error) {
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
		if err := r.watch(found); err != nil {
			return false, err
		}
	}
}

// step delivers a batch and calls judge.
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
		if r.queue.delivered() {
			if ok, err := r.advance(); !ok {
				return err == nil, err
			}
		}
		if !yield(r.queue.next()) {
			return false, nil
		}
	}
	r.alive.Store(time.Now().UnixNano())
	return true, nil
}

func (r *Ring) advance() (bool, error) {
	r.taking.Lock()
	defer r.taking.Unlock()
	return r.queue.advance()
}

// Drain delivers the remaining records after the traced process has ended.
func (r *Ring) Drain(yield func(*Record) bool) (err error) {
	r.queue.end()
	if more, err := r.deliver(math.MaxInt, yield); !more {
		return err
	}
	if r.stopped.Load() {
		return nil
	}
	defer r.guard(&err)()
	defer r.giveBack()
	reserved := atomic.LoadUint64(r.word64(OffProd)) &^ ClosedBit
	// Reservations beyond the size of the ring were still waiting for room.
	end := min(reserved, r.given+r.cursor.n)
	r.cursor.drain(end, yield)
	return nil
}

// pause waits after a Poll that found few records, longer after many such Polls, at most restLong.
// A consumer right behind the producer would take each cache line away from it while it is being
// written; one that lets some records gather costs the program less.
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
		time.Sleep(r.rest())
	}
}

// A consumer that has found nothing for about a second rests longer. When such a program wakes up
// it may fill the ring, and wait that much longer once. Looking every millisecond, in contrast,
// would take some hundredths of a processor forever.
const (
	restShort = time.Millisecond
	restLong  = 10 * time.Millisecond
	restAfter = 1000 // calls of pause, most of them for restShort
)

// rest returns how long pause waits when it has found nothing for a while.
func (r *Ring) rest() time.Duration {
	if r.idle < restAfter {
		return restShort
	}
	return restLong
}
