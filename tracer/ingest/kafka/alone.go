package kafka

import (
	"context"
	"errors"
	"fmt"
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
}

// Read reads all partitions of a topic, from its beginning, until the context ends, whose cause is the error, or the topic
// if that is wanted. Nothing is saved. It returns the processors.
func Read(ctx context.Context, c ReadConfig) (map[int32]Processor, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	options, contact, err := c.Security.connection(c.Address, end)
	if err != nil {
		return nil, err
	}
	reset := kgo.NewOffset().AtStart()
	if c.FromEnd {
		reset = kgo.NewOffset().AtEnd()
	}
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(c.Address.Brokers...),
		kgo.ConsumeTopics(c.Address.Topic),
		kgo.ConsumeResetOffset(reset),
		kgo.FetchMaxWait(250 * time.Millisecond),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.KeepControlRecords(), // else the end of a partition may never be seen
	}, options...)...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if err := contact.meet(ctx, client, firstContact); err != nil {
		return nil, err
	}
	r := &reader{config: c, processors: map[int32]Processor{}, ends: map[int32]int64{}}
	if err := r.find(ctx, kadm.NewClient(client)); err != nil {
		return nil, err
	}
	return r.processors, r.read(ctx, client)
}

// reader reads all partitions in one goroutine.
type reader struct {
	config     ReadConfig
	processors map[int32]Processor
	ends       map[int32]int64 // of the partitions that have not been read to the end, where that is
}

// find finds out where the partitions end.
func (r *reader) find(ctx context.Context, admin *kadm.Client) error {
	topic := r.config.Address.Topic
	ends, err := admin.ListEndOffsets(ctx, topic)
	if err != nil {
		return err
	}
	if len(ends[topic]) == 0 {
		return fmt.Errorf("topic %s: it is not there", topic)
	}
	starts, err := admin.ListStartOffsets(ctx, topic)
	if err != nil {
		return err
	}
	for p, end := range ends[topic] {
		if err := errors.Join(end.Err, starts[topic][p].Err); err != nil {
			return fmt.Errorf("topic %s: %w", topic, err)
		}
		if starts[topic][p].Offset < end.Offset && !r.config.FromEnd {
			r.ends[p] = end.Offset
		}
	}
	return nil
}

func (r *reader) read(ctx context.Context, client *kgo.Client) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !r.config.ToEnd || len(r.ends) > 0 {
		polling, cancel := context.WithTimeout(ctx, time.Second)
		fetches := client.PollFetches(polling)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var failed error
		fetches.EachError(func(_ string, p int32, err error) {
			switch {
			case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			case fatal(err):
				failed = err
			default:
				r.config.Log.Warn().Err(err).Int32("partition", p).Msg("fetching")
			}
		})
		if failed != nil {
			return failed
		}
		for _, f := range partitionsOf(fetches) {
			if err := r.take(f); err != nil {
				return err
			}
		}
		select {
		case now := <-tick.C:
			for _, p := range r.processors {
				p.Tick(now)
			}
		default:
		}
	}
	return nil
}

func partitionsOf(fetches kgo.Fetches) (all []kgo.FetchTopicPartition) {
	fetches.EachPartition(func(f kgo.FetchTopicPartition) { all = append(all, f) })
	return all
}

// take takes the fetched records of a partition.
func (r *reader) take(f kgo.FetchTopicPartition) error {
	p := r.processors[f.Partition]
	if p == nil {
		var err error
		if p, err = r.config.New(f.Partition, nil); err != nil {
			return err
		}
		r.processors[f.Partition] = p
	}
	now := time.Now()
	for _, rec := range f.Records {
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
	}
	return nil
}
