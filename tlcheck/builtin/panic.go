package builtin

import (
	"slices"

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
	misused map[op.Task]op.Place // where the task last misused something, by which it panics unless it recovers
	found   pairs                // of a panic and, of no kind, the misuse before it
}

func newPanicDetector() rule.Detector { return &panicDetector{misused: map[op.Task]op.Place{}} }

func (d *panicDetector) Op(o *op.Op) {
	switch {
	case o.Kind == op.End:
		delete(d.misused, o.Task)
	case o.N != op.Panicked:
		d.misused[o.Task] = o.At
	default:
		d.found.add(pair{how: Observed, first: markOf(o, op.Misuse), second: mark{at: d.misused[o.Task]}})
	}
}

func (d *panicDetector) Findings(names op.Names) []Finding { return panics(names, &d.found) }

func (d *panicDetector) Certain(names op.Names) []Finding { return panics(names, d.found.fresh()) }

// panics tells those that are not by a misuse, which is reported as such: they are elsewhere.
func panics(names op.Names, found *pairs) []Finding {
	others := pairs{list: slices.DeleteFunc(slices.Clone(found.list), func(p pair) bool {
		return p.second.at != 0 && names.Place(p.second.at).At == names.Place(p.first.at).At
	})}
	all := others.findings(Panic, names, describePanic)
	for i := range all {
		all[i].Scope = rule.InCalls
	}
	return all
}

func describePanic(w words, p *pair) description {
	return description{
		text:  w.task(p.first.task) + " panics" + w.at(p.first.at) + " as the program ends, which does not wait for it",
		first: "panics",
	}
}
