package builtin

import "github.com/antichain-go/antichain/tracer/op"

// panicDetector looks for tasks that panic while the program is about to end and waits for them. Other panics end the program,
// which nobody can miss.
type panicDetector struct {
	misused map[op.Task]bool // what the task did last is a misuse, which is reported as such
	found   pairs
}

func newPanicDetector() detector { return &panicDetector{misused: map[op.Task]bool{}} }

func (d *panicDetector) kinds() []op.Kind { return []op.Kind{op.Misuse, op.End} }

func (d *panicDetector) op(o *op.Op) {
	switch {
	case o.Kind == op.End:
		delete(d.misused, o.Task)
	case o.N != op.Panicked:
		d.misused[o.Task] = true
	case !d.misused[o.Task]:
		d.found.add(pair{how: Observed, first: markOf(o, op.Misuse)})
	}
}

func (d *panicDetector) findings(names op.Names) []Finding {
	return d.found.findings(Panic, names, describePanic)
}

func (d *panicDetector) certain(names op.Names) []Finding {
	return d.found.certain(Panic, names, describePanic)
}

func describePanic(w words, p *pair) description {
	return description{
		text:  w.task(p.first.task) + " panics" + w.at(p.first.at) + " as the program ends, which does not wait for it",
		first: "panics",
	}
}
