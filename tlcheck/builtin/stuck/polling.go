package stuck

import (
	"slices"

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
func (s *state) polls(o *op.Op) {
	t := s.task(o.Task)
	switch {
	case o.Kind == op.Select || o.Kind == op.Block && o.Want == op.Select:
		t.polling.comes(o.At)
	case o.Kind == op.Recv:
		s.wakes(t, o.Object)
	case o.Kind == op.Arm, o.Kind == op.Stop, o.Kind == op.MakeChan, o.Kind == op.AtomicLoad:
	case o.Kind == op.Once && !o.RanFunction():
	default:
		t.polling = polling{}
	}
}

// wakes notes that a task receives from a channel, or what a timer hands to it.
func (s *state) wakes(t *task, object op.Object) {
	p, timer := &t.polling, slices.Index(t.choice.cases, op.Case{Object: object})
	if p.at == 0 || t.choice.Kind == op.None || timer < 0 || !s.resources.Of(object).timed {
		*p = polling{}
		return
	}
	p.woken, p.timer = true, timer
}

// isPolling reports whether a task waits, or has just been woken, where it has only been woken by a
// timer, and something else could end that: another case.
func (s *state) isPolling(t *task) bool {
	p := &t.polling
	return (t.waits || p.woken) && p.wakes >= minWakes && p.at == t.block.At &&
		slices.ContainsFunc(t.block.cases, func(c op.Case) bool { return c.Object != 0 && !s.isTimer(c) })
}

// pollers reports the tasks that poll for ever: none that could go on is left but others like them.
// Those that the end of the run found awake are about to wait again, like the others.
func (d *detector) pollers(w words, stuck taskSet) []rule.Finding {
	d.polled = taskSet{}
	var awake []*task
	for i, t := range d.tasks {
		if t == nil || op.Task(i) == d.left || !d.isPolling(t) {
			continue
		}
		d.polled[op.Task(i)] = true
		if !t.waits {
			t.waits = true
			awake = append(awake, t)
		}
	}
	if len(d.polled) == 0 {
		return nil
	}
	waiting, _, _ := d.stuckAtEnd(w.Names, nil)
	for _, t := range awake {
		t.waits = false
	}
	var all []rule.Finding
	for _, t := range waiting {
		if d.polled[t] && !stuck[t] && !d.tasks[t].daemon {
			if f, ok := d.poller(w, t); ok {
				all = append(all, f)
			}
		}
	}
	d.polled = nil
	return all
}

// poller reports a task that polls for ever, unless its source has something else for it to do when
// it wakes. If that is not known, it is only possible.
func (d *detector) poller(w words, task op.Task) (rule.Finding, bool) {
	t := d.tasks[task]
	var assumed *rule.Guess
	for i, c := range t.block.cases {
		if i != t.polling.timer && !(d.isTimer(c) && d.resources.Of(c.Object).armed) {
			continue // it does not wake the task
		}
		guess := &rule.Guess{Text: onlyWaits, Select: t.block.At, Took: i, Other: i}
		switch d.behindCase(guess) {
		case rule.Leaves:
			return rule.Finding{}, false
		case rule.Unread:
			assumed = guess
		}
	}
	return w.poller(task, t, assumed), true
}
