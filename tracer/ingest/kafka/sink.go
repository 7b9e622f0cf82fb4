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

// Sink sends the trace of one source of a run. It is an event.Writer whose methods may be called by several goroutines,
// if the order of these calls is one of the events.
type Sink struct {
	producer *Producer
	own      bool // nobody else sends with it

	mu        sync.Mutex
	run, name string
	writer    *record.Writer
	timer     *time.Timer // calls expire
	lingering bool        // it runs
	next      uint64      // number of the record behind the last one that the producer has taken
	ended     bool
}

var _ event.Writer = (*Sink)(nil)

// NewSink connects to the brokers, as NewProducer does, and begins to send a trace, which ends with End or Close. The run
// is the one of the header if that has one; sources of one run have different names.
func NewSink(ctx context.Context, to Address, security Security, run, source string, h *event.Header, opt Options) (*Sink, error) {
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
	s.lingering = true // readers are to hear of a run whose first event takes its time
	s.timer = time.AfterFunc(linger, s.expire)
	return s, nil
}

// SetSources says how many sources the run has, this one among them, with the next record. It is for the first moment at
// which that is known: a monitor keeps a run that others may join, and waits for them when all have ended.
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

// expire sends what has waited for others. An error stays with the writer.
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

// Flush sends what was written so far, and waits until brokers have it.
func (s *Sink) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writer.Flush(); err != nil {
		return err
	}
	return s.producer.Flush()
}

// Lose says that events are missing at this place: the run gets no verdict.
func (s *Sink) Lose() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writer.Lose()
}

// Close ends the source in order, if End has not been called: all its tasks have ended.
func (s *Sink) Close() error { return s.End(record.EndSource) }

// End sends what was written so far, and what ends with it: record.EndRun if no other source of the run will come,
// record.EndCut if the source breaks off. It waits until brokers have it all. Further calls do nothing.
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
		return lost // it says all that the writer knows
	}
	return err
}

// breakOff ends the source where it could not go on, so that nobody waits for the rest. If that was because brokers
// take nothing any more, they do not take this either, and its error is the one that is known.
func (s *Sink) breakOff(what record.End) {
	_ = s.producer.send(&record.Record{Run: s.run, Source: s.name, Seq: s.next, End: record.EndSource | record.EndCut | what}, false)
}
