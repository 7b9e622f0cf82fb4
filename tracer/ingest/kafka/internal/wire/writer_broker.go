package wire

import (
	"context"
	"slices"
	"time"
)

const (
	// requestsPerBroker is the number of requests in progress to a broker. While one is answered,
	// others are made.
	requestsPerBroker = 2
	// requestBytes is the number of bytes of records before compression that are enough for a
	// request.
	requestBytes = 8 << 20
)

type writerBroker struct {
	writer *Writer
	id     int32
	wake   chan struct{} // full if there may be more to send
	slots  chan struct{} // has an element for each request in progress

	portion portion // of a request; under the writer's lock
}

// run sends batches until the writer ends.
func (b *writerBroker) run() {
	w := b.writer
	for {
		select {
		case b.slots <- struct{}{}:
		case <-w.ctx.Done():
			return
		}
		queues := await(w.ctx, b.take)
		if len(queues) == 0 {
			return
		}
		w.work.Go(func() {
			w.attempts.try(w.ctx, func() { poke(w.unknown) }, func() bool { return b.moved(queues) },
				func(ctx context.Context) { b.send(ctx, queues) })
			<-b.slots
		})
	}
}

// take takes partitions to send to, with the batch of each, for await.
func (b *writerBroker) take() (queues []*queue, changed <-chan struct{}, next time.Duration) {
	w := b.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	now, room := time.Now(), b.portion.now
	next = partitionsEvery
	for _, q := range w.queues { // random order: no partition waits for others forever
		if q.leader != b.id || !q.idle() {
			continue
		}
		if wait := q.after.Sub(now); wait > 0 {
			next = min(next, wait)
			continue
		}
		if room <= 0 {
			break
		}
		q.fill()
		room -= q.size()
		q.busy = true
		queues = append(queues, q)
	}
	return queues, b.wake, next
}

// moved reports whether another broker leads one of the partitions by now.
func (b *writerBroker) moved(queues []*queue) bool {
	b.writer.mu.Lock()
	defer b.writer.mu.Unlock()
	return slices.ContainsFunc(queues, func(q *queue) bool { return q.leader >= 0 && q.leader != b.id })
}

// send sends the batches of partitions, and notes their outcomes.
func (b *writerBroker) send(ctx context.Context, queues []*queue) {
	if err := b.identify(ctx, queues); err != nil {
		b.reportFate(queues, func(_ int, q *queue) ([]pending, error) { return q.unsent(err) })
		return
	}
	zstd := b.writer.cluster.TakesZstd()
	writes := make([]Write, len(queues))
	for i, q := range queues {
		q.encode(zstd)
		writes[i] = Write{q.TopicPartition, q.bytes}
	}
	written, err := b.writer.cluster.ProduceAll(ctx, b.id, writes)
	b.noteOutcome(err)
	b.reportFate(queues, func(i int, q *queue) ([]pending, error) {
		if err != nil {
			return q.noteSilence(err)
		}
		return q.noteAnswer(written[i].Err)
	})
}

// noteOutcome notes the outcome of a request.
func (b *writerBroker) noteOutcome(err error) {
	b.writer.mu.Lock()
	defer b.writer.mu.Unlock()
	b.portion.adapt(err)
}

// identify chooses the producer of batches.
func (b *writerBroker) identify(ctx context.Context, queues []*queue) error {
	for _, q := range queues {
		if q.by != NoProducer {
			continue
		}
		by, err := b.producer(ctx, q.own)
		if err != nil {
			return err
		}
		q.by = by
		if q.bytes != nil {
			setProducer(q.bytes, q.by, q.sequence)
		}
	}
	return nil
}

// producer returns the producer of most partitions, or a new one. Two of them for most do no harm.
func (b *writerBroker) producer(ctx context.Context, own bool) (Producer, error) {
	w := b.writer
	w.mu.Lock()
	by := w.shared
	w.mu.Unlock()
	if !own && by != NoProducer {
		return by, nil
	}
	by, err := w.cluster.NewProducer(ctx, b.id)
	if err == nil && !own {
		w.mu.Lock()
		w.shared = by
		w.mu.Unlock()
	}
	return by, err
}

// reportFate reports the fate of records of partitions, and frees the partitions.
func (b *writerBroker) reportFate(queues []*queue, fate func(int, *queue) ([]pending, error)) {
	w := b.writer
	for i, q := range queues {
		w.mu.Lock()
		settled, err := fate(i, q)
		w.mu.Unlock()
		w.settle(settled, err)
		w.free(q)
		if err != nil {
			poke(w.unknown)
		}
	}
}

// free lets the next batch of a partition be sent.
func (w *Writer) free(q *queue) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q.busy = false
	if q.idle() {
		w.wake(q)
	}
}
