package wire

import (
	"context"
	"net"
	"sync"
	"time"
)

// ReaderConfig configures a Reader.
type ReaderConfig struct {
	Topic string
	ID    TopicID // of the topic, if known: no other topic of that name is read
	Limit int     // decompressed bytes of a batch; a larger one is skipped
	Lost  int64   // where to continue if the records of an offset no longer exist: AtStart or AtEnd
	Added bool    // read added partitions, too, from their start

	Portion int // bytes that a broker is asked for at once, as they are sent; 0 is 50 MiB
}

// Reader reads partitions of a topic, each from an offset on. It returns only committed
// transactions.
//
//	brokers ══► goroutine of each, an answer ahead ──► Poll
//
// A goroutine asks its broker for all partitions that this leads at once: a request for each would
// need a connection for each, and read small records no faster. After a temporary failure it
// retries, and the leaders are requested.
type Reader struct {
	cluster  *Cluster
	config   ReaderConfig
	ctx      context.Context
	end      context.CancelFunc
	work     sync.WaitGroup
	out      chan []Batch
	attempts attempts

	mu      sync.Mutex
	cursors map[int32]*cursor
	terms   int
	changed chan struct{}  // closed when there may be more to ask for
	brokers map[int32]bool // those that have a goroutine
	unknown chan struct{}  // full if the leaders have to be requested
}

// cursor is the progress in a partition.
type cursor struct {
	next   int64 // AtStart or AtEnd if it is not known yet
	term   int   // incremented each time it is set: earlier answers are ignored
	leader Leader
	paused bool
	asked  bool      // a request is in progress, or its answer has not been polled
	failed int       // consecutive failures
	after  time.Time // when to try again
	heard  time.Time // when its leader last answered
	high   int64     // the last reported end; -1 if there was none
}

// Batch is the outcome of one read of a partition.
type Batch struct {
	Partition int32
	Records   []Record
	// offset after those that were read, even if it has no record; negative, with an error, if
	// unknown
	Next  int64
	High  int64 // end of the partition; -1, with an error, if unknown
	Start int64 // of the first one
	// Err is why reading does not continue, for now; it is retried. A *BatchError that is TooLarge
	// describes the skipped batch.
	Err error

	term int
}

const (
	fetchWait    = 250 * time.Millisecond // for records to come
	fetchBytes   = 50 << 20
	fetchPerPart = 1 << 20
	again        = 250 * time.Millisecond // between two attempts
	leadersEvery = 10 * time.Second       // how often leaders, and added partitions, are requested
	// failures that are not reported, since most are temporary
	quietly = 4
)

// NewReader returns a reader of the cluster, which reads nothing before Set.
func (c *Cluster) NewReader(config ReaderConfig) *Reader {
	r := &Reader{
		cluster: c, config: config, out: make(chan []Batch),
		cursors: map[int32]*cursor{}, changed: make(chan struct{}), brokers: map[int32]bool{},
		unknown: make(chan struct{}, 1),
	}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.work.Go(func() { follow(r.ctx, leadersEvery, r.unknown, r.requestLeaders) })
	return r
}

// Close ends the reader.
func (r *Reader) Close() {
	r.end()
	r.work.Wait()
}

// Set reads partitions from offsets on, including those that it already reads.
func (r *Reader) Set(offsets map[int32]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, offset := range offsets {
		c := r.cursors[p]
		if c == nil {
			c = &cursor{leader: Leader{-1, -1}}
			r.cursors[p] = c
		}
		r.terms++
		c.next, c.high, c.term, c.failed, c.after, c.asked = offset, -1, r.terms, 0, time.Time{}, false
	}
	poke(r.unknown)
	r.change()
}

// Drop stops reading partitions.
func (r *Reader) Drop(partitions ...int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range partitions {
		delete(r.cursors, p)
	}
}

// Pause suspends or resumes reading a partition.
func (r *Reader) Pause(partition int32, paused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.cursors[partition]; c != nil {
		c.paused = paused
		r.change()
	}
}

// Heard returns when a broker last reported the end of a partition.
func (r *Reader) Heard(partition int32) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.cursors[partition]; c != nil {
		return c.heard
	}
	return time.Time{}
}

// Poll waits for the next batches. It leaves out those of partitions that were set or dropped
// since.
func (r *Reader) Poll(ctx context.Context) ([]Batch, error) {
	select {
	case all := <-r.out:
		return r.current(all), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.ctx.Done():
		return nil, net.ErrClosed
	}
}

// current returns the batches that are still valid.
func (r *Reader) current(all []Batch) []Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	valid := all[:0]
	for _, b := range all {
		if c := r.cursors[b.Partition]; c != nil && c.term == b.term {
			valid = append(valid, b)
		}
	}
	return valid
}

// change wakes the goroutines of brokers. The lock is held.
func (r *Reader) change() {
	close(r.changed)
	r.changed = make(chan struct{})
}
