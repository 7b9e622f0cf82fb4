package otlp

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// fewNames is the number of names up to which linear search beats a map.
const fewNames = 16

func byName(a, b event.Binding) int { return strings.Compare(a.Name, b.Name) }

func equalBindings(as, bs []event.Binding) bool {
	return slices.EqualFunc(as, bs, func(a, b event.Binding) bool { return a.Name == b.Name && a.Value.Equal(b.Value) })
}

func indexOf(bs []event.Binding, name string) int {
	return slices.IndexFunc(bs, func(b event.Binding) bool { return b.Name == name })
}

// lookup returns a function that reports whether a name is bound.
func lookup(bs []event.Binding) func(name string) bool {
	if len(bs) <= fewNames {
		return func(name string) bool { return indexOf(bs, name) >= 0 }
	}
	names := make(map[string]struct{}, len(bs))
	for i := range bs {
		names[bs[i].Name] = struct{}{}
	}
	return func(name string) bool { _, ok := names[name]; return ok }
}

// merge returns the bindings of inner and those of outer that inner does not hide.
func merge(inner, outer []event.Binding) []event.Binding {
	hidden := lookup(inner)
	return appendRead(slices.Clip(inner), outer, func(name string) bool { return !hidden(name) })
}

// appendRead appends the elements of bs that are read.
func appendRead(dst, bs []event.Binding, reads func(name string) bool) []event.Binding {
	for i := range bs {
		if reads(bs[i].Name) {
			dst = append(dst, bs[i])
		}
	}
	return dst
}

// unique removes from bs, which it owns, all but the last binding of each name.
func unique(bs []event.Binding) []event.Binding {
	if len(bs) <= fewNames {
		kept := bs[:0]
		for i := range bs {
			if indexOf(bs[i+1:], bs[i].Name) < 0 {
				kept = append(kept, bs[i])
			}
		}
		return kept
	}
	last := make(map[string]int, len(bs))
	for i := range bs {
		last[bs[i].Name] = i
	}
	kept := bs[:0]
	for i := range bs {
		if last[bs[i].Name] == i {
			kept = append(kept, bs[i])
		}
	}
	return kept
}
