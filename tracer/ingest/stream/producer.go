package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/antichain-go/antichain/tracer/event"
)

// producer sends the events of one stream.
type producer struct {
	name string
	from Source
	ctx  context.Context // reading fails when it ends
	stop context.CancelFunc

	// Of Serve's goroutine:
	run    *joinedRun // nil before the header
	header *event.Header
	over   bool // its further messages are ignored
}

func newProducer(ctx context.Context, name string, from Source) *producer {
	p := &producer{name: name, from: from}
	p.ctx, p.stop = context.WithCancel(ctx)
	return p
}

// drop ignores all further messages of the producer.
func (p *producer) drop() {
	p.over = true
	p.stop()
}

// read posts the events of the producer until its end, or until its context ends, which is no end
// of the stream.
func (b *mailbox) read(p *producer, in io.Reader) {
	b.readFrom(p, func() (event.Reader, error) { return event.OpenStream(in, event.Printable(p.name)) })
}

func (b *mailbox) readFrom(p *producer, open func() (event.Reader, error)) {
	defer p.stop()
	defer func() {
		if v := recover(); v != nil {
			b.post(0, func(it *item) { it.message, it.bug = panics, fmt.Sprintf("%v\n%s", v, debug.Stack()) })
		}
	}()
	err := b.readAll(p, open)
	if p.ctx.Err() != nil {
		return
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	b.post(0, func(it *item) { it.message, it.from, it.err = ends, p, err })
}

func (b *mailbox) readAll(p *producer, open func() (event.Reader, error)) error {
	r, err := open()
	if err != nil {
		return err
	}
	h, err := r.Header()
	if err != nil {
		return err
	}
	b.post(0, func(it *item) { it.message, it.from, it.header, it.pos = begins, p, h, r.Pos() })
	for e := new(event.Event); p.ctx.Err() == nil; {
		if err := r.Next(e); err != nil {
			return err
		}
		pos := r.Pos()
		ok := b.post(e.Size(), func(it *item) {
			it.message, it.from, it.pos = sends, p, pos
			it.event, e = e, it.event
		})
		if !ok {
			break
		}
		if e == nil {
			e = new(event.Event)
		}
	}
	return nil // nothing more is wanted
}
