package otlp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/antichain-go/antichain/tracer/event"
)

var (
	errNesting = errors.New("parts nested deeper than " + fmt.Sprint(maxNesting))
	errGrowth  = errors.New("a message of next to nothing but empty parts")
)

const remedyMessage = "messages are ExportTraceServiceRequest or TracesData, in protocol buffers or in OTLP's JSON"

// Decode returns the spans of a message of the protocol: an ExportTraceServiceRequest or
// TracesData, which are the same bytes. An error is an [*event.Error] without position.
func Decode(payload []byte, asJSON bool) ([]Span, error) {
	guarded := guardProto
	if asJSON {
		guarded = guardJSON
	}
	if err := guarded(payload); err != nil {
		return nil, notSpans(err)
	}
	if asJSON {
		spans, err := decode(new(ptrace.JSONUnmarshaler).UnmarshalTraces(payload))
		if err == nil && len(spans) == 0 {
			err = rejectOther(payload)
		}
		return spans, err
	}
	return decode(new(ptrace.ProtoUnmarshaler).UnmarshalTraces(payload))
}

func notSpans(err error) error {
	return &event.Error{Reason: "not a message of spans: " + event.Printable(err.Error()), Remedy: remedyMessage}
}

// errNoSpans is the error of a message without spans.
var errNoSpans = errors.New("something else")

// rejectOther returns an error for JSON that has members but no resourceSpans. The decoder ignores
// unknown members, and would read it as a message without spans. In protocol buffers the same
// numbers have other types.
func rejectOther(payload []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(payload, &members); err != nil {
		return notSpans(err)
	}
	names := slices.Sorted(maps.Keys(members))
	if len(names) == 0 || members["resourceSpans"] != nil || members["resource_spans"] != nil {
		return nil
	}
	return &event.Error{Reason: fmt.Sprintf("not a message of spans: it has %.40q", names[0]), Remedy: remedyMessage,
		Err: errNoSpans}
}

// decode returns the spans of a message, unless it could not be read.
func decode(traces ptrace.Traces, err error) ([]Span, error) {
	if err != nil {
		return nil, notSpans(err)
	}
	d := decoder{spans: make([]Span, 0, traces.SpanCount())}
	for _, rs := range traces.ResourceSpans().All() {
		d.resource(rs)
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.spans, nil
}

// IsJSON reports whether a message is in JSON and not in protocol buffers. Those cannot begin with
// a brace. They can begin with a line end and a brace, so no white space is skipped.
func IsJSON(payload []byte) bool { return len(payload) > 0 && payload[0] == '{' }

// decoder turns decoded messages into spans. It keeps the first error.
type decoder struct {
	spans []Span
	err   error
}

func (d *decoder) fail(reason, remedy string) {
	if d.err == nil {
		d.err = &event.Error{Reason: reason, Remedy: remedy}
	}
}

// resource appends the spans of one resource.
func (d *decoder) resource(rs ptrace.ResourceSpans) {
	resource := d.bindings(rs.Resource().Attributes())
	process := processOf(resource)
	for _, ss := range rs.ScopeSpans().All() {
		scope := ss.Scope()
		source := newSource(resource, process, d.bindings(scope.Attributes()), scope.Name(), scope.Version())
		for _, s := range ss.Spans().All() {
			if s.TraceID().IsEmpty() || s.SpanID().IsEmpty() {
				d.fail(fmt.Sprintf("span %d of the message, %.60q, has no trace id or no span id", len(d.spans)+1,
					s.Name()),
					"ids of 16 and 8 bytes that are not all zero name a trace and its spans")
			}
			d.spans = append(d.spans, d.span(s, source))
		}
	}
}

func (d *decoder) span(s ptrace.Span, source *Source) Span {
	return Span{
		Trace: TraceID(s.TraceID()), ID: SpanID(s.SpanID()), Parent: SpanID(s.ParentSpanID()),
		Name: s.Name(),
		Kind: known(Kind(s.Kind()), s.Kind() <= ptrace.SpanKindConsumer && s.Kind() >= 0),
		Status: known(Status(s.Status().Code()), s.Status().Code() <= ptrace.StatusCodeError &&
			s.Status().Code() >= 0),
		Description: s.Status().Message(),
		Start:       uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()),
		Attributes: d.bindings(s.Attributes()),
		Moments:    d.moments(s.Events()),
		Links:      decodeLinks(s.Links()),
		Source:     source,
	}
}

// known returns v, or zero for a number without a name in this version of the protocol.
func known[T ~uint8](v T, ok bool) T {
	if !ok {
		return 0
	}
	return v
}

func (d *decoder) moments(events ptrace.SpanEventSlice) []Moment {
	if events.Len() == 0 {
		return nil
	}
	moments := make([]Moment, 0, events.Len())
	for _, e := range events.All() {
		moments = append(moments, Moment{Time: uint64(e.Timestamp()), Name: e.Name(),
			Attributes: d.bindings(e.Attributes())})
	}
	return moments
}

func decodeLinks(all ptrace.SpanLinkSlice) []Link {
	if all.Len() == 0 {
		return nil
	}
	links := make([]Link, 0, all.Len())
	for _, l := range all.All() {
		links = append(links, Link{TraceID(l.TraceID()), SpanID(l.SpanID())})
	}
	return links
}

// maxAttributes bounds the attributes of a span or one of its parts: an SDK allows 128, and the
// decoder searches its maps linearly.
const maxAttributes = 4096

// maxDepth bounds the nesting of lists and maps; readers of traces allow a little more.
const maxDepth = 400

// bindings returns the attributes, the last one where a key occurs twice.
func (d *decoder) bindings(m pcommon.Map) []event.Binding { return d.fields(m, 0) }

// fields returns the fields of a map at that depth.
func (d *decoder) fields(m pcommon.Map, depth int) []event.Binding {
	if m.Len() == 0 {
		return nil
	}
	if m.Len() > maxAttributes {
		d.fail(fmt.Sprintf("%d attributes in one place, more than %d", m.Len(), maxAttributes),
			"set OTEL_ATTRIBUTE_COUNT_LIMIT")
		return nil
	}
	bs := make([]event.Binding, 0, m.Len())
	for k, v := range m.All() {
		bs = append(bs, event.Binding{Name: k, Value: d.value(v, depth)})
	}
	return unique(bs)
}

func (d *decoder) value(v pcommon.Value, depth int) event.Value {
	if depth > maxDepth {
		d.fail(fmt.Sprintf("values nested deeper than %d", maxDepth), "let the program record something flatter")
		return event.NullValue()
	}
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return event.StringValue(v.Str())
	case pcommon.ValueTypeInt:
		return event.IntValue(v.Int())
	case pcommon.ValueTypeDouble:
		return event.FloatValue(v.Double())
	case pcommon.ValueTypeBool:
		return event.BoolValue(v.Bool())
	case pcommon.ValueTypeMap:
		return event.ObjectValue(d.fields(v.Map(), depth+1))
	case pcommon.ValueTypeSlice:
		vs := make([]event.Value, 0, v.Slice().Len())
		for _, e := range v.Slice().All() {
			vs = append(vs, d.value(e, depth+1))
		}
		return event.ListValue(vs)
	case pcommon.ValueTypeBytes:
		return event.StringValue(base64.StdEncoding.EncodeToString(v.Bytes().AsRaw()))
	}
	return event.NullValue()
}
