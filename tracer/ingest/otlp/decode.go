package otlp

import (
	"encoding/base64"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/antichain-go/antichain/tracer/event"
)

var (
	errNesting = errors.New("values nested deeper than " + fmt.Sprint(maxNesting))
	errGrowth  = errors.New("a message of next to nothing but empty parts")
)

const remedyMessage = "messages are ExportTraceServiceRequest or TracesData, in protocol buffers or in OTLP's JSON"

// Decode returns the spans of a message of the protocol: an ExportTraceServiceRequest or
// TracesData, which are the same bytes. An error is an [*event.Error] without position.
func Decode(payload []byte, json bool) ([]Span, error) {
	traces, err := unmarshal(payload, json)
	if err != nil {
		return nil, &event.Error{Reason: "not a message of spans: " + event.Printable(err.Error()), Remedy: remedyMessage}
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

// decoder makes spans of decoded messages. The first mistake stays.
type decoder struct {
	spans []Span
	err   error
}

func (d *decoder) fail(reason, remedy string) {
	if d.err == nil {
		d.err = &event.Error{Reason: reason, Remedy: remedy}
	}
}

func unmarshal(payload []byte, json bool) (ptrace.Traces, error) {
	if json {
		if err := guardJSON(payload); err != nil {
			return ptrace.Traces{}, err
		}
		return new(ptrace.JSONUnmarshaler).UnmarshalTraces(payload)
	}
	if err := guardProto(payload); err != nil {
		return ptrace.Traces{}, err
	}
	return new(ptrace.ProtoUnmarshaler).UnmarshalTraces(payload)
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
				d.fail(fmt.Sprintf("span %d of the message, %.60q, has no trace id or no span id", len(d.spans)+1, s.Name()),
					"ids of 16 and 8 bytes that are not all zero name a trace and its spans")
			}
			d.spans = append(d.spans, d.span(s, source))
		}
	}
}

func (d *decoder) span(s ptrace.Span, source *Source) Span {
	return Span{
		Trace: TraceID(s.TraceID()), ID: SpanID(s.SpanID()), Parent: SpanID(s.ParentSpanID()),
		Name:        s.Name(),
		Kind:        known(Kind(s.Kind()), s.Kind() <= ptrace.SpanKindConsumer && s.Kind() >= 0),
		Status:      known(Status(s.Status().Code()), s.Status().Code() <= ptrace.StatusCodeError && s.Status().Code() >= 0),
		Description: s.Status().Message(),
		Start:       uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()),
		Attributes: d.bindings(s.Attributes()),
		Moments:    d.moments(s.Events()),
		Links:      decodeLinks(s.Links()),
		Source:     source,
	}
}

// known returns v, or zero for a number of which this version of the protocol knows no name.
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
		moments = append(moments, Moment{Time: uint64(e.Timestamp()), Name: e.Name(), Attributes: d.bindings(e.Attributes())})
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

// maxAttributes is how many attributes a span or one of its parts may have: an SDK allows 128,
// and a map of the decoder is searched from its beginning.
const maxAttributes = 4096

// bindings returns the attributes, the last one where a key stands twice.
func (d *decoder) bindings(m pcommon.Map) []event.Binding {
	if m.Len() == 0 {
		return nil
	}
	if m.Len() > maxAttributes {
		d.fail(fmt.Sprintf("%d attributes in one place, more than %d", m.Len(), maxAttributes), "set OTEL_ATTRIBUTE_COUNT_LIMIT")
		return nil
	}
	bs := make([]event.Binding, 0, m.Len())
	for k, v := range m.All() {
		bs = append(bs, event.Binding{Name: k, Value: d.value(v)})
	}
	return unique(bs)
}

func (d *decoder) value(v pcommon.Value) event.Value {
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
		return event.ObjectValue(d.bindings(v.Map()))
	case pcommon.ValueTypeSlice:
		vs := make([]event.Value, 0, v.Slice().Len())
		for _, e := range v.Slice().All() {
			vs = append(vs, d.value(e))
		}
		return event.ListValue(vs)
	case pcommon.ValueTypeBytes:
		return event.StringValue(base64.StdEncoding.EncodeToString(v.Bytes().AsRaw()))
	}
	return event.NullValue()
}
