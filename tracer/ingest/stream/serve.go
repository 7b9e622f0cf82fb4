package stream

import (
	"cmp"
	"context"
	"errors"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// MaxIdle bounds the number of runs without a producer that wait to be joined.
const MaxIdle = 64

// Handler receives runs and errors. Its methods are called one at a time.
type Handler interface {
	// Begin returns the sink of a new run. name is the run's, or that of its only producer. An
	// error goes to Fail, and the producer is ignored.
	Begin(name string, h *event.Header) (Sink, error)
	// Fail receives the reason why a producer broke off (*BrokenError), a source ended, or a run.
	Fail(err error)
	// Unbegun is called at the end for each source without a header, with its word.
	Unbegun(source string)
}

// BrokenError says that a producer of a run has broken off, or that some of its events may be
// missing. The events that were read are valid; nothing is known of the others.
type BrokenError struct{ Err error }

func (e *BrokenError) Error() string { return e.Err.Error() }
func (e *BrokenError) Unwrap() error { return e.Err }

// OpenError says that a source cannot be opened. No source was read.
type OpenError struct{ Err error }

func (e *OpenError) Error() string { return e.Err.Error() }
func (e *OpenError) Unwrap() error { return e.Err }

// breaksOff reports whether an error of a producer's stream leaves the events before it valid.
func breaksOff(err error) bool {
	var read *event.Error
	return errors.As(err, &read) && (read.Remedy == event.RemedyCut || read.Err != nil)
}

// Serve reads all sources into the sinks of their runs until the sources end, the context does, or
// a Step or Close fails, and then closes the sinks: those of runs that have not ended are cut off.
// It returns an *OpenError before anything is read, or the error of a sink.
func Serve(ctx context.Context, sources []Source, h Handler) error {
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	for i, s := range sources {
		if err := s.open(ctx); err != nil {
			for _, s := range sources[:i] {
				s.close()
			}
			return &OpenError{err}
		}
	}
	s := &server{box: newMailbox(), handler: h, left: len(sources), joined: len(sources) > 1,
		byID: map[string]*joinedRun{}, coming: map[Source]bool{}, began: map[Source]bool{}}
	for _, src := range sources {
		s.coming[src] = true
		s.joined = s.joined || src.Many()
	}
	for _, src := range sources {
		go func() {
			err := src.serve(reading, s.box)
			s.box.post(0, func(it *item) { it.message, it.source, it.err = retires, src, err })
		}()
	}
	err := s.loop(ctx)
	cancel()
	s.box.close()
	for _, src := range sources {
		src.close()
	}
	err = cmp.Or(err, s.closeAll(err, context.Cause(ctx)))
	for _, src := range sources {
		if !s.began[src] {
			h.Unbegun(src.String())
		}
	}
	return err
}

// server is the state of Serve.
type server struct {
	box     *mailbox
	handler Handler
	joined  bool // there may be more than one producer
	left    int  // sources that may send something
	// those that may have a producer which has not begun; when none is left no producer can join
	coming map[Source]bool

	began map[Source]bool // those with a header

	runs []*joinedRun          // in the order in which they began
	byID map[string]*joinedRun // those that can be joined
	idle []*joinedRun          // of these, those without a producer, the oldest first
}

// loop takes the available items, version by version, until the sources or the context have ended.
func (s *server) loop(ctx context.Context) error {
	for s.left > 0 {
		items, ok := s.box.take(ctx)
		if !ok {
			return nil
		}
		for i := range items {
			if err := s.take(&items[i]); err != nil {
				return err
			}
			if (i+1)%versionSize == 0 || i == len(items)-1 {
				if err := s.step(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// versionSize bounds the items of one version, since its work can grow with the square of its size.
const versionSize = 256

// step ends a version in the runs.
func (s *server) step() error {
	for _, r := range s.runs {
		if !r.fresh {
			continue
		}
		r.fresh = false
		if err := r.sink.Step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) take(it *item) error {
	p := it.from
	switch {
	case it.message == retires:
		s.left--
		if it.err != nil {
			s.handler.Fail(it.err)
		}
		return s.noteLastProducer(it.source)
	case it.message == panics:
		panic("stream: " + it.bug)
	case p.over:
	case it.message == begins:
		if err := s.attachProducer(p, it.header, it.pos); err != nil || p.from.Many() {
			return err
		}
		return s.noteLastProducer(p.from)
	case it.message == sends:
		if err := p.run.take(p, it.event, it.pos); err != nil {
			return s.fail(p.run, err)
		}
	case it.message == loses:
		s.handler.Fail(&BrokenError{it.err})
		if p.run != nil && p.run.cut == nil {
			p.run.cut = it.err
		}
	default:
		return s.endProducer(p, it.err)
	}
	return nil
}

// attachProducer finds the run of a producer that has sent its header.
func (s *server) attachProducer(p *producer, h *event.Header, pos string) error {
	s.began[p.from] = true
	r := s.byID[h.Run]
	var err error
	if r == nil {
		r, err = s.newRun(p, h)
	} else if err = r.Admits(h, pos, r.sink.Creates); err == nil {
		if err := r.join(h, pos); err != nil {
			p.drop()
			return s.fail(r, err)
		}
	}
	if err != nil {
		p.drop()
		s.handler.Fail(err)
		return nil
	}
	s.unidle(r)
	r.enter(p, h)
	return nil
}

func (s *server) newRun(p *producer, h *event.Header) (*joinedRun, error) {
	r, header := newRun(h, s.joined)
	var err error
	if r.sink, err = s.handler.Begin(cmp.Or(r.id, p.name), header); err != nil {
		return nil, err
	}
	s.runs = append(s.runs, r)
	if r.id != "" {
		s.byID[r.id] = r
	}
	return r, nil
}

// endProducer handles the end of a producer's stream; err is nil if it ended properly.
func (s *server) endProducer(p *producer, err error) error {
	p.over = true
	r := p.run
	switch {
	case r != nil && breaksOff(err):
		s.handler.Fail(&BrokenError{err})
	case err != nil:
		s.handler.Fail(err)
	}
	if r == nil {
		return nil
	}
	r.leave(p, err)
	switch {
	case len(r.producers) > 0:
		return nil
	case r.Env() == "" || len(s.coming) == 0:
		return s.close(r)
	}
	s.idle = append(s.idle, r)
	if len(s.idle) > MaxIdle {
		return s.close(s.idle[0])
	}
	return nil
}

// noteLastProducer notes that no other producer of a source will begin. When that holds for all
// sources, the runs that wait to be joined are over, and no other run can be joined.
func (s *server) noteLastProducer(source Source) error {
	delete(s.coming, source)
	if len(s.coming) > 0 {
		return nil
	}
	if err := s.step(); err != nil {
		return err
	}
	for _, r := range stdslices.Clone(s.runs) {
		if len(r.producers) > 0 {
			r.bar()
		} else if err := s.close(r); err != nil {
			return err
		}
	}
	return nil
}

// fail ends a run that is broken.
func (s *server) fail(r *joinedRun, err error) error {
	s.handler.Fail(err)
	r.cut = err
	return s.close(r)
}

// close ends a run.
func (s *server) close(r *joinedRun) error {
	s.unidle(r)
	s.runs = stdslices.DeleteFunc(s.runs, func(other *joinedRun) bool { return other == r })
	delete(s.byID, r.id)
	return r.close()
}

func (s *server) unidle(r *joinedRun) {
	s.idle = stdslices.DeleteFunc(s.idle, func(other *joinedRun) bool { return other == r })
}

// isAwaited reports whether a run without a producer lacks the only producer of some source, which
// has not begun. A source that listens has any number of producers: the run consists of those that
// it has had.
func (s *server) isAwaited(r *joinedRun) bool {
	for source := range s.coming {
		if r.Env() != "" && !source.Many() {
			return true
		}
	}
	return false
}

// closeAll closes all runs, and returns the first error. failed, the error of a sink, cuts all runs
// off. Otherwise interrupted, nil without an interrupt, cuts off those that have not ended.
func (s *server) closeAll(failed, interrupted error) error {
	var first error
	for len(s.runs) > 0 {
		r := s.runs[0]
		switch {
		case failed != nil:
			r.cut = failed
		case len(r.producers) > 0 || s.isAwaited(r):
			r.cut = cmp.Or(r.cut, interrupted)
		}
		first = cmp.Or(first, s.close(r))
	}
	return first
}
