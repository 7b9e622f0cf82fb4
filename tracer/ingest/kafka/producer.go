package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Options of a Producer.
type Options struct {
	// Buffer bounds the bytes that wait for brokers; 0 is 32 MiB. Send waits for room, or with Stop
	// returns ErrFull.
	Buffer int
	Stop   bool

	// Patience is how long brokers may take no record while some wait. Then those are lost. 0 is
	// forever.
	Patience time.Duration

	// Warn receives a message when no broker has taken a record for ten seconds, and when one does
	// again. It must not call the Producer. It may be nil.
	Warn func(string)

	// Records says how a Sink splits a trace into records.
	Records record.Options

	quietAfter time.Duration // replaces the ten seconds of Warn, for tests
}

const (
	defaultBuffer     = 32 << 20
	defaultQuietAfter = 10 * time.Second
	overhead          = 300 // approximate memory of a record beside its value
)

// ErrFull says that a record was not taken since too many wait.
var ErrFull = errors.New("the brokers are unavailable, or slower than the trace, and the buffer is full")

// errEnded says that a Producer was closed.
var errEnded = errors.New("send to a Kafka producer that is closed")

// LostError says that records of a source were not delivered, or may not have been.
type LostError struct {
	Run, Source     string
	Seq             uint64 // of the first
	Records, Events int
	Err             error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("run %s: %s in %s not delivered, from record %d of source %s on: %v",
		event.Printable(e.Run), count(e.Events, "event"), count(e.Records, "record"), e.Seq, event.Printable(e.Source),
		e.Err)
}

// Unwrap returns the reason.
func (e *LostError) Unwrap() error { return e.Err }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Producer sends the records of any number of runs to a topic, each once and in its order:
// idempotently, and acknowledged by all replicas. All records of a run go to the partition of the
// first one, even if partitions are added to the topic. Its methods may be called by several
// goroutines.
//
//	Send ──► buffer ──► batches of partitions ──► brokers
//	 ▲         │ full: Send waits                   │
//	 └─────────┴────────────── not delivered ───────┘
//
// The next Send for the source of a lost record returns an error, and so do Flush and Close. The
// other sources continue, unless the brokers take nothing at all.
type Producer struct {
	to      Address
	opt     Options
	cluster *wire.Cluster
	writer  *wire.Writer
	contact *contact
	ctx     context.Context // ends when delivery ends; its cause is the reason
	end     context.CancelCauseFunc
	closed  chan struct{} // closed when the waiting records have been given up

	mu          sync.Mutex
	partitioner *stickyPartitioner
	changed     sync.Cond // guards the fields below
	waiting     int       // neither delivered nor lost
	bytes       int       // of these, with overhead
	stats       Delivery
	lost        map[source]*LostError
	order       []source // of lost

	since    time.Time   // when brokers last took a record, or the first one began to wait
	quiet    *time.Timer // calls look while records wait
	watching bool        // the timer runs
	warned   bool
}

// Delivery counts the records that brokers have acknowledged.
type Delivery struct {
	Records int64 `json:"records"`
	Events  int64 `json:"events"` // if the records are of a Sink
	Bytes   int64 `json:"bytes"`  // of the values of the records, before compression
}

// Delivered returns the delivery so far.
func (p *Producer) Delivered() Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

type source struct{ run, name string }

// NewProducer connects to the brokers. The producer ends when the context does. It fails at once if
// brokers refuse the settings, and after ten seconds, or Patience if that is less, if they do not
// answer.
func NewProducer(ctx context.Context, to Address, security Security, opt Options) (*Producer, error) {
	opt.Buffer = cmp.Or(opt.Buffer, defaultBuffer)
	opt.quietAfter = cmp.Or(opt.quietAfter, defaultQuietAfter)
	p := &Producer{to: to, opt: opt, closed: make(chan struct{}), partitioner: newStickyPartitioner(maxPlacements),
		lost: map[source]*LostError{}}
	p.changed.L = &p.mu
	p.ctx, p.end = context.WithCancelCause(ctx)
	if err := p.connect(security); err != nil {
		p.end(err)
		return nil, err
	}
	p.quiet = time.AfterFunc(time.Hour, p.checkSilence)
	p.quiet.Stop()
	context.AfterFunc(p.ctx, p.giveUp)
	return p, nil
}

// connect waits for the first answer of the brokers, and requests the properties of the topic.
func (p *Producer) connect(security Security) (err error) {
	p.cluster, p.contact, err = security.cluster(p.to, newNetwork(zerolog.Nop()), p.end)
	if err != nil {
		return err
	}
	patience := firstContact
	if p.opt.Patience > 0 {
		patience = min(patience, p.opt.Patience)
	}
	if err = p.contact.waitForTopic(p.ctx, p.cluster, patience); err == nil {
		p.writer = p.cluster.NewWriter(largestBatch(p.ctx, patience/2, p.cluster, p.to.Topic), p.to.Topic)
		err = p.contact.waitForAnswer(p.ctx, patience,
			func(ctx context.Context) error { return learn(ctx, p.writer, p.to.Topic) })
	}
	if err != nil {
		p.disconnect()
	}
	return err
}

const (
	defaultBatch = 1_000_012 // brokers' default limit of a batch in bytes, less a margin
	maximumBatch = 64 << 20
)

// largestBatch returns the limit of a batch of a topic in bytes: the default if users may not ask
// for it, or there is no answer in time.
func largestBatch(ctx context.Context, patience time.Duration, cluster *wire.Cluster, topic string) (bytes int) {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_ = settle(limited, func() (err error) {
		bytes, err = askLargestBatch(limited, cluster, topic)
		// the broker has not learned of a new topic yet
		if wire.HasCode(err, client.UnknownTopicOrPartition) {
			err = client.LeaderNotAvailable
		}
		return err
	})
	return cmp.Or(bytes, defaultBatch)
}

// askLargestBatch returns 0 if the answer lacks the limit.
func askLargestBatch(ctx context.Context, cluster *wire.Cluster, topic string) (bytes int, err error) {
	value, err := cluster.TopicConfig(ctx, topic, maxMessageBytes)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0, nil
	}
	return max(1<<10, min(n-100, maximumBatch)), nil // a batch takes some bytes beside its records
}

const maxMessageBytes = "max.message.bytes"

// giveUp ends the writer when the context has ended. Waiting records are lost.
func (p *Producer) giveUp() {
	p.disconnect()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quiet.Stop()
	p.changed.Broadcast()
	close(p.closed)
}

func (p *Producer) disconnect() {
	if p.writer != nil {
		p.writer.Close()
	}
	p.cluster.Close()
}

// Send sends a record, which must not be changed from then on. It waits while the buffer is full.
func (p *Producer) Send(r *record.Record) error { return p.send(r, p.opt.Stop) }

func (p *Producer) send(r *record.Record, stop bool) error {
	size := len(r.Value) + overhead
	partition, err := p.reserve(r, size, stop)
	if err != nil {
		return err
	}
	message := wire.Record{Time: time.Now().UnixMilli(), Key: []byte(r.Run), Value: r.Value,
		Headers: headersOf(r.Headers())}
	p.writer.Put(wire.TopicPartition{Topic: p.to.Topic, Partition: partition}, message,
		func(err error) { p.done(r, size, err) })
	return nil
}

func headersOf(headers []record.Header) []wire.Header {
	all := make([]wire.Header, len(headers))
	for i, h := range headers {
		all[i] = wire.Header{Key: h.Key, Value: h.Value}
	}
	return all
}

// reserve takes room in the buffer for a record, and returns its partition. A record that is larger
// than the buffer gets all of it.
func (p *Producer) reserve(r *record.Record, size int, stop bool) (partition int32, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if err := p.broken(r); err != nil {
			return 0, err
		}
		if p.waiting == 0 || p.bytes+size <= p.opt.Buffer {
			break
		}
		if stop {
			return 0, ErrFull
		}
		p.changed.Wait()
	}
	if p.waiting == 0 {
		p.since = time.Now()
	}
	p.waiting++
	p.bytes += size
	p.watch()
	return p.partitioner.partition(r.Run, len(p.writer.Partitions(p.to.Topic))), nil
}

// broken returns why the source of a record has failed, nil if it has not.
func (p *Producer) broken(r *record.Record) error {
	if lost := p.lost[source{r.Run, r.Source}]; lost != nil {
		known := *lost // a copy: more may be lost
		return &known
	}
	return context.Cause(p.ctx)
}

// done receives the fate of a record.
func (p *Producer) done(r *record.Record, size int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting--
	p.bytes -= size
	if err == nil {
		p.noteDelivered(r)
	} else {
		p.noteLost(r, err)
	}
	p.changed.Broadcast()
}

// noteLost notes that a record is lost.
func (p *Producer) noteLost(r *record.Record, err error) {
	var refused *Refusal
	switch explained := p.contact.explain(err); {
	case p.ctx.Err() != nil:
		err = context.Cause(p.ctx)
	case errors.As(explained, &refused):
		err = fmt.Errorf("%s: %w", p.to, refused)
		p.end(err)
	case wire.HasCode(err, client.MessageSizeTooLarge):
		err = fmt.Errorf("%s: a record of %d bytes is too large: raise max.message.bytes of the topic, which this "+
			"user has to be allowed to ask for (DescribeConfigs), or record smaller values", p.to, len(r.Value))
	case wire.HasCode(err, client.RecordListTooLarge):
		err = fmt.Errorf("%s: a record of %d bytes is too large: raise segment.bytes of the topic, or record "+
			"smaller values", p.to, len(r.Value))
	default:
		err = fmt.Errorf("%s: %w", p.to, err)
	}
	from := source{r.Run, r.Source}
	lost := p.lost[from]
	if lost == nil {
		lost = &LostError{Run: r.Run, Source: r.Source, Seq: r.Seq, Err: err}
		p.lost[from] = lost
		p.order = append(p.order, from)
	}
	lost.Seq = min(lost.Seq, r.Seq)
	lost.Records++
	lost.Events += r.Events
}

// Flush waits until all records are delivered or lost; the latter is an error.
func (p *Producer) Flush() error {
	// if it fails the context has ended, and all waiting records fail, too
	_ = p.writer.Flush(p.ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.waiting > 0 {
		p.changed.Wait()
	}
	return p.losses()
}

// losses returns the lost records as an error, or why nothing more is sent.
func (p *Producer) losses() error {
	var all []error
	for _, from := range p.order {
		lost := *p.lost[from]
		all = append(all, &lost)
	}
	if cause := context.Cause(p.ctx); len(all) == 0 && cause != errEnded {
		return cause
	}
	return errors.Join(all...)
}

// Close waits as Flush does, and disconnects. Further calls return the same.
func (p *Producer) Close() error {
	err := p.Flush()
	p.end(errEnded)
	<-p.closed
	return err
}
