package stuck

import (
	"slices"

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

// minWakes are enough to say that a task polls.
const minWakes = 2

func (p *polling) comes(at op.Place) {
	switch {
	case at != p.at:
		*p = polling{at: at}
	case p.woken:
		p.woken = false
		p.wakes++
	}
}

// polls notes what a task does for its polling. What makes and moves timers does not end it, nor
// does looking at what others have done, as Done of a context does; the source says whether the
// task goes elsewhere then.
func (m *memory) polls(o *op.Op) {
	t := m.task(o.Task)
	switch {
	case o.Kind == op.Select || o.Kind == op.Block && o.Want == op.Select:
		t.polling.comes(o.At)
	case o.Kind == op.Recv:
		m.wakes(t, o.Object)
	case o.Kind == op.Arm, o.Kind == op.Stop, o.Kind == op.MakeChan, o.Kind == op.AtomicLoad:
	case o.Kind == op.Once && !o.RanFunction():
	default:
		t.polling = polling{}
	}
}

// wakes notes that a task receives from a channel, or what a timer hands to it.
func (m *memory) wakes(t *task, object op.Object) {
	p, timer := &t.polling, slices.Index(t.choice.cases, op.Case{Object: object})
	if p.at == 0 || t.choice.Kind == op.None || timer < 0 || !m.run.Objects.Of(object).Timed {
		*p = polling{}
		return
	}
	p.woken, p.timer = true, timer
}

// isPolling reports whether a task waits, or has just been woken, where it has only been woken by a
// timer, and something else could end that: another case.
func (m *memory) isPolling(t *state.Task, p *polling) bool {
	return (t.Waits || p.woken) && p.wakes >= minWakes && p.at == t.Block.At &&
		slices.ContainsFunc(t.Block.Cases, func(c op.Case) bool { return c.Object != 0 && !m.run.IsTimer(c) })
}

// pollers reports the tasks that poll for ever: none that could go on is left but others like them.
// Those that the end of the run found awake are about to wait again, like the others.
func (d *detector) pollers(w words, stuck state.Tasks) []rule.Finding {
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
	for _, t := range verdict.Waiting {
		if polled[t] && !stuck[t] && !d.run.Task(t).Daemon {
			if f, ok := d.poller(w, t); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

// poller reports a task that polls for ever, unless its source has something else for it to do when
// it wakes. If that is not known, it is only possible.
func (d *detector) poller(w words, task op.Task) (rule.Finding, bool) {
	b, p := &d.run.Task(task).Block, &d.tasks[task].polling
	var assumed *rule.Guess
	for i, c := range b.Cases {
		if i != p.timer && !(d.run.IsTimer(c) && d.run.Objects.Of(c.Object).Armed) {
			continue // it does not wake the task
		}
		guess := &rule.Guess{Text: onlyWaits, Select: b.At, Took: i, Other: i}
		switch d.behindCase(guess) {
		case rule.Leaves:
			return rule.Finding{}, false
		case rule.Unread:
			assumed = guess
		}
	}
	return w.poller(task, p.wakes, assumed), true
}
