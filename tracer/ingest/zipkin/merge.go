package zipkin

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// merge makes one span of the parts of a span that its service has reported. Spans with one id that
// are no such parts remain: they cannot be distinguished, which is an error of the trace.
func merge(spans []otlp.Span) []otlp.Span {
	at := make(map[otlp.SpanID]int, len(spans))
	kept := spans[:0]
	for i := range spans {
		part := &spans[i]
		first, again := at[part.ID]
		if again && isPart(&kept[first], part) {
			add(&kept[first], part)
			continue
		}
		if !again {
			at[part.ID] = len(kept)
		}
		kept = append(kept, *part)
	}
	return kept
}

// endOf returns the end of a part of a span that begins at start: the end of a part that does not
// say when it began is its duration.
func endOf(part *otlp.Span, start uint64) uint64 {
	if part.Start == 0 && part.End != 0 {
		return start + part.End
	}
	return part.End
}

// isPart reports whether two reports can be of one span, and their union is not too large.
func isPart(s, part *otlp.Span) bool {
	return serviceOf(s.Source) == serviceOf(part.Source) &&
		compatible(s.Kind, part.Kind) && compatible(s.Parent, part.Parent) && compatible(s.Status, part.Status) &&
		len(s.Attributes)+len(part.Attributes) <= maxTags && len(s.Moments)+len(part.Moments) <= maxTags
}

// compatible reports whether two values are the same, or one is missing.
func compatible[T comparable](a, b T) bool {
	var missing T
	return a == b || a == missing || b == missing
}

// add adds what a part has to a span.
func add(s, part *otlp.Span) {
	s.Name = cmp.Or(s.Name, part.Name)
	s.Kind = cmp.Or(s.Kind, part.Kind)
	s.Status = cmp.Or(s.Status, part.Status)
	s.Description = cmp.Or(s.Description, part.Description)
	if s.Parent == (otlp.SpanID{}) {
		s.Parent = part.Parent
	}
	start := s.Start
	if start == 0 || part.Start != 0 && part.Start < start {
		start = part.Start
	}
	s.Start, s.End = start, max(endOf(s, start), endOf(part, start))
	for _, b := range part.Attributes {
		if !slices.ContainsFunc(s.Attributes, func(own event.Binding) bool { return own.Name == b.Name }) {
			s.Attributes = append(s.Attributes, b)
		}
	}
	for _, m := range part.Moments {
		same := func(own otlp.Moment) bool { return own.Time == m.Time && own.Name == m.Name }
		if !slices.ContainsFunc(s.Moments, same) {
			s.Moments = append(s.Moments, m)
		}
	}
}
