// Package limits bounds the time and the memory of a verb's work.
//
// An error says which flag raises the limit.
package limits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
)

// DefaultMemory suffices for nets of tens of millions of events, and leaves something of
// most machines.
const DefaultMemory = 4 << 30

// Limits bound a part of the work.
type Limits struct {
	Timeout time.Duration // of wall time; 0 is no limit
	Memory  Size          // of the whole process; 0 is no limit
}

// Bound returns a context that ends when a part of the work, such as reading a trace, has
// used up its budget.
func (l *Limits) Bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return budget.Bound(ctx, l.Timeout, int64(l.Memory))
}

// Size is a flag for a number of bytes.
type Size int64

func (s *Size) Set(text string) error {
	n, err := budget.Parse(text)
	*s = Size(n)
	return err
}

func (s *Size) String() string { return budget.Format(int64(*s)) }
func (s *Size) Type() string   { return "SIZE" }

// ReadStoppedError says that a budget ran out before a trace was read to its end.
type ReadStoppedError struct {
	Events int // read
	Cause  error
}

func (e *ReadStoppedError) Error() string {
	return fmt.Sprintf("%v after %s of the trace%s", e.Cause, wording.Plural(e.Events, "event"), Remedy(e.Cause))
}

func (e *ReadStoppedError) Unwrap() error { return e.Cause }

// Remedy says which flag allows more, if one does.
func Remedy(stopped error) string {
	var readStopped *ReadStoppedError
	var memory *budget.MemoryError
	switch {
	case errors.As(stopped, &readStopped): // it has said so
	case errors.As(stopped, &memory):
		return "; --memory allows more"
	case errors.Is(stopped, tlcheck.ErrTime):
		return "; --timeout allows more"
	}
	return ""
}

// ReadFile returns the content of a file, which may be endless: of more than most bytes it returns
// one more than these.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
