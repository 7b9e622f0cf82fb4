package otlp

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/antichain-go/antichain/tracer/event"
)

// Encode returns spans as a message in protocol buffers, which [Decode] decodes to the same spans,
// unless they exceed its bounds. Their order may change.
func Encode(spans []Span) []byte {
	traces := ptrace.NewTraces()
	bySource := make(map[*Source]ptrace.SpanSlice)
	for i := range spans {
		s := &spans[i]
		to, ok := bySource[s.Source]
		if !ok {
			to = encodeSource(traces.ResourceSpans().AppendEmpty(), s.Source)
			bySource[s.Source] = to
		}
		encodeSpan(to.AppendEmpty(), s)
	}
	b, err := new(ptrace.ProtoMarshaler).MarshalTraces(traces)
	if err != nil {
		panic(err) // the encoding has no errors; the interface has
	}
	return b
}

func encodeSource(to ptrace.ResourceSpans, s *Source) ptrace.SpanSlice {
	encodeBindings(to.Resource().Attributes(), s.Resource)
	scope := to.ScopeSpans().AppendEmpty()
	scope.Scope().SetName(s.Library)
	scope.Scope().SetVersion(s.Version)
	encodeBindings(scope.Scope().Attributes(), s.Scope)
	return scope.Spans()
}

func encodeSpan(to ptrace.Span, s *Span) {
	to.SetTraceID(pcommon.TraceID(s.Trace))
	to.SetSpanID(pcommon.SpanID(s.ID))
	to.SetParentSpanID(pcommon.SpanID(s.Parent))
	to.SetName(s.Name)
	to.SetKind(ptrace.SpanKind(s.Kind))
	to.Status().SetCode(ptrace.StatusCode(s.Status))
	to.Status().SetMessage(s.Description)
	to.SetStartTimestamp(pcommon.Timestamp(s.Start))
	to.SetEndTimestamp(pcommon.Timestamp(s.End))
	encodeBindings(to.Attributes(), s.Attributes)
	for _, m := range s.Moments {
		e := to.Events().AppendEmpty()
		e.SetTimestamp(pcommon.Timestamp(m.Time))
		e.SetName(m.Name)
		encodeBindings(e.Attributes(), m.Attributes)
	}
	for _, l := range s.Links {
		e := to.Links().AppendEmpty()
		e.SetTraceID(pcommon.TraceID(l.Trace))
		e.SetSpanID(pcommon.SpanID(l.Span))
	}
}

func encodeBindings(to pcommon.Map, bs []event.Binding) {
	to.EnsureCapacity(len(bs))
	for _, b := range bs {
		v, _ := to.GetOrPutEmpty(b.Name)
		encodeValue(v, b.Value)
	}
}

func encodeValue(to pcommon.Value, v event.Value) {
	switch v.Kind() {
	case event.String:
		to.SetStr(v.Str())
	case event.Int:
		to.SetInt(v.Int())
	case event.Float:
		to.SetDouble(v.Float())
	case event.Bool:
		to.SetBool(v.Bool())
	case event.Object:
		encodeBindings(to.SetEmptyMap(), v.Fields())
	case event.List:
		list := to.SetEmptySlice()
		for _, e := range v.List() {
			encodeValue(list.AppendEmpty(), e)
		}
	}
}
