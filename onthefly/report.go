package onthefly

import (
	"context"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Report is a violation with the names and numbers of the trace. It does not change while the run goes on. Events
// that the checker has forgotten, and tasks of which it has forgotten everything, come first in every order and are
// left out.
type Report struct {
	Property *spec.Property
	TIVA     []Place          // where the task of each TIV stands, in order of the TIVs
	Slice    map[string]int64 // of each task that is created, the number of its events that are over
	Schedule []event.Ref      // an order of events that leads there; a joint action stands once
	Happened bool             // the run is known to have come through that slice; else it is a prediction
	Unseen   bool             // nobody has seen in which order the events came, so it is not known whether it did
}

// Place is where a task stands.
type Place struct {
	TIV, Task string
	Created   bool   // if not, what the property says of the task is undefined
	State     int64  // the number of its events that are over
	At        string // the last position that they say, or ""
}

func newReport(ctx context.Context, net *san.Net, v *Violation, logic lsl.Logic) (*Report, error) {
	result, err := tlcheck.ExplainViolation(ctx, net, v.Property, v.Actions, v.TIVA, tlcheck.Options{Logic: logic})
	if err != nil {
		return nil, err
	}
	w := result.Witness
	r := &Report{Property: v.Property, Slice: map[string]int64{}, Happened: w.Happened, Unseen: w.Unseen}
	for t := range san.Task(net.Tasks()) {
		if by, spawned := net.SpawnedBy(t); !spawned || w.Slice.Has(by) {
			r.Slice[net.Name(t)] = net.Number(t, w.Slice.At(t))
		}
	}
	for _, b := range w.TIVA {
		p := Place{TIV: b.TIV, Task: net.Name(b.Task)}
		p.State, p.Created = r.Slice[p.Task]
		if p.Created {
			p.At = net.Place(b.Task, w.Slice.At(b.Task))
		}
		r.TIVA = append(r.TIVA, p)
	}
	for _, a := range w.Schedule {
		r.Schedule = append(r.Schedule, event.Ref{Task: net.Name(a.Task), K: int(net.Number(a.Task, int(a.K)))})
	}
	return r, nil
}

// String says in a line what is violated, and where.
func (r *Report) String() string {
	name := r.Property.Name
	if name == "" {
		name = spec.FormatProperty(r.Property)
	}
	var places []string
	for _, p := range r.TIVA {
		places = append(places, p.String())
	}
	how := "it did not happen in this run, but the same events can come in an order that leads there"
	switch {
	case r.Happened:
		how = "the run came through this state"
	case r.Unseen:
		how = "the events can come in an order that leads there, and in which one they came is not known"
	}
	return fmt.Sprintf("%s is violated: %s; %s", event.Printable(name), strings.Join(places, ", "), how)
}

// String says who stands where: "t1 is main, after its event 3, at main.go:7".
func (p Place) String() string {
	text := p.TIV + " is " + event.Printable(p.Task)
	switch {
	case !p.Created:
		return text + ", not created"
	case p.State == 0:
		return text + ", before its first event"
	}
	text += fmt.Sprintf(", after its event %d", p.State)
	if p.At != "" {
		text += ", at " + event.Printable(p.At)
	}
	return text
}
