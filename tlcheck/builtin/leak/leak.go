// Package leak looks for tasks that must finish before the program ends by its own will, and may
// not: their last operation does not come before the end of the program, in the full order. Then
// there is a slice in which the program is about to end and they have not finished. No task can
// wait for the end of another one, only for its last operation, such as Done of a WaitGroup. So if
// the program ends after that operation, the task counts as finished, even if its end was not
// recorded.
package leak

import (
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports goroutines that must finish before the program ends, and may not.
var Rule = &rule.Rule{
	Name:  "leak",
	Doc:   "reports goroutines that must finish before the program ends, and may not",
	Kinds: kinds(),
	New:   func() rule.Detector { return new(detector) },
}

type detector struct {
	functions []string // that must finish; without any nothing is recorded
	tasks     []task
	left      candidate.Mark
	late      []op.Task
}

// task is what is known of a task.
type task struct {
	last    int32 // its last operation; if it has none, its end
	ended   bool
	started op.Place
}

// maxLate bounds the unfinished tasks that are kept.
const maxLate = 1 << 16

func (d *detector) MustFinish(functions ...string) {
	d.functions = append(d.functions, functions...)
}

func (d *detector) Op(o *op.Op) {
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

// leaves notes the tasks that have not finished in some slice in which the program is about to end.
func (d *detector) leaves(o *op.Op) {
	d.left = candidate.MarkOf(o, op.Left)
	for t := range d.tasks {
		last := candidate.Mark{Task: op.Task(t), K: d.tasks[t].last}
		if last.Task != o.Task && (last.K == 0 || !last.Before(o)) && len(d.late) < maxLate {
			d.late = append(d.late, last.Task)
		}
	}
}

func (d *detector) task(t op.Task) *task {
	for int(t) >= len(d.tasks) {
		d.tasks = append(d.tasks, task{})
	}
	return &d.tasks[t]
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	w := candidate.Words{Names: names}
	var all []rule.Finding
	for _, t := range d.late {
		function := names.Task(t).Function
		if !site.NamesMean(d.functions, function) {
			continue
		}
		f := rule.Finding{
			How: rule.Observed, AtEnd: true,
			Parties: []rule.Party{{Task: t, Kind: op.Go, At: d.tasks[t].started, Does: "has not finished"}},
		}
		if d.tasks[t].ended {
			f.How = rule.Predicted
		}
		f.Text = text(w, &d.left, t, function, f.How)
		all = append(all, f)
	}
	return all
}

// kinds returns all kinds but those of accesses.
func kinds() []op.Kind {
	var all []op.Kind
	for k := op.Go; k < op.Read; k++ {
		all = append(all, k)
	}
	return all
}
