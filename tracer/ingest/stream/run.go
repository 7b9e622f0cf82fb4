package stream

import (
	"github.com/antichain-go/antichain/internal/runs/run"
	"github.com/antichain-go/antichain/tracer/event"
)

// Sink receives the events of one run. Its methods are called one at a time.
type Sink interface {
	// Add receives an event and its position. After an error the run is over.
	Add(e *event.Event, pos string) error
	// Enter begins a source with that header. If the run may have other sources, where identifies
	// this one; else it is empty.
	Enter(h *event.Header, where string)
	// Operation receives an event that is no action of a task, from the source with that header.
	Operation(from *event.Header, e *event.Event)
	// Creates reports whether the run has a task of that name, or an event that was added creates
	// it.
	Creates(task string) bool
	// End says that a task will have no more events.
	End(task string)
	// Step ends a version: the available events, or some of them, have been added. After an error
	// Serve ends.
	Step() error
	// Close ends the run; cut is the reason if some of its tasks are cut off. After an error Serve
	// ends.
	Close(cut error) error
}

// joinedRun is a run with its producers.
type joinedRun struct {
	*run.Run[*producer]
	id    string // "" if no producer can join it
	sink  Sink
	cut   error // why a producer broke off, the first one that did
	fresh bool  // something has happened since the last Step
	full  bool  // no producer can join any more

	producers map[*producer]bool // those that are not over
}

// newRun returns a run, and the header of its net. If joined is set, other producers may join it.
func newRun(h *event.Header, joined bool) (*joinedRun, *event.Header) {
	r := &joinedRun{producers: map[*producer]bool{}}
	r.Run, h = run.New[*producer](h, joined)
	if r.Env() != "" {
		r.id = h.Run
	}
	return r, h
}

// join lets the environment task create the tasks of a later producer, if that fits.
func (r *joinedRun) join(h *event.Header, pos string) error {
	for _, e := range r.Join(h) {
		if err := r.sink.Add(e, pos); err != nil {
			return err
		}
	}
	return nil
}

// enter adds a producer.
func (r *joinedRun) enter(p *producer, h *event.Header) {
	p.run = r
	r.producers[p] = true
	r.fresh = true
	p.header = h
	where := ""
	if r.Env() != "" {
		where = p.name
	}
	r.sink.Enter(h, where)
	r.Run.Enter(p, h)
}

// take adds an event of a producer.
func (r *joinedRun) take(p *producer, e *event.Event, pos string) error {
	r.fresh = true
	if !e.IsAction() {
		r.sink.Operation(p.header, e)
		return nil
	}
	r.Took(p, e)
	return r.sink.Add(e, pos)
}

// leave removes a producer. It ends the tasks of a producer that has closed its stream; an error
// says that the producer has broken off, which cuts off the run.
func (r *joinedRun) leave(p *producer, err error) {
	delete(r.producers, p)
	r.fresh = true
	tasks := r.Leave(p)
	if err == nil {
		for _, t := range tasks {
			r.sink.End(t)
		}
	} else if r.cut == nil {
		r.cut = err
	}
}

// bar ends the environment task.
func (r *joinedRun) bar() {
	if r.Env() != "" && !r.full {
		r.full, r.fresh = true, true
		r.sink.End(r.Env())
	}
}

// close ends the run. If the run is cut off, further producers could have joined it.
func (r *joinedRun) close() error {
	if r.cut == nil {
		r.bar()
	}
	for p := range r.producers {
		p.drop()
	}
	return r.sink.Close(r.cut)
}
