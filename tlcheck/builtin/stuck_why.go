package builtin

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// why says, of each object that a task waits for, what is known of those who could have woken it.
func (d *stuckDetector) why(w words, task op.Task, b *block) []string {
	switch b.kind {
	case op.Send:
		return d.whyChannel(w, task, b.object, true)
	case op.Recv:
		return d.whyChannel(w, task, b.object, false)
	case op.Select:
		var notes []string
		for _, c := range b.shown() {
			notes = append(notes, d.whyChannel(w, task, c.Object, c.Send)...)
		}
		return notes
	case op.Lock, op.RLock, op.Once:
		return d.whyLock(w, task, b)
	case op.Wait:
		return d.whyGroup(w, b.object)
	case op.CondWait:
		return d.whyCondition(w, b.object)
	}
	return nil
}

// maxTold bounds how many users of an object a note tells of.
const maxTold = 3

// whyChannel tells who else has sent or received, or would have.
func (d *stuckDetector) whyChannel(w words, task op.Task, object op.Object, sends bool) []string {
	if object == 0 {
		return []string{"nothing ever comes over a nil channel"}
	}
	partners := []op.Kind{op.Send, op.Close, wouldSend}
	missing := "no other goroutine has sent on " + w.object(object) + " or closed it"
	if sends {
		partners = []op.Kind{op.Recv, wouldReceive}
		missing = "no other goroutine has received from " + w.object(object)
	}
	var notes []string
	for _, m := range d.last(object, task, partners) {
		note := w.task(m.task) + " " + didTo(m.kind) + " " + w.object(object) + w.at(m.at)
		notes = append(notes, note+d.now(w, m.task))
	}
	if len(notes) == 0 {
		notes = append(notes, missing)
	}
	return notes
}

// didTo is what a partner did to a channel, in words.
func didTo(kind op.Kind) string {
	switch kind {
	case op.Send:
		return "has sent on"
	case op.Close:
		return "has closed"
	case op.Recv:
		return "has received from"
	case wouldSend:
		return "would have sent in its select statement on"
	default:
		return "would have received in its select statement from"
	}
}

// last returns what others did last to the object, among some kinds: an offer only if nothing came of it.
func (d *stuckDetector) last(object op.Object, but op.Task, kinds []op.Kind) []mark {
	var all []mark
	for _, m := range d.thing(object).users.list {
		if m.task == but || !slices.Contains(kinds, m.kind) {
			continue
		}
		if i := slices.IndexFunc(all, func(x mark) bool { return x.task == m.task }); i >= 0 {
			if all[i].k < m.k {
				all[i] = m
			}
			continue
		}
		all = append(all, m)
	}
	return all[:min(len(all), maxTold)]
}

// now says what has become of a task.
func (d *stuckDetector) now(w words, task op.Task) string {
	t := d.tasks[task]
	switch {
	case task == d.left:
		return ", and has ended the program"
	case t == nil:
		return ", and has ended"
	case t.waits:
		return ", and waits" + w.at(t.block.at) + " now"
	}
	return ""
}

func (d *stuckDetector) whyLock(w words, task op.Task, b *block) []string {
	t := d.thing(b.object)
	if !t.known() {
		return []string{"no goroutine has locked " + w.object(b.object) + ": it is a copy of a lock, made while that was locked (the built-in property copy tells where)"}
	}
	holders := t.holders()
	var notes []string
	for _, h := range holders[:min(len(holders), maxTold)] {
		who := w.task(h.task)
		if h.task == task {
			who += " itself"
		}
		did := " has locked "
		if b.kind == op.Once {
			did = " runs the function of "
		}
		note := who + did + w.object(b.object) + w.at(h.at)
		if h.task != task {
			note += d.now(w, h.task)
		}
		notes = append(notes, note)
	}
	if b.kind == op.RLock && t.writer.kind == op.None && len(notes) > 0 {
		notes = append(notes, "a writer that waits for "+w.object(b.object)+" lets no more readers in")
	}
	return notes
}

func (d *stuckDetector) whyGroup(w words, object op.Object) []string {
	t := d.thing(object)
	notes := []string{fmt.Sprintf("the counter of %s is %d", w.object(object), t.counter)}
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Add, op.Done}) {
		did := " has added to "
		if m.kind == op.Done {
			did = " is done with "
		}
		notes = append(notes, w.task(m.task)+did+w.object(object)+w.at(m.at)+d.now(w, m.task))
	}
	return notes
}

func (d *stuckDetector) whyCondition(w words, object op.Object) []string {
	notes := []string{"no Signal or Broadcast of " + w.object(object) + " has come since"}
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Signal, op.Broadcast}) {
		notes = append(notes, w.task(m.task)+" has signalled it before"+w.at(m.at))
	}
	return notes
}
