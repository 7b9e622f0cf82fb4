package kafka

import (
	"errors"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// A batch of records that a producer has compressed has a MiB at most unless brokers are told otherwise, but unfolds to
// anything, and is held in memory as a whole. One that is larger than the limit is skipped: its runs miss records, and the
// others go on.

// maxUnfolded is how many bytes a batch of records may unfold to.
const maxUnfolded = 256 << 20

// tooLargeBatch returns the batch that was skipped since it is too large, nil if an error is another one.
func tooLargeBatch(err error) *wire.BatchError {
	var batch *wire.BatchError
	if errors.As(err, &batch) && batch.TooLarge {
		return batch
	}
	return nil
}

func logSkipped(log zerolog.Logger, partition int32, batch *wire.BatchError) {
	log.Error().Int32("partition", partition).Int64("from", batch.First).Int64("to", batch.Last).Int("bytes", batch.Bytes).
		Msgf("records that unfold to more than %d MiB are skipped: send smaller batches", maxUnfolded>>20)
}
