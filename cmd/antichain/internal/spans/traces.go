// Package spans checks OpenTelemetry traces whose spans arrive in a stream of messages.
package spans

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Traces has the unfinished traces of a partition with messages of OpenTelemetry. A trace is a run,
// which is made and checked when all its spans are there: a parent ends after its children, so the
// first span that can be placed is often the last to come. A trace is over when no span has come
// for the limit of lateness and none lacks its parent, or for the limit of idleness.
//
// All spans of a trace must be in one partition. Traces is not safe for concurrent use.
type Traces struct {
	properties []*spec.Property
	limits     runs.Limits
	lives      func(run string, live bool)
	options    otlp.Options
	to         runs.Reporter
	live       map[otlp.TraceID]*trace
	over       map[otlp.TraceID]bool // finished traces, and whether they failed
	oldest     []otlp.TraceID        // keys of over, in the order of their ends
	pastBytes  func() int            // for over and oldest; nil is no limit beside maxEnded
	stats      runs.Stats
}

const (
	// maxEnded limits the remembered finished traces. Late spans must not begin them again.
	maxEnded = 1 << 16

	endedBytes = 64 // of memory for each, roughly
)

// trace has the spans received of a trace.
type trace struct {
	spans []otlp.Span
	bytes int
	last  int64 // time of the last span, in nanoseconds
}

// New returns an empty Traces.
func New(c runs.Config, o otlp.Options, to runs.Reporter) *Traces {
	o.Reads = variablesOf(c.Properties)
	lives := c.Lives
	if lives == nil {
		lives = func(string, bool) {}
	}
	return &Traces{
		properties: c.Properties, limits: c.Limits, lives: lives, options: o, to: to,
		live: map[otlp.TraceID]*trace{}, over: map[otlp.TraceID]bool{}, pastBytes: c.PastBytes,
	}
}

// variablesOf returns which variables the properties read. a.b.c reads a.b.c, a.b or a.
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

// RemedyTrace is the remedy for a record of a trace among messages of spans.
const RemedyTrace = "read records of traces as such"

// Take processes the next message of the partition, in either form.
func (s *Traces) Take(rec *record.Record, now time.Time) {
	s.stats.Records++
	spans, err := otlp.Decode(rec.Value, otlp.IsJSON(rec.Value))
	if err != nil {
		if rec.Seq > 0 {
			err = &event.Error{Reason: "not a message of spans, but a piece of a trace, as its headers say",
				Remedy: RemedyTrace + ", or read another topic"}
		}
		s.reject(rec, positioned(err, rec.At))
		return
	}
	late := 0
	for rest := spans; len(rest) > 0; {
		n := 1 // spans of a trace are consecutive
		for n < len(rest) && rest[n].Trace == rest[0].Trace {
			n++
		}
		late += s.add(rest[:n], rec, now)
		rest = rest[n:]
	}
	if late > 0 {
		s.reject(rec, &event.Error{Pos: rec.At, Reason: fmt.Sprintf("%d of its %d spans are of traces that are over",
			late, len(spans)), Remedy: record.RemedyLate})
	}
}

// add adds spans of one trace, and returns the number of spans that come too late.
func (s *Traces) add(spans []otlp.Span, rec *record.Record, now time.Time) (late int) {
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
				Pos: rec.At,
				Reason: fmt.Sprintf("the spans of trace %s take %d bytes of memory, more than %d", id, t.bytes,
					s.limits.Memory),
				Remedy: runs.RemedyMemory,
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

func (s *Traces) reject(rec *record.Record, err error) {
	s.stats.Dropped++
	s.to.Rejected(rec, err)
}

func (s *Traces) fail(id otlp.TraceID, err error) {
	s.stats.Failed++
	s.to.Failed(runs.NewRun(id.String()), err)
	s.end(id, true)
}

// Tick closes traces that are over. It reports whether there were any.
func (s *Traces) Tick(now time.Time) bool {
	before := len(s.live)
	for _, id := range s.ids() {
		t := s.live[id]
		switch quiet := time.Duration(now.UnixNano() - t.last); {
		case quiet > s.limits.Idle:
			s.close(id, "")
		case quiet > s.limits.Late && t.isComplete():
			s.close(id, "")
		}
	}
	return len(s.live) < before
}

// ids returns the traces in a fixed order.
func (s *Traces) ids() []otlp.TraceID {
	return stdslices.SortedFunc(maps.Keys(s.live), func(x, y otlp.TraceID) int { return bytes.Compare(x[:], y[:]) })
}

// isComplete reports whether all parents and a root are there.
func (t *trace) isComplete() bool {
	there := make(map[otlp.SpanID]bool, len(t.spans))
	there[otlp.SpanID{}] = true // the parent of a root
	for i := range t.spans {
		there[t.spans[i].ID] = true
	}
	return !stdslices.ContainsFunc(t.spans, func(s otlp.Span) bool { return !there[s.Parent] })
}

// close checks a trace as a run. cut is the reason if spans may be missing.
func (s *Traces) close(id otlp.TraceID, cut tlcheck.Truncation) {
	var err error
	bug := runs.Guard(func() {
		var r *runs.Run
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

func (s *Traces) build(spans []otlp.Span) (*runs.Run, *san.Net, error) {
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
			return runs.NewRun(h.Run), net, err
		case err != nil:
			return nil, nil, err
		}
		if err := b.AddFrom(&e, built); err != nil {
			return nil, nil, err
		}
	}
}

// end records that a trace is over.
func (s *Traces) end(id otlp.TraceID, failed bool) {
	delete(s.live, id)
	s.lives(id.String(), false)
	s.over[id] = failed
	s.oldest = append(s.oldest, id)
	most := maxEnded
	if s.pastBytes != nil {
		most = min(most, s.pastBytes()/endedBytes)
	}
	for len(s.oldest) > most {
		delete(s.over, s.oldest[0])
		s.oldest = s.oldest[1:]
	}
}

// Stats returns the numbers so far. Its events are spans.
func (s *Traces) Stats() runs.Stats {
	stats := s.stats
	stats.Live, stats.Past, stats.PastBytes = len(s.live), len(s.over), endedBytes*len(s.over)
	for _, t := range s.live {
		stats.Bytes += t.bytes
		stats.Largest = max(stats.Largest, t.bytes)
	}
	return stats
}

// Close ends all traces. cut is the reason if some of their spans may be missing.
func (s *Traces) Close(cut tlcheck.Truncation) {
	for _, id := range s.ids() {
		s.close(id, cut)
	}
}

// Drop removes all traces.
func (s *Traces) Drop() {
	for id := range s.live {
		s.lives(id.String(), false)
	}
	clear(s.live)
}

// Snapshot writes the unfinished traces, or reads them into an empty Traces.
func (s *Traces) Snapshot(snap *snapshot.Codec) error {
	compare := func(x, y otlp.TraceID) int { return bytes.Compare(x[:], y[:]) }
	id := func(id *otlp.TraceID) {
		text := string(id[:])
		if snap.String(&text); len(text) != len(id) {
			snap.Fail("a trace id of %d bytes", len(text))
		}
		copy(id[:], text)
	}
	var of otlp.TraceID // the trace of the next spans
	snapshot.Map(snap, &s.live, compare, func(key *otlp.TraceID) { id(key); of = *key }, func(t **trace) {
		if snapshot.Pointer(snap, t, func(t *trace) { t.snapshot(snap, of) }); *t == nil {
			snap.Fail("no trace %s", of)
		}
	})
	if snap.Reading() {
		for id := range s.live {
			s.lives(id.String(), true)
		}
	}
	snapshot.Slice(snap, &s.oldest, func(trace *otlp.TraceID) {
		id(trace)
		failed := s.over[*trace]
		snap.Bool(&failed)
		s.over[*trace] = failed
	})
	s.stats.Snapshot(snap)
	return snap.Err()
}

func (t *trace) snapshot(snap *snapshot.Codec, id otlp.TraceID) {
	snapshot.Int(snap, &t.bytes)
	snapshot.Int(snap, &t.last)
	otlp.Snapshot(snap, id, &t.spans)
}
