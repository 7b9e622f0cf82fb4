package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/op"
)

// MayWait says that tasks may wait for ever that run one of these functions, or have come to wait by a call of
// it; see isNamed.
func (c *Checker) MayWait(functions ...string) {
	for _, d := range c.detectors {
		if s, ok := d.(*stuckDetector); ok {
			s.mayWait = append(s.mayWait, functions...)
		}
	}
}

// isMeantTo reports whether a task may wait for ever at a place.
func (d *stuckDetector) isMeantTo(names op.Names, t op.Task, at op.Place) bool {
	if len(d.mayWait) == 0 {
		return false
	}
	return isNamed(names.Task(t).Function, d.mayWait) || slices.ContainsFunc(names.Place(at).Stack, func(f op.Frame) bool {
		return isNamed(f.Function, d.mayWait)
	})
}

// isNamed reports whether a function is one of those that are named; see site.NameMeans.
func isNamed(function string, names []string) bool {
	function = site.PlainFunction(function)
	return slices.ContainsFunc(names, func(name string) bool { return site.NameMeans(site.PlainFunction(name), function) })
}
