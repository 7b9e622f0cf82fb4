package std

import (
	"cmp"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
)

// Options say how a log is read. The zero Options has sensible defaults.
type Options struct {
	Size int64 // bytes that a log may have; default 2 GiB

	// Again opens the log once more, from its beginning. Without it, as for a pipe, all lines are
	// kept, with 20 bytes each: which threads are never forked is known only at the end of the log.
	Again func() (io.Reader, error)
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
	options Options
	run     *run // nil before the log was read
	pass    recordReader
	header  *event.Header
	rec     *record // the next one, if it was read
	last    int32
	ops     *recorder // nil: it makes none
	omits   bool
	pending bool // the end of the thread that the next record joins has been delivered
	err     error
}

var _ event.Reader = (*Reader)(nil)

// NewReader returns a reader of a log. The name is used in positions.
func NewReader(r io.Reader, name string, o Options) *Reader {
	if o.Size <= 0 {
		o.Size = defaultSize
	}
	return &Reader{in: r, name: name, options: o}
}

// OmitOperations omits the operations, for callers that check no built-in property. It is called
// before Header.
func (r *Reader) OmitOperations() { r.omits = true }

// Header reads the log and returns a header with the initial threads as tasks, in the order in
// which they appear.
func (r *Reader) Header() (*event.Header, error) {
	if r.run == nil {
		l := parse(r.in, r.name, r.options.Size, r.options.Again == nil)
		r.run = newRun(l)
		if l.count == 0 {
			r.err = cmp.Or(l.broken, error(&event.Error{Pos: r.name, Reason: "no event in the log",
				Remedy: remedyLine}))
			return nil, r.err
		}
		var again *scanner
		if r.options.Again != nil {
			in, err := r.options.Again()
			if err != nil {
				r.err = err
				return nil, err
			}
			again = l.scanner(in, r.options.Size)
		}
		r.pass = newPass(l, again)
		r.header = &event.Header{Version: event.Version}
		if !r.omits {
			r.ops = newRecorder(r.run)
			r.header.Operations = &event.Operations{Accesses: true, Env: true, Only: []string{"deadlock", "race"}}
		}
		for _, t := range l.initial {
			r.header.Tasks = append(r.header.Tasks, l.names[t])
		}
	}
	if r.header == nil {
		return nil, r.err
	}
	return r.header, nil
}

// Warnings returns the assumptions about threads where the log is irregular. It is called after
// Header.
func (r *Reader) Warnings() []string { return r.run.warnings }

// ShowsReads reports whether the log has reads of memory. It is called after Header.
func (r *Reader) ShowsReads() bool { return r.run.has[read] }

// HasWaits reports whether threads wait in the log for notifications. It is called after Header.
func (r *Reader) HasWaits() bool { return r.run.has[wait] }

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
	if r.ops != nil && r.ops.Next(e) {
		return nil
	}
	if r.rec == nil {
		var err error
		r.rec, err = r.pass.read()
		if err == io.EOF && r.ops != nil {
			if r.ops.finish(); r.ops.Next(e) {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
	rec := r.rec
	r.last = rec.line
	e.Reset()
	if rec.operation == join && !r.pending && !r.run.joined[rec.operand] {
		r.pending = true
		r.run.end(e, rec.operand)
		if r.ops != nil {
			r.ops.End(r.ops.thread(rec.operand))
		}
		return nil
	}
	r.pending, r.rec = false, nil
	if err := r.run.event(e, rec); err != nil {
		return r.pass.reasonFor(err)
	}
	if r.ops != nil {
		r.ops.add(rec, e)
	}
	return nil
}

// Pos returns "file:line" of the last event.
func (r *Reader) Pos() string {
	if r.last == 0 {
		return r.name
	}
	return r.run.pos(r.last)
}
