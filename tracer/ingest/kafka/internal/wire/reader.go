package wire

import (
	"context"
	"net"
	"sync"
	"time"
)

// ReaderConfig says what a Reader reads.
type ReaderConfig struct {
	Topic string
	ID    TopicID // of the topic, if it is known: no other one of that name is read
	Limit int     // bytes that a batch may unfold to; a larger one is skipped
	Lost  int64   // where to go on when the records of an offset are gone: AtStart or AtEnd
	Added bool    // read partitions that are added, too, from their start
}

// Reader reads partitions of a topic, each from an offset on. Transactions count when they are committed.
//
//	brokers ══► goroutine of each, an answer ahead ──► Poll
//
// A goroutine asks its broker for all partitions that this leads at once: with a request for each there would be a connection
// for each, and small records come as fast. What fails and passes is tried again, and the leaders are asked for.
type Reader struct {
	cluster *Cluster
	config  ReaderConfig
	ctx     context.Context
	end     context.CancelFunc
	work    sync.WaitGroup
	out     chan []Batch
	tries   attempts

	mu      sync.Mutex
	cursors map[int32]*cursor
	terms   int
	changed chan struct{}  // closed when there may be more to ask for
	brokers map[int32]bool // that have a goroutine
	unknown chan struct{}  // holds something if the leaders have to be asked for
}

// cursor is how far a partition was read.
type cursor struct {
	next   int64 // AtStart or AtEnd if that is not known yet
	term   int   // another one each time that it is set: answers of before do not count
	leader Leader
	paused bool
	asked  bool      // for more, and what was answered has not been polled
	failed int       // how often, since it has not
	after  time.Time // when to try again
	heard  time.Time // when its leader has answered last
	high   int64     // as it was told last; -1 if it was not
}

// Batch is what was read of a partition at once.
type Batch struct {
	Partition int32
	Records   []Record
	Next      int64 // offset behind what was read, also if no record is there; negative, with an error, if that is not known
	High      int64 // behind the last one of the partition; -1, with an error, if that is not known
	Start     int64 // of the first one
	// Err is why reading does not go on, for now; it is tried again. A *BatchError that is TooLarge says what was skipped.
	Err error

	term int
}

const (
	fetchWait    = 250 * time.Millisecond // for something to read
	fetchBytes   = 50 << 20
	fetchPerPart = 1 << 20
	again        = 250 * time.Millisecond // between two attempts
	leadersEvery = 10 * time.Second       // how often it is asked for leaders, and for partitions that were added
	quietly      = 4                      // so often something may fail that passes most of the time
)

// NewReader returns a reader of the cluster, which reads nothing before Set.
func (c *Cluster) NewReader(config ReaderConfig) *Reader {
	r := &Reader{
		cluster: c, config: config, out: make(chan []Batch),
		cursors: map[int32]*cursor{}, changed: make(chan struct{}), brokers: map[int32]bool{}, unknown: make(chan struct{}, 1),
	}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.work.Go(r.follow)
	return r
}

// Close ends the reader.
func (r *Reader) Close() {
	r.end()
	r.work.Wait()
}

// Set reads partitions from offsets on, also those that it reads already.
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
	r.ask()
	r.change()
}

// Drop reads partitions no more.
func (r *Reader) Drop(partitions ...int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range partitions {
		delete(r.cursors, p)
	}
}

// Pause reads a partition no more for now, or again.
func (r *Reader) Pause(partition int32, paused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.cursors[partition]; c != nil {
		c.paused = paused
		r.change()
	}
}

// Heard returns when a broker has said last what there is to read of a partition.
func (r *Reader) Heard(partition int32) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.cursors[partition]; c != nil {
		return c.heard
	}
	return time.Time{}
}

// Poll waits for what there is to read next. What partitions were read before that were set or dropped since is left out.
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

// current returns the batches that still count.
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

// ask has the leaders asked for.
func (r *Reader) ask() {
	select {
	case r.unknown <- struct{}{}:
	default:
	}
}
