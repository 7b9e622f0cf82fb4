package otlp

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
)

// Run is the run of a trace. It reads as a trace in an order that the net allows and that follows
// the time stamps as far as possible.
type Run struct {
	*builder
	name   string // in front of positions; "" for none
	order  []int32
	read   int // of order
	header *event.Header
}

var _ event.Reader = (*Run)(nil)

// Notes returns the counts of irregular spans.
func (r *Run) Notes() Notes { return r.notes }

// Header returns the header. The run is named by the trace's id.
func (r *Run) Header() (*event.Header, error) {
	if r.header == nil {
		r.header = &event.Header{
			Unordered: true,
			Version:   1, Tasks: []string{event.EnvTask}, Run: r.trace.String(),
			Caveat: r.notes.Caveat(), Start: timeOf(r.begin()).Format(time.RFC3339Nano),
		}
	}
	return r.header, nil
}

// begin returns the start of the first span.
func (r *Run) begin() uint64 { return r.spans[0].Start }

func timeOf(ns uint64) time.Time { return time.Unix(int64(ns/1e9), int64(ns%1e9)).UTC() }

// Next returns the next event.
func (r *Run) Next(e *event.Event) error {
	if r.read == len(r.order) {
		return io.EOF
	}
	n := r.order[r.read]
	r.read++
	e.Reset()
	d := r.nodes[n]
	e.Task = r.tasks[d.task].name
	for _, m := range r.furtherCauses(n) {
		e.After = append(e.After, r.ref(m))
	}
	if int(d.task) < len(r.spans) {
		e.TS = int64(d.time - r.begin())
	}
	switch d.does {
	case enters:
		r.spans[d.task].enter(e, r.options.Reads)
	case spawns:
		e.Spawn = r.tasks[d.arg].name
	case steps:
		r.spans[d.task].Moments[d.arg].fillEvent(e, r.options.Reads)
	case exits:
		e.Exit = r.spans[d.task].function()
	case ends:
		e.Op = event.OpEnd
	case waits:
		e.Op = "order"
	}
	return nil
}

// ref names the event of a node.
func (r *Run) ref(n int32) event.Ref {
	t := &r.tasks[r.nodes[n].task]
	return event.Ref{Task: t.name, K: int(n-t.first) + 1}
}

// Pos names the span of the last event.
func (r *Run) Pos() string {
	pos := r.name + r.trace.String()
	if r.read > 0 {
		if t := r.nodes[r.order[r.read-1]].task; int(t) < len(r.spans) {
			return pos + ":" + r.spans[t].ID.String()
		}
	}
	return pos
}

// enter makes e the first event of a span, with the variables that are read.
func (s *Span) enter(e *event.Event, reads func(string) bool) {
	e.Enter = s.function()
	e.Set = appendRead(e.Set, s.Attributes, reads)
	has := func(string) bool { return false }
	if s.hasOwn("otel.") {
		has = lookup(s.Attributes)
	}
	add := func(name, value string) {
		if value != "" && reads(name) && !has(name) {
			e.Set = append(e.Set, event.Binding{Name: name, Value: event.StringValue(value)})
		}
	}
	add("otel.kind", s.Kind.String())
	add("otel.status_code", s.Status.String())
	add("otel.status_description", s.Description)
	add("otel.scope.name", s.Source.Library)
	add("otel.scope.version", s.Source.Version)
	hidden := lookup(e.Set)
	e.Global = appendRead(e.Global, s.Source.own, func(name string) bool { return reads(name) && !hidden(name) })
}

// hasOwn reports whether the span has attributes whose names begin so.
func (s *Span) hasOwn(prefix string) bool {
	return slices.ContainsFunc(s.Attributes, func(b event.Binding) bool { return strings.HasPrefix(b.Name, prefix) })
}

// fillEvent makes e the event of a moment. Its op is a word without meaning for built-in properties.
func (m *Moment) fillEvent(e *event.Event, reads func(string) bool) {
	const name = "event.name"
	e.Op, e.Obj = "event", m.Name
	e.Set = appendRead(e.Set, m.Attributes, reads)
	if reads(name) && indexOf(m.Attributes, name) < 0 {
		e.Set = append(e.Set, event.Binding{Name: name, Value: event.StringValue(m.Name)})
	}
}

// Notes counts irregular spans of a trace.
type Notes struct {
	Spans, Roots int
	Orphans      int // spans with a parent that is not in the trace
	Open         int // spans without an end
	Duplicates   int // repeated spans
	Outside      int // links to other traces
	Lost         int // links to spans that are not in the trace
	Outlived     int // with Sync, spans that end after their parent in the same process
	Clocked      int // with Sync, spans that come after others of their parent by the clock alone
}

// Caveat lists the missing parts, and what is taken for granted, as a sentence for the header, or
// "".
func (n Notes) Caveat() string {
	var missing []string
	add := func(count int, what string) {
		if count > 0 {
			missing = append(missing, fmt.Sprintf(what, count))
		}
	}
	add(n.Orphans, "the parents of %d")
	add(n.Open, "the ends of %d")
	add(n.Lost, "what %d links lead to")
	var all []string
	if missing != nil {
		all = append(all, fmt.Sprintf("of %d spans are missing: %s; what these order looks unordered", n.Spans,
			strings.Join(missing, ", ")))
	}
	if n.Clocked > 0 {
		all = append(all, fmt.Sprintf("that %s of a process came after others is taken from its clock; goroutines "+
			"that do not wait for each other look the same", wording.Plural(n.Clocked, "span")))
	}
	return strings.Join(all, "; ")
}
