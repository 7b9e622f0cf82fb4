package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

func (d *detector) MayWait(functions ...string) { d.mayWait = append(d.mayWait, functions...) }

func (d *detector) ReadSource(source func(*rule.Guess) rule.Behind) { d.reads = source }

// behindCase returns what the source says.
func (d *detector) behindCase(g *rule.Guess) rule.Behind {
	if d.reads == nil {
		return rule.Unread
	}
	return d.reads(g)
}

// isMeantTo reports whether a task may wait for ever at a place.
func (d *detector) isMeantTo(names op.Names, t op.Task, at op.Place) bool {
	if len(d.mayWait) == 0 {
		return false
	}
	return site.NamesMean(d.mayWait, names.Task(t).Function) || slices.ContainsFunc(names.Place(at).Stack, func(f op.Frame) bool {
		return site.NamesMean(d.mayWait, f.Function)
	})
}
