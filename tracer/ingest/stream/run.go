package stream

import (
	"github.com/antichain-go/antichain/internal/runs/run"
	"github.com/antichain-go/antichain/tracer/event"
)

// Sink takes the events of one run. Its methods are called one at a time.
type Sink interface {
	// Add takes an event; pos says where it stands. After an error the run is over.
	Add(e *event.Event, pos string) error
	// Enter says that a source with that header begins. If the run may have other sources, where says where this one comes
	// from; else it is empty.
	Enter(h *event.Header, where string)
	// Operation takes what is no action of a task, from the source with that header.
	Operation(from *event.Header, e *event.Event)
	// Creates reports whether the run has a task of that name, or an event that was added creates it.
	Creates(task string) bool
	// End says that a task will have no more events.
	End(task string)
	// Step says that what was there, or a part of it, has been added. After an error Serve ends.
	Step() error
	// Close says that the run is over, with cut for why if some of its tasks are cut off. After an
	// error Serve ends.
	Close(cut error) error
}

// joinedRun is a run with its producers.
type joinedRun struct {
	*run.Run[*producer]
	id    string // "" if nobody can join it
	sink  Sink
	cut   error // why a producer broke off, the first one that did
	fresh bool  // something has happened since the last Step
	full  bool  // nobody can join any more

	producers map[*producer]bool // that are not over
}

// newRun returns a run that others may join if it is to be joined, and the header of its net.
func newRun(h *event.Header, joined bool) (*joinedRun, *event.Header) {
	r := &joinedRun{producers: map[*producer]bool{}}
	r.Run, h = run.New[*producer](h, joined)
	if r.Env() != "" {
		r.id = h.Run
	}
	return r, h
}

// join lets the environment task create the tasks of a later producer, which fits.
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

// leave ends the tasks of a producer that has closed its stream, and cuts those of another one off.
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

// close ends the run. If it is cut off, others could have joined.
func (r *joinedRun) close() error {
	if r.cut == nil {
		r.bar()
	}
	for p := range r.producers {
		p.drop()
	}
	return r.sink.Close(r.cut)
}
