package kafkaservice

import (
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
)

// A remedy of a package becomes flags of the command, also where another error has it in it. The
// error itself stays as it is.
func TestWithFlags(t *testing.T) {
	record := &event.Error{Pos: "topic/0@7", Reason: "too much", Remedy: runs.RemedyMemory}
	for _, err := range []error{record, fmt.Errorf("run a: %w", record), errors.Join(record)} {
		if got := withFlags(err).Error(); got != "topic/0@7: too much (raise --run-memory)" {
			t.Errorf("%v: %s", err, got)
		}
	}
	if record.Remedy != runs.RemedyMemory {
		t.Errorf("%q has changed", record.Remedy)
	}
	if err := errors.New("the disk is full"); withFlags(err) != err {
		t.Error(withFlags(err))
	}
}
