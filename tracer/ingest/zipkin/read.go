package zipkin

import (
	"io"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/spantext"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

const remedy = "traces are lists of spans in the JSON of Zipkin, version 2"

// Read reads a file, and returns the traces in the order of their first spans. The name is used in
// positions. After an error it also returns the traces up to there.
func Read(r io.Reader, name string, l otlp.Limits) ([]otlp.Trace, error) {
	d := &decoder{sources: map[endpoint]*otlp.Source{}, shared: map[half]otlp.SpanID{}}
	traces, err := otlp.ReadJSON(r, name, l, d.decode, remedy)
	for i := range traces {
		traces[i].Spans = merge(d.join(traces[i].Spans))
	}
	return traces, err
}

// decoder decodes spans; each is a document.
type decoder struct {
	sources map[endpoint]*otlp.Source
	shared  map[half]otlp.SpanID // the parents of shared spans
}

// half is a server's half of a call that it shares with the client. The id is flipped.
type half struct {
	trace otlp.TraceID
	id    otlp.SpanID
}

func flipped(id otlp.SpanID) otlp.SpanID {
	id[0] ^= 1 << 7
	return id
}

func (d *decoder) decode(text []byte) ([]otlp.Span, error) {
	s, err := parse(text)
	var decoded otlp.Span
	if err == nil {
		decoded, err = s.decode()
	}
	if err != nil {
		return nil, &event.Error{Reason: err.Error(), Remedy: remedy}
	}
	decoded.Source = d.sources[s.Local]
	if decoded.Source == nil {
		decoded.Source = otlp.NewSource(s.Local.resource(), nil, "", "")
		d.sources[s.Local] = decoded.Source
	}
	if s.Shared {
		decoded.ID = flipped(decoded.ID)
		h := half{decoded.Trace, decoded.ID}
		if known := d.shared[h]; known == (otlp.SpanID{}) {
			d.shared[h] = decoded.Parent
		}
	}
	return []otlp.Span{decoded}, nil
}

// join makes shared spans of a trace the children of those of their clients, and gives them the
// children of their own service. A shared span without a client gets its id and its parent back.
func (d *decoder) join(spans []otlp.Span) []otlp.Span {
	present := map[otlp.SpanID]bool{}
	servers := map[otlp.SpanID]*otlp.Source{} // by the flipped ids of shared spans
	for i := range spans {
		s := &spans[i]
		if _, shared := d.shared[half{s.Trace, s.ID}]; shared {
			servers[s.ID] = s.Source
		} else {
			present[s.ID] = true
		}
	}
	for i := range spans {
		s := &spans[i]
		switch server := servers[flipped(s.Parent)]; {
		case servers[s.ID] != nil && present[flipped(s.ID)]:
			s.Parent = flipped(s.ID)
		case servers[s.ID] != nil:
			s.Parent = d.shared[half{s.Trace, s.ID}]
			s.ID = flipped(s.ID)
		case server != nil && present[s.Parent] && serviceOf(server) == serviceOf(s.Source):
			s.Parent = flipped(s.Parent)
		}
	}
	return spans
}

func serviceOf(s *otlp.Source) string { return spantext.TextOf(s.Resource, "service.name") }
