package stuck

import (
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// splitServing separates the tasks that serve several tests.
func (w words) splitServing(tasks []op.Task) (serving, rest []op.Task) {
	for _, t := range tasks {
		if w.run.ServesTests(w.Names, t) {
			serving = append(serving, t)
		} else {
			rest = append(rest, t)
		}
	}
	return serving, rest
}

// serving reports tasks that wait for ever, and serve several tests.
func (w words) serving(group []op.Task) rule.Finding {
	f := w.report(group, false)
	f.How = rule.Possible
	f.Guess = &rule.Guess{Text: "the tests do not share " + w.TaskName(group[0]), OfThisRun: true}
	f.Notes = append(f.Notes, w.TaskName(group[0])+" has also worked for other tests, which may share it until all "+
		"have ended; the report assumes that they do not")
	return f
}

// left reports tasks whose wait only other tests could end.
func (w words) left(group []op.Task, end *state.Judgement) rule.Finding {
	f := w.report(group, false)
	f.How = rule.Possible
	objects, test := w.objectsOf(group), state.Test(w.Names, group[0])
	does := "uses " + objects + " on behalf of " + test
	f.Guess = &rule.Guess{Text: "no other test " + does, OfThisRun: true}
	note := test + " has ended, and only other tests "
	if tasks := w.goingOn(end.GoOn); len(tasks) > 0 {
		note += "have goroutines left that could use " + objects + ": " + w.goOnText(tasks)
	} else { // but main, which has ended the program
		note += "could have used " + objects
	}
	f.Notes = append(f.Notes, note, "the report assumes that no other test "+does)
	return f
}

// outlived reports tasks that have outlived their tests, and have waited until another test ended
// that.
func (d *detector) outlived(w words) []rule.Finding {
	var all []rule.Finding
	for i := range d.run.Outlived {
		x := &d.run.Outlived[i]
		own, other := state.Test(w.Names, x.Task), state.Test(w.Names, x.By.Task)
		isMeant := x.Serves && !w.runsTest(x.By.Task) || d.isMeantTo(w.Names, x.Task, x.At)
		if !isMeant && own != "" && other != "" && own != other && w.runsTest(d.run.BranchOf(x.Task)) {
			all = append(all, w.waitedFor(x, own, other))
		}
	}
	return all
}

// runsTest reports whether package testing has started a task: for a test, or for a part of one.
func (w words) runsTest(task op.Task) bool {
	return strings.HasPrefix(w.Task(task).Function, "testing.")
}

// waitedFor reports a task of one test that has waited for another test.
func (w words) waitedFor(x *state.Outlived, own, other string) rule.Finding {
	task, waits := w.TaskName(x.Task), "waits "+w.waitsFor(&x.Block)
	f := rule.Finding{
		How: rule.Possible, Scope: rule.InCalls,
		Text: task + " outlives " + own + ": it waits" + w.At(x.At) + " " + w.waitsFor(&x.Block) +
			", and only " + other + " ends that",
		Parties: []rule.Party{x.Party(x.Object, waits+" until "+other+" ends that")},
		Guess:   &rule.Guess{Text: other + " is not to end what " + own + " has begun", OfThisRun: true},
	}
	f.Notes = []string{
		"in " + other + ", " + w.did(&x.By, x.On),
		own + " had ended then, and none of its other goroutines could run; the report assumes that " +
			f.Guess.Text,
	}
	return f
}
