package jaeger

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// defaultMessage bounds a document: an export may hold many traces.
const defaultMessage = 64 << 20

const remedy = "traces are read as Jaeger's user interface exports them and its API returns them"

// Read reads a file, and returns the traces in the order of their first spans. The name is used in
// positions. After an error it also returns the traces up to there.
func Read(r io.Reader, name string, l otlp.Limits) ([]otlp.Trace, error) {
	if l.Message <= 0 {
		l.Message = defaultMessage
	}
	return otlp.ReadJSON(r, name, l, Decode, remedy)
}

type queryError struct {
	Message string `json:"msg"`
}

// trace is a trace, with the processes that its spans name.
type trace struct {
	Spans     []*span             `json:"spans"`
	Processes map[string]*process `json:"processes"`
}

// Decode returns the spans of a document, which is a JSON object. An error is an [*event.Error]
// without position.
func Decode(text []byte) ([]otlp.Span, error) {
	var members struct {
		trace
		Data          []*trace        `json:"data"`
		Errors        []*queryError   `json:"errors"`
		Result        json.RawMessage `json:"result"`
		ResourceSpans json.RawMessage `json:"resourceSpans"`
		SpanID        json.RawMessage `json:"spanID"`
	}
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, fault("not a document of Jaeger: %s", event.Printable(err.Error()))
	}
	switch {
	case members.ResourceSpans != nil:
		return otlp.Decode(text, true)
	case members.Result != nil:
		return otlp.Decode(members.Result, true)
	case members.SpanID != nil:
		return decodeSpan(text)
	case members.Spans != nil:
		return decodeTraces([]*trace{&members.trace})
	case len(members.Data) == 0 && len(members.Errors) > 0 && members.Errors[0] != nil:
		return nil, fault("Jaeger had an error: %.200q", members.Errors[0].Message)
	case members.Data == nil:
		return nil, fault("not a document of Jaeger: it has no data, no spans and no result")
	}
	return decodeTraces(members.Data)
}

func fault(format string, values ...any) error {
	return &event.Error{Reason: fmt.Sprintf(format, values...), Remedy: remedy}
}

// decodeSpan returns the span of a document that is one, with its process.
func decodeSpan(text []byte) ([]otlp.Span, error) {
	s := new(span)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fault("not a span of Jaeger: %s", event.Printable(err.Error()))
	}
	return decodeTraces([]*trace{{Spans: []*span{s}}})
}

func decodeTraces(traces []*trace) (spans []otlp.Span, err error) {
	for _, t := range traces {
		if t == nil {
			return nil, fault("a trace is null")
		}
		d := decoder{processes: t.Processes, sources: map[string]*otlp.Source{}}
		for i, s := range t.Spans {
			if s == nil {
				return nil, fault("span %d of a trace is null", i+1)
			}
			decoded, err := d.span(s)
			if err != nil {
				return nil, fault("span %.40q, %.60q: %s", s.SpanID, s.Operation, err)
			}
			spans = append(spans, decoded)
		}
	}
	return spans, nil
}
