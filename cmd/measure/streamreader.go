//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// streamReader is the name under which the command calls itself to read a topic, as the monitors
// are compared with.
const streamReader = "stream-reader"

// bareReader reads a topic as a monitor does, but only decodes its events, and prints the names of
// runs that end.
type bareReader struct {
	client *kgo.Client
	mu     sync.Mutex // of what follows
	out    *bufio.Writer
}

// runReader is that reader, until an interrupt. Its settings of the client are those of kafka.Join.
func runReader(args []string, out io.Writer) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: %s BROKERS TOPIC GROUP", streamReader)
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(args[0], ",")...),
		kgo.ConsumerGroup(args[2]),
		kgo.ConsumeTopics(args[1]),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.Balancers(kgo.StickyBalancer()),
		kgo.DisableAutoCommit(),
		kgo.FetchMaxWait(250*time.Millisecond),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT)
	defer stop()
	r := &bareReader{client: client, out: bufio.NewWriter(out)}
	return r.read(ctx)
}

func (r *bareReader) read(ctx context.Context) error {
	parts := map[int32]*event.PartReader{}
	for ctx.Err() == nil {
		fetches := r.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil && ctx.Err() == nil {
			return err
		}
		var all sync.WaitGroup
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			if parts[p.Partition] == nil {
				parts[p.Partition] = event.NewPartReader(event.Limits{})
			}
			reader := parts[p.Partition]
			all.Go(func() { r.partition(reader, p.Records) }) // as monitors do: each partition has a goroutine
		})
		all.Wait()
		if err := r.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// partition decodes records of a partition.
func (r *bareReader) partition(reader *event.PartReader, records []*kgo.Record) {
	var e event.Event
	for _, rec := range records {
		if _, err := reader.Open(rec.Value, rec.Topic); err != nil {
			panic(err) // they are our own
		}
		for reader.Next(&e) == nil {
		}
		for _, h := range rec.Headers {
			if h.Key == record.EndHeader {
				r.ended(rec.Key)
			}
		}
	}
}

func (r *bareReader) ended(run []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.out, "%s\n", run)
}
