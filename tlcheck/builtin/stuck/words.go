package stuck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// words describes the tasks and objects of a run.
type words struct {
	candidate.Words
	*memory
}

// maxUsersNamed bounds the users of an object in notes.
const maxUsersNamed = 3

// use returns what is done to a channel by sending or receiving.
func (w words) use(channel op.Object, by op.Kind) string {
	if by == op.Send {
		return "send on " + w.ObjectName(channel)
	}
	return "receive from " + w.ObjectName(channel)
}

// caseOf returns what a case does.
func (w words) caseOf(c op.Case) string { return w.use(c.Object, c.Kind()) }

func (w words) whyReady(m *candidate.Mark) string {
	switch m.Kind {
	case op.Arm:
		return "when its timer fires"
	case op.Close:
		return "which " + w.TaskName(m.Task) + " closes" + w.At(m.At)
	case op.Send:
		return "on which " + w.TaskName(m.Task) + " sends" + w.At(m.At)
	default:
		return "from which " + w.TaskName(m.Task) + " receives" + w.At(m.At)
	}
}

const neverBack = "after the other case no goroutine returns to the channel"

const locksAgain = "after the other case the goroutine takes the same lock as in this run"

// whyNotBack returns what is known of the goroutine after the other case.
func (w words) whyNotBack(c assumption) string {
	if c.locks.Kind != op.None {
		return "each time after that case, a goroutine has locked" + w.At(c.locks.At) +
			" before it returned to the channel"
	}
	note := "that case was not taken in this run"
	if c.shown {
		note = "after that case no goroutine returned to the channel in this run"
	}
	if c.how == rule.Possible {
		return note + "; the report assumes that none returns to it after that case"
	}
	return note + "; by its source, the goroutine does not return to the channel after it"
}

// waitsFor returns what a task waits for, to follow "waits".
func (w words) waitsFor(b *state.Block) string {
	switch b.Kind {
	case op.Send, op.Recv:
		return "to " + w.use(b.Object, b.Kind)
	case op.Lock:
		return "to lock " + w.ObjectName(b.Object)
	case op.RLock:
		return "to lock " + w.ObjectName(b.Object) + " for reading"
	case op.Wait, op.Once:
		return "for " + w.ObjectName(b.Object)
	case op.CondWait:
		return "for a signal of " + w.ObjectName(b.Object)
	}
	if len(b.Cases) == 0 {
		return "in a select statement without cases"
	}
	named, more := shown(b)
	cases := w.casesOf(named)
	if more > 0 {
		cases = append(cases, fmt.Sprintf("in one of %d more cases", more))
	}
	return strings.Join(cases, " or ")
}

// casesOf returns the cases of a select statement, such as "to receive from chan 1, chan 2 or chan
// 3": one phrase for each row of sends or receives.
func (w words) casesOf(all []op.Case) []string {
	var phrases []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Send == all[0].Send {
			n++
		}
		text := "to " + w.caseOf(all[0])
		for i, c := range all[1:n] {
			between := ", "
			if i == n-2 {
				between = " or "
			}
			text += between + w.ObjectName(c.Object)
		}
		phrases, all = append(phrases, text), all[n:]
	}
	return phrases
}

// maxParties limits the parties that a report shows of a group.
const maxParties = 12

// report reports tasks that wait for ever: first those that others of them wait for.
func (w words) report(group []op.Task, running bool) rule.Finding {
	f := rule.Finding{How: rule.Observed, Scope: rule.InCalls, AtEnd: true}
	var texts []string
	shown, tests := w.splitShown(group)
	missing, behind := w.splitBehind(shown)
	crowds := w.crowds(missing)
	if len(behind) > 0 {
		f.Core = min(len(crowds), maxParties)
		crowds = append(crowds, w.crowds(behind)...)
	}
	more := 0
	var named []op.Task
	for i, c := range crowds {
		if i >= maxParties {
			more += c.size
			continue
		}
		t, b := c.first, &w.run.Task(c.first).Block
		does := w.waitsFor(b)
		f.Parties = append(f.Parties, rule.Party{
			Task: t, Kind: b.Kind, Object: b.Object, At: b.At, Does: "waits for ever " + does + c.rest(),
			Holds: slices.Clone(w.run.Task(t).Held),
		})
		texts = append(texts, w.TaskName(t)+c.wait()+" for ever"+w.At(b.At)+" "+does)
		f.Cause = cmp.Or(f.Cause, w.run.CauseOf(b))
		named = append(named, t)
	}
	f.Notes, f.Past = w.reasonsOfAll(named), w.past(named)
	f.Text = strings.Join(texts, "; ")
	if more > 0 {
		f.Text += fmt.Sprintf("; and %d more", more)
	}
	for _, t := range tests {
		f.Notes = append(f.Notes, w.TaskName(t)+" waits"+w.At(w.run.Task(t).Block.At)+" for a test to end")
	}
	f.Notes = withoutEqual(f.Notes)
	if !running {
		return f
	}
	if t, ok := w.awaitsUnlock(group); ok {
		f.Notes = append(f.Notes, w.whyOpen(t)...)
		f.Assume("unlocks " + w.ObjectName(w.run.Task(t).Block.Object))
	} else if slices.ContainsFunc(group, w.run.IsCutOff) {
		f.Notes = append(f.Notes,
			"other goroutines can still run, but they cannot reach what these wait for")
	}
	return f
}

// awaitsUnlock returns the first task that one of a group waits behind until others unlock its
// lock.
func (w words) awaitsUnlock(group []op.Task) (op.Task, bool) {
	for _, t := range group {
		if waits, ok := w.run.AwaitsUnlock(t); ok {
			return waits, true
		}
	}
	return op.NoTask, false
}

// splitShown divides a group into the tasks that a report shows and those that wait for tests. If
// all do, it shows them.
func (w words) splitShown(group []op.Task) (shown, tests []op.Task) {
	for _, t := range group {
		if w.awaitsTests(t) {
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

// splitBehind separates the tasks that wait for others of them: at a WaitGroup, or for a lock. If
// all do, none is behind.
func (w words) splitBehind(tasks []op.Task) (missing, behind []op.Task) {
	owed := w.owedTo(tasks)
	waitsForOther := func(t op.Task) bool {
		b := &w.run.Task(t).Block
		switch b.Kind {
		case op.Wait:
			return len(owed[b.Object]) > 0
		case op.Lock, op.RLock, op.Once:
			return slices.ContainsFunc(w.run.Objects.Ensure(b.Object).Sections(), func(s state.Section) bool {
				return s.Task != t && slices.Contains(tasks, s.Task)
			})
		}
		return false
	}
	for _, t := range tasks {
		if waitsForOther(t) {
			behind = append(behind, t)
		} else {
			missing = append(missing, t)
		}
	}
	if len(missing) == 0 {
		return tasks, nil
	}
	return missing, behind
}

// crowd are tasks that do the same. A report shows the first one.
type crowd struct {
	first op.Task
	size  int
}

// wait is the verb of a crowd, with how many there are beside the first one.
func (c *crowd) wait() string {
	if c.size == 1 {
		return " waits"
	}
	return fmt.Sprintf(" and %d more wait", c.size-1)
}

// rest says how many do the same as the first one.
func (c *crowd) rest() string {
	switch c.size {
	case 1:
		return ""
	case 2:
		return ", as 1 more goroutine does"
	}
	return fmt.Sprintf(", as %d more goroutines do", c.size-1)
}

// crowds divides tasks by what they have in common.
func (w words) crowds(tasks []op.Task) []crowd {
	var all []crowd
	index := map[likeness]int{}
	lines := w.linesOf()
	for _, t := range tasks {
		b := &w.run.Task(t).Block
		l := likeness{b.Kind, lines(b.At), lines(w.Task(t).At)}
		if i, ok := index[l]; ok {
			all[i].size++
			continue
		}
		index[l] = len(all)
		all = append(all, crowd{t, 1})
	}
	return all
}

// likeness is what tasks have in common if a report shows only one of them. The calls that led to
// the line where they wait do not matter.
type likeness struct {
	kind          op.Kind
	line, started string
}

// linesOf returns a function that names the line of a place, with a cache: there may be very many
// tasks.
func (w words) linesOf() func(op.Place) string {
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

// lostSignal reports a Wait that can begin when every Signal has come.
func (w words) lostSignal(c *lostWait) rule.Finding {
	cond := w.ObjectName(c.cond)
	f := rule.Finding{
		How: rule.Predicted,
		Text: w.TaskName(c.wait.Task) + " can wait for ever" + w.At(c.wait.At) + " for a signal of " + cond +
			": every Signal and Broadcast can come before it waits",
		Parties: []rule.Party{c.wait.Party(c.cond, "waits for ever for a signal of "+cond)},
	}
	f.Parties[0].Holds = c.held
	for _, m := range c.signals {
		f.Schedule = append(f.Schedule, m.Step(c.cond))
	}
	lock := w.ObjectName(c.lock)
	for _, m := range c.unguarded {
		f.Notes = append(f.Notes, w.TaskName(m.Task)+" signals"+w.At(m.At)+
			" without holding "+lock+"; hold it while changing the condition")
	}
	f.Schedule, f.Core = append(f.Schedule, c.wait.Step(c.cond)), 1
	f.Notes = withoutEqual(f.Notes)
	for _, b := range c.behind {
		does := "then waits " + w.waitsFor(&state.Block{Mark: b.Mark, Object: b.object})
		f.Parties = append(f.Parties, b.Party(b.object, does))
		f.Schedule = append(f.Schedule, b.Step(b.object))
	}
	f.Parties = append(f.Parties, w.waitersFor(&c.wait, c.held, c.unlock.Full)...)
	return f
}

// waitersFor returns tasks that may wait for a lock which the task holds while it waits for ever.
func (w words) waitersFor(waits *candidate.Mark, held []rule.HeldLock, known *clock.Clock) []rule.Party {
	var all []rule.Party
	for _, h := range held {
		for _, m := range w.run.Objects.Ensure(h.Object).Users.List {
			excludes := m.Kind == op.Lock || m.Kind == op.RLock && h.Kind == op.Lock
			if !excludes || m.Task == waits.Task || m.Within(known, waits.Task, waits.K) || len(all) == maxUsersNamed {
				continue
			}
			does := "then waits for " + w.ObjectName(h.Object) + ", which " + w.TaskName(waits.Task) + " holds"
			if !slices.ContainsFunc(all, func(p rule.Party) bool { return p.At == m.At }) {
				all = append(all, m.Party(h.Object, does))
			}
		}
	}
	return all
}

// leftLocked reports tasks that wait for ever if they come to a lock after a task that never
// unlocks it. In this run they came before.
func (w words) leftLocked(object op.Object, t *state.Object, end *state.Verdict) []rule.Finding {
	if t.Lent {
		return nil
	}
	var all []rule.Finding
	for _, h := range t.Sections() {
		if w.run.Task(h.Task) != nil || h.Task == w.run.Left {
			continue
		}
		for _, m := range t.Users.List {
			excludes := m.Kind == op.Lock || m.Kind == op.RLock && h.Kind == op.Lock
			if !excludes || m.Task == h.Task || m.Within(h.Free, h.Task, h.K) {
				continue
			}
			f := rule.Finding{
				How: rule.Reordered, Cause: h.At,
				Text: w.TaskName(m.Task) + " can wait for ever" + w.At(m.At) + " to lock " + w.ObjectName(object) + ", which " + w.TaskName(h.Task) +
					" has locked" + w.At(h.At) + " and never unlocks",
				Parties:  []rule.Party{m.Party(object, "waits for ever to lock "+w.ObjectName(object))},
				Schedule: []op.Step{h.Step(object), m.Step(object)},
			}
			if end.HasHeir(&h) {
				w.run.DoubtUnlock(&f, object, &h, end, w.Words)
			}
			all = append(all, f)
		}
	}
	return all
}

func (w words) otherCase(c assumption) rule.Finding {
	waits, partner := "to send on ", "receives from"
	if c.met.Kind == op.Recv {
		waits, partner = "to receive from ", "sends on"
	}
	object, another := c.object, "its default"
	note := w.TaskName(c.Task) + " takes the default if " + w.TaskName(c.met.Task) + " does not wait yet"
	if !c.isDefault() {
		option := c.cases[c.other]
		object, another = option.Object, "another case"
		note = "the other case is to " + w.caseOf(option) + ", " + w.whyReady(&c.why)
	}
	f := rule.Finding{
		How: c.how,
		Text: w.TaskName(c.met.Task) + " can wait for ever" + w.At(c.met.At) + " " + waits + w.ObjectName(c.object) + ": " + w.TaskName(c.Task) +
			", which " + partner + " it in a select statement" + w.At(c.At) + ", may take " + another,
		Parties: []rule.Party{c.met.Party(c.object, "waits for ever "+waits+w.ObjectName(c.object))},
		Core:    1,
		Notes:   []string{note, w.whyNotBack(c)},
		Count:   c.count,
		Guess:   c.guess,
	}
	f.Parties[0].Holds = c.held
	if c.why.Kind != op.Arm && !c.isDefault() {
		f.Schedule = append(f.Schedule, c.why.Step(object))
	}
	f.Schedule = append(f.Schedule, c.choice.Step(object), c.met.Step(c.object))
	behind := w.waitersFor(&c.met, c.held, c.free)
	if c.locks.Kind != op.None {
		lock := w.ObjectName(c.locks.object)
		f.Core, f.Text = 2, f.Text+", and then waits for "+lock+", which "+w.TaskName(c.met.Task)+" holds"
		f.Parties = append(f.Parties, c.locks.Party(c.locks.object, "waits for ever for "+lock))
		behind = slices.DeleteFunc(behind, func(p rule.Party) bool { return p.Task == c.Task })
	}
	f.Parties = append(f.Parties, behind...)
	return f
}

// lateSend reports a task that sends when the receiver has looked for the last time.
func (w words) lateSend(x *lateSend) rule.Finding {
	waits := "to receive from " + w.ObjectName(x.reply)
	sends := ", before " + w.TaskName(x.request.Task) + " sends" + w.At(x.request.At)
	if x.reply == x.channel {
		waits, sends = "to send on "+w.ObjectName(x.channel), ""
	}
	receiver := w.TaskName(x.Task)
	f := rule.Finding{
		How: rule.Possible,
		Text: w.TaskName(x.answer.Task) + " can wait for ever" + w.At(x.answer.At) + " " + waits + ": " + receiver +
			" may take the default of its select statement" + w.At(x.poll.At) + " and end" + sends,
		Parties: []rule.Party{
			x.answer.Party(x.reply, "waits for ever "+waits),
			x.poll.Party(x.channel, "takes the default, and ends"),
		},
		Core: 1,
		Notes: []string{
			"in this run " + receiver + " has received that before" + w.At(x.At),
			"the report assumes that " + receiver + " reaches the default without it",
		},
		Guess: &rule.Guess{Text: "the receiver reaches its default without the message"},
	}
	if x.request.test.Kind != op.None {
		f.Schedule = append(f.Schedule, x.request.test)
	}
	if x.why.Kind != op.None {
		f.Schedule = append(f.Schedule, x.why.Step(x.stop))
	}
	f.Schedule = append(f.Schedule, x.poll.Step(x.channel), x.request.Step(x.channel))
	if x.reply != x.channel {
		f.Schedule = append(f.Schedule, x.answer.Step(x.reply))
	}
	return f
}

const onlyWaits = "the goroutine only waits again when it wakes"

// pollingFinding reports a task that polls for ever; see
// assumeOnlyWaits for what that assumes, if anything.
func (w words) pollingFinding(number op.Task, wakes int, assumed *rule.Guess) rule.Finding {
	f := rule.Finding{How: rule.Observed, Scope: rule.InCalls, Polls: true, AtEnd: true, Guess: assumed}
	t := w.run.Task(number)
	rest := state.Block{Mark: t.Block.Mark, Others: t.Block.Others}
	for _, c := range t.Block.Cases {
		if c.Object != 0 && !w.run.IsTimer(c) {
			rest.Cases = append(rest.Cases, c)
		}
	}
	does := "polls for ever: it wakes by a timer only to wait again " + w.waitsFor(&rest)
	f.Text = w.TaskName(number) + w.At(t.Block.At) + " " + does
	f.Parties = []rule.Party{{Task: number, Kind: op.Select, At: t.Block.At, Does: does, Holds: slices.Clone(t.Held)}}
	woken := fmt.Sprintf("it has woken up %d times in a row and done nothing else", wakes)
	f.Notes = withoutEqual(append(w.reasons(number, &rest), woken))
	return f
}

// assumeOnlyWaits lets findings of polling tasks that rest on an assumption say it.
func assumeOnlyWaits(polling []rule.Finding) {
	for i := range polling {
		if f := &polling[i]; f.Guess != nil {
			f.How, f.Scope = rule.Possible, rule.InProgram
			f.Notes = append(f.Notes, "the report assumes that it only waits again whenever it wakes, and that no "+
				"other goroutine wakes it")
		}
	}
}
