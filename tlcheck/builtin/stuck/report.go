package stuck

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Findings reports the tasks that wait for ever, those together that wait for the same object or of which
// one has used what another one waits for. Those of a deadlock are reported there; others may wait behind them.
func (d *detector) Findings(names op.Names) []rule.Finding {
	w := words{candidate.Words{Names: names}, &d.state}
	waiting, stuck, running := d.stuckAtEnd(names, nil)
	all := slices.DeleteFunc(append(d.predicted(w, stuck), d.pollers(w, stuck)...), func(f rule.Finding) bool {
		return d.isMeantTo(names, f.Parties[0].Task, f.Parties[0].At)
	})
	alone := stuck
	if len(d.dead) > 0 {
		_, alone, _ = d.stuckAtEnd(names, d.dead)
	}
	reported := slices.DeleteFunc(waiting, func(t op.Task) bool {
		return d.tasks[t].daemon || d.dead[t] || d.isMeantTo(names, t, d.tasks[t].block.At)
	})
	behind := slices.DeleteFunc(slices.Clone(reported), func(t op.Task) bool { return alone[t] || w.awaitsTests(t) })
	reported = slices.DeleteFunc(reported, func(t op.Task) bool { return !alone[t] })
	for _, group := range w.groups(reported) {
		all = append(all, w.report(group, running))
	}
	if len(behind) > 0 {
		f := w.report(behind, running)
		f.Behind = true
		all = append(all, f)
	}
	return all
}

// objects returns what a task waits for.
func (b *block) objects() []op.Object {
	var all []op.Object
	if b.object != 0 {
		all = append(all, b.object)
	}
	for _, c := range b.cases {
		if c.Object != 0 {
			all = append(all, c.Object)
		}
	}
	return all
}

// maxShown are the cases of a select statement that a report tells of, if there are more than one more.
const maxShown = 8

func (b *block) shown() []op.Case {
	if len(b.cases) <= maxShown+1 && b.more == 0 {
		return b.cases
	}
	return b.cases[:min(maxShown, len(b.cases))]
}

// groups divides tasks into those that have to do with each other, each sorted.
func (w words) groups(tasks []op.Task) [][]op.Task {
	group := map[op.Task]op.Task{} // to a member of the same group, in the end the first
	first := func(t op.Task) op.Task {
		for group[t] != t {
			group[t] = group[group[t]]
			t = group[t]
		}
		return t
	}
	for _, t := range tasks {
		group[t] = t
	}
	join := func(a, b op.Task) {
		if _, ok := group[b]; !ok {
			return
		}
		a, b = first(a), first(b)
		group[max(a, b)] = min(a, b)
	}
	waiters := map[op.Object]op.Task{}
	for _, t := range tasks {
		for _, object := range w.tasks[t].block.objects() {
			if w, ok := waiters[object]; ok {
				join(t, w)
			}
			waiters[object] = t
			for _, m := range w.things.Of(object).users.List {
				join(t, m.Task)
			}
		}
		for _, h := range w.tasks[t].held {
			waiters[h.Object] = t
		}
		if by := w.tasks[t].by; w.awaitsTests(by) {
			join(t, by)
		}
	}
	members := map[op.Task][]op.Task{}
	for _, t := range tasks {
		members[first(t)] = append(members[first(t)], t)
	}
	var all [][]op.Task
	for _, t := range tasks {
		if first(t) == t {
			all = append(all, members[t])
		}
	}
	return all
}

// awaitsTests reports whether a task waits for tests that it has started.
func (w words) awaitsTests(task op.Task) bool {
	if int(task) >= len(w.tasks) || w.tasks[task] == nil || !w.tasks[task].waits {
		return false
	}
	stack := w.Place(w.tasks[task].block.At).Stack
	return len(stack) > 0 && strings.HasPrefix(stack[0].Function, "testing.")
}
