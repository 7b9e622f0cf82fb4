package otlp

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/tracer/event"
)

// Archive writes spans of one trace, or reads them: those of a trace that is not complete when somebody else goes on. What
// was decoded in many messages has no bounds as a whole.
func Archive(a *snapshot.Archive, trace TraceID, spans *[]Span) {
	snapshot.Slice(a, spans, func(s *Span) {
		s.Trace = trace
		s.archive(a)
	})
}

func (s *Span) archive(a *snapshot.Archive) {
	archiveID(a, s.ID[:])
	archiveID(a, s.Parent[:])
	a.String(&s.Name)
	snapshot.Uint(a, &s.Kind)
	snapshot.Uint(a, &s.Status)
	a.String(&s.Description)
	snapshot.Uint(a, &s.Start)
	took := s.End - s.Start // most are short
	snapshot.Uint(a, &took)
	s.End = s.Start + took
	archiveBindings(a, &s.Attributes)
	snapshot.Slice(a, &s.Moments, func(m *Moment) {
		snapshot.Uint(a, &m.Time)
		a.String(&m.Name)
		archiveBindings(a, &m.Attributes)
	})
	snapshot.Slice(a, &s.Links, func(l *Link) {
		archiveID(a, l.Trace[:8])
		archiveID(a, l.Trace[8:])
		archiveID(a, l.Span[:])
	})
	snapshot.Pointer(a, &s.Source, func(src *Source) { src.archive(a) })
	if a.Reading() && (s.Kind > Consumer || s.Status > Failed || s.Source == nil) {
		a.Fail("a span of kind %d and status %d, from somewhere: %v", s.Kind, s.Status, s.Source != nil)
	}
}

func (s *Source) archive(a *snapshot.Archive) {
	archiveBindings(a, &s.Resource)
	archiveBindings(a, &s.Scope)
	a.String(&s.Library)
	a.String(&s.Version)
	if a.Reading() {
		*s = *NewSource(s.Resource, s.Scope, s.Library, s.Version)
	}
}

// archiveID archives eight bytes.
func archiveID(a *snapshot.Archive, id []byte) {
	n := binary.BigEndian.Uint64(id)
	snapshot.Uint(a, &n)
	binary.BigEndian.PutUint64(id, n)
}

func archiveBindings(a *snapshot.Archive, bs *[]event.Binding) {
	snapshot.Slice(a, bs, func(b *event.Binding) {
		a.String(&b.Name)
		a.Value(&b.Value)
	})
}
