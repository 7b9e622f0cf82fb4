package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// presence completes an explanation with the values of the parts of temporal operators in its
// slice. It runs after the reasons have been found, which are more important if room or time is
// short.
func (x *explainer) presence(e *Explanation) {
	outer := x.env
	defer func() { x.env = outer }()
	for _, p := range e.Parts {
		if p.Slice.Equal(e.Slice) {
			x.env = p.env
			x.presence(p)
		}
	}
	x.env = e.env
	switch e.Source.(type) {
	case *spec.Future, *spec.Binary:
		for _, k := range e.of.Kids {
			if stdslices.ContainsFunc(e.Parts,
				func(p *Explanation) bool { return p.of == k && p.Slice.Equal(e.Slice) }) {
				continue
			}
			if p := x.part(k, e.Slice); p != nil {
				x.presence(p)
				e.Here = append(e.Here, p)
			}
		}
	}
}
