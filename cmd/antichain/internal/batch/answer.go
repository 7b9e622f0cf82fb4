package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Header is common to all answers of a batch.
type Header struct {
	ID      json.RawMessage `json:"id,omitempty"`      // of the question
	Error   string          `json:"error,omitempty"`   // a mistake in the question
	Unknown string          `json:"unknown,omitempty"` // the exhausted budget
}

// Failure returns the answer for an error.
func Failure(id json.RawMessage, err error) Header {
	if OverBudget(err) {
		return Header{ID: id, Unknown: err.Error() + limits.Remedy(err)}
	}
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return Header{ID: id, Error: string(line)}
}

// OverBudget reports whether an error is an exhausted budget.
func OverBudget(err error) bool {
	var memory *budget.MemoryError
	return errors.Is(err, tlcheck.ErrTime) || errors.Is(err, ltl.ErrNodes) || errors.Is(err, bdd.ErrNodes) ||
		errors.As(err, new(*slices.IntervalsError)) || errors.As(err, &memory)
}

// WriteUnknown answers a single question with an exhausted budget.
func WriteUnknown(s terminal.Streams, asJSON bool, err error) error {
	if asJSON {
		if err := report.WriteObject(s.Out, Failure(nil, err)); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Err, "antichain: %v%s\n", err, limits.Remedy(err))
	return exit.Code(exit.Unknown)
}
