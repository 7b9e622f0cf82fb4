package shiviz

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tracer/event"
)

// Options say how a log is read. The zero Options has sensible defaults.
type Options struct {
	Expression string // layout of an event; "" to guess it
	Delimiter  string // what lies between two executions, as an expression; "" to guess it
	Size       int64  // bytes that a log may have; default 256 MiB
}

const defaultSize = 256 << 20

// Reader reads a log, or one of its executions, as a trace.
type Reader struct {
	ID string // of the execution, "" if the log has no delimiter

	in     io.Reader
	name   string
	size   int64
	form   form
	loaded bool
	text   string // up to the end of the execution
	begin  int    // of the execution
	clocks *clocks
	header *event.Header
	next   int // in the order of events
	err    error
}

var _ event.Reader = (*Reader)(nil)

// NewReader returns a reader of a log. The name is used in positions. An invalid expression is an
// error.
func NewReader(r io.Reader, name string, o Options) (*Reader, error) {
	reader := &Reader{in: r, name: name, size: o.Size}
	if reader.size <= 0 {
		reader.size = defaultSize
	}
	var err error
	if o.Expression != "" {
		if reader.form.layout, err = newLayout(o.Expression); err != nil {
			return reader, err
		}
	}
	if o.Delimiter != "" {
		reader.form.delimiter, err = newDelimiter(o.Delimiter)
	}
	return reader, err
}

// Read reads a log and returns its executions, one if no delimiter is in it. The name is used in
// positions. The reader of an execution finds the errors in it.
func Read(r io.Reader, name string, o Options) ([]*Reader, error) {
	whole, err := NewReader(r, name, o)
	if err == nil {
		err = whole.load()
	}
	if err != nil {
		return nil, err
	}
	return whole.split()
}

// Header reads the log and returns a header with its hosts as tasks, in the order of their first
// events.
func (r *Reader) Header() (*event.Header, error) {
	if r.header == nil && r.err == nil {
		r.err = r.read()
	}
	if r.header == nil {
		return nil, r.err
	}
	return r.header, nil
}

// read reads the log and checks it: no event of an invalid log is delivered.
func (r *Reader) read() error {
	if err := r.load(); err != nil {
		return err
	}
	l, err := parse(r.name, r.text, &r.form, r.begin, r.charge)
	if err != nil {
		return err
	}
	clocks := l.clocks()
	for i := range l.records {
		if _, err := clocks.causes(nil, &l.records[i]); err != nil {
			return err
		}
	}
	r.clocks, r.header = clocks, l.header()
	return nil
}

func (r *Reader) charge(bytes int64) error { return budget.ChargeTo(r.in, bytes) }

// load reads the text and finds out its form.
func (r *Reader) load() error {
	if r.loaded {
		return nil
	}
	text, err := r.readText()
	if err != nil {
		return err
	}
	begin, err := r.form.complete(text)
	switch {
	case err != nil:
		return &event.Error{Pos: r.name + ":1", Reason: err.Error(), Remedy: remedyLayout}
	case r.form.layout == nil:
		return &event.Error{Pos: r.name, Reason: "neither of the first two lines has a host and its clock",
			Remedy: remedyLayout}
	}
	r.text, r.begin, r.loaded = text, begin, true
	return nil
}

// header names the hosts that have events.
func (l *log) header() *event.Header {
	h := &event.Header{Version: 1, Unordered: true}
	for _, i := range l.order {
		if r := &l.records[i]; r.k == 1 {
			h.Tasks = append(h.Tasks, l.names[r.host])
		}
	}
	return h
}

// readText reads the whole log, without a byte order mark, and with \n for the ends of lines.
func (r *Reader) readText() (string, error) {
	text, err := budget.ReadAll(r.in, r.size)
	switch {
	case errors.Is(err, budget.ErrTooLong):
		return "", &event.Error{Pos: r.name, Reason: fmt.Sprintf("a log of more than %d bytes", r.size),
			Remedy: "split it into several runs"}
	case err != nil:
		return "", event.ReadError(r.name, err)
	case bom.IsUTF16(text):
		return "", &event.Error{Pos: r.name, Reason: bom.ReasonUTF16, Remedy: bom.RemedyUTF16}
	}
	return strings.ReplaceAll(bom.Trim(text), "\r\n", "\n"), nil
}

// Next returns the next event of the log.
func (r *Reader) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if r.next == len(r.clocks.order) {
		return io.EOF
	}
	rec := r.record(r.next)
	r.next++
	e.Reset()
	e.Task = r.clocks.names[rec.host]
	e.At = r.clocks.pos(rec)
	e.Set = append(append(e.Set, event.Binding{Name: groupEvent, Value: event.StringValue(rec.text)}), rec.others...)
	var err error
	e.After, err = r.clocks.causes(e.After, rec)
	return err
}

// record returns the n-th event.
func (r *Reader) record(n int) *record { return &r.clocks.records[r.clocks.order[n]] }

// Pos returns "file:line" of the last event's clock.
func (r *Reader) Pos() string {
	if r.next == 0 {
		return r.name
	}
	return r.clocks.pos(r.record(r.next - 1))
}
