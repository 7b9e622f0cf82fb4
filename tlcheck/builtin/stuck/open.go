package stuck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Open returns what tasks wait for at the end of the run that others may still bring, nil if none
// does. It is known after Findings.
func (d *detector) Open() *rule.Open { return d.open }

// openWaits returns the tasks that wait for what others may bring, unless they are meant to, or
// the standard library has started them for itself.
func (d *detector) openWaits(w words, end *state.Judgement) *rule.Open {
	open := &rule.Open{}
	for _, t := range d.ofProgram(w, end.Open) {
		b := &d.run.Task(t).Block
		f := rule.Finding{Scope: rule.InCalls, Parties: []rule.Party{b.Party(b.Object, "")}}
		if !f.Concerns(w.Names) {
			continue
		}
		open.Waits = append(open.Waits, rule.OpenWait{Task: w.Task(t).Name, Name: w.TaskName(t),
			Does: "waits " + w.waitsFor(b), At: w.Place(b.At).At})
		if d.run.IsUndecided(t) {
			open.Undecided, open.Why = open.Undecided+1, d.run.WhyUndecided()
		}
	}
	if len(open.Waits) == 0 {
		return nil
	}
	goOn := w.goingOn(end.GoOn)
	if t, ok := d.run.ExitedBy(); ok {
		goOn = append(goOn, t) // but for the exit
	}
	open.GoOn = []string{}
	for _, t := range goOn {
		open.GoOn, open.GoOnNames = append(open.GoOn, w.Task(t).Name), append(open.GoOnNames, w.TaskName(t))
	}
	return open
}

// ofProgram returns the tasks without those that may be meant to wait for ever, or are in a deadlock.
func (d *detector) ofProgram(w words, tasks []op.Task) []op.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t op.Task) bool {
		return d.run.MayServe(t) || d.dead[t] || d.isMeantTo(w.Names, t, d.run.Task(t).Block.At)
	})
}

// goingOn returns the tasks in order, without those that a timer is still to start.
func (w words) goingOn(tasks state.Tasks) []op.Task {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(tasks)), func(t op.Task) bool { return w.run.Task(t).Armed })
}

// possible reports tasks that wait for what only package variables lead to.
func (w words) possible(group []op.Task, end *state.Judgement) rule.Finding {
	f := w.report(group, false)
	f.How = rule.Possible
	objects := w.objectsOf(group)
	f.Notes = append(f.Notes, "only package variables still refer to "+objects)
	note := "other goroutines can still run"
	if tasks := w.goingOn(end.GoOn); len(tasks) > 0 {
		note = w.goOnText(tasks)
	}
	does := "uses " + objects
	f.Guess = &rule.Guess{Text: "no other goroutine " + does, OfThisRun: true}
	note += "; none has ended the wait so far, and the report assumes that none " + does
	f.Notes = append(f.Notes, note)
	return f
}

// inherited reports tasks that wait for a lock in whose section another one has ended, and those
// behind them. An heir may unlock it.
func (w words) inherited(group []op.Task, end *state.Judgement) rule.Finding {
	f := w.report(group, false)
	for _, t := range group {
		lock := w.run.Task(t).Block.Object
		if s := w.run.Inherited(lock, &end.Verdict); s != nil {
			w.run.DoubtUnlock(&f, lock, s, &end.Verdict, w.Words)
			f.Guess.OfThisRun = true
			break
		}
	}
	return f
}

// objectsOf names what tasks wait for.
func (w words) objectsOf(group []op.Task) string {
	var names []string
	for _, t := range group {
		for _, o := range w.run.Task(t).Block.Objects() {
			if name := w.ObjectName(o); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names[:min(len(names), maxShown)], " and ")
}

// goOnText says which tasks go on by themselves.
func (w words) goOnText(tasks []op.Task) string {
	n := len(tasks)
	names := make([]string, n)
	for i, t := range tasks {
		names[i] = w.TaskName(t)
	}
	if n == 1 {
		return names[0] + " can still run"
	}
	if n > maxUsersNamed {
		others := fmt.Sprintf("%d other goroutines", n-maxUsersNamed+1)
		names = append(slices.Clone(names[:maxUsersNamed-1]), others)
	}
	return wording.List(names) + " can still run"
}

// whyOpen says what leads to the lock that the report assumes not to be unlocked by others.
func (w words) whyOpen(task op.Task) []string {
	lock := w.ObjectName(w.run.Task(task).Block.Object)
	switch {
	case w.run.IsFound(task, op.FromGlobals):
		return []string{"only package variables still refer to " + lock}
	case w.run.IsReached(task):
		return []string{"goroutines, timers or package variables still refer to " + lock}
	}
	return nil
}
