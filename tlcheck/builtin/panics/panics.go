// Package panics looks for tasks that panic while the program is about to end and waits for them.
// Other panics end the program.
package panics

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports panics that the end of the program hides.
var Rule = &rule.Rule{
	Name:  "panic",
	Doc:   "reports panics that the end of the program hides",
	Kinds: []op.Kind{op.Misuse, op.End},
	New: func() rule.Detector {
		return &detector{
			Pairs:   candidate.Pairs{Scope: rule.InCalls, Describe: describe},
			misused: map[op.Task]op.Place{},
		}
	},
}

type detector struct {
	candidate.Pairs                      // of a panic and, of no kind, the misuse before it
	misused         map[op.Task]op.Place // the last misuse of each task, by which it panics unless it recovers
}

func (d *detector) Op(o *op.Op) {
	switch {
	case o.Kind == op.End:
		delete(d.misused, o.Task)
	case o.Mistake() != op.Panicked:
		d.misused[o.Task] = o.At
	default:
		misuse := candidate.Mark{At: d.misused[o.Task]}
		d.Observe(0, candidate.MarkOf(o, op.Misuse), misuse, 0)
	}
}
