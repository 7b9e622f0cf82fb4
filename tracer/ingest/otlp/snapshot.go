package otlp

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Snapshot writes or reads the spans of one trace that is not complete when its owner changes.
// Spans decoded from many messages have no common bound.
func Snapshot(snap *snapshot.Codec, trace TraceID, spans *[]Span) {
	snapshot.Slice(snap, spans, func(s *Span) {
		s.Trace = trace
		s.snapshot(snap)
	})
}

func (s *Span) snapshot(snap *snapshot.Codec) {
	snapshotID(snap, s.ID[:])
	snapshotID(snap, s.Parent[:])
	snap.String(&s.Name)
	snapshot.Uint(snap, &s.Kind)
	snapshot.Uint(snap, &s.Status)
	snap.String(&s.Description)
	snapshot.Uint(snap, &s.Start)
	took := s.End - s.Start // most are short
	snapshot.Uint(snap, &took)
	s.End = s.Start + took
	snapshotBindings(snap, &s.Attributes)
	snapshot.Slice(snap, &s.Moments, func(m *Moment) {
		snapshot.Uint(snap, &m.Time)
		snap.String(&m.Name)
		snapshotBindings(snap, &m.Attributes)
	})
	snapshot.Slice(snap, &s.Links, func(l *Link) {
		snapshotID(snap, l.Trace[:8])
		snapshotID(snap, l.Trace[8:])
		snapshotID(snap, l.Span[:])
	})
	snapshot.Pointer(snap, &s.Source, func(src *Source) { src.snapshot(snap) })
	if snap.Reading() && (s.Kind > Consumer || s.Status > Failed || s.Source == nil) {
		snap.Fail("a span of kind %d and status %d, from somewhere: %v", s.Kind, s.Status, s.Source != nil)
	}
}

func (s *Source) snapshot(snap *snapshot.Codec) {
	snapshotBindings(snap, &s.Resource)
	snapshotBindings(snap, &s.Scope)
	snap.String(&s.Library)
	snap.String(&s.Version)
	if snap.Reading() {
		*s = *NewSource(s.Resource, s.Scope, s.Library, s.Version)
	}
}

// snapshotID writes or restores eight bytes.
func snapshotID(snap *snapshot.Codec, id []byte) {
	n := binary.BigEndian.Uint64(id)
	snapshot.Uint(snap, &n)
	binary.BigEndian.PutUint64(id, n)
}

func snapshotBindings(snap *snapshot.Codec, bs *[]event.Binding) {
	snapshot.Slice(snap, bs, func(b *event.Binding) {
		snap.String(&b.Name)
		snap.Value(&b.Value)
	})
}
