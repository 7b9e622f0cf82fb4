// Package reordering builds the nets of a run without the order of its critical sections, beside
// the ordinary one.
package reordering

import (
	"errors"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// Builder builds the nets from the events of a run, operations included.
type Builder struct {
	order        ingest.FreeOrder
	free, data   *san.Builder   // see check.Orders; data may be nil
	at           san.Positioner // of the event that was added last
	err          error          // why there are none
	leadsBuilder *Builder       // of check.Orders.Leads; nil: it is not wanted
}

// OfProgram returns a Builder for the trace of a Go program that has this header. Leads says
// whether check.Orders.Leads is wanted, which needs as much memory again.
func OfProgram(h *event.Header, leads bool) *Builder {
	b := newBuilder(func(keep func(*event.Event) error) (ingest.FreeOrder, error) { return process.NewFreeOrder(h, keep) })
	if leads && b.data != nil {
		b.leadsBuilder = newBuilder(func(keep func(*event.Event) error) (ingest.FreeOrder, error) {
			return process.NewBlindFreeOrder(h, keep)
		})
	}
	return b
}

func newBuilder(order func(keep func(*event.Event) error) (ingest.FreeOrder, error)) *Builder {
	b := new(Builder)
	if b.order, b.err = order(b.keep); b.err != nil {
		return b
	}
	if b.free, b.err = san.NewBuilder(b.order.Header()); b.err == nil && b.order.ShowsReads() {
		b.data, b.err = san.NewBuilder(b.order.Header())
	}
	return b
}

// keep takes an event of the nets.
func (b *Builder) keep(e *event.Event) error {
	if err := b.free.AddFrom(e, b.at); err != nil || b.data == nil {
		return err
	}
	ordered := *e
	for _, r := range e.Seen {
		if !slices.Contains(e.After, r) && !slices.Contains(e.With, r) {
			ordered.After = append(slices.Clip(ordered.After), r)
		}
	}
	return b.data.AddFrom(&ordered, b.at)
}

// Add takes the next event of the run.
func (b *Builder) Add(e *event.Event, at san.Positioner) {
	if b.err != nil {
		return
	}
	b.at = at
	if b.err = b.order.Add(e); b.err != nil {
		b.free, b.data = nil, nil // their memory is wanted elsewhere
	}
	if b.leadsBuilder != nil {
		b.leadsBuilder.Add(e, at)
	}
}

// Finish returns the nets except check.Orders.Run, which the caller has. If there are none, Missing
// says why.
func (b *Builder) Finish() (o check.Orders) {
	if b.err == nil {
		b.err = b.order.Finish()
	}
	if b.err == nil {
		o.Free, b.err = b.free.Finish()
	}
	if b.err == nil && b.data != nil {
		o.Data, b.err = b.data.Finish()
	}
	if b.err != nil {
		return check.Orders{Missing: withRemedy(b.err)}
	}
	o.Open = b.order.Open()
	if b.leadsBuilder != nil {
		o.Leads = b.leadsBuilder.Finish().Free
	}
	return o
}

// withRemedy says with which flags there is a verdict.
func withRemedy(err error) error {
	switch {
	case errors.Is(err, process.ErrNoOperations):
		return fmt.Errorf("%w: record the run with --predict locks and -o", err)
	case errors.Is(err, ingest.ErrOrderless):
		return fmt.Errorf("%w: leave --predict locks out", err)
	}
	return err
}

// Reader reads a run of any coding, and has a Builder take its events.
type Reader struct {
	event.Reader
	builder *Builder
}

// NewReader returns a Reader of an unread run. It reads the run through another reader.
func NewReader(run, through event.Reader) *Reader {
	return &Reader{through, newBuilder(func(keep func(*event.Event) error) (ingest.FreeOrder, error) { return ingest.NewFreeOrder(run, keep) })}
}

// Next implements event.Reader.
func (r *Reader) Next(e *event.Event) error {
	err := r.Reader.Next(e)
	if err == nil {
		r.builder.Add(e, r.Reader)
	}
	return err
}

// Finish returns the nets of what was read, or why there are none.
func (r *Reader) Finish() check.Orders { return r.builder.Finish() }
