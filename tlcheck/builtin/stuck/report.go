package stuck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// findings reports the tasks that wait for ever, those together that wait for the same object or of which
// one has used what another one waits for. Those of a deadlock are reported there; others may wait behind them.
func (d *detector) Findings(names op.Names) []rule.Finding {
	w := candidate.Words{Names: names}
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
	behind := slices.DeleteFunc(slices.Clone(reported), func(t op.Task) bool { return alone[t] || d.awaitsTests(w, t) })
	reported = slices.DeleteFunc(reported, func(t op.Task) bool { return !alone[t] })
	for _, group := range d.groups(w, reported) {
		all = append(all, d.report(w, group, running))
	}
	if len(behind) > 0 {
		f := d.report(w, behind, running)
		f.Behind = true
		all = append(all, f)
	}
	return all
}

// groups divides tasks into those that have to do with each other, each sorted.
func (d *detector) groups(w candidate.Words, tasks []op.Task) [][]op.Task {
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
		for _, object := range d.tasks[t].block.objects() {
			if w, ok := waiters[object]; ok {
				join(t, w)
			}
			waiters[object] = t
			for _, m := range d.things.Of(object).users.List {
				join(t, m.Task)
			}
		}
		for _, h := range d.tasks[t].held {
			waiters[h.Object] = t
		}
		if by := d.tasks[t].by; d.awaitsTests(w, by) {
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
func (d *detector) awaitsTests(w candidate.Words, task op.Task) bool {
	if int(task) >= len(d.tasks) || d.tasks[task] == nil || !d.tasks[task].waits {
		return false
	}
	stack := w.Place(d.tasks[task].block.At).Stack
	return len(stack) > 0 && strings.HasPrefix(stack[0].Function, "testing.")
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

// maxParties are shown of a group.
const maxParties = 12

func (d *detector) report(w candidate.Words, group []op.Task, running bool) rule.Finding {
	f := rule.Finding{Property: Name, How: rule.Observed, Scope: rule.InCalls, AtEnd: true}
	var texts []string
	alike := map[likeness]bool{}
	lines := linesOf(w)
	shown, tests := d.apart(w, group)
	for _, t := range shown {
		b := &d.tasks[t].block
		l := likeness{b.Kind, lines(b.At), lines(w.Task(t).At)}
		if alike[l] || len(f.Parties) == maxParties {
			continue
		}
		alike[l] = true
		does := waitsFor(w, b)
		f.Parties = append(f.Parties, rule.Party{
			Task: t, Kind: b.Kind, Object: b.object, At: b.At, Does: "waits for ever " + does,
			Holds: slices.Clone(d.tasks[t].held),
		})
		texts = append(texts, w.TaskName(t)+" waits for ever"+w.At(b.At)+" "+does)
		f.Cause = cmp.Or(f.Cause, d.causeOf(b))
		f.Notes = append(f.Notes, d.why(w, t, b)...)
	}
	f.Text = strings.Join(texts, "; ")
	if more := len(shown) - len(f.Parties); more > 0 {
		f.Text += fmt.Sprintf("; and %d more", more)
	}
	for _, t := range tests {
		f.Notes = append(f.Notes, w.TaskName(t)+" waits"+w.At(d.tasks[t].block.At)+" for a test to end")
	}
	f.Notes = withoutEqual(f.Notes)
	if i := slices.IndexFunc(group, d.awaitsUnlock); running && i >= 0 {
		f.Assume("unlocks " + w.ObjectName(d.tasks[group[i]].block.object))
	}
	return f
}

// apart divides a group into those that a report shows and those that wait for tests, unless there are no others.
func (d *detector) apart(w candidate.Words, group []op.Task) (shown, tests []op.Task) {
	for _, t := range group {
		if d.awaitsTests(w, t) {
			tests = append(tests, t)
		} else {
			shown = append(shown, t)
		}
	}
	if len(shown) == 0 {
		return tests, nil
	}
	return shown, tests
}

// awaitsUnlock reports whether a task waits for a lock. Any goroutine may unlock what another one has locked, so it is not
// certain that nobody will as long as somebody can go on.
func (d *detector) awaitsUnlock(task op.Task) bool {
	kind := d.tasks[task].block.Kind
	return kind == op.Lock || kind == op.RLock
}

// likeness is what tasks have in common of which a report shows one: by which calls they came to the line where
// they wait, as of a recursive function, does not matter.
type likeness struct {
	kind          op.Kind
	line, started string
}

// linesOf returns a function that tells the line of a place, and remembers that: there may be very many tasks.
func linesOf(w candidate.Words) func(op.Place) string {
	known := map[op.Place]string{}
	return func(p op.Place) string {
		line, ok := known[p]
		if !ok {
			if line = w.At(p); line == "" {
				line = fmt.Sprint(p)
			}
			known[p] = line
		}
		return line
	}
}

func withoutEqual(notes []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(notes, func(n string) bool {
		was := seen[n]
		seen[n] = true
		return was
	})
}

// waitsFor says what a task waits for, behind "waits".
func waitsFor(w candidate.Words, b *block) string {
	switch b.Kind {
	case op.Send:
		return "to send on " + w.ObjectName(b.object)
	case op.Recv:
		return "to receive from " + w.ObjectName(b.object)
	case op.Lock:
		return "to lock " + w.ObjectName(b.object)
	case op.RLock:
		return "to lock " + w.ObjectName(b.object) + " for reading"
	case op.Wait, op.Once:
		return "for " + w.ObjectName(b.object)
	case op.CondWait:
		return "for a signal of " + w.ObjectName(b.object)
	}
	if len(b.cases) == 0 {
		return "in a select statement without cases"
	}
	shown := b.shown()
	cases := casesOf(w, shown)
	if more := int64(len(b.cases)-len(shown)) + b.more; more > 0 {
		cases = append(cases, fmt.Sprintf("in one of %d more cases", more))
	}
	return strings.Join(cases, " or ")
}

// casesOf says what the cases of a select statement are: "to receive from chan 1, chan 2 or chan 3", and then those that do otherwise.
func casesOf(w candidate.Words, all []op.Case) []string {
	var told []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Send == all[0].Send {
			n++
		}
		text := "to " + caseOf(w, all[0])
		for i, c := range all[1:n] {
			between := ", "
			if i == n-2 {
				between = " or "
			}
			text += between + w.ObjectName(c.Object)
		}
		told, all = append(told, text), all[n:]
	}
	return told
}

// causeOf returns where a lock was taken that a task waits for, if that is never given back since the task that took it has
// ended; else 0.
func (d *detector) causeOf(b *block) op.Place {
	if b.Kind != op.Lock && b.Kind != op.RLock {
		return 0
	}
	t := d.things.Of(b.object)
	for _, h := range t.holders() {
		if d.over(h.Task) {
			return h.At
		}
	}
	return 0
}
