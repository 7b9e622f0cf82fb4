package stuck

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Findings reports the tasks that wait for ever. Tasks that wait for the same object are one
// finding, and so are tasks if one has used what another one waits for, or if it waits at a
// WaitGroup that the other one owes (see additions). Tasks of a deadlock are
// reported there; others may wait behind them, or poll behind them.
func (d *detector) Findings(names op.Names) []rule.Finding {
	w := words{candidate.Words{Names: names}, d.memory}
	end := d.run.Judge(names)
	all := slices.DeleteFunc(d.predictedFindings(w, &end.Verdict), func(f rule.Finding) bool {
		return d.isMeantTo(names, f.Parties[0].Task, f.Parties[0].At)
	})
	polling := d.pollingFindings(w, end.Stuck)
	alone := end.Stuck
	if len(d.dead) > 0 {
		alone = d.run.Stuck(names, state.Question{Free: d.dead}).Stuck
	}
	reported := d.ofProgram(w, end.Waiting)
	behind := slices.DeleteFunc(slices.Clone(reported), func(t op.Task) bool {
		return alone[t] || w.awaitsTests(t)
	})
	reported = slices.DeleteFunc(reported, func(t op.Task) bool { return !alone[t] })
	serving, reported := w.splitServing(reported)
	for _, group := range w.groups(serving) {
		all = append(all, w.serving(group))
	}
	for _, group := range w.groups(reported) {
		f := w.report(group, end.Running)
		for _, p := range w.takeBehind(group, &polling) {
			addBehind(&f, &p)
		}
		all = append(all, f)
	}
	for _, group := range w.groups(d.ofProgram(w, end.Possible)) {
		all = append(all, w.possible(group, end))
	}
	for _, group := range w.groups(d.ofProgram(w, end.Inherited)) {
		all = append(all, w.inherited(group, end))
	}
	for _, group := range w.groups(d.ofProgram(w, end.Left)) {
		all = append(all, w.left(group, end))
	}
	all = append(all, d.outlived(w)...)
	d.open = d.openWaits(w, end)
	if len(behind) > 0 {
		f := w.report(behind, end.Running)
		f.Behind = true
		all = append(all, f)
	}
	for _, p := range w.takeBehind(slices.AppendSeq(behind, maps.Keys(d.dead)), &polling) {
		p.Behind = true
		all = append(all, p)
	}
	assumeOnlyWaits(polling)
	return append(all, polling...)
}

// maxShown is how many cases of a select statement a report shows. It shows one more rather than to
// leave out one.
const maxShown = 8

// shown returns the cases that a report shows, and how many it leaves out.
func shown(b *state.Block) (cases []op.Case, more int64) {
	cases = withoutNil(b.Cases)
	if len(cases) <= maxShown+1 && b.Others == 0 {
		return cases, 0
	}
	few := cases[:min(maxShown, len(cases))]
	return few, int64(len(cases)-len(few)) + b.Others
}

// withoutNil returns the cases without those of nil channels, unless all are: a program turns off a
// case so.
func withoutNil(cases []op.Case) []op.Case {
	isNil := func(c op.Case) bool { return c.Object == 0 }
	if all := slices.DeleteFunc(slices.Clone(cases), isNil); len(all) > 0 {
		return all
	}
	return cases
}

// groups divides tasks into groups that have to do with each other, each sorted.
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
	owed := w.owedTo(tasks)
	for _, t := range tasks {
		for _, object := range w.run.Task(t).Block.Objects() {
			if w, ok := waiters[object]; ok {
				join(t, w)
			}
			waiters[object] = t
			for _, m := range w.run.Objects.Ensure(object).Users.List {
				if m.Kind != op.MakeChan { // who has made it need not use it
					join(t, m.Task)
				}
			}
		}
		if b := &w.run.Task(t).Block; b.Kind == op.Wait {
			for _, missing := range owed[b.Object] {
				join(t, missing)
			}
		}
		for _, h := range w.run.Task(t).Held {
			waiters[h.Object] = t
		}
		if by := w.run.StartedBy(t); w.awaitsTests(by) {
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
	t := w.run.Task(task)
	if t == nil || !t.Waits {
		return false
	}
	stack := w.Place(t.Block.At).Stack
	return len(stack) > 0 && strings.HasPrefix(stack[0].Function, "testing.")
}

// predictedFindings reports the tasks that wait for ever in other orders of the run.
func (d *detector) predictedFindings(w words, end *state.Verdict) []rule.Finding {
	var all []rule.Finding
	lost, waiting := slices.Clone(d.lost.freed), d.waiting()
	for object, t := range d.run.Objects.All() {
		d.others.findAlternatives(object, t, waiting[object])
		lost = append(lost, d.lost.lostWaits(object, t, end.Stuck)...)
		all = append(all, w.leftLocked(object, t, end)...)
	}
	for i := range lost {
		f := w.lostSignal(&lost[i])
		if d.lost.mayBeEnded(&lost[i], end.Stuck) {
			f.Assume("signals " + w.ObjectName(lost[i].cond))
		}
		all = append(all, f)
	}
	for i := range d.handed {
		all = append(all, w.handover(&d.handed[i]))
	}
	return append(append(all, d.otherCases(w)...), d.late.findings(w)...)
}

// waiting returns the tasks that wait for an object alone, by the object.
func (m *memory) waiting() map[op.Object][]candidate.Mark {
	all := map[op.Object][]candidate.Mark{}
	for _, t := range m.run.Tasks() {
		if b := &t.Block; t.Waits && b.Object != 0 {
			all[b.Object] = append(all[b.Object], b.Mark)
		}
	}
	return all
}

// otherCases reports the tasks that wait for ever if a select statement takes another case: for
// each two places the most convincing case.
func (d *detector) otherCases(w words) []rule.Finding {
	var all []rule.Finding
	done := map[[2]op.Place]bool{}
	for _, c := range d.others.convincingAlternatives(w, &d.hints) {
		places := [2]op.Place{c.At, c.met.At}
		if !done[places] {
			done[places] = true
			all = append(all, w.otherCase(c))
		}
	}
	return all
}

// assumption is an alternative with what is assumed of it.
type assumption struct {
	*alternative
	guess *rule.Guess
	how   rule.Certainty
	shown bool // by the run
}

// convincingAlternatives returns the alternatives that convince and that the source does not
// refute: first those that it confirms, and among these first those that the run has shown.
func (x *otherCases) convincingAlternatives(w words, h *hints) []assumption {
	var all []assumption
	for _, c := range slices.SortedFunc(maps.Values(x.alternatives), inOrder) {
		if c.locks.Kind != op.None {
			all = append(all, assumption{c, &rule.Guess{Text: locksAgain}, rule.Predicted, true})
			continue
		}
		convinces, shown := x.convinces(c)
		if !convinces || w.isTimedTest(c) {
			continue
		}
		guess := &rule.Guess{Text: neverBack, Select: c.At, Took: c.took, Other: c.other}
		switch h.behindCase(guess) {
		case rule.Leaves:
			all = append(all, assumption{c, guess, rule.Predicted, shown})
		case rule.Unread:
			all = append(all, assumption{c, guess, rule.Possible, shown})
		}
	}
	slices.SortStableFunc(all, func(a, b assumption) int {
		return cmp.Or(int(a.how)-int(b.how), boolRank(!a.shown)-boolRank(!b.shown))
	})
	return all
}

// isTimedTest reports whether the other case is the time-out of a test, which ends the program.
func (w words) isTimedTest(c *alternative) bool {
	return c.why.Kind == op.Arm && strings.Contains(w.Place(c.At).At, "_test.go:")
}

// inOrder compares alternatives: those whose other case a task makes ready come first.
func inOrder(a, b *alternative) int {
	return cmp.Or(boolRank(a.why.Kind == op.Arm)-boolRank(b.why.Kind == op.Arm), cmp.Compare(a.At, b.At),
		cmp.Compare(a.met.At, b.met.At), a.other-b.other, cmp.Compare(a.object, b.object))
}

// boolRank returns 1 if is, else 0: a sort key.
func boolRank(is bool) int {
	if is {
		return 1
	}
	return 0
}

// After receives the deadlocks: the tasks of those that happened are reported there.
func (d *detector) After(found []rule.Finding) {
	d.dead = state.Tasks{}
	for i := range found {
		for _, p := range found[i].Parties {
			if hasHappened(&found[i]) {
				d.dead[p.Task] = true
			}
		}
	}
}

// hasHappened reports whether a finding is a deadlock in which the run has ended.
func hasHappened(f *rule.Finding) bool {
	return f.Property == deadlock.Rule.Name && (f.How == rule.Observed || f.Guess.IsOfThisRun())
}

// position is a task that stays at a place.
type position struct {
	task op.Task
	at   op.Place
}

// Join removes findings that others include: tasks that wait behind a deadlock that happened are
// added to that, and a predicted deadlock of tasks that wait there for ever anyway is dropped. So
// is a prediction of tasks that wait for each other, if it is a deadlock that is reported.
func (d *detector) Join(all []rule.Finding) []rule.Finding {
	stuck, deadlocked := map[position]bool{}, map[position]bool{}
	for i := range all {
		for _, p := range all[i].Parties {
			switch at := (position{p.Task, p.At}); {
			case all[i].Property == deadlock.Rule.Name:
				deadlocked[at] = true
			case all[i].How == rule.Observed && all[i].Property == Rule.Name:
				stuck[at] = true
			}
		}
		if all[i].Behind {
			addBehindDeadlock(all, &all[i])
		}
	}
	areIn := func(parties []rule.Party, known map[position]bool) bool {
		return !slices.ContainsFunc(parties, func(p rule.Party) bool { return !known[position{p.Task, p.At}] })
	}
	return slices.DeleteFunc(all, func(f rule.Finding) bool {
		switch {
		case f.Behind:
			return true
		case f.How == rule.Observed:
			return false
		case f.Property == deadlock.Rule.Name:
			return areIn(f.Parties, stuck)
		}
		return f.Property == Rule.Name && len(f.Makers()) > 1 && areIn(f.Makers(), deadlocked)
	})
}

// addBehindDeadlock adds tasks that wait behind those of a deadlock that happened: to the first one
// if there are several, since each may be the reason. If Certain has returned that one, it is
// reported once more with them. They would not wait without it, so they are no violation of their
// own.
func addBehindDeadlock(all []rule.Finding, f *rule.Finding) {
	d := &all[slices.IndexFunc(all, func(d rule.Finding) bool { return hasHappened(&d) })]
	addBehind(d, f)
	d.Told = false
}

// addBehind adds the tasks of f to a finding, behind whose tasks they are.
func addBehind(to, f *rule.Finding) {
	if to.Core == 0 {
		to.Core = len(to.Parties)
	}
	to.Text += "; behind them: " + f.Text
	to.Parties = append(to.Parties, f.Parties...)
	to.Notes = withoutEqual(append(f.Notes, to.Notes...)) // what it assumes comes last
}
