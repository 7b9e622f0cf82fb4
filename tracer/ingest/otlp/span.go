package otlp

import (
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tracer/event"
)

// TraceID names a trace: all spans that one request has caused.
type TraceID [16]byte

// String returns 32 hexadecimal digits.
func (id TraceID) String() string { return hex.EncodeToString(id[:]) }

// SpanID names a span of a trace.
type SpanID [8]byte

// String returns 16 hexadecimal digits.
func (id SpanID) String() string { return hex.EncodeToString(id[:]) }

// Kind is the role of a span in a call or a message.
type Kind uint8

// The kinds, as the protocol numbers them.
const (
	Unspecified Kind = iota
	Internal
	Server
	Client
	Producer
	Consumer
)

var kindNames = [...]string{"UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"}

// String returns the kind in upper case.
func (k Kind) String() string { return kindNames[k] }

// Status says how a span ended.
type Status uint8

// The statuses, as the protocol numbers them.
const (
	Unset Status = iota
	OK
	Failed
)

var statusNames = [...]string{"UNSET", "OK", "ERROR"}

// String returns the status in upper case.
func (s Status) String() string { return statusNames[s] }

// Span is one operation. It shares no mutable data with others.
type Span struct {
	Trace      TraceID
	ID, Parent SpanID // Parent is zero for a root

	Name        string
	Kind        Kind
	Status      Status
	Description string // of the status
	// nanoseconds since 1970 by the clock of Source; End is 0 if it has not ended
	Start, End uint64

	Attributes []event.Binding // no two with one name
	Moments    []Moment
	Links      []Link
	Source     *Source // never nil; the spans of a batch share it
}

// Moment is an event of a span, in the protocol's terms.
type Moment struct {
	Time       uint64
	Name       string
	Attributes []event.Binding // no two with one name
}

// Link names a span that this one comes after.
type Link struct {
	Trace TraceID
	Span  SpanID
}

// Source is the origin of a span.
type Source struct {
	Resource []event.Binding // attributes of the process, no two with one name
	Scope    []event.Binding // attributes of the instrumentation scope, likewise
	Library  string          // name of the instrumentation scope
	Version  string          // of the library

	process string          // equal for equal resources; "" if nothing is known
	own     []event.Binding // Scope and the visible part of Resource
}

// NewSource returns a source. It owns the attributes.
func NewSource(resource, scope []event.Binding, library, version string) *Source {
	return newSource(resource, processOf(resource), scope, library, version)
}

// newSource is NewSource for a resource with a known process.
func newSource(resource []event.Binding, process string, scope []event.Binding, library, version string) *Source {
	s := &Source{Resource: resource, Scope: scope, Library: library, Version: version, process: process, own: resource}
	if len(scope) > 0 {
		s.own = merge(scope, resource)
	}
	return s
}

// processOf returns bytes that are equal for equal attributes in any order.
func processOf(resource []event.Binding) string {
	sorted := slices.Clone(resource)
	slices.SortFunc(sorted, byName)
	var b []byte
	for _, a := range sorted {
		b = event.AppendValue(event.AppendValue(b, event.StringValue(a.Name)), a.Value)
	}
	return string(b)
}

// service returns the name of the service, or "".
func (s *Source) service() string {
	i := indexOf(s.Resource, "service.name")
	if i < 0 || s.Resource[i].Value.Kind() != event.String {
		return ""
	}
	return s.Resource[i].Value.Str()
}

// Equal reports whether s and t have the same contents.
func (s *Span) Equal(t *Span) bool {
	return s.Trace == t.Trace && s.ID == t.ID && s.Parent == t.Parent &&
		s.Name == t.Name && s.Kind == t.Kind && s.Status == t.Status && s.Description == t.Description &&
		s.Start == t.Start && s.End == t.End &&
		equalBindings(s.Attributes, t.Attributes) &&
		slices.EqualFunc(s.Moments, t.Moments, Moment.equal) && slices.Equal(s.Links, t.Links) &&
		(s.Source == t.Source || s.Source.equal(t.Source))
}

func (m Moment) equal(n Moment) bool {
	return m.Time == n.Time && m.Name == n.Name && equalBindings(m.Attributes, n.Attributes)
}

func (s *Source) equal(t *Source) bool {
	return s.Library == t.Library && s.Version == t.Version && equalBindings(s.Resource, t.Resource) &&
		equalBindings(s.Scope, t.Scope)
}

// maxName bounds the bytes of a name in that of a task, which is in each event.
const maxName = 100

// task returns the name of the span's task.
func (s *Span) task() string {
	name := short(s.function()) + " " + s.ID.String()
	if service := s.Source.service(); service != "" {
		return short(service) + "/" + name
	}
	return name
}

// short returns a name, or its beginning if it is long.
func short(name string) string {
	if len(name) <= maxName {
		return name
	}
	n := maxName
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n] + "…"
}

// function returns the name of the span's frame.
func (s *Span) function() string {
	if s.Name == "" {
		return "unnamed"
	}
	return s.Name
}
