package jaeger

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/spantext"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// span is a span as Jaeger writes it.
type span struct {
	TraceID    string       `json:"traceID"`
	SpanID     string       `json:"spanID"`
	ParentID   string       `json:"parentSpanID"` // of old releases, which have no references
	Operation  string       `json:"operationName"`
	References []*reference `json:"references"`
	Start      int64        `json:"startTime"` // microseconds since 1970
	Duration   int64        `json:"duration"`  // microseconds
	Tags       []tag        `json:"tags"`
	Logs       []*entry     `json:"logs"`
	ProcessID  string       `json:"processID"`
	Process    *process     `json:"process"` // of a span that stands alone
}

type reference struct {
	Type    string `json:"refType"`
	TraceID string `json:"traceID"`
	SpanID  string `json:"spanID"`
}

type tag struct {
	Key   string          `json:"key"`
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// entry is a log of a span.
type entry struct {
	Time   int64 `json:"timestamp"` // microseconds since 1970
	Fields []tag `json:"fields"`
}

type process struct {
	Service string `json:"serviceName"`
	Tags    []tag  `json:"tags"`
}

// decoder decodes the spans of a trace.
type decoder struct {
	processes map[string]*process
	sources   map[string]*otlp.Source // by the ids of processes and the names of libraries
}

func (d *decoder) span(s *span) (otlp.Span, error) {
	var decoded otlp.Span
	if err := spantext.ReadID(decoded.Trace[:], s.TraceID, "trace"); err != nil {
		return decoded, err
	}
	if err := spantext.ReadID(decoded.ID[:], s.SpanID, "span"); err != nil {
		return decoded, err
	}
	if err := s.references(&decoded); err != nil {
		return decoded, err
	}
	var err error
	decoded.Name = s.Operation
	if decoded.Start, err = spantext.Nanoseconds(s.Start); err != nil {
		return decoded, err
	}
	if s.Duration < 0 || s.Duration > spantext.MaxTime-s.Start {
		return decoded, fmt.Errorf("a duration of %d microseconds", s.Duration)
	}
	decoded.End = decoded.Start + 1000*uint64(s.Duration)
	if decoded.Attributes, err = bindings(s.Tags); err != nil {
		return decoded, err
	}
	decoded.Kind, decoded.Status = kindOf(decoded.Attributes), statusOf(decoded.Attributes)
	decoded.Description = spantext.TextOf(decoded.Attributes, "otel.status_description")
	for _, l := range s.Logs {
		if l == nil {
			return decoded, fmt.Errorf("a log is null")
		}
		m, err := l.moment()
		if err != nil {
			return decoded, err
		}
		decoded.Moments = append(decoded.Moments, m)
	}
	decoded.Source, err = d.source(s, &decoded)
	return decoded, err
}

// references makes the first parent in the same trace the parent, and all others links.
func (s *span) references(decoded *otlp.Span) error {
	if s.ParentID != "" {
		if err := readParent(decoded.Parent[:], s.ParentID); err != nil {
			return err
		}
	}
	for _, r := range s.References {
		if r == nil {
			return fmt.Errorf("a reference is null")
		}
		var l otlp.Link
		if err := spantext.ReadID(l.Trace[:], r.TraceID, "trace"); err != nil {
			return err
		}
		if err := spantext.ReadID(l.Span[:], r.SpanID, "span"); err != nil {
			return err
		}
		switch {
		case l.Span == decoded.Parent && l.Trace == decoded.Trace:
		case r.Type == "CHILD_OF" && l.Trace == decoded.Trace && decoded.Parent == otlp.SpanID{}:
			decoded.Parent = l.Span
		default:
			decoded.Links = append(decoded.Links, l)
		}
	}
	return nil
}

// readParent reads the id of a parent, which may be zero.
func readParent(id []byte, text string) error {
	if strings.Trim(text, "0") == "" {
		return nil
	}
	return spantext.ReadID(id, text, "parent")
}

func (l *entry) moment() (m otlp.Moment, err error) {
	if m.Time, err = spantext.Nanoseconds(l.Time); err != nil {
		return m, err
	}
	if m.Attributes, err = bindings(l.Fields); err != nil {
		return m, err
	}
	m.Name = "log"
	for _, key := range []string{"message", "event"} {
		if name := spantext.TextOf(m.Attributes, key); name != "" {
			m.Name = name
		}
	}
	return m, nil
}

// maxTags bounds the tags of a span or one of its parts.
const maxTags = 4096

// bindings returns the tags, the last one where a key occurs twice.
func bindings(tags []tag) ([]event.Binding, error) {
	if len(tags) > maxTags {
		return nil, fmt.Errorf("%d tags in one place, more than %d", len(tags), maxTags)
	}
	var bs []event.Binding
	at := make(map[string]int, len(tags))
	for _, t := range tags {
		v, err := t.value()
		if err != nil {
			return nil, fmt.Errorf("tag %.60q: %s", t.Key, err)
		}
		if i, again := at[t.Key]; again {
			bs[i].Value = v
			continue
		}
		at[t.Key] = len(bs)
		bs = append(bs, event.Binding{Name: t.Key, Value: v})
	}
	return bs, nil
}

// value returns the value of a tag. Some storages write numbers and booleans as strings.
func (t *tag) value() (event.Value, error) {
	v := event.NullValue()
	if t.Value == nil {
		return v, nil
	}
	if err := v.UnmarshalJSON(t.Value); err != nil {
		return v, fmt.Errorf("%s", event.Printable(err.Error()))
	}
	switch {
	case t.Type == "float64" && v.Kind() == event.Int:
		return event.FloatValue(float64(v.Int())), nil
	case v.Kind() != event.String:
		return v, nil
	}
	text := v.Str()
	switch t.Type {
	case "int64":
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return event.IntValue(i), nil
		}
	case "float64":
		if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return event.FloatValue(f), nil
		}
	case "bool":
		if text == "true" || text == "false" {
			return event.BoolValue(text == "true"), nil
		}
	}
	return v, nil
}

// source returns where a span comes from: its process, and its library.
func (d *decoder) source(s *span, decoded *otlp.Span) (*otlp.Source, error) {
	p := s.Process
	if p == nil {
		p = d.processes[s.ProcessID]
	}
	if p == nil {
		return nil, fmt.Errorf("its process %.40q is missing", s.ProcessID)
	}
	library := spantext.TextOf(decoded.Attributes, "otel.scope.name", "otel.library.name")
	version := spantext.TextOf(decoded.Attributes, "otel.scope.version", "otel.library.version")
	key := fmt.Sprintf("%q %q %q", s.ProcessID, library, version)
	if source := d.sources[key]; source != nil && s.Process == nil {
		return source, nil
	}
	resource, err := bindings(p.Tags)
	if err != nil {
		return nil, fmt.Errorf("its process: %s", err)
	}
	if p.Service != "" {
		resource = append([]event.Binding{{Name: "service.name", Value: event.StringValue(p.Service)}},
			without(resource, "service.name")...)
	}
	source := otlp.NewSource(resource, nil, library, version)
	d.sources[key] = source
	return source, nil
}

// without returns the bindings of other names.
func without(bs []event.Binding, name string) []event.Binding {
	var others []event.Binding
	for _, b := range bs {
		if b.Name != name {
			others = append(others, b)
		}
	}
	return others
}

func kindOf(bs []event.Binding) otlp.Kind {
	switch strings.ToLower(spantext.TextOf(bs, "span.kind", "otel.kind")) {
	case "internal":
		return otlp.Internal
	case "server":
		return otlp.Server
	case "client":
		return otlp.Client
	case "producer":
		return otlp.Producer
	case "consumer":
		return otlp.Consumer
	}
	return otlp.Unspecified
}

func statusOf(bs []event.Binding) otlp.Status {
	switch spantext.TextOf(bs, "otel.status_code") {
	case "OK":
		return otlp.OK
	case "ERROR":
		return otlp.Failed
	}
	for _, b := range bs {
		failed := b.Value.Kind() == event.Bool && b.Value.Bool() || b.Value.Kind() == event.String &&
			b.Value.Str() == "true"
		if b.Name == "error" && failed {
			return otlp.Failed
		}
	}
	return otlp.Unset
}
