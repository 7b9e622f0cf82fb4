package wire

import (
	"cmp"
	"context"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	kafka "github.com/segmentio/kafka-go"
)

// Writer writes records to partitions, each partition's in the order in which they are put, and with all replicas.
//
//	Put ──► queue of each partition ──► goroutine of each broker ══► broker
//	          one batch under way       some requests under way
//
// A record that finds its partition idle is sent at once. Those that come while it is under way are the next batch, for which
// they gather a little longer. A request has batches of many partitions: with one for each there would be a connection for each.
//
// A record that was delivered is in its partition once, and behind those that were put before it and delivered. One that is lost
// may be there, or not. Brokers know records by their producer and a number, by which they drop those that they have
// already, and what failed is sent again as it was. What a broker may have taken is never sent with another number. When
// brokers do not know the producer any more, as after they have lost records, it goes on as another one, and what
// may have been taken by then is lost: nobody can know. Brokers forget a producer that has sent nothing to a partition for a day
// (producer.id.expiration.ms). If the first answer after that is lost, the record may be there twice.
type Writer struct {
	cluster writable
	batch   int // bytes of a batch, before it is compressed
	ctx     context.Context
	end     context.CancelFunc
	work    sync.WaitGroup
	once    sync.Once     // closes it
	unknown chan struct{} // holds something if the leaders have to be asked for
	tries   attempts

	mu      sync.Mutex
	shared  Producer                    // of the partitions that have had no trouble; Nobody if it is not known
	topics  map[string]map[int32]Leader // replaced as a whole
	queues  map[Target]*queue
	brokers map[int32]*writerBroker
	closed  bool
	crowd   *crowd   // of the records that were put since the last Flush
	earlier []*crowd // of those before, as long as some wait
}

// crowd are records that a Flush waits for.
type crowd struct {
	waiting int           // neither delivered nor lost
	over    chan struct{} // closed when a Flush has come, and none waits
}

func newCrowd() *crowd { return &crowd{over: make(chan struct{})} }

// writable is what a Writer asks of a Cluster.
type writable interface {
	Metadata(ctx context.Context, topics ...string) ([]Topic, error)
	NewProducer(ctx context.Context, broker int32) (Producer, error)
	ProduceAll(ctx context.Context, broker int32, writes []Write) ([]Written, error)
	TakesZstd() bool
}

// partitionsEvery is how often it is asked for leaders, and for partitions that were added.
const partitionsEvery = time.Minute

// NewWriter returns a writer for topics, in batches of so many bytes at most. It makes no topic, and asks for them when the first
// record is put if Refresh has not.
func (c *Cluster) NewWriter(batch int, topics ...string) *Writer {
	return newWriter(c, batch, topics...)
}

func newWriter(c writable, batch int, topics ...string) *Writer {
	w := &Writer{
		cluster: c, batch: batch, shared: Nobody, unknown: make(chan struct{}, 1), crowd: newCrowd(),
		topics: map[string]map[int32]Leader{}, queues: map[Target]*queue{}, brokers: map[int32]*writerBroker{},
	}
	for _, topic := range topics {
		w.topics[topic] = nil
	}
	w.ctx, w.end = context.WithCancel(context.Background())
	w.work.Go(w.follow)
	return w
}

// Partitions returns the partitions of a topic, as far as they are known.
func (w *Writer) Partitions(topic string) map[int32]Leader {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.topics[topic]
}

// Put has a record written, which nobody may change from then on. Done is called once, by any goroutine, when it is delivered or
// lost. It must not wait for the writer.
func (w *Writer) Put(to Target, r Record, done func(error)) {
	if err := w.put(to, pending{Record: r, done: done, size: MaxSize(&r)}); err != nil {
		done(err)
	}
}

func (w *Writer) put(to Target, r pending) error {
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
		q = &queue{Target: to, leader: -1, limit: w.batch, by: Nobody}
		if leader, ok := w.topics[to.Topic][to.Partition]; ok {
			q.leader = leader.Broker
		}
		w.queues[to] = q
	}
	r.crowd = w.crowd
	r.crowd.waiting++
	q.waiting = append(q.waiting, r)
	if len(q.waiting) == 1 {
		w.wake(q)
	}
	return nil
}

// wake has the broker of a partition look what there is to send. The lock is held.
func (w *Writer) wake(q *queue) {
	if b := w.brokers[q.leader]; b != nil {
		poke(b.wake)
	} else {
		poke(w.unknown)
	}
}

// poke has who waits for a channel with room for one look again.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// settle tells what has become of records.
func (w *Writer) settle(records []pending, err error) {
	for i := range records {
		records[i].done(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range records {
		c := records[i].crowd
		if c.waiting--; c.waiting == 0 && c != w.crowd {
			close(c.over)
			w.earlier = slices.DeleteFunc(w.earlier, func(other *crowd) bool { return other == c })
		}
	}
	clear(records)
}

// Flush waits until all that was put before is delivered or lost.
func (w *Writer) Flush(ctx context.Context) error {
	for _, c := range w.crowds() {
		select {
		case <-c.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// crowds returns those that wait. What is put from now on is of another one.
func (w *Writer) crowds() []*crowd {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.crowd.waiting > 0 {
		w.earlier = append(w.earlier, w.crowd)
		w.crowd = newCrowd()
	}
	return slices.Clone(w.earlier)
}

// Close gives up what is not delivered.
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

// follow asks for the leaders of partitions, now and then and when one is not known.
func (w *Writer) follow() {
	tick := time.NewTicker(partitionsEvery)
	defer tick.Stop()
	for w.ctx.Err() == nil {
		select {
		case <-w.unknown:
			_ = w.Refresh(w.ctx) // which has it tried again
			sleep(w.ctx, again)
		case <-tick.C:
			_ = w.Refresh(w.ctx)
		case <-w.ctx.Done():
		}
	}
}

// Refresh asks for the partitions of the topics, and who leads them.
func (w *Writer) Refresh(ctx context.Context) error {
	w.mu.Lock()
	var names []string
	for topic := range w.topics {
		names = append(names, topic)
	}
	w.mu.Unlock()
	topics, err := w.cluster.Metadata(ctx, names...)
	if err != nil {
		poke(w.unknown)
		return err
	}
	for _, t := range topics {
		w.lead(t)
	}
	if w.tries.review() {
		poke(w.unknown)
	}
	return nil
}

// missingOften is how often brokers may say that a partition is not there before its records are lost: some do not know yet of
// one that was made.
const missingOften = 5

// lead notes who leads the partitions of a topic.
func (w *Writer) lead(t Topic) {
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
		if gone := q.lead(leader.Broker, ok, t.Err); gone != nil {
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

// serve begins to send to a broker. The lock is held.
func (w *Writer) serve(id int32) {
	if w.ctx.Err() != nil {
		return
	}
	b := &writerBroker{writer: w, id: id, wake: make(chan struct{}, 1), slots: make(chan struct{}, requestsPerBroker), portion: newPortion(requestBytes)}
	w.brokers[id] = b
	w.work.Go(b.run)
}
