package zipkin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/spantext"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// span is a span as Zipkin writes it.
type span struct {
	TraceID     string            `json:"traceId"`
	ID          string            `json:"id"`
	ParentID    string            `json:"parentId"`
	Name        string            `json:"name"`
	Kind        string            `json:"kind"`
	Start       int64             `json:"timestamp"` // microseconds since 1970
	Duration    int64             `json:"duration"`  // microseconds
	Shared      bool              `json:"shared"`
	Local       endpoint          `json:"localEndpoint"`
	Remote      endpoint          `json:"remoteEndpoint"`
	Annotations []annotation      `json:"annotations"`
	Tags        map[string]string `json:"tags"`
}

type endpoint struct {
	Service string `json:"serviceName"`
	IPv4    string `json:"ipv4"`
	IPv6    string `json:"ipv6"`
	Port    int64  `json:"port"`
}

type annotation struct {
	Time  int64  `json:"timestamp"` // microseconds since 1970
	Value string `json:"value"`
}

// maxTags bounds the tags and the annotations of a span.
const maxTags = 4096

// parse reads a span.
func parse(text []byte) (*span, error) {
	s := new(span)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("not a span of Zipkin: %s", event.Printable(err.Error()))
	}
	if len(s.Tags) > maxTags || len(s.Annotations) > maxTags {
		return nil, fmt.Errorf("span %.40q has more than %d tags or annotations", s.ID, maxTags)
	}
	return s, nil
}

// decode returns the span, without its source.
func (s *span) decode() (decoded otlp.Span, err error) {
	if err = spantext.ReadID(decoded.Trace[:], s.TraceID, "trace"); err != nil {
		return decoded, err
	}
	if err = spantext.ReadID(decoded.ID[:], s.ID, "span"); err != nil {
		return decoded, err
	}
	if strings.Trim(s.ParentID, "0") != "" {
		if err = spantext.ReadID(decoded.Parent[:], s.ParentID, "parent"); err != nil {
			return decoded, err
		}
	}
	if decoded.Start, err = spantext.Nanoseconds(s.Start); err != nil {
		return decoded, err
	}
	if s.Duration < 0 || s.Duration > spantext.MaxTime-s.Start {
		return decoded, fmt.Errorf("a duration of %d microseconds", s.Duration)
	}
	if s.Duration > 0 {
		decoded.End = decoded.Start + 1000*uint64(s.Duration)
	}
	decoded.Name, decoded.Kind = s.Name, kindOf(s.Kind)
	for _, key := range slices.Sorted(maps.Keys(s.Tags)) {
		decoded.Attributes = append(decoded.Attributes, bind(key, s.Tags[key]))
	}
	if _, tagged := s.Tags["peer.service"]; !tagged && s.Remote.Service != "" {
		decoded.Attributes = append(decoded.Attributes, bind("peer.service", s.Remote.Service))
	}
	decoded.Status, decoded.Description = s.status()
	for _, a := range s.Annotations {
		m := otlp.Moment{Name: a.Value}
		if m.Time, err = spantext.Nanoseconds(a.Time); err != nil {
			return decoded, err
		}
		decoded.Moments = append(decoded.Moments, m)
	}
	return decoded, nil
}

func bind(name, text string) event.Binding {
	return event.Binding{Name: name, Value: event.StringValue(text)}
}

func kindOf(word string) otlp.Kind {
	switch word {
	case "SERVER":
		return otlp.Server
	case "CLIENT":
		return otlp.Client
	case "PRODUCER":
		return otlp.Producer
	case "CONSUMER":
		return otlp.Consumer
	}
	return otlp.Unspecified
}

// status returns how the span ended. Instrumentation of OpenTelemetry tags it with its own words.
func (s *span) status() (otlp.Status, string) {
	text, failed := s.Tags["error"]
	switch {
	case s.Tags["otel.status_code"] == "OK":
		return otlp.OK, ""
	case failed && text == "true":
		return otlp.Failed, ""
	case failed && text != "false":
		return otlp.Failed, text
	case s.Tags["otel.status_code"] == "ERROR":
		return otlp.Failed, ""
	}
	return otlp.Unset, ""
}

// resource returns the attributes of the process at an endpoint.
func (e *endpoint) resource() []event.Binding {
	var bs []event.Binding
	if e.Service != "" {
		bs = append(bs, bind("service.name", e.Service))
	}
	if ip := cmp.Or(e.IPv4, e.IPv6); ip != "" {
		bs = append(bs, bind("host.ip", ip))
	}
	if e.Port != 0 {
		bs = append(bs, event.Binding{Name: "host.port", Value: event.IntValue(e.Port)})
	}
	return bs
}
