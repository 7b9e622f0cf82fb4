package std

import (
	"cmp"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
)

// Options says how a log is read. The zero Options is a good one.
type Options struct {
	Size int64 // bytes that a log may have; default 2 GiB
}

const defaultSize = 2 << 30

// The names of the variables that events set, and of the frame of a transaction.
const (
	varOp    = "op"
	varObj   = "obj"
	varLocks = "locks"
	atomic   = "atomic"
)

// Reader reads a log as a trace.
type Reader struct {
	in      io.Reader
	name    string
	size    int64
	run     *run // nil before the log was read
	header  *event.Header
	next    int // of the records
	last    int32
	queue   []*event.Event // operations of the last record, not yet delivered
	ops     recorder
	pending bool // the end of the thread that the next record joins has been delivered
	err     error
}

var _ event.Reader = (*Reader)(nil)

// NewReader returns a reader of a log. The name is used in positions.
func NewReader(r io.Reader, name string, o Options) *Reader {
	if o.Size <= 0 {
		o.Size = defaultSize
	}
	return &Reader{in: r, name: name, size: o.Size}
}

// Header reads the log and returns a header with the initial threads as tasks, in the order in which they
// appear.
func (r *Reader) Header() (*event.Header, error) {
	if r.run == nil {
		l := parse(r.in, r.name, r.size)
		r.run = newRun(l)
		if len(l.records) == 0 {
			r.err = cmp.Or(l.broken, error(&event.Error{Pos: r.name, Reason: "no event in the log", Remedy: remedyLine}))
			return nil, r.err
		}
		r.header = &event.Header{Version: event.Version, Operations: &event.Operations{Accesses: true, Env: true, Only: []string{"deadlock", "race"}}}
		for _, t := range l.initial {
			r.header.Tasks = append(r.header.Tasks, l.names[t])
		}
	}
	if r.header == nil {
		return nil, r.err
	}
	return r.header, nil
}

// Next returns the next event of the log.
func (r *Reader) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if r.err == nil {
		r.err = r.advance(e)
	}
	return r.err
}

func (r *Reader) advance(e *event.Event) error {
	if len(r.queue) > 0 {
		*e = *r.queue[0]
		r.queue = r.queue[1:]
		return nil
	}
	l := r.run.log
	if r.next == len(l.records) {
		return cmp.Or(l.broken, io.EOF)
	}
	rec := &l.records[r.next]
	r.last = rec.line
	e.Reset()
	if rec.operation == join && !r.pending && !r.run.joined[rec.operand] {
		r.pending = true
		r.run.end(e, rec.operand)
		r.queue = r.ops.end(r.queue[:0], r.run, rec.operand)
		return nil
	}
	r.pending = false
	r.next++
	if err := r.run.event(e, rec); err != nil {
		return err
	}
	r.queue = r.ops.add(r.queue[:0], r.run, rec, e)
	return nil
}

// Pos returns "file:line" of the last event.
func (r *Reader) Pos() string {
	if r.last == 0 {
		return r.name
	}
	return r.run.pos(r.last)
}
