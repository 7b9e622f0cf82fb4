package builtin

import "github.com/antichain-go/antichain/tracer/op"

// words puts names into sentences.
type words struct{ op.Names }

func (w words) task(t op.Task) string {
	if t == op.NoTask {
		return "the runtime"
	}
	return w.Task(t).Name
}

// object names an object; kind says what a nil one would have been.
func (w words) object(o op.Object) string {
	if o == 0 {
		return "a nil channel"
	}
	return w.Object(o)
}

// at returns " at FILE:LINE", or nothing if the place is unknown.
func (w words) at(p op.Place) string {
	if at := w.Place(p).At; at != "" {
		return " at " + at
	}
	return ""
}

// doer is "TASK at FILE:LINE".
func (w words) doer(m *mark) string { return w.task(m.task) + w.at(m.at) }
