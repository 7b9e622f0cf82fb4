package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// polling is what is known of a task that wakes by a timer, in a select statement, only to wait
// there again.
type polling struct {
	at    op.Place // of the statement; 0 if the task has done anything else
	timer int      // the case of the timer
	woken bool     // since it came to the statement
	wakes int      // one after the other, with nothing in between
}

// minWakes is how many wakes in a row make a task a polling one.
const minWakes = 2

func (p *polling) noteArrival(at op.Place) {
	switch {
	case at != p.at:
		*p = polling{at: at}
	case p.woken:
		p.woken = false
		p.wakes++
	}
}

// notePolling notes an operation that may continue or end the polling of a task. Operations on
// timers do not end it, nor does reading what others have done, as Done of a context does: the
// source shows whether the task goes elsewhere then.
func (m *memory) notePolling(o *op.Op) {
	t := m.task(o.Task)
	switch {
	case o.Kind == op.Select || o.Kind == op.Block && o.Want == op.Select:
		t.polling.noteArrival(o.At)
	case o.Kind == op.Recv:
		m.noteWakeup(t, o.Object)
	case o.Kind == op.Arm, o.Kind == op.Stop, o.Kind == op.MakeChan, o.Kind == op.AtomicLoad:
	case o.Kind == op.Once && !o.RanFunction():
	default:
		t.polling = polling{}
	}
}

// noteWakeup notes that a task receives from a channel, perhaps of a timer.
func (m *memory) noteWakeup(t *task, object op.Object) {
	p, timer := &t.polling, slices.Index(t.choice.cases, op.Case{Object: object})
	if p.at == 0 || t.choice.Kind == op.None || timer < 0 || !m.run.Objects.Ensure(object).Timed {
		*p = polling{}
		return
	}
	p.woken, p.timer = true, timer
}

// isPolling reports whether a task waits, or has just been woken, at a statement where only a timer
// has woken it so far, and another case could.
func (m *memory) isPolling(t *state.Task, p *polling) bool {
	return (t.Waits || p.woken) && p.wakes >= minWakes && p.at == t.Block.At &&
		slices.ContainsFunc(t.Block.Cases, func(c op.Case) bool { return c.Object != 0 && !m.run.IsTimer(c) })
}

// pollingFindings returns findings for tasks that poll for ever, but for those that may: all other
// tasks that could go on only poll, too. A polling task that was awake at the end of the run counts
// as waiting.
func (d *detector) pollingFindings(w words, stuck state.Tasks) []rule.Finding {
	polled := state.Tasks{}
	var awake []*state.Task
	for number, t := range d.run.Tasks() {
		if number == d.run.Left || !d.isPolling(t, &d.task(number).polling) {
			continue
		}
		polled[number] = true
		if !t.Waits {
			t.Waits = true
			awake = append(awake, t)
		}
	}
	if len(polled) == 0 {
		return nil
	}
	verdict := d.run.Stuck(w.Names, state.Question{Polled: polled})
	for _, t := range awake {
		t.Waits = false
	}
	var all []rule.Finding
	source := map[rule.Guess]rule.Behind{} // many tasks may poll at one statement
	for _, t := range verdict.Waiting {
		task := d.run.Task(t)
		if polled[t] && !stuck[t] && !task.Daemon && !d.isMeantTo(w.Names, t, task.Block.At) {
			if f, ok := d.pollingFinding(w, t, source); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

// pollingFinding reports a task that polls for ever, unless its source has something else for it to
// do when it wakes. If the source is not known, the finding is only possible. The map keeps the
// source's answers.
func (d *detector) pollingFinding(
	w words, task op.Task, source map[rule.Guess]rule.Behind,
) (rule.Finding, bool) {
	b, p := &d.run.Task(task).Block, &d.task(task).polling
	var assumed *rule.Guess
	for i, c := range b.Cases {
		if i != p.timer && !(d.run.IsTimer(c) && d.run.Objects.Ensure(c.Object).Armed) {
			continue // it does not wake the task
		}
		guess := rule.Guess{Text: onlyWaits, Select: b.At, Took: i, Other: i}
		if _, isRead := source[guess]; !isRead {
			source[guess] = d.behindCase(&guess)
		}
		switch source[guess] {
		case rule.Leaves:
			return rule.Finding{}, false
		case rule.Unread:
			assumed = &guess
		}
	}
	return w.pollingFinding(task, p.wakes, assumed), true
}

// takeBehind takes those findings of polling tasks whose tasks may poll only because a group of
// tasks waits for ever: one of these has started the task, directly or not, or has done before what
// would end its polling.
func (w words) takeBehind(group []op.Task, polling *[]rule.Finding) (behind []rule.Finding) {
	*polling = slices.DeleteFunc(*polling, func(f rule.Finding) bool {
		is := slices.ContainsFunc(group, func(t op.Task) bool {
			return !w.awaitsTests(t) && w.mayEnd(f.Parties[0].Task, t)
		})
		if is {
			behind = append(behind, f)
		}
		return is
	})
	return behind
}

// mayEnd reports whether a task has started a polling one, or has used what that waits for.
func (w words) mayEnd(polling, task op.Task) bool {
	for by := w.run.StartedBy(polling); by != op.NoTask; by = w.run.StartedBy(by) {
		if by == task {
			return true
		}
	}
	for _, c := range w.run.Task(polling).Block.Cases {
		isEnd := func(m candidate.Mark) bool { return m.Task == task && state.Ends(c.Kind(), m.Kind) }
		if c.Object != 0 && slices.ContainsFunc(w.run.Objects.Ensure(c.Object).Users.List, isEnd) {
			return true
		}
	}
	return false
}
