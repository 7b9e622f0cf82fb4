package kafka

import (
	"errors"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// A batch of records that a producer has compressed has a MiB at most unless brokers are told otherwise, but unfolds to
// anything. The client holds a batch in memory as a whole, so it stops at a limit, and does not read the partition
// any more. Such a batch is skipped: its runs miss records, and the others go on.

// maxBatch is how many bytes a batch of records may unfold to.
const maxBatch = 256 << 20

// tooLarge returns what is known of a batch that is too large, nil if an error is another one.
func tooLarge(err error) *kgo.ErrDecompressTooLarge {
	var batch *kgo.ErrDecompressTooLarge
	errors.As(err, &batch)
	return batch
}

// tooLargeBatch returns the batch that was skipped since it is too large, nil if an error is another one.
func tooLargeBatch(err error) *wire.BatchError {
	var batch *wire.BatchError
	if errors.As(err, &batch) && batch.TooLarge {
		return batch
	}
	return nil
}

func logSkipped(log zerolog.Logger, partition int32, batch *wire.BatchError) {
	log.Error().Int32("partition", partition).Int64("from", batch.First).Int64("to", batch.Last).
		Msgf("records that unfold to more than %d MiB are skipped: send smaller batches", maxBatch>>20)
}

// skipBatch goes on behind a batch that is too large.
func skipBatch(client *kgo.Client, log zerolog.Logger, batch *kgo.ErrDecompressTooLarge) {
	logSkipped(log, batch.Partition, &wire.BatchError{First: batch.Offset, Last: batch.NextOffset - 1})
	client.SetOffsets(map[string]map[int32]kgo.EpochOffset{
		batch.Topic: {batch.Partition: {Epoch: batch.Epoch, Offset: batch.NextOffset}},
	})
}

// skip goes on behind a batch that is too large.
func (g *Group) skip(batch *kgo.ErrDecompressTooLarge) {
	skipBatch(g.client, g.config.Log, batch)
	g.mu.Lock()
	g.behind[batch.Partition] = batch.NextOffset
	p := g.partitions[batch.Partition]
	g.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	unread := p.next < 0
	p.lost += batch.NextOffset - batch.Offset
	p.records = append(p.records, &kgo.Record{Offset: batch.NextOffset - 1}) // in its place behind those that wait
	p.wake()
	p.mu.Unlock()
	if unread { // the client sets no offset of a partition that it has neither committed nor read: see start
		g.mu.Lock()
		g.forced[batch.Partition] = true
		g.mu.Unlock()
		g.client.ForceRebalance()
	}
}

// nudge forces another rebalance for partitions that have delivered nothing since the one that was forced: while the group is
// in one already the client does nothing. If there is nothing more to read that is of no use, but is not repeated either.
func (g *Group) nudge() {
	g.mu.Lock()
	waiting := len(g.forced) > 0
	clear(g.forced)
	g.mu.Unlock()
	if waiting {
		g.client.ForceRebalance()
	}
}

// isSkipped reports whether a record stands for a batch that was skipped.
func isSkipped(r *kgo.Record) bool { return r.Topic == "" }
