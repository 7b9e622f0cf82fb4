package wire

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	kafka "github.com/segmentio/kafka-go"
)

// follow requests the leaders of partitions, now and then and when one is not known.
func follow(ctx context.Context, every time.Duration, unknown <-chan struct{}, request func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-unknown:
			request()
			Sleep(ctx, again)
		case <-tick.C:
			request()
		case <-ctx.Done():
		}
	}
}

// Sleep waits for a while, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) {
	limited, stop := context.WithTimeout(ctx, d)
	defer stop()
	<-limited.Done()
}

func (r *Reader) requestLeaders() {
	topics, err := r.cluster.Metadata(r.ctx, r.config.Topic)
	if err != nil || len(topics) != 1 || topics[0].Err != nil || topics[0].ID.Differs(r.config.ID) {
		poke(r.unknown)
		return
	}
	r.noteLeaders(topics[0].Leaders)
	if r.attempts.review() {
		poke(r.unknown)
	}
}

// noteLeaders notes the leaders of the partitions.
func (r *Reader) noteLeaders(leaders map[int32]Leader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, leader := range leaders {
		c := r.cursors[p]
		if c == nil && r.config.Added {
			r.terms++
			c = &cursor{next: AtStart, high: -1, term: r.terms}
			r.cursors[p] = c
		}
		if c != nil {
			c.leader = leader
		}
		if c != nil && leader.Broker >= 0 && !r.brokers[leader.Broker] {
			r.brokers[leader.Broker] = true
			r.work.Go(func() { r.read(leader.Broker) })
		}
	}
	r.change()
}

type part struct {
	*cursor
	number int32
	term   int
	from   int64
	epoch  int32
}

// read reads the partitions that a broker leads.
func (r *Reader) read(broker int32) {
	d := NewDecoder(r.config.Limit)
	defer d.Close()
	portion := newPortion(cmp.Or(r.config.Portion, fetchBytes))
	for r.ctx.Err() == nil {
		parts := await(r.ctx, func() ([]part, <-chan struct{}, time.Duration) { return r.take(broker) })
		var batches []Batch
		ask, moved := func() { poke(r.unknown) }, func() bool { return r.moved(parts, broker) }
		r.attempts.try(r.ctx, ask, moved, func(ctx context.Context) {
			var err error
			if batches, err = r.fetch(ctx, broker, parts, portion.now, d); err != nil {
				batches = r.noteFailure(parts, err)
			}
			portion.adapt(err)
		})
		if len(batches) > 0 {
			select {
			case r.out <- batches:
			case <-r.ctx.Done():
				return
			}
		}
		r.release(parts)
	}
}

// moved reports whether another broker leads one of the partitions by now.
func (r *Reader) moved(parts []part, broker int32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(parts, func(p part) bool { return p.leader.Broker >= 0 && p.leader.Broker != broker })
}

// await calls take until it returns partitions, or the context ends. Between two calls it waits
// until changed is closed or next has passed.
func await[P any](ctx context.Context, take func() (parts []P, changed <-chan struct{}, next time.Duration)) []P {
	for {
		parts, changed, next := take()
		if len(parts) > 0 || ctx.Err() != nil {
			return parts
		}
		limited, stop := context.WithTimeout(ctx, next)
		select {
		case <-changed:
		case <-limited.Done():
		}
		stop()
	}
}

// take takes the partitions to ask a broker for, for await.
func (r *Reader) take(broker int32) (parts []part, changed <-chan struct{}, next time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	next = leadersEvery
	for number, c := range r.cursors { // random order: no partition waits for others forever
		if c.leader.Broker != broker || c.paused || c.asked {
			continue
		}
		if wait := c.after.Sub(now); wait > 0 {
			next = min(next, wait)
			continue
		}
		c.asked = true
		parts = append(parts, part{c, number, c.term, c.next, c.leader.Epoch})
	}
	return parts, r.changed, next
}

// release allows partitions to be asked for again.
func (r *Reader) release(parts []part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range parts {
		if p.cursor.term == p.term {
			p.asked = false
		}
	}
	r.change()
}

// fetch asks a broker for at most most bytes of partitions. The error of a partition is in its batch.
func (r *Reader) fetch(ctx context.Context, broker int32, parts []part, most int, d *Decoder) ([]Batch, error) {
	batches, err := r.find(ctx, broker, parts)
	if err != nil {
		return nil, err
	}
	request := &FetchRequest{
		Broker: broker, Topic: r.config.Topic, ID: r.config.ID,
		Wait: fetchWait, Bytes: most, PerPart: min(fetchPerPart, most), Committed: true,
	}
	for _, p := range parts {
		if p.from >= 0 {
			request.From = append(request.From, Position{p.number, p.epoch, p.from})
		}
	}
	if len(request.From) == 0 {
		return batches, nil
	}
	answers, err := r.cluster.Fetch(ctx, request)
	if err != nil {
		return nil, err
	}
	d.Reset()
	for _, a := range answers {
		i := slices.IndexFunc(parts, func(p part) bool { return p.number == a.Partition })
		if i < 0 {
			continue
		}
		if b, ok := r.batch(&parts[i], &a, d); ok {
			batches = append(batches, b)
		}
	}
	return batches, nil
}

// find resolves unknown offsets of partitions at their start or end. They can be fetched the next
// time. It returns the errors of some.
func (r *Reader) find(ctx context.Context, broker int32, parts []part) (failed []Batch, err error) {
	for _, at := range []int64{AtStart, AtEnd} {
		var numbers []int32
		for _, p := range parts {
			if p.from == at {
				numbers = append(numbers, p.number)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		offsets, err := r.cluster.ListOffsets(ctx, broker, r.config.Topic, numbers, at)
		if err != nil {
			return nil, err
		}
		for i := range parts {
			switch p := &parts[i]; {
			case p.from != at:
			// a leader that has not learned of it yet
			case errors.Is(offsets[p.number].Err, kafka.UnknownTopicOrPartition):
				failed = append(failed, r.noteFailure(parts[i:i+1], kafka.LeaderNotAvailable)...)
			case offsets[p.number].Err != nil:
				failed = append(failed, r.noteFailure(parts[i:i+1], offsets[p.number].Err)...)
			default:
				r.advance(p, offsets[p.number].At, nil)
			}
		}
	}
	return failed, nil
}

// noteFailure notes why partitions have no answer. It returns the batches to report: none at first,
// as most failures are temporary, and none for connections, which Config.Connected reports.
func (r *Reader) noteFailure(parts []part, err error) (batches []Batch) {
	silent := r.ctx.Err() != nil || errors.As(err, new(*ConnectError))
	for i := range parts {
		p := &parts[i]
		if often := r.advance(p, p.from, err); (often || timedOut(err)) && !silent {
			batches = append(batches, Batch{Partition: p.number, Next: p.from, High: -1, Err: err, term: p.term})
		}
	}
	return batches
}

// batch decodes the answer for a partition, and reports whether there is something to return.
func (r *Reader) batch(p *part, a *Partition, d *Decoder) (b Batch, ok bool) {
	b = Batch{Partition: a.Partition, Next: p.from, High: a.High, Start: a.Start, Err: a.Err, term: p.term}
	if b.Err == nil {
		b.Records, b.Next, b.Err = d.Decode(nil, a, p.from)
	}
	var skipped *BatchError
	if errors.As(b.Err, &skipped) && skipped.TooLarge {
		b.Next = skipped.Last + 1
		r.advance(p, b.Next, nil)
		return b, true
	}
	if errors.Is(b.Err, kafka.OffsetOutOfRange) {
		r.advance(p, r.config.Lost, nil)
		r.noteHigh(p, -1) // reports where it continues, even without records
		return b, false
	}
	often := r.advance(p, b.Next, b.Err)
	if b.Err != nil {
		return b, often || len(b.Records) > 0 || !isTransient(b.Err)
	}
	return b, r.noteHigh(p, b.High) || b.Next > p.from
}

// noteHigh notes the end of a partition, and reports whether it has changed.
func (r *Reader) noteHigh(p *part, high int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := p.cursor.high
	p.cursor.high = high
	return high != was
}

// isTransient reports whether an error of a partition is mostly temporary: its leader has changed.
func isTransient(err error) bool {
	var code kafka.Error
	return errors.As(err, &code) &&
		(code.Temporary() || code == kafka.UnknownTopicID || code == kafka.InconsistentTopicID)
}

// advance notes the next offset of a partition, or a failure. It reports whether failures are too
// many to be silent.
func (r *Reader) advance(p *part, next int64, err error) (often bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := p.cursor
	if c.term != p.term {
		return false
	}
	c.next = next
	if err == nil {
		c.failed, c.heard = 0, time.Now()
		return false
	}
	c.failed++
	c.after = time.Now().Add(again)
	poke(r.unknown)
	return c.failed > quietly
}
