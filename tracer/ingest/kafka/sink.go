package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// linger is how long events wait for others, to be sent in one record.
const linger = 100 * time.Millisecond

// Sink sends the trace of one source of a run. It is an event.Writer whose methods may be called by
// several goroutines, as long as the order of the calls is an order of the events.
type Sink struct {
	producer *Producer
	own      bool // the producer has no other user

	mu        sync.Mutex
	run, name string
	writer    *record.Writer
	timer     *time.Timer // calls expire
	lingering bool        // the timer runs
	next      uint64      // number after the last record that the producer has taken
	ended     bool
}

var _ event.Writer = (*Sink)(nil)

// NewSink connects to the brokers, as NewProducer does, and begins to send a trace, which ends with
// End or Close. The run is the one of the header if that has one; sources of one run have different
// names.
func NewSink(ctx context.Context, to Address, security Security, run, source string, h *event.Header,
	opt Options) (*Sink, error) {
	p, err := NewProducer(ctx, to, security, opt)
	if err != nil {
		return nil, err
	}
	s, err := p.Sink(run, source, h)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	s.own = true
	return s, nil
}

// Sink begins to send a trace beside others. Its End and Close do not wait for brokers, which the
// producer's do.
func (p *Producer) Sink(run, source string, h *event.Header) (*Sink, error) {
	s := &Sink{producer: p, run: run, name: source, next: 1}
	var err error
	if s.writer, err = record.NewWriter(run, source, h, p.opt.Records, s.send); err != nil {
		return nil, err
	}
	s.lingering = true // announces the run even if its first event is slow to come
	s.timer = time.AfterFunc(linger, s.expire)
	return s, nil
}

// SetSources announces the number of sources of the run, including this one, with the next record.
// Call it as soon as that number is known: until then a monitor keeps a run open that others may
// join, even when all its sources have ended.
func (s *Sink) SetSources(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writer.SetSources(n)
}

// Write implements event.Writer. It waits while the buffer is full.
func (s *Sink) Write(e *event.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.writer.Write(e)
	if err == nil && !s.lingering {
		s.lingering = true
		s.timer.Reset(linger)
	}
	return err
}

// expire sends the waiting events. The writer keeps an error.
func (s *Sink) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lingering = false
	if !s.ended {
		_ = s.writer.Flush()
	}
}

func (s *Sink) send(r *record.Record) error {
	err := s.producer.Send(r)
	switch {
	case err == nil:
		s.next = r.Seq + 1
	case errors.Is(err, ErrFull):
		err = fmt.Errorf("run %s: the rest of the trace is given up: %w", event.Printable(s.run), err)
	}
	return err
}

// Flush sends all that was written so far, and waits until brokers have it.
func (s *Sink) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writer.Flush(); err != nil {
		return err
	}
	return s.producer.Flush()
}

// Lose marks missing events at this place: the run gets no verdict.
func (s *Sink) Lose() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writer.Lose()
}

// Close ends the source in order, if End has not been called: all its tasks have ended.
func (s *Sink) Close() error { return s.End(record.EndSource) }

// End sends all that was written so far, and the end: record.EndRun if the run has no further
// sources, record.EndCut if the source breaks off. It waits until brokers have it all. Further
// calls do nothing.
func (s *Sink) End(what record.End) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil
	}
	s.ended = true
	s.timer.Stop()
	err := s.writer.End(what)
	if err != nil {
		s.breakOff(what)
	}
	if !s.own {
		return err
	}
	if lost := s.producer.Close(); lost != nil {
		return lost // it includes the error of the writer
	}
	return err
}

// breakOff ends the source where it failed, and spares readers the wait for the rest. If brokers
// take nothing any more, they do not take this either, and the first error counts.
func (s *Sink) breakOff(what record.End) {
	_ = s.producer.send(&record.Record{Run: s.run, Source: s.name, Seq: s.next,
		End: record.EndSource | record.EndCut | what}, false)
}
