package kafka

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// ReadConfig configures reading a topic without a group.
type ReadConfig struct {
	Address  Address
	Security Security
	New      func(partition int32, state []byte) (Processor, error)
	FromEnd  bool // begin at the end of the topic
	ToEnd    bool // stop at its present end
	Log      zerolog.Logger

	limit int // decompressed bytes of a batch; 0 is maxUnfolded
}

// Reader reads all partitions of a topic, in one goroutine, and saves nothing.
type Reader struct {
	config     ReadConfig
	network    *network
	cluster    *wire.Cluster
	ctx        context.Context // ends the reading; its cause is the reason
	end        context.CancelCauseFunc
	processors map[int32]Processor
	// with ToEnd, the ends of the partitions that are not finished; no others are read
	ends     map[int32]int64
	fetching outage
	topic    wire.Topic
	reader   *wire.Reader

	mu       sync.Mutex // guards the rest
	at       map[int32]position
	busy     time.Time // since when the present records are processed; zero if there are none
	busyWith int32     // their partition
}

// position is the progress in a partition.
type position struct {
	next int64 // offset of the next record
	high int64 // and the end of the partition
}

// OpenReader returns a reader, which begins with Run, and ends when the context does.
func OpenReader(ctx context.Context, c ReadConfig) (*Reader, error) {
	r := &Reader{
		config: c, network: newNetwork(c.Log), processors: map[int32]Processor{}, ends: map[int32]int64{},
		at: map[int32]position{},
	}
	r.ctx, r.end = context.WithCancelCause(ctx)
	var contact *contact
	var err error
	if r.cluster, contact, err = c.Security.cluster(c.Address, r.network, r.end); err != nil {
		return nil, err
	}
	if err = contact.waitForTopic(r.ctx, r.cluster, contact.patience()); err == nil {
		err = insist(r.ctx, func() error { return settle(r.ctx, r.find) })
	}
	if err != nil {
		r.cluster.Close()
		return nil, err
	}
	return r, nil
}

// find asks for the first offsets and ends of the partitions.
func (r *Reader) find() (err error) {
	if r.topic, err = findKnown(r.ctx, r.cluster, r.config.Address.Topic); err != nil {
		return err
	}
	all, err := offsetRanges(r.ctx, r.cluster, r.topic)
	if err != nil {
		return err
	}
	for p, found := range all {
		start, end := found.next, found.high
		r.at[p] = found
		if r.config.FromEnd {
			r.at[p] = position{end, end}
		} else if r.config.ToEnd && start < end {
			r.ends[p] = end
		}
	}
	return nil
}

// Run reads all partitions, from their beginning, until the context of OpenReader ends, whose cause
// is the error, or, with ToEnd, until the end of the topic. It returns the processors.
func (r *Reader) Run() (map[int32]Processor, error) {
	defer r.end(nil)
	defer r.cluster.Close()
	name := r.config.Address.Topic
	go watchTopic(r.ctx, name, r.topic.ID, topicID(r.cluster, name), func() {}, func(err error) {
		r.end(cmp.Or(err, fmt.Errorf("topic %s was deleted and made anew since it is read: begin again", name)))
	})
	r.begin()
	defer r.reader.Close()
	return r.processors, r.read(r.ctx)
}

// begin starts reading the partitions at the known offsets.
func (r *Reader) begin() {
	config := wire.ReaderConfig{
		Topic: r.topic.Name, ID: r.topic.ID, Limit: cmp.Or(r.config.limit, maxUnfolded), Lost: wire.AtStart,
		Added: !r.config.ToEnd,
	}
	if r.config.FromEnd {
		config.Lost = wire.AtEnd
	}
	r.reader = r.cluster.NewReader(config)
	from := map[int32]int64{}
	for p, at := range r.at {
		if _, ends := r.ends[p]; ends || !r.config.ToEnd {
			from[p] = at.next
		}
	}
	r.reader.Set(from)
}

func (r *Reader) read(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !r.config.ToEnd || len(r.ends) > 0 {
		polling, cancel := context.WithTimeout(ctx, time.Second)
		batches, _ := r.reader.Poll(polling)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, b := range batches {
			if err := r.takeBatch(&b); err != nil {
				return err
			}
		}
		select {
		case now := <-tick.C:
			r.tick(now)
		default:
		}
	}
	return nil
}

// takeBatch processes a batch of a partition.
func (r *Reader) takeBatch(b *wire.Batch) error {
	if len(b.Records) > 0 {
		r.fetching.readWorks(r.config.Log)
		if err := r.take(b); err != nil {
			return err
		}
	}
	switch batch, lasts := tooLargeBatch(b.Err), permanent(b.Err); {
	case lasts != nil:
		return lasts
	case batch != nil:
		logSkipped(r.config.Log, b.Partition, batch)
	case b.Err != nil:
		r.fetching.readFailed(r.config.Log, b)
	}
	r.noteReached(b, b.Next)
	if end, ends := r.ends[b.Partition]; ends && b.Next >= end {
		delete(r.ends, b.Partition)
		r.reader.Drop(b.Partition)
	}
	return nil
}

// tick lets time pass in the partitions that are read to their end.
func (r *Reader) tick(now time.Time) {
	defer r.noteBusy(0, time.Time{})
	for n, p := range r.processors {
		if r.noteBusy(n, now); r.caughtUp(n) && now.Sub(r.reader.Heard(n)) < silence {
			p.Tick(now)
		}
	}
}

// caughtUp reports whether all known records of a partition are taken.
func (r *Reader) caughtUp(partition int32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.at[partition]
	return at.next >= at.high
}

// take processes the records of a batch.
func (r *Reader) take(b *wire.Batch) error {
	p := r.processors[b.Partition]
	if p == nil {
		var err error
		if p, err = r.config.New(b.Partition, nil); err != nil {
			return err
		}
		r.processors[b.Partition] = p
	}
	defer r.noteBusy(0, time.Time{})
	end, ends := r.ends[b.Partition]
	var now time.Time
	source := "" // of the previous record
	for i := range b.Records {
		rec := &b.Records[i]
		if i%64 == 0 {
			now = time.Now()
			r.noteBusy(b.Partition, now)
		}
		if ends && rec.Offset >= end {
			break
		}
		one := recordIn(r.topic.Name, b.Partition, source, rec)
		source = one.Source
		p.Take(one, now)
		r.noteReached(b, rec.Offset+1)
	}
	return nil
}

// noteReached notes that a batch of a partition was processed up to an offset. A failed batch does
// not have the partition's end.
func (r *Reader) noteReached(b *wire.Batch, next int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := position{next, b.High}
	if b.Err != nil && tooLargeBatch(b.Err) == nil {
		was := r.at[b.Partition]
		at = position{max(next, was.next), was.high}
	}
	if end, ends := r.ends[b.Partition]; ends {
		at.high = end
	}
	r.at[b.Partition] = at
}

// noteBusy notes since when records of a partition are processed, zero if none are.
func (r *Reader) noteBusy(partition int32, since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busyWith, r.busy = partition, since
}
