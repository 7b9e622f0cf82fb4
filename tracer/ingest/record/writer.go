package record

import (
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tracer/event"
)

// Options say how a Writer splits a trace into records.
type Options struct {
	Text   bool // lines instead of blocks
	Events int  // maximum number in a record; 0 is 1000
	Bytes  int  // size from which on a record is sent, before compression; 0 is 256 KiB
}

// Writer sends the trace of one source as records. It is an event.Writer.
type Writer struct {
	run, source string
	opt         Options
	send        func(*Record) error
	parts       *event.PartWriter
	first       []byte // the header, until it is sent
	seq         uint64
	sources     int   // of the run, until it is sent; else 0
	err         error // stays
}

// NewWriter returns a writer that calls send for each record, in the order of the trace; send may
// keep it. The header is sent with the first events, or by Flush.
func NewWriter(run, source string, h *event.Header, opt Options, send func(*Record) error) (*Writer, error) {
	if run == "" || source == "" {
		return nil, errors.New("a record without a run or a source: name both")
	}
	if opt.Events <= 0 {
		opt.Events = 1000
	}
	if opt.Bytes <= 0 {
		opt.Bytes = 256 << 10
	}
	parts, first, err := event.NewPartWriter(h, opt.Text)
	if err != nil {
		return nil, err
	}
	return &Writer{run: run, source: source, opt: opt, send: send, parts: parts, first: first}, nil
}

// SetSources sets the number of sources of the run, including this one. The next record carries it.
// One source of a run is enough, but several may set the same number.
func (w *Writer) SetSources(n int) error {
	if n < 1 || n > MaxSources {
		return fmt.Errorf("a run with %d sources: say from 1 to %d", n, MaxSources)
	}
	w.sources = n
	return nil
}

// Write implements event.Writer.
func (w *Writer) Write(e *event.Event) error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.parts.Write(e); w.err != nil {
		return w.err
	}
	if w.parts.Events() >= w.opt.Events || w.parts.Size() >= w.opt.Bytes {
		return w.Flush()
	}
	return nil
}

// Flush sends all that was written so far.
func (w *Writer) Flush() error {
	events, part := w.parts.Events(), w.parts.Take()
	switch {
	case w.first == nil:
	case w.opt.Text:
		part, w.first = append(w.first, part...), nil
	default: // a block cannot follow it
		header := w.first
		w.first = nil
		w.put(&Record{Value: header})
	}
	if part != nil {
		w.put(&Record{Value: part, Events: events})
	}
	return w.err
}

// Close sends the rest, and the end of the source.
func (w *Writer) Close() error { return w.End(EndSource) }

// End sends the rest, and what.
func (w *Writer) End(what End) error {
	if w.Flush() == nil {
		w.put(&Record{End: EndSource | what})
	}
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	return nil
}

// Lose marks missing events after those written so far, by skipping a number. A run with a gap
// supports no verdict, and its readers wait for that record in vain.
func (w *Writer) Lose() error {
	err := w.Flush()
	w.seq++
	return err
}

var errClosed = errors.New("write to a trace that is closed")

func (w *Writer) put(r *Record) {
	if w.err != nil {
		return
	}
	w.seq++
	r.Run, r.Source, r.Seq, r.Sources = w.run, w.source, w.seq, w.sources
	w.sources = 0
	w.err = w.send(r)
}
