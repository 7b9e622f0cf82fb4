package gotrace

import (
	"errors"
	"fmt"
	"io"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
	"golang.org/x/exp/trace"
)

// Options say how a trace is read. The zero Options has sensible defaults.
type Options struct {
	Size int64 // bytes that a trace may have; default 1 GiB
}

const defaultSize = 1 << 30

// Caveat is the caveat of all these traces.
const Caveat = "a Go execution trace shows who has woken whom, but not what is ordered by a lock that was free, an " +
	"atomic operation " +
	"or a channel with room; what these order looks unordered, so the program may never be in a state that is found"

// Reader reads an execution trace as a trace.
type Reader struct {
	in     io.Reader
	name   string
	size   int64
	run    *run // nil before the trace was read
	header *event.Header
	codes  int   // that were returned
	next   int   // of the events
	told   int   // actions among those before
	broken error // the error after the last event, else io.EOF
}

var _ event.Reader = (*Reader)(nil)

// NewReader returns a reader of an execution trace. The name is used in positions.
func NewReader(r io.Reader, name string, o Options) *Reader {
	if o.Size <= 0 {
		o.Size = defaultSize
	}
	return &Reader{in: r, name: name, size: o.Size}
}

// Header reads the trace and returns a header with the initial goroutines as tasks, in the order of
// their first events.
func (r *Reader) Header() (*event.Header, error) {
	if r.run == nil {
		r.run = newRun(r.name)
		r.broken = r.read()
		if len(r.run.initial) > 0 {
			r.header = &event.Header{Version: 1, Tasks: r.run.initial, Caveat: Caveat}
			r.operate()
		} else if r.broken == io.EOF {
			r.broken = &event.Error{Pos: r.name, Reason: "the trace has no event of a goroutine",
				Remedy: "annotate the program with the regions, logs and tasks of runtime/trace"}
		}
	}
	if r.header == nil {
		return nil, r.broken
	}
	return r.header, nil
}

// operate announces the operations of the trace, unless there are none of use. The end of a broken
// trace is unknown, so it has none.
func (r *Reader) operate() {
	r.run.collect()
	if r.broken == io.EOF && !r.run.finish() {
		r.run.operations.codes = nil
		r.run.events = stdslices.DeleteFunc(r.run.events, func(e event.Event) bool { return !e.IsAction() })
		return
	}
	r.header.Version = event.Version
	r.header.Operations = &event.Operations{Env: true, Only: []string{"leak"}}
}

// read reads the trace and returns the reason why it stops.
func (r *Reader) read() error {
	limited := &io.LimitedReader{R: r.in, N: r.size + 1}
	in := &input{Reader: limited}
	var t *trace.Reader
	err := guard(func() (err error) {
		t, err = trace.NewReader(in)
		return err
	})
	for err == nil {
		var e trace.Event
		err = guard(func() (err error) {
			e, err = t.ReadEvent()
			return err
		})
		if err == nil {
			err = guard(func() error {
				r.run.add(&e)
				return nil
			})
		}
	}
	switch {
	case limited.N == 0:
		return r.fault(fmt.Sprintf("an execution trace of more than %d bytes", r.size), "trace a shorter time")
	case in.err != nil && in.err != io.EOF:
		return event.ReadError(r.name, in.err)
	case err == io.EOF:
		return err
	}
	return r.fault("no Go execution trace, or a broken one: "+event.Printable(err.Error()),
		"was the program killed before trace.Stop?")
}

// input remembers the error of the input, which the parser only quotes.
type input struct {
	io.Reader
	err error
}

func (in *input) Read(b []byte) (int, error) {
	n, err := in.Reader.Read(b)
	if err != nil {
		in.err = err
	}
	return n, err
}

// guard turns a panic into an error. Traces are untrusted and the parser is not ours. It may panic
// on a damaged trace, for instance when an event refers to a missing string.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New(fmt.Sprint(v))
		}
	}()
	return f()
}

func (r *Reader) fault(reason, remedy string) error {
	return &event.Error{Pos: r.pos(r.run.actions), Reason: reason, Remedy: remedy}
}

// Next returns the next event, or an operation.
func (r *Reader) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if codes := r.run.operations.codes; r.codes < len(codes) {
		e.CopyFrom(codes[r.codes])
		r.codes++
		return nil
	}
	if r.next == len(r.run.events) {
		return r.broken
	}
	from := &r.run.events[r.next]
	r.next++
	if from.IsAction() {
		r.told++
	}
	e.CopyFrom(from)
	return nil
}

// Pos returns the position of the last event among those of the trace.
func (r *Reader) Pos() string { return r.pos(r.told) }

func (r *Reader) pos(n int) string {
	if n == 0 {
		return r.name
	}
	return fmt.Sprintf("%s:event %d", r.name, n)
}
