package candidate

import "github.com/antichain-go/antichain/tracer/op"

// Words puts names into sentences.
type Words struct{ op.Names }

// TaskName names a task, or the runtime.
func (w Words) TaskName(t op.Task) string {
	if t == op.NoTask {
		return "the runtime"
	}
	return w.Task(t).DisplayName()
}

// ObjectName names an object, which can be a nil channel.
func (w Words) ObjectName(o op.Object) string {
	if o == 0 {
		return "a nil channel"
	}
	return w.Object(o)
}

// At returns " at FILE:LINE", or nothing if the place is unknown.
func (w Words) At(p op.Place) string {
	if at := w.Place(p).At; at != "" {
		return " at " + at
	}
	return ""
}

// Doer is "TASK at FILE:LINE".
func (w Words) Doer(m *Mark) string { return w.TaskName(m.Task) + w.At(m.At) }
