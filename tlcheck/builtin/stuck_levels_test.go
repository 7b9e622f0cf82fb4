package builtin_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/stuck"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// report sends the operations of the world to a checker, which reports on it.
func (w *world) report(t *rapid.T) *builtin.Checker {
	checker := builtin.NewChecker(deadlock.Rule, stuck.Rule)
	s := &stamp.Stamper{To: timers{w, checker}}
	for i := range w.ops {
		s.Op(&w.ops[i])
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return checker
}

// timers adds which tasks are started by a timer: package stamp does not have these.
type timers struct {
	*world
	*builtin.Checker
}

func (t timers) Op(o *op.Op) {
	if o.Kind == op.Go && (t.tasks[o.Other].fate == pending || t.tasks[o.Other].fate == stopped) {
		o.Arg, o.Object = 1, timerOf(o.Other)
	}
	t.Checker.Op(o)
}

// Each place has its own name, so no two waits are the same finding.
func (w *world) Task(t op.Task) op.Origin {
	m := w.tasks[t]
	return op.Origin{Name: fmt.Sprint("task ", t), By: m.by, At: m.at}
}
func (*world) Object(o op.Object) string    { return fmt.Sprint("object ", o) }
func (*world) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// level is what is to be said of a task that waits.
type level string

const (
	certain  level = "certain"  // nothing can end the wait
	locked   level = "locked"   // only the unlock of a lock that another task has locked can
	possible level = "possible" // only package variables lead there, unused by those that go on
	openEnd  level = "open"     // another one may end it
	unsaid   level = "unsaid"   // it is none
)

// levels returns the level of each task that waits, by definition: what something leads to may be
// used by any task, and is not looked into. So some are open that the enumeration shows to be
// certain.
func (w *world) levels() map[op.Task]level {
	all := map[op.Task]level{}
	foreign := w.wakes(liberty{foreign: true, spread: true})
	own := w.wakes(liberty{spread: true})
	may := w.mayGoOn()
	knows := w.left != op.NoTask || !may.has(0)
	for t, source := range w.found {
		knows = knows && !(source == op.FromGlobals && may.has(t))
	}
	for t, m := range w.waiting() {
		switch source, isFound := w.found[t]; {
		case m.daemon && !(isFound && source == op.FromNothing && len(m.waits) > 0): // it serves
			all[t] = unsaid
		case !foreign.has(t):
			all[t] = certain
		case !own.has(t):
			all[t] = locked
		case m.ready || w.isSource(m) || w.awaitsExit(t) || w.isIdleMain(t):
			all[t] = unsaid
		case isFound && source == op.FromGlobals && knows && !w.isOwed(m, may) && !w.isEntered(m, may):
			all[t] = possible
		default:
			all[t] = openEnd
		}
	}
	return all
}

// mayGoOn returns the tasks that go on, and those that they may wake by what they, or others that
// were started at the same place, have done before.
func (w *world) mayGoOn() taskSet {
	var may taskSet
	for i, m := range w.tasks {
		if t := op.Task(i); t != w.left && (m.fate == goesOn || m.fate == pending ||
			m.fate == waits && (m.ready || w.isSource(m))) {
			may |= setOf(t)
		}
	}
	for again := true; again; {
		again = false
		for t, m := range w.waiting() {
			if source, isFound := w.found[t]; may.has(t) || isFound && source == op.FromNothing {
				continue
			}
			for _, u := range w.uses {
				ended := func(x want) bool { return x.on == u.on && ends(x.kind, u.kind) }
				if w.mayDo(u, may) && slices.ContainsFunc(m.waits, ended) {
					may |= setOf(t)
					again = true
				}
			}
		}
	}
	return may
}

// mayDo reports whether one of the tasks has done something, or was started where one was that has.
func (w *world) mayDo(u use, tasks taskSet) bool {
	for i, m := range w.tasks {
		alike := u.by != 0 && m.at != 0 && m.at == w.tasks[u.by].at
		if t := op.Task(i); tasks.has(t) && (t == u.by || alike) {
			return true
		}
	}
	return false
}

// ends reports whether a use may end a wait.
func ends(wait, did op.Kind) bool {
	switch wait {
	case op.Send:
		return did == op.Recv || did == op.Close || did == wouldReceive
	case op.Recv:
		return did == op.Send || did == op.Close || did == wouldSend
	case op.Lock, op.RLock, op.Once:
		return did == op.Lock || did == op.RLock
	case op.Wait:
		return did == op.Done
	}
	return did == op.Signal
}

// isOwed reports whether a task waits at a group for which one of those tasks was started.
func (w *world) isOwed(m *member, may taskSet) bool {
	for _, u := range w.uses {
		if m.want != op.Wait || u.want != (want{op.Add, m.waits[0].on}) {
			continue
		}
		for i, started := range w.tasks[1:] {
			if may.has(op.Task(i+1)) && started.by == u.by {
				return true
			}
		}
	}
	return false
}

// isEntered reports whether a task waits to send into a full buffer, and one of those tasks has
// sent there: it may be in a section of a semaphore.
func (w *world) isEntered(m *member, may taskSet) bool {
	return slices.ContainsFunc(w.uses, func(u use) bool {
		return u.kind == op.Send && may.has(u.by) && w.thing(u.on).cap > 0 && slices.Contains(m.waits, u.want)
	})
}

// reportsOf returns what is reported of each task at the end, and which are reported to wait for
// ever in another order of the run.
func (w *world) reportsOf(all []builtin.Finding) (of map[op.Task][]*builtin.Finding, predicted taskSet) {
	of = map[op.Task][]*builtin.Finding{}
	for i := range all {
		f := &all[i]
		for _, p := range f.Parties {
			if f.IsOfEnd() {
				of[p.Task] = append(of[p.Task], f)
			} else if f.How == builtin.Predicted {
				predicted |= setOf(p.Task)
			}
		}
		also, more := w.reportsOf(f.Also)
		maps.Copy(of, also)
		predicted |= more
	}
	return of, predicted
}

// An observed wait cannot be ended by anything that could still happen. A wait that is certain by
// definition is reported as observed, a possible one as that, and all others are open.
func TestLevels(t *testing.T) {
	seen := map[string]bool{}
	const waits, ofLocks = 8, 3 // each wait has each level, but only that for a lock may be locked
	rapidtest.CheckUntil(t, func() bool { return len(seen) == 3*waits+ofLocks }, func(t *rapid.T) {
		w := drawWorld(t)
		checker := w.report(t)
		found, predicted := w.reportsOf(checker.Findings(w))
		levels, may := w.levels(), w.mayGoOn()
		w.refute(t, found, may)
		open := 0
		for task, l := range levels {
			all := found[task]
			if l != unsaid {
				seen[fmt.Sprint(l, " ", w.tasks[task].want)] = true
			}
			switch {
			case len(all) == 0 && l == openEnd:
				open++
			case len(all) == 0 && (l == unsaid || l == possible && predicted.has(task)):
			case isAny(all, builtin.Observed) && (l == certain || l == locked):
			case isAny(all, builtin.Possible) && !isAny(all, builtin.Observed) && l == possible:
			case len(all) > 0 && w.areGuesses(all, may):
			case len(all) > 0 && areCycles(all) && (w.tasks[task].daemon || w.awaitExit(all)):
			default:
				t.Errorf("%s waits, which is %s, and reported as %v", w.Task(task).Name, l, textsOf(all))
			}
		}
		if got := checker.Open(); open > 0 && got == nil || got != nil && len(got.Waits) != open {
			t.Errorf("%d waits are open, not as reported: %+v", open, got)
		}
		if t.Failed() {
			t.Log(w)
		}
	})
}

// refute looks for tasks that are observed to wait for ever and are woken in some continuation.
func (w *world) refute(t *rapid.T, found map[op.Task][]*builtin.Finding, may taskSet) {
	foreign, own := w.wakes(liberty{foreign: true}), w.wakes(liberty{})
	for task, all := range found {
		for _, f := range all {
			wakes := foreign
			if f.Guess != nil || isBehind(f, task) && saysWhatItAssumes(f) {
				wakes = own
			}
			if f.How == builtin.Observed && wakes.has(task) && !w.isGuess(f, may) {
				t.Errorf("%s may be woken: %s; %s", w.Task(task).Name, f.Text, f.Notes)
			}
		}
	}
}

// isBehind reports whether a task only waits behind those that make a finding.
func isBehind(f *builtin.Finding, task op.Task) bool {
	return !slices.ContainsFunc(f.Makers(), func(p builtin.Party) bool { return p.Task == task })
}

// saysWhatItAssumes reports whether a note of a finding says that other tasks leave a lock alone.
func saysWhatItAssumes(f *builtin.Finding) bool {
	return slices.ContainsFunc(f.Notes, func(n string) bool {
		return strings.Contains(n, "the report assumes that none of them unlocks ")
	})
}

func isAny(all []*builtin.Finding, how builtin.Certainty) bool {
	return slices.ContainsFunc(all, func(f *builtin.Finding) bool { return f.How == how })
}

func textsOf(all []*builtin.Finding) (texts []string) {
	for _, f := range all {
		texts = append(texts, f.How.String()+": "+f.Text)
	}
	return texts
}

// areCycles reports whether all findings are deadlocks.
func areCycles(all []*builtin.Finding) bool {
	return !slices.ContainsFunc(all, func(f *builtin.Finding) bool { return f.Property != builtin.Deadlock })
}

// awaitExit reports whether each finding has a task that may wait for what has ended the program: a
// deadlock with it is reported all the same.
func (w *world) awaitExit(all []*builtin.Finding) bool {
	return !slices.ContainsFunc(all, func(f *builtin.Finding) bool {
		return !slices.ContainsFunc(f.Parties, func(p builtin.Party) bool { return w.awaitsExit(p.Task) })
	})
}

// areGuesses reports whether all findings are what isGuess says.
func (w *world) areGuesses(all []*builtin.Finding, may taskSet) bool {
	return !slices.ContainsFunc(all, func(f *builtin.Finding) bool { return !w.isGuess(f, may) })
}

// isGuess reports whether a finding is a deadlock that others may end for all that is known, but
// none of those that may go on has done so before. It is observed if nothing is known.
func (w *world) isGuess(f *builtin.Finding, may taskSet) bool {
	if f.Property != builtin.Deadlock || f.Guess == nil {
		return false
	}
	known := false
	for _, p := range f.Makers() {
		awaitsHolder := (p.Kind == op.Lock || p.Kind == op.RLock) && !w.thing(p.Object).lent
		if may.has(p.Task) && !awaitsHolder {
			return false
		}
		known = known || w.isKnown(p.Task) && !awaitsHolder
	}
	return f.How == builtin.Possible || !known
}

// isKnown reports whether it was found out what leads to what a task waits for.
func (w *world) isKnown(t op.Task) bool {
	return w.checked && w.outcome == op.Complete && !w.tasks[t].late
}

// String returns the world, for a test that has failed.
func (w *world) String() string {
	var b strings.Builder
	for i, m := range w.tasks {
		fmt.Fprintf(&b, "task %d: %+v\n", i, *m)
	}
	for i, th := range w.things {
		fmt.Fprintf(&b, "object %d: %+v\n", i+1, *th)
	}
	for i := range w.ops {
		o := &w.ops[i]
		fmt.Fprintf(&b, "  %d: task %d %s object %d, other %d, want %s, arg %d, cases %v\n",
			o.At, o.Task, o.Kind, o.Object, o.Other, o.Want, o.Arg, o.Cases)
	}
	fmt.Fprintf(&b, "task %d has left\n", w.left)
	return b.String()
}
