package kafkaservice

import (
	"errors"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// flags are the remedies of the packages that read records, said with the flags of the command.
var flags = strings.NewReplacer(
	record.RemedyLate, "raise --late",
	runs.RemedyMemory, "raise --run-memory",
	runs.RemedySpans, "messages of spans need --format otlp",
	spans.RemedyTrace, "leave --format out",
)

// withFlags returns an error about a record or a run with the flags that help.
func withFlags(err error) error {
	var told *event.Error
	if !errors.As(err, &told) {
		return err
	}
	flagged := *told
	flagged.Remedy = flags.Replace(told.Remedy)
	return &flagged
}
