package builtin

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// panicRule reports panics that the end of the program hides.
var panicRule = &rule.Rule{
	Name:  Panic,
	Doc:   "reports panics that the end of the program hides",
	Kinds: []op.Kind{op.Misuse, op.End},
	New:   newPanicDetector,
}

// panicDetector looks for tasks that panic while the program is about to end and waits for them. Other panics end the program,
// which nobody can miss.
type panicDetector struct {
	candidate.Pairs                      // of a panic and, of no kind, the misuse before it
	misused         map[op.Task]op.Place // where the task last misused something, by which it panics unless it recovers
}

func newPanicDetector() rule.Detector {
	return &panicDetector{
		Pairs:   candidate.Pairs{Property: Panic, Scope: rule.InCalls, Describe: describePanic},
		misused: map[op.Task]op.Place{},
	}
}

func (d *panicDetector) Op(o *op.Op) {
	switch {
	case o.Kind == op.End:
		delete(d.misused, o.Task)
	case o.N != op.Panicked:
		d.misused[o.Task] = o.At
	default:
		d.Add(candidate.Pair{How: Observed, First: candidate.MarkOf(o, op.Misuse), Second: candidate.Mark{At: d.misused[o.Task]}})
	}
}

// describePanic leaves out panics by a misuse, which is reported as such: others are elsewhere.
func describePanic(w candidate.Words, p *candidate.Pair) candidate.Description {
	if p.Second.At != 0 && w.Place(p.Second.At).At == w.Place(p.First.At).At {
		return candidate.Description{}
	}
	return candidate.Description{
		Text:  w.TaskName(p.First.Task) + " panics" + w.At(p.First.At) + " as the program ends, which does not wait for it",
		First: "panics",
	}
}
