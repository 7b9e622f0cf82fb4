package wire

import (
	"cmp"
	"context"
	"maps"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	kafka "github.com/segmentio/kafka-go"
)

// Writer writes records to partitions, each partition's in the order of Put, and with all replicas.
//
//	Put ──► queue of each partition ──► goroutine of each broker ══► broker
//	          one batch in progress     some requests in progress
//
// A record that finds its partition idle is sent at once. Those that come during a request are the
// next batch, for which they gather a little longer. A request has batches of many partitions: one
// for each would need a connection for each.
//
// A delivered record is in its partition once, after those that were put before it and delivered. A
// lost one may be there, or not. Brokers identify records by their producer and a number, and drop
// those that they already have; a failed batch is sent again unchanged. A batch that a broker may
// have taken is never sent with another number. When brokers no longer know the producer, as after
// they have lost records, the writer becomes another one, and records that may have been taken by
// then are lost: their fate is unknown. Brokers forget a producer that has sent nothing to a
// partition for a day (producer.id.expiration.ms). If the first answer after that is lost, the
// record may be there twice.
type Writer struct {
	cluster  writable
	batch    int // bytes of a batch before compression
	ctx      context.Context
	end      context.CancelFunc
	work     sync.WaitGroup
	once     sync.Once     // closes it
	unknown  chan struct{} // full if the leaders have to be requested
	attempts attempts

	mu sync.Mutex
	// of partitions without errors so far; NoProducer if unknown
	shared  Producer
	topics  map[string]map[int32]Leader // replaced as a whole
	queues  map[TopicPartition]*queue
	brokers map[int32]*writerBroker
	closed  bool
	current *flushGroup   // the records that were put since the last Flush
	earlier []*flushGroup // earlier ones, as long as some wait
}

// flushGroup counts records that a Flush waits for.
type flushGroup struct {
	waiting int           // neither delivered nor lost
	over    chan struct{} // closed when a Flush has come, and none waits
}

func newFlushGroup() *flushGroup { return &flushGroup{over: make(chan struct{})} }

// writable is the part of a Cluster that a Writer uses.
type writable interface {
	Metadata(ctx context.Context, topics ...string) ([]Topic, error)
	NewProducer(ctx context.Context, broker int32) (Producer, error)
	ProduceAll(ctx context.Context, broker int32, writes []Write) ([]WriteResult, error)
	TakesZstd() bool
}

// partitionsEvery is how often leaders, and added partitions, are requested.
const partitionsEvery = time.Minute

// NewWriter returns a writer for topics, with batches of so many bytes at most. It creates no
// topic, and asks for them when the first record is put if Refresh has not.
func (c *Cluster) NewWriter(batch int, topics ...string) *Writer {
	return newWriter(c, batch, topics...)
}

func newWriter(c writable, batch int, topics ...string) *Writer {
	w := &Writer{
		cluster: c, batch: batch, shared: NoProducer, unknown: make(chan struct{}, 1), current: newFlushGroup(),
		topics: map[string]map[int32]Leader{}, queues: map[TopicPartition]*queue{}, brokers: map[int32]*writerBroker{},
	}
	for _, topic := range topics {
		w.topics[topic] = nil
	}
	w.ctx, w.end = context.WithCancel(context.Background())
	// Refresh itself triggers the retry
	w.work.Go(func() { follow(w.ctx, partitionsEvery, w.unknown, func() { _ = w.Refresh(w.ctx) }) })
	return w
}

// Partitions returns the known partitions of a topic.
func (w *Writer) Partitions(topic string) map[int32]Leader {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.topics[topic]
}

// Put writes a record, which must not be changed from then on. done is called once, by any
// goroutine, when it is delivered or lost. It must not wait for the writer.
func (w *Writer) Put(to TopicPartition, r Record, done func(error)) {
	if err := w.put(to, pending{Record: r, done: done, size: MaxSize(&r)}); err != nil {
		done(err)
	}
}

func (w *Writer) put(to TopicPartition, r pending) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return net.ErrClosed
	}
	if EmptyBatch+r.size > w.batch {
		return kafka.MessageSizeTooLarge
	}
	q := w.queues[to]
	if q == nil {
		q = &queue{TopicPartition: to, leader: -1, limit: w.batch, by: NoProducer}
		if leader, ok := w.topics[to.Topic][to.Partition]; ok {
			q.leader = leader.Broker
		}
		w.queues[to] = q
	}
	r.group = w.current
	r.group.waiting++
	q.waiting = append(q.waiting, r)
	if len(q.waiting) == 1 {
		w.wake(q)
	}
	return nil
}

// wake makes the broker of a partition check for batches to send. The lock is held.
func (w *Writer) wake(q *queue) {
	if b := w.brokers[q.leader]; b != nil {
		poke(b.wake)
	} else {
		poke(w.unknown)
	}
}

// poke wakes the receiver of a channel with capacity one.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// settle reports the fate of records.
func (w *Writer) settle(records []pending, err error) {
	for i := range records {
		records[i].done(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range records {
		c := records[i].group
		if c.waiting--; c.waiting == 0 && c != w.current {
			close(c.over)
			w.earlier = slices.DeleteFunc(w.earlier, func(other *flushGroup) bool { return other == c })
		}
	}
	clear(records)
}

// Flush waits until all records so far are delivered or lost.
func (w *Writer) Flush(ctx context.Context) error {
	for _, c := range w.flushGroups() {
		select {
		case <-c.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// flushGroups returns those that wait. Later records are in another one.
func (w *Writer) flushGroups() []*flushGroup {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current.waiting > 0 {
		w.earlier = append(w.earlier, w.current)
		w.current = newFlushGroup()
	}
	return slices.Clone(w.earlier)
}

// Close gives up the undelivered records.
func (w *Writer) Close() {
	w.once.Do(func() {
		w.mu.Lock()
		w.closed = true
		w.mu.Unlock()
		w.end()
		w.work.Wait()
		for _, q := range w.queues {
			w.settle(q.take(math.MaxInt), net.ErrClosed)
		}
	})
}

// Refresh requests the partitions of the topics, and their leaders.
func (w *Writer) Refresh(ctx context.Context) error {
	w.mu.Lock()
	names := slices.Collect(maps.Keys(w.topics))
	w.mu.Unlock()
	topics, err := w.cluster.Metadata(ctx, names...)
	if err != nil {
		poke(w.unknown)
		return err
	}
	for _, t := range topics {
		w.noteLeaders(t)
	}
	if w.attempts.review() {
		poke(w.unknown)
	}
	return nil
}

// missingOften is how often brokers may report that a partition does not exist before its records
// are lost: some may not know a new one yet.
const missingOften = 5

// noteLeaders notes the leaders of the partitions of a topic.
func (w *Writer) noteLeaders(t Topic) {
	var lost [][]pending
	w.mu.Lock()
	if len(t.Leaders) > 0 {
		w.topics[t.Name] = t.Leaders
	}
	for _, leader := range t.Leaders {
		if leader.Broker >= 0 && w.brokers[leader.Broker] == nil {
			w.serve(leader.Broker)
		}
	}
	for _, q := range w.queues {
		if q.Topic != t.Name {
			continue
		}
		leader, ok := t.Leaders[q.Partition]
		if gone := q.noteLeader(leader.Broker, ok, t.Err); gone != nil {
			lost = append(lost, gone)
		}
		if q.idle() && q.leader < 0 {
			poke(w.unknown)
		} else if q.idle() {
			w.wake(q)
		}
	}
	w.mu.Unlock()
	for _, records := range lost {
		w.settle(records, cmp.Or(t.Err, error(kafka.UnknownTopicOrPartition)))
	}
}

// serve starts sending to a broker. The lock is held.
func (w *Writer) serve(id int32) {
	if w.ctx.Err() != nil {
		return
	}
	b := &writerBroker{writer: w, id: id, wake: make(chan struct{}, 1), slots: make(chan struct{}, requestsPerBroker),
		portion: newPortion(requestBytes)}
	w.brokers[id] = b
	w.work.Go(b.run)
}
