package otlp

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/internal/archive"
	"github.com/antichain-go/antichain/tracer/event"
)

// Archive writes spans of one trace, or reads them: those of a trace that is not complete when somebody else goes on. What
// was decoded in many messages has no bounds as a whole.
func Archive(a *archive.Archive, trace TraceID, spans *[]Span) {
	archive.Slice(a, spans, func(s *Span) {
		s.Trace = trace
		s.archive(a)
	})
}

func (s *Span) archive(a *archive.Archive) {
	archiveID(a, s.ID[:])
	archiveID(a, s.Parent[:])
	a.String(&s.Name)
	archive.Uint(a, &s.Kind)
	archive.Uint(a, &s.Status)
	a.String(&s.Description)
	archive.Uint(a, &s.Start)
	took := s.End - s.Start // most are short
	archive.Uint(a, &took)
	s.End = s.Start + took
	archiveBindings(a, &s.Attributes)
	archive.Slice(a, &s.Moments, func(m *Moment) {
		archive.Uint(a, &m.Time)
		a.String(&m.Name)
		archiveBindings(a, &m.Attributes)
	})
	archive.Slice(a, &s.Links, func(l *Link) {
		archiveID(a, l.Trace[:8])
		archiveID(a, l.Trace[8:])
		archiveID(a, l.Span[:])
	})
	archive.Pointer(a, &s.Source, func(src *Source) { src.archive(a) })
	if a.Reading() && (s.Kind > Consumer || s.Status > Failed || s.Source == nil) {
		a.Fail("a span of kind %d and status %d, from somewhere: %v", s.Kind, s.Status, s.Source != nil)
	}
}

func (s *Source) archive(a *archive.Archive) {
	archiveBindings(a, &s.Resource)
	archiveBindings(a, &s.Scope)
	a.String(&s.Library)
	a.String(&s.Version)
	if a.Reading() {
		*s = *NewSource(s.Resource, s.Scope, s.Library, s.Version)
	}
}

// archiveID archives eight bytes.
func archiveID(a *archive.Archive, id []byte) {
	n := binary.BigEndian.Uint64(id)
	archive.Uint(a, &n)
	binary.BigEndian.PutUint64(id, n)
}

func archiveBindings(a *archive.Archive, bs *[]event.Binding) {
	archive.Slice(a, bs, func(b *event.Binding) {
		a.String(&b.Name)
		a.Value(&b.Value)
	})
}
