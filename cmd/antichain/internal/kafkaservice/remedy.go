package kafkaservice

import (
	"errors"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// flags translates remedies of the packages that read records into flags of the command.
var flags = strings.NewReplacer(
	record.RemedyLate, "raise --late",
	runs.RemedyMemory, "raise --run-memory",
	runs.RemedySpans, "messages of spans need --format otlp",
	spans.RemedyTrace, "leave --format out",
)

// withFlags adds the flags that help to an error about a record or a run.
func withFlags(err error) error {
	var remedied *event.Error
	if !errors.As(err, &remedied) {
		return err
	}
	flagged := *remedied
	flagged.Remedy = flags.Replace(remedied.Remedy)
	return &flagged
}
