package trace

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// ReadNet reads a run to its end and returns its net. If the run is invalid, it returns the net of
// the events before the mistake, together with the error; a mistake in the header leaves no net. If
// the context ends first, there is no net, and the error is a *ReadStoppedError.
func ReadNet(ctx context.Context, run event.Reader) (*san.Net, error) {
	h, err := HeaderOf(ctx, run)
	if err != nil {
		return nil, readError(ctx, err, 0)
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	events, err := addEvents(ctx, b, run)
	if err == nil {
		var net *san.Net
		if net, err = b.Finish(); err == nil {
			return net, nil
		}
	}
	var stopped *ReadStoppedError
	if err = readError(ctx, err, events); errors.As(err, &stopped) {
		return nil, err
	}
	return b.Partial(), err
}

// HeaderOf returns the header of a run, or the cause of the end of the context. Readers of some
// formats read the whole run for its header. After an error the reader may still be running, and
// must not be used.
func HeaderOf(ctx context.Context, run event.Reader) (*event.Header, error) {
	var header *event.Header
	var err error
	if !budget.Do(ctx, func() { header, err = run.Header() }) {
		return nil, context.Cause(ctx)
	}
	return header, err
}

// chargeEvery is the number of events between two checks of the memory limit. A timer checks it
// too, but may be late on a busy machine.
const chargeEvery = 1 << 10

// addEvents adds the events of a run until its end or an error. It returns their number.
func addEvents(ctx context.Context, b *san.Builder, run event.Reader) (events int, err error) {
	for e := new(event.Event); ; events++ {
		switch err := run.Next(e); {
		case errors.Is(err, io.EOF):
			return events, nil
		case err != nil:
			return events, err
		case ctx.Err() != nil:
			return events, context.Cause(ctx)
		case events%chargeEvery == 0:
			if err := budget.Charge(ctx, 0); err != nil {
				return events, err
			}
		}
		if err := b.AddFrom(e, run); err != nil {
			return events, err
		}
	}
}

// ReadStoppedError reports that reading a run was stopped before its end.
type ReadStoppedError struct {
	Events int   // that were read
	Cause  error // tlcheck.ErrTime, a tlcheck.ErrMemory, or the cause of the end of the context
}

func (e *ReadStoppedError) Error() string {
	return fmt.Sprintf("%v after %s of the trace", e.Cause, wording.Plural(e.Events, "event"))
}

func (e *ReadStoppedError) Unwrap() error { return e.Cause }

// readError returns a *ReadStoppedError if the context has ended, else err.
func readError(ctx context.Context, err error, events int) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return &ReadStoppedError{Events: events, Cause: cause}
	}
	return err
}
