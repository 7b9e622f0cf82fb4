package stream

import (
	"fmt"
	"reflect"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// Sink takes the events of one run. Its methods are called one at a time.
type Sink interface {
	// Add takes an event; pos says where it stands. After an error the run is over.
	Add(e *event.Event, pos string) error
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

// run is a run with its producers.
type run struct {
	id        string // "" if nobody can join it
	header    *event.Header
	env       string // the task that creates those of later producers; "" if nobody can join
	sink      Sink
	producers map[*producer]bool // that are not over
	cut       error              // why a producer broke off, the first one that did
	fresh     bool               // something has happened since the last Step
}

// newRun returns a run that others may join if it is to be joined, and the header of its net.
func newRun(h *event.Header, joined bool) (*run, *event.Header) {
	r := &run{header: h, producers: map[*producer]bool{}}
	if !joined || h.Run == "" || h.Sparse {
		return r, h
	}
	r.id, r.env = h.Run, event.EnvTask
	for stdslices.Contains(h.Tasks, r.env) {
		r.env += "'"
	}
	all := *h
	all.Tasks = append(stdslices.Clone(h.Tasks), r.env)
	return r, &all
}

// join lets the environment task create the tasks of a later producer, which admits accepts.
func (r *run) join(h *event.Header, pos string) error {
	for _, t := range h.Tasks {
		if err := r.sink.Add(&event.Event{Task: r.env, Spawn: t, Op: "go"}, pos); err != nil {
			return err
		}
	}
	return nil
}

// enter adds a producer.
func (r *run) enter(p *producer, h *event.Header) {
	p.run = r
	r.producers[p] = true
	r.fresh = true
	if r.env == "" {
		return
	}
	p.live = map[string]bool{}
	for _, t := range h.Tasks {
		p.live[t] = true
	}
}

// admits reports, as an error, why a producer with that header does not fit into the run.
func (r *run) admits(h *event.Header, pos string) error {
	refuse := func(remedy, format string, args ...any) error {
		return &event.Error{Pos: pos, Reason: fmt.Sprintf("run %q: ", r.id) + fmt.Sprintf(format, args...), Remedy: remedy}
	}
	for _, t := range h.Tasks {
		if r.sink.Creates(t) {
			return refuse("the producers of a run need tasks of different names", "task %q is there already", t)
		}
	}
	switch first := r.header; {
	case h.Sparse:
		return refuse("record it with a specification that needs all goroutines", "a trace that lacks goroutines cannot be joined with others")
	case !within(h.Consts, first.Consts):
		return refuse("all headers of a run need the same constants", "its first producer has other constants")
	case !within(h.Shared, first.Shared):
		return refuse("all headers of a run need the same shared variables", "its first producer has other shared variables")
	case h.Instrumented != nil && first.Instrumented != nil && !reflect.DeepEqual(h.Instrumented, first.Instrumented):
		return refuse("build all programs of a run with the same specification", "its first producer records other functions and variables")
	}
	return nil
}

// within reports whether all variables are among those of the first producer, with the same values.
func within(bs, first []event.Binding) bool {
	for _, b := range bs {
		same := func(c event.Binding) bool { return c.Name == b.Name && c.Value.Equal(b.Value) }
		if !stdslices.ContainsFunc(first, same) {
			return false
		}
	}
	return true
}

// take adds an event of a producer.
func (r *run) take(p *producer, e *event.Event, pos string) error {
	if r.env != "" {
		r.own(p, e)
	}
	r.fresh = true
	return r.sink.Add(e, pos)
}

// own notes that the task of an event is its sender's: of several senders, the last one's. A task that
// was created and has done nothing is nobody's, since its events may come from elsewhere.
func (r *run) own(p *producer, e *event.Event) {
	switch {
	case e.Op == event.OpEnd:
		delete(p.live, e.Task)
	case !p.live[e.Task]:
		for other := range r.producers {
			delete(other.live, e.Task)
		}
		p.live[e.Task] = true
	}
}

// leave ends the tasks of a producer that has closed its stream, and cuts those of another one off.
func (r *run) leave(p *producer, err error) {
	delete(r.producers, p)
	r.fresh = true
	if err == nil {
		for t := range p.live {
			r.sink.End(t)
		}
	} else if r.cut == nil {
		r.cut = err
	}
	p.live = nil
}

// close ends the run.
func (r *run) close() error {
	if r.env != "" {
		r.sink.End(r.env) // nobody can join any more
	}
	for p := range r.producers {
		p.drop()
	}
	return r.sink.Close(r.cut)
}
