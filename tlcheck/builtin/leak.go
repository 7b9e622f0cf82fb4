package builtin

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// leakRule reports goroutines that must finish before the program ends, and may not.
var leakRule = &rule.Rule{
	Name:  Leak,
	Doc:   "reports goroutines that must finish before the program ends, and may not",
	Kinds: leakKinds(),
	New:   newLeakDetector,
}

// leakDetector looks for tasks that must finish, and need not have when the program ends by its own will:
// tasks whose last operation does not come before the end of the program, in the full order. Then there is a slice
// in which the program is about to end and they have not come so far. Nobody can wait for the end of a
// task itself, only for its last operation, such as Done of a WaitGroup; so if the program ends behind that, the
// task is taken to have finished, even where its end was not told any more.
type leakDetector struct {
	functions []string // that must finish; without any there is nothing to look for
	tasks     []leakTask
	left      candidate.Mark
	late      []op.Task
}

// leakTask is what is known of a task.
type leakTask struct {
	last    int32 // its last operation; if it has none, its end
	ended   bool
	started op.Place
}

// maxLate bounds the tasks that are looked at in the end.
const maxLate = 1 << 16

func newLeakDetector() rule.Detector { return new(leakDetector) }

func (d *leakDetector) MustFinish(functions ...string) {
	d.functions = append(d.functions, functions...)
}

func leakKinds() []op.Kind {
	var all []op.Kind
	for k := op.Go; k < op.Read; k++ {
		all = append(all, k)
	}
	return all
}

func (d *leakDetector) Op(o *op.Op) {
	if len(d.functions) == 0 || d.left.Kind == op.Left || o.Task == op.NoTask {
		return
	}
	t := d.task(o.Task)
	switch o.Kind {
	case op.End:
		t.last, t.ended = max(1, o.K-1), true
		return
	case op.Left:
		d.leaves(o)
		return
	case op.Go:
		d.task(o.Other).started = o.At
	case op.Handoff:
		if o.Other != op.NoTask {
			d.task(o.Other).last = o.OtherK
		}
	}
	d.task(o.Task).last = o.K
}

// leaves notes who has not finished in some slice in which the program is about to end.
func (d *leakDetector) leaves(o *op.Op) {
	d.left = candidate.MarkOf(o, op.Left)
	for t := range d.tasks {
		last := candidate.Mark{Task: op.Task(t), K: d.tasks[t].last}
		if last.Task != o.Task && (last.K == 0 || !last.Before(o)) && len(d.late) < maxLate {
			d.late = append(d.late, last.Task)
		}
	}
}

func (d *leakDetector) task(t op.Task) *leakTask {
	for int(t) >= len(d.tasks) {
		d.tasks = append(d.tasks, leakTask{})
	}
	return &d.tasks[t]
}

func (d *leakDetector) Findings(names op.Names) []Finding {
	w := candidate.Words{Names: names}
	var all []Finding
	for _, t := range d.late {
		function := names.Task(t).Function
		if !isNamed(function, d.functions) {
			continue
		}
		f := Finding{
			Property: Leak, How: Observed, AtEnd: true,
			Text: w.TaskName(d.left.Task) + " ends the program" + w.At(d.left.At) + " while " + w.TaskName(t) + ", which runs " + function + " and must finish, has not",
			Parties: []Party{{
				Task: t, Kind: op.Go, At: d.tasks[t].started, Does: "has not finished",
			}},
		}
		if d.tasks[t].ended {
			f.How = Predicted
			f.Text = w.TaskName(d.left.Task) + " can end the program" + w.At(d.left.At) + " before " + w.TaskName(t) + ", which runs " + function +
				" and must finish, has finished: it does not wait for that"
		}
		all = append(all, f)
	}
	return all
}
