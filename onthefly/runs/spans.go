package runs

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Spans are the traces of a partition whose records are messages of OpenTelemetry. A trace is a run, which
// is made, and checked, when all its spans are there: a parent ends behind its children, so that the first one that
// can be placed is often the last to come. It is over when no span has come for the limit of lateness and
// none lacks its parent, or for the limit of idleness.
//
// All spans of a trace have to come in one partition. It is not safe for concurrent use.
type Spans struct {
	properties []*spec.Property
	limits     Limits
	lives      func(run string, live bool)
	options    otlp.Options
	to         Reporter
	live       map[otlp.TraceID]*trace
	over       map[otlp.TraceID]bool // whether it has failed
	oldest     []otlp.TraceID        // of over, in the order in which they ended
	stats      Stats
}

// trace is what has come of a trace.
type trace struct {
	spans []otlp.Span
	bytes int
	last  int64 // when the last one came, in nanoseconds
}

// NewSpans returns no traces.
func NewSpans(c Config, o otlp.Options, to Reporter) *Spans {
	o.Reads = variablesOf(c.Properties)
	return &Spans{
		properties: c.Properties, limits: c.Limits, lives: c.lives, options: o, to: to,
		live: map[otlp.TraceID]*trace{}, over: map[otlp.TraceID]bool{},
	}
}

// variablesOf returns which variables the properties look at. In a.b.c that is a.b.c, a.b or a.
func variablesOf(ps []*spec.Property) func(name string) bool {
	var read []string
	for _, p := range ps {
		for _, v := range spec.VariablesOf(p.Formula) {
			for i := range v.Name {
				if v.Name[i] == '.' {
					read = append(read, v.Name[:i])
				}
			}
			read = append(read, v.Name)
		}
	}
	read = stdslices.Compact(stdslices.Sorted(stdslices.Values(read)))
	return func(name string) bool {
		_, found := stdslices.BinarySearch(read, name)
		return found
	}
}

// Take takes the next message of the partition, in either form.
func (s *Spans) Take(rec *record.Record, now time.Time) {
	s.stats.Records++
	spans, err := otlp.Decode(rec.Value, otlp.IsJSON(rec.Value))
	if err != nil {
		if rec.Seq > 0 {
			err = &event.Error{Reason: "not a message of spans, but a piece of a trace, as its headers say", Remedy: "leave --format out, or read another topic"}
		}
		s.reject(rec, positioned(err, rec.At))
		return
	}
	late := 0
	for rest := spans; len(rest) > 0; {
		n := 1 // those of a trace stand together
		for n < len(rest) && rest[n].Trace == rest[0].Trace {
			n++
		}
		late += s.add(rest[:n], rec, now)
		rest = rest[n:]
	}
	if late > 0 {
		s.reject(rec, &event.Error{Pos: rec.At, Reason: fmt.Sprintf("%d of its %d spans are of traces that are over", late, len(spans)), Remedy: "raise --late"})
	}
}

// add adds spans of one trace, and returns how many come too late.
func (s *Spans) add(spans []otlp.Span, rec *record.Record, now time.Time) (late int) {
	id := spans[0].Trace
	if failed, over := s.over[id]; over {
		s.stats.Ignored += int64(len(spans))
		if failed {
			return 0
		}
		return len(spans)
	}
	t := s.live[id]
	if t == nil {
		t = &trace{}
		s.live[id] = t
		s.lives(id.String(), true)
	}
	t.last = now.UnixNano()
	t.spans = stdslices.Grow(t.spans, len(spans))
	for i := range spans {
		s.stats.Events++
		t.add(&spans[i])
		if s.limits.Memory > 0 && t.bytes > s.limits.Memory {
			s.fail(id, &event.Error{
				Pos:    rec.At,
				Reason: fmt.Sprintf("the spans of trace %s take %d bytes of memory, more than %d", id, t.bytes, s.limits.Memory),
				Remedy: "raise --run-memory",
			})
			s.stats.Ignored += int64(len(spans) - i - 1)
			return 0
		}
	}
	return 0
}

// add adds a span. Those of one source come together, in a message.
func (t *trace) add(span *otlp.Span) {
	t.bytes += span.Size()
	if n := len(t.spans); n == 0 || t.spans[n-1].Source != span.Source {
		t.bytes += span.Source.Size()
	}
	t.spans = append(t.spans, *span)
}

func positioned(err error, pos string) error {
	if e, ok := err.(*event.Error); ok && e.Pos == "" {
		at := *e
		at.Pos = pos
		return &at
	}
	return err
}

func (s *Spans) reject(rec *record.Record, err error) {
	s.stats.Dropped++
	s.to.Rejected(rec, err)
}

func (s *Spans) fail(id otlp.TraceID, err error) {
	s.stats.Failed++
	s.to.Failed(&Run{id: id.String()}, err)
	s.end(id, true)
}

// Tick looks for traces that are over. It reports whether there were some.
func (s *Spans) Tick(now time.Time) bool {
	before := len(s.live)
	for _, id := range s.ids() {
		t := s.live[id]
		switch quiet := time.Duration(now.UnixNano() - t.last); {
		case quiet > s.limits.Idle:
			s.close(id, "")
		case quiet > s.limits.Late && t.whole():
			s.close(id, "")
		}
	}
	return len(s.live) < before
}

// ids returns the traces, in an order that is always the same.
func (s *Spans) ids() []otlp.TraceID {
	return stdslices.SortedFunc(maps.Keys(s.live), func(x, y otlp.TraceID) int { return bytes.Compare(x[:], y[:]) })
}

// whole reports whether all parents are there, and there is a root.
func (t *trace) whole() bool {
	there := make(map[otlp.SpanID]bool, len(t.spans))
	there[otlp.SpanID{}] = true // the parent of a root
	for i := range t.spans {
		there[t.spans[i].ID] = true
	}
	return !stdslices.ContainsFunc(t.spans, func(s otlp.Span) bool { return !there[s.Parent] })
}

// close makes a run of a trace and lets it be checked. Cut says why spans may be missing, "" if they are not.
func (s *Spans) close(id otlp.TraceID, cut onthefly.Truncation) {
	var err error
	bug := guarded(func() {
		var r *Run
		var net *san.Net
		if r, net, err = s.build(s.live[id].spans); err == nil {
			s.to.Over(r, net, s.properties, cut)
		}
	})
	switch {
	case bug != nil:
		s.fail(id, bug)
	case err != nil:
		s.fail(id, err)
	default:
		s.stats.Ended++
		s.end(id, false)
	}
}

func (s *Spans) build(spans []otlp.Span) (*Run, *san.Net, error) {
	built, err := otlp.Build(spans, s.options)
	if err != nil {
		return nil, nil, err
	}
	h, err := built.Header()
	if err != nil {
		return nil, nil, err
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, nil, err
	}
	b.Reserve(len(spans))
	var e event.Event
	for {
		switch err := built.Next(&e); {
		case err == io.EOF:
			net, err := b.Finish()
			return &Run{id: h.Run, header: h}, net, err
		case err != nil:
			return nil, nil, err
		}
		if err := b.AddFrom(&e, built); err != nil {
			return nil, nil, err
		}
	}
}

// end remembers that a trace is over.
func (s *Spans) end(id otlp.TraceID, failed bool) {
	delete(s.live, id)
	s.lives(id.String(), false)
	s.over[id] = failed
	s.oldest = append(s.oldest, id)
	if len(s.oldest) > maxEnded {
		delete(s.over, s.oldest[0])
		s.oldest = s.oldest[1:]
	}
}

// Stats returns the numbers so far; events are spans.
func (s *Spans) Stats() Stats {
	stats := s.stats
	stats.Live = len(s.live)
	for _, t := range s.live {
		stats.Bytes += t.bytes
		stats.Largest = max(stats.Largest, t.bytes)
	}
	return stats
}

// Close ends all traces. Cut says why more of their spans may come that are not read, "" if nothing will.
func (s *Spans) Close(cut onthefly.Truncation) {
	for _, id := range s.ids() {
		s.close(id, cut)
	}
}

// Drop forgets all traces.
func (s *Spans) Drop() {
	for id := range s.live {
		s.lives(id.String(), false)
	}
	clear(s.live)
}

// Archive writes the traces, which go on, or reads them into none.
func (s *Spans) Archive(a *snapshot.Archive) error {
	compare := func(x, y otlp.TraceID) int { return bytes.Compare(x[:], y[:]) }
	id := func(id *otlp.TraceID) {
		text := string(id[:])
		if a.String(&text); len(text) != len(id) {
			a.Fail("a trace id of %d bytes", len(text))
		}
		copy(id[:], text)
	}
	var of otlp.TraceID // whose spans come
	snapshot.Map(a, &s.live, compare, func(key *otlp.TraceID) { id(key); of = *key }, func(t **trace) {
		if snapshot.Pointer(a, t, func(t *trace) { t.archive(a, of) }); *t == nil {
			a.Fail("no trace %s", of)
		}
	})
	if a.Reading() {
		for id := range s.live {
			s.lives(id.String(), true)
		}
	}
	snapshot.Slice(a, &s.oldest, func(trace *otlp.TraceID) {
		id(trace)
		failed := s.over[*trace]
		a.Bool(&failed)
		s.over[*trace] = failed
	})
	s.stats.archive(a)
	return a.Err()
}

func (t *trace) archive(a *snapshot.Archive, id otlp.TraceID) {
	snapshot.Int(a, &t.bytes)
	snapshot.Int(a, &t.last)
	otlp.Archive(a, id, &t.spans)
}
