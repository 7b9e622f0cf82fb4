package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// hints are what is known of the program besides its run.
type hints struct {
	mayWait []string                      // functions; see MayWait
	reads   func(*rule.Guess) rule.Behind // see ReadSource
}

func (h *hints) MayWait(functions ...string) { h.mayWait = append(h.mayWait, functions...) }

func (h *hints) ReadSource(source func(*rule.Guess) rule.Behind) { h.reads = source }

// behindCase returns what the source says.
func (h *hints) behindCase(g *rule.Guess) rule.Behind {
	if h.reads == nil {
		return rule.Unread
	}
	return h.reads(g)
}

// isMeantTo reports whether a task may wait for ever at a place.
func (h *hints) isMeantTo(names op.Names, t op.Task, at op.Place) bool {
	if len(h.mayWait) == 0 {
		return false
	}
	return site.NamesMean(h.mayWait, names.Task(t).Function) || slices.ContainsFunc(names.Place(at).Stack, func(f op.Frame) bool {
		return site.NamesMean(h.mayWait, f.Function)
	})
}
