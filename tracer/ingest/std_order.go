package ingest

import (
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/antichain-go/antichain/tracer/op"
)

// stdOrder is the FreeOrder of a log of package std, in which a lock comes only after the previous
// unlock. The lines of a log are in the order in which the operations happened. So a read has seen
// the last write of the same memory.
type stdOrder struct {
	log     *std.Reader
	header  *event.Header
	keep    func(*event.Event) error
	events  map[string]int       // so far, of each thread
	written map[string]event.Ref // the last write, by what is written
}

func newStdOrder(log *std.Reader, h *event.Header, keep func(*event.Event) error) *stdOrder {
	return &stdOrder{log, h, keep, map[string]int{}, map[string]event.Ref{}}
}

func (o *stdOrder) Header() *event.Header { return o.header }

func (o *stdOrder) Add(e *event.Event) error {
	if !e.IsAction() {
		return nil
	}
	o.events[e.Task]++
	free := *e
	switch e.Op {
	case op.Lock.String():
		free.After = nil
	case op.Read.String():
		if w := o.written[e.Obj]; w.K > 0 && w.Task != e.Task {
			free.Seen = []event.Ref{w}
		}
	case op.Write.String():
		o.written[e.Obj] = event.Ref{Task: e.Task, K: o.events[e.Task]}
	}
	return o.keep(&free)
}

func (o *stdOrder) Finish() error { return nil }

func (o *stdOrder) ShowsReads() bool { return o.log.ShowsReads() }

func (o *stdOrder) Open() string {
	switch {
	case !o.log.ShowsReads():
		return "the log does not have the values that threads read"
	case o.log.HasWaits():
		return "the log does not show which thread has notified a waiting one"
	}
	return ""
}
