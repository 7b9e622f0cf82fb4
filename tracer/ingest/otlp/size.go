package otlp

import "github.com/antichain-go/antichain/tracer/event"

// Size returns about how many bytes of memory the span takes, without its source.
func (s *Span) Size() int {
	n := 320 + len(s.Name) + len(s.Description) + sizeOf(s.Attributes) + 24*len(s.Links)
	for i := range s.Moments {
		n += 56 + len(s.Moments[i].Name) + sizeOf(s.Moments[i].Attributes)
	}
	return n
}

// Size returns about how many bytes of memory the source takes.
func (s *Source) Size() int {
	return 192 + len(s.Library) + len(s.Version) + 2*sizeOf(s.Resource) + 2*sizeOf(s.Scope)
}

func sizeOf(bs []event.Binding) int {
	n := 0
	for i := range bs {
		n += 40 + len(bs[i].Name) + sizeOfValue(bs[i].Value)
	}
	return n
}

// sizeOfValue returns the memory of a value beside its 24 bytes.
func sizeOfValue(v event.Value) int {
	switch v.Kind() {
	case event.String:
		return 16 + len(v.Str())
	case event.Object:
		return 24 + sizeOf(v.Fields())
	case event.List:
		n := 24
		for _, e := range v.List() {
			n += 24 + sizeOfValue(e)
		}
		return n
	}
	return 0
}
