package kafka

import (
	"errors"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// A compressed batch of a producer has a MiB at most by default, but may decompress to any size,
// and is held in memory as a whole. A batch above the limit is skipped: its runs miss records, and
// the others continue.

// maxUnfolded bounds the decompressed bytes of a batch of records.
const maxUnfolded = 256 << 20

// tooLargeBatch returns the skipped batch if an error is that it was too large, else nil.
func tooLargeBatch(err error) *wire.BatchError {
	var batch *wire.BatchError
	if errors.As(err, &batch) && batch.TooLarge {
		return batch
	}
	return nil
}

func logSkipped(log zerolog.Logger, partition int32, batch *wire.BatchError) {
	log.Error().Int32("partition", partition).Int64("from", batch.First).Int64("to", batch.Last).Int("bytes",
		batch.Bytes).
		Msgf("records that unfold to more than %d MiB are skipped: send smaller batches", maxUnfolded>>20)
}
