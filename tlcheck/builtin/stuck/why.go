package stuck

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// why says, of each object that a task waits for, what is known of those who could have woken it.
func (d *detector) why(w candidate.Words, task op.Task, b *block) []string {
	switch b.Kind {
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
func (d *detector) whyChannel(w candidate.Words, task op.Task, object op.Object, sends bool) []string {
	if object == 0 {
		return []string{"nothing ever comes over a nil channel"}
	}
	partners := []op.Kind{op.Send, op.Close, wouldSend}
	missing := "no other goroutine has sent on " + w.ObjectName(object) + " or closed it"
	if sends {
		partners = []op.Kind{op.Recv, wouldReceive}
		missing = "no other goroutine has received from " + w.ObjectName(object)
	}
	var notes []string
	for _, m := range d.last(object, task, partners) {
		note := w.TaskName(m.Task) + " " + didTo(m.Kind) + " " + w.ObjectName(object) + w.At(m.At)
		notes = append(notes, note+d.now(w, m.Task))
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
func (d *detector) last(object op.Object, but op.Task, kinds []op.Kind) []candidate.Mark {
	var all []candidate.Mark
	for _, m := range d.things.Of(object).users.List {
		if m.Task == but || !slices.Contains(kinds, m.Kind) {
			continue
		}
		if i := slices.IndexFunc(all, func(x candidate.Mark) bool { return x.Task == m.Task }); i >= 0 {
			if all[i].K < m.K {
				all[i] = m
			}
			continue
		}
		all = append(all, m)
	}
	return all[:min(len(all), maxTold)]
}

// now says what has become of a task.
func (d *detector) now(w candidate.Words, task op.Task) string {
	t := d.tasks[task]
	switch {
	case task == d.left:
		return ", and has ended the program"
	case t == nil:
		return ", and has ended"
	case t.waits:
		return ", and waits" + w.At(t.block.At) + " now"
	}
	return ""
}

func (d *detector) whyLock(w candidate.Words, task op.Task, b *block) []string {
	t := d.things.Of(b.object)
	if !t.known() {
		return []string{"no goroutine has locked " + w.ObjectName(b.object) + ": it is a copy of a lock, made while that was locked (the built-in property copy tells where)"}
	}
	holders := t.holders()
	var notes []string
	for _, h := range holders[:min(len(holders), maxTold)] {
		who := w.TaskName(h.Task)
		if h.Task == task {
			who += " itself"
		}
		did := " has locked "
		if b.Kind == op.Once {
			did = " runs the function of "
		}
		note := who + did + w.ObjectName(b.object) + w.At(h.At)
		if h.Task != task {
			note += d.now(w, h.Task)
		}
		notes = append(notes, note)
	}
	if b.Kind == op.RLock && t.writer.Kind == op.None && len(notes) > 0 {
		notes = append(notes, "a writer that waits for "+w.ObjectName(b.object)+" lets no more readers in")
	}
	return notes
}

func (d *detector) whyGroup(w candidate.Words, object op.Object) []string {
	t := d.things.Of(object)
	notes := []string{fmt.Sprintf("the counter of %s is %d", w.ObjectName(object), t.counter)}
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Add, op.Done}) {
		did := " has added to "
		if m.Kind == op.Done {
			did = " is done with "
		}
		notes = append(notes, w.TaskName(m.Task)+did+w.ObjectName(object)+w.At(m.At)+d.now(w, m.Task))
	}
	return notes
}

func (d *detector) whyCondition(w candidate.Words, object op.Object) []string {
	notes := []string{"no Signal or Broadcast of " + w.ObjectName(object) + " has come since"}
	for _, m := range d.last(object, op.NoTask, []op.Kind{op.Signal, op.Broadcast}) {
		notes = append(notes, w.TaskName(m.Task)+" has signalled it before"+w.At(m.At))
	}
	return notes
}
