package chrome

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tracer/event"
)

// Options say how a file is read. The zero Options has sensible defaults.
type Options struct {
	Size int64 // bytes that a file may have; default 1 GiB
}

const defaultSize = 1 << 30

// Reader reads a file as a trace.
type Reader struct {
	in     io.Reader
	name   string
	size   int64
	header *event.Header
	tracks *tracks
	order  []at
	next   int // in order
	err    error
}

// at is a step of a track.
type at struct {
	track *track
	step  int
}

var _ event.Reader = (*Reader)(nil)

// NewReader returns a reader of a file. The name is used in positions.
func NewReader(r io.Reader, name string, o Options) *Reader {
	return &Reader{in: r, name: name, size: cmp.Or(max(o.Size, 0), defaultSize)}
}

// Header reads the file and returns a header with its tracks as tasks, in the order of their first
// events in the file.
func (r *Reader) Header() (*event.Header, error) {
	if r.header == nil && r.err == nil {
		r.err = r.read()
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.header, nil
}

func (r *Reader) read() error {
	text, err := budget.ReadAll(r.in, r.size)
	switch {
	case errors.Is(err, budget.ErrTooLong):
		return &event.Error{Pos: r.name, Reason: fmt.Sprintf("a file of more than %d bytes", r.size),
			Remedy: "record less at a time"}
	case err != nil:
		return event.ReadError(r.name, err)
	case bom.IsUTF16(text):
		return &event.Error{Pos: r.name, Reason: bom.ReasonUTF16, Remedy: bom.RemedyUTF16}
	}
	charge := func(bytes int64) error { return budget.ChargeTo(r.in, bytes) }
	ts, err := parse(r.name, bom.Trim(text), charge)
	if err != nil {
		return err
	}
	ts.finish()
	h := &event.Header{Version: 1, Unordered: true, Caveat: ts.caveat()}
	for _, t := range ts.all {
		if len(t.steps) == 0 { // all of it was left out
			continue
		}
		h.Tasks = append(h.Tasks, t.name)
		for i := range t.steps {
			r.order = append(r.order, at{t, i})
		}
	}
	if len(h.Tasks) == 0 {
		return &event.Error{Pos: r.name, Reason: "no event of a track in the file", Remedy: remedy}
	}
	slices.SortStableFunc(r.order, func(a, b at) int {
		return cmp.Compare(a.track.steps[a.step].time, b.track.steps[b.step].time)
	})
	r.header, r.tracks = h, ts
	return nil
}

// caveat says which order may be missing.
func (ts *tracks) caveat() string {
	if ts.lost == 0 {
		return ""
	}
	return fmt.Sprintf("of %d of the flows that end, the trace has no beginning before, so what they order looks "+
		"unordered", ts.lost)
}

// Warnings returns the assumptions that were made where slices do not nest.
func (r *Reader) Warnings() (all []string) {
	if r.tracks == nil {
		return nil
	}
	if n := r.tracks.overlaps; n > 0 {
		all = append(all, fmt.Sprintf("slices that end after the one around them are taken to end with it: %d", n))
	}
	if n := r.tracks.unmatched; n > 0 {
		all = append(all, fmt.Sprintf("ends of slices without a beginning are left out: %d", n))
	}
	return all
}

// Next returns the next event of the trace.
func (r *Reader) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if r.next == len(r.order) {
		return io.EOF
	}
	a := r.order[r.next]
	r.next++
	s := &a.track.steps[a.step]
	e.Reset()
	e.Task, e.Enter, e.Exit, e.At = a.track.name, s.enter, s.exit, r.pos(s)
	e.Set, e.After = append(e.Set, s.args...), append(e.After, s.after...)
	switch {
	case s.event != "":
		e.Global = append(e.Global, event.Binding{Name: "event", Value: event.StringValue(s.event)})
	case s.enter == "" && s.exit == "":
		e.Op = "flow"
	}
	return nil
}

func (r *Reader) pos(s *step) string { return fmt.Sprintf("%s:%d", r.name, s.line) }

// Pos returns "file:line" of the last event.
func (r *Reader) Pos() string {
	if r.next == 0 {
		return r.name
	}
	a := r.order[r.next-1]
	return r.pos(&a.track.steps[a.step])
}
