package report

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// withPast returns the finding with the operations of the run that led to it as its order, if it
// has no order: what its tasks did last, after the go statements that started them.
func (f finding) withPast() finding {
	if len(f.Schedule) > 0 {
		return f
	}
	past := *f.Finding
	past.Schedule = f.Past
	if len(past.Schedule) == 0 {
		past.Schedule = f.doings()
	}
	past.Schedule = append(f.starts(past.Schedule), past.Schedule...)
	return finding{&past, f.result, objectsOf(&past, f.result.Names, f.objects.source)}
}

// doings returns what the parties hold and do, last the first of them, which fails.
func (f finding) doings() []op.Step {
	var steps []op.Step
	for _, p := range slices.Backward(f.Parties) {
		if p.Task == op.NoTask {
			continue
		}
		for _, h := range p.Holds {
			steps = append(steps, op.Step{Task: p.Task, Other: op.NoTask, Kind: h.Kind, Object: h.Object, At: h.At})
		}
		kind := p.Kind
		if kind == op.Go { // it has not finished
			kind = op.Block
		}
		steps = append(steps, op.Step{Task: p.Task, Other: op.NoTask, Kind: kind, Object: p.Object, At: p.At, K: p.K})
	}
	return steps
}

// starts returns the go statements of the tasks of some steps that are not among these, in the
// order of the tasks.
func (f finding) starts(steps []op.Step) []op.Step {
	var tasks []op.Task
	note := func(t op.Task) {
		if t != op.NoTask && !slices.Contains(tasks, t) {
			tasks = append(tasks, t)
		}
	}
	for _, s := range steps {
		note(s.Task)
	}
	for i := range f.Parties {
		note(f.Parties[i].Task)
	}
	slices.Sort(tasks)
	var all []op.Step
	for _, t := range tasks {
		if slices.ContainsFunc(steps, func(s op.Step) bool { return s.Kind == op.Go && s.Other == t }) {
			continue
		}
		if origin := f.result.Names.Task(t); origin.By != op.NoTask && origin.At != 0 {
			all = append(all, op.Step{Task: origin.By, Other: t, Kind: op.Go, At: origin.At})
		}
	}
	return all
}

// doesAtEnd returns the words for what a task does in its last step, "" if the step says it. That a
// wait is for ever is the finding itself.
func (f finding) doesAtEnd(s op.Step) string {
	i := slices.IndexFunc(f.Parties, func(p builtin.Party) bool { return p.Task == s.Task && p.At == s.At })
	if i < 0 || s.Kind == op.Go || f.Parties[i].Kind != s.Kind && s.Kind != op.Block {
		return ""
	}
	does, _, _ := strings.Cut(f.actionText(&f.Parties[i]), ", as ") // others do
	return strings.Replace(does, "waits for ever ", "waits ", 1)
}
