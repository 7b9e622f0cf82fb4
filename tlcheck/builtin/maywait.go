package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/op"
)

func (d *stuckDetector) MayWait(functions ...string) { d.mayWait = append(d.mayWait, functions...) }

func (d *stuckDetector) ReadSource(source func(*Guess) Behind) { d.reads = source }

// behindCase returns what the source says.
func (d *stuckDetector) behindCase(g *Guess) Behind {
	if d.reads == nil {
		return Unread
	}
	return d.reads(g)
}

// isMeantTo reports whether a task may wait for ever at a place.
func (d *stuckDetector) isMeantTo(names op.Names, t op.Task, at op.Place) bool {
	if len(d.mayWait) == 0 {
		return false
	}
	return site.NamesMean(d.mayWait, names.Task(t).Function) || slices.ContainsFunc(names.Place(at).Stack, func(f op.Frame) bool {
		return site.NamesMean(d.mayWait, f.Function)
	})
}
