package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// ReadConfig says how a topic is read without a group.
type ReadConfig struct {
	Address  Address
	Security Security
	New      func(partition int32, state []byte) (Processor, error)
	FromEnd  bool // begin at the end of the topic
	ToEnd    bool // stop where it ends now
	Log      zerolog.Logger

	options []kgo.Opt // of tests
}

// Reader reads all partitions of a topic, in one goroutine, and saves nothing.
type Reader struct {
	config     ReadConfig
	network    *network
	client     *kgo.Client
	ctx        context.Context // ends the reading; its cause says why
	end        context.CancelCauseFunc
	processors map[int32]Processor
	ends       map[int32]int64 // of the partitions that have not been read to the end, where that is
	fetching   outage
	topic      kadm.TopicID

	mu       sync.Mutex // guards the rest
	at       map[int32]position
	busy     time.Time // since when a few records, or one, are taken; zero if none are
	busyWith int32     // their partition
}

// position is how far a partition was read.
type position struct {
	next int64 // offset of the next record
	high int64 // and behind the last one
}

// OpenReader returns a reader, which begins with Run, and ends when the context does.
func OpenReader(ctx context.Context, c ReadConfig) (*Reader, error) {
	r := &Reader{
		config: c, network: newNetwork(c.Log), processors: map[int32]Processor{}, ends: map[int32]int64{}, at: map[int32]position{},
	}
	r.ctx, r.end = context.WithCancelCause(ctx)
	security, contact, err := c.Security.connection(c.Address, r.end)
	if err != nil {
		return nil, err
	}
	reset := kgo.NewOffset().AtStart()
	if c.FromEnd {
		reset = kgo.NewOffset().AtEnd()
	}
	r.client, err = kgo.NewClient(slices.Concat([]kgo.Opt{
		kgo.SeedBrokers(c.Address.Brokers...),
		kgo.ConsumeTopics(c.Address.Topic),
		kgo.ConsumeResetOffset(reset),
		kgo.FetchMaxWait(250 * time.Millisecond),
		kgo.MaxDecompressBatchBytes(maxBatch),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.KeepControlRecords(), // else the end of a partition may never be seen
	}, security, r.network.options(), c.options)...)
	if err != nil {
		return nil, err
	}
	if err = contact.meet(r.ctx, r.client, firstContact); err == nil {
		err = insist(r.ctx, func() error { return r.find(r.ctx, kadm.NewClient(r.client)) })
	}
	if err != nil {
		r.client.Close()
		return nil, err
	}
	return r, nil
}

// find finds out where the partitions end.
func (r *Reader) find(ctx context.Context, admin *kadm.Client) error {
	topic := r.config.Address.Topic
	found, err := lookUp(ctx, admin, topic)
	if err != nil {
		return err
	}
	r.topic = found.ID
	ends, err := admin.ListEndOffsets(ctx, topic)
	if err != nil {
		return err
	}
	starts, err := admin.ListStartOffsets(ctx, topic)
	if err != nil {
		return err
	}
	for p, end := range ends[topic] {
		if err := errors.Join(end.Err, starts[topic][p].Err); err != nil {
			return fmt.Errorf("topic %s: %w", topic, err)
		}
		r.at[p] = position{starts[topic][p].Offset, end.Offset}
		if r.config.FromEnd {
			r.at[p] = position{end.Offset, end.Offset}
		}
		if starts[topic][p].Offset < end.Offset && !r.config.FromEnd {
			r.ends[p] = end.Offset
		}
	}
	return nil
}

// Run reads all partitions, from their beginning, until the context of OpenReader ends, whose cause is the error, or the
// topic if that is wanted. It returns the processors.
func (r *Reader) Run() (map[int32]Processor, error) {
	defer r.end(nil)
	defer r.client.Close()
	name := r.config.Address.Topic
	go watchTopic(r.ctx, kadm.NewClient(r.client), name, r.topic, func() {}, func(err error) {
		r.end(cmp.Or(err, fmt.Errorf("topic %s was deleted and made anew since it is read: begin again", name)))
	})
	return r.processors, r.read(r.ctx)
}

func (r *Reader) read(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !r.config.ToEnd || len(r.ends) > 0 {
		polling, cancel := context.WithTimeout(ctx, time.Second)
		fetches := r.client.PollFetches(polling)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var failed error
		fetches.EachError(func(_ string, p int32, err error) {
			switch batch, lasts := tooLarge(err), lasting(err); {
			case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			case batch != nil:
				r.skip(batch)
			case lasts != nil:
				failed = lasts
			case r.fetching.is(err, time.Now()):
				r.config.Log.Warn().Str("why", r.fetching.reason).Int32("partition", p).Msg("reading fails")
			}
		})
		if failed != nil {
			return failed
		}
		for _, f := range partitionsOf(fetches) {
			if lasted, was := r.fetching.over(time.Now()); was {
				r.config.Log.Info().Dur("lasted_ms", lasted).Msg("reading works again")
			}
			if err := r.take(f); err != nil {
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

// tick lets time pass in the partitions of which nothing is left to be read.
func (r *Reader) tick(now time.Time) {
	defer r.works(0, time.Time{})
	for n, p := range r.processors {
		if r.works(n, now); r.caughtUp(n) && r.network.hears(r.client, r.config.Address.Topic, n, now) {
			p.Tick(now)
		}
	}
}

// caughtUp reports whether all is taken of a partition that is known to be there.
func (r *Reader) caughtUp(partition int32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.at[partition]
	return at.next >= at.high
}

func partitionsOf(fetches kgo.Fetches) (all []kgo.FetchTopicPartition) {
	fetches.EachPartition(func(f kgo.FetchTopicPartition) { all = append(all, f) })
	return all
}

// take takes the fetched records of a partition.
func (r *Reader) take(f kgo.FetchTopicPartition) error {
	p := r.processors[f.Partition]
	if p == nil {
		var err error
		if p, err = r.config.New(f.Partition, nil); err != nil {
			return err
		}
		r.processors[f.Partition] = p
	}
	defer r.works(0, time.Time{})
	var now time.Time
	for i, rec := range f.Records {
		if i%64 == 0 {
			now = time.Now()
			r.works(f.Partition, now)
		}
		end, ends := r.ends[f.Partition]
		if r.config.ToEnd && ends && rec.Offset >= end {
			break
		}
		if !rec.Attrs.IsControl() {
			p.Take(recordOf(rec), now)
		}
		if rec.Offset+1 >= end {
			delete(r.ends, f.Partition)
		}
		r.reached(f.Partition, position{rec.Offset + 1, f.HighWatermark})
	}
	return nil
}

func (r *Reader) reached(partition int32, p position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at[partition] = p
}

// works notes since when records of a partition are being taken, zero if none are.
func (r *Reader) works(partition int32, since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busyWith, r.busy = partition, since
}
