package builtin

import (
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// leakDetector looks for tasks that must finish, and need not have when the program ends by its own will:
// tasks whose last operation does not come before the end of the program, in the full order. Then there is a slice
// in which the program is about to end and they have not come so far. Nobody can wait for the end of a
// task itself, only for its last operation, such as Done of a WaitGroup.
type leakDetector struct {
	functions []string // that must finish; without any there is nothing to look for
	ends      []int32  // by task, the number of its last operation, or of its end if it has none; 0 if it has not ended
	started   []op.Place
	left      mark
	late      []op.Task
}

// maxLate bounds the tasks that are looked at in the end.
const maxLate = 1 << 16

func newLeakDetector() detector { return new(leakDetector) }

// MustFinish says that tasks that run one of these functions must finish before the program ends. Names may
// lack the path of the package, or be those of methods without their types.
func (c *Checker) MustFinish(functions ...string) {
	for _, d := range c.detectors {
		if l, ok := d.(*leakDetector); ok {
			l.functions = append(l.functions, functions...)
		}
	}
}

func (d *leakDetector) kinds() []op.Kind { return []op.Kind{op.Go, op.End, op.Left} }

func (d *leakDetector) op(o *op.Op) {
	switch {
	case len(d.functions) == 0 || d.left.kind == op.Left:
	case o.Kind == op.Go:
		d.task(o.Other)
		d.started[o.Other] = o.At
	case o.Kind == op.End:
		d.task(o.Task)
		d.ends[o.Task] = max(1, o.K-1)
	case o.Kind == op.Left:
		d.left = markOf(o, op.Left)
		for t, k := range d.ends {
			end := mark{task: op.Task(t), k: k}
			if t != int(o.Task) && (k == 0 || !end.before(o)) && len(d.late) < maxLate {
				d.late = append(d.late, op.Task(t))
			}
		}
	}
}

// task makes room for a task.
func (d *leakDetector) task(t op.Task) {
	for int(t) >= len(d.ends) {
		d.ends, d.started = append(d.ends, 0), append(d.started, 0)
	}
}

func (d *leakDetector) findings(names op.Names) []Finding {
	w := words{names}
	var all []Finding
	for _, t := range d.late {
		function := names.Task(t).Function
		if !d.mustFinish(function) {
			continue
		}
		f := Finding{
			Property: Leak, How: Observed,
			Text: w.task(d.left.task) + " ends the program" + w.at(d.left.at) + " while " + w.task(t) + ", which runs " + function + " and must finish, has not",
			Parties: []Party{{
				Task: t, Kind: op.Go, At: d.started[t], Does: "has not finished",
			}},
		}
		if d.ends[t] != 0 {
			f.How = Predicted
			f.Text = w.task(d.left.task) + " can end the program" + w.at(d.left.at) + " before " + w.task(t) + ", which runs " + function +
				" and must finish, has finished: it does not wait for that"
		}
		all = append(all, f)
	}
	return all
}

// mustFinish reports whether a function is one of those that must finish.
func (d *leakDetector) mustFinish(function string) bool {
	for _, name := range d.functions {
		rest, ok := strings.CutSuffix(function, name)
		if ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/")) {
			return true
		}
	}
	return false
}
