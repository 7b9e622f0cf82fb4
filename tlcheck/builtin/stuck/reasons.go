package stuck

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
)

// reasons returns, for each object that a task waits for, what is known of the tasks that could
// have woken it.
func (w words) reasons(task op.Task, b *state.Block) []string {
	switch b.Kind {
	case op.Send, op.Recv:
		return w.whyChannel(task, b.Object, b.Kind)
	case op.Select:
		var notes []string
		cases, _ := shown(b)
		for _, c := range cases {
			notes = append(notes, w.whyChannel(task, c.Object, c.Kind())...)
		}
		return notes
	case op.Lock, op.RLock, op.Once:
		return w.whyLock(task, b)
	case op.Wait:
		return w.whyGroup(task, b.Object)
	case op.CondWait:
		return w.whyCondition(b.Object)
	}
	return nil
}

// reasonsOfAll returns the reasons of several tasks, those at the same lock or WaitGroup once: of a
// task that waits there too, they speak in other words to others.
func (w words) reasonsOfAll(tasks []op.Task) []string {
	type wait struct {
		kind   op.Kind
		object op.Object
	}
	explained := map[wait]bool{}
	var notes []string
	for _, t := range tasks {
		b := &w.run.Task(t).Block
		at := wait{b.Kind, b.Object}
		switch b.Kind {
		case op.Lock, op.RLock, op.Once, op.Wait:
			if explained[at] {
				continue
			}
		}
		explained[at] = true
		notes = append(notes, w.reasons(t, b)...)
	}
	return notes
}

// whyChannel returns which others have sent or received, or would have, where a task waits to
// receive or to send.
func (w words) whyChannel(task op.Task, object op.Object, wants op.Kind) []string {
	if object == 0 {
		return []string{"a nil channel blocks for ever"}
	}
	var notes []string
	partners := []op.Kind{op.Send, op.Close, state.WouldSend}
	missing := w.whyNothingSent(object)
	if wants == op.Send {
		partners = []op.Kind{op.Recv, state.WouldReceive}
		missing = "no other goroutine has received from " + w.ObjectName(object)
		notes = w.whyFull(object)
	}
	full := len(notes)
	for _, m := range w.lastUsesOf(object, task, partners) {
		notes = append(notes, w.did(&m, object)+w.stateText(m.Task))
	}
	if len(notes) == full {
		notes = append(notes, missing)
	}
	return notes
}

// whyNothingSent says that no other goroutine has sent on a channel, or what became of its timer.
func (w words) whyNothingSent(channel op.Object) string {
	t, name := w.run.Objects.Ensure(channel), w.ObjectName(channel)
	switch {
	case !t.OfTimer || t.Armed:
		return "no other goroutine has sent on " + name + " or closed it"
	case t.Ticks:
		return "the ticker of " + name + " is stopped"
	}
	return "the timer of " + name + " has fired, or is stopped"
}

// whyFull says that the buffer of a channel is full, and who has filled it.
func (w words) whyFull(channel op.Object) []string {
	t := w.run.Objects.Ensure(channel)
	if t.Cap == 0 || t.Len < t.Cap {
		return nil
	}
	note := fmt.Sprintf("the buffer of %s, with room for %d, is full", w.ObjectName(channel), t.Cap)
	var fillers []string
	for _, m := range w.lastUsesOf(channel, op.NoTask, []op.Kind{op.Send}) {
		fillers = append(fillers, w.Doer(&m))
	}
	if len(fillers) > 0 {
		note += ": filled by " + wording.List(fillers)
	}
	return []string{note}
}

// did says what a partner did to a channel, or to what else is waited for.
func (w words) did(m *candidate.Mark, object op.Object) string {
	text := w.TaskName(m.Task) + " " + didTo(m.Kind) + " " + w.ObjectName(object) + w.At(m.At)
	switch m.Kind {
	case state.WouldSend, state.WouldReceive:
		text += " but took another case of its select statement"
	}
	return text
}

// didTo is the verb of did.
func didTo(kind op.Kind) string {
	switch kind {
	case op.Send:
		return "has sent on"
	case op.Close:
		return "has closed"
	case op.Recv:
		return "has received from"
	case op.Done:
		return "has called Done on"
	case op.Signal, op.Broadcast:
		return "has signalled"
	case state.WouldSend:
		return "could send on"
	default:
		return "could receive from"
	}
}

func (w words) lastUsesOf(object op.Object, but op.Task, kinds []op.Kind) []candidate.Mark {
	return lastUses(w.run.Objects.Ensure(object), but, kinds)
}

// lastUses returns the last use of an object by each other task, among some kinds.
func lastUses(object *state.Object, but op.Task, kinds []op.Kind) []candidate.Mark {
	var all []candidate.Mark
	for _, m := range object.Users.List {
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
	return all[:min(len(all), maxUsersNamed)]
}

// stateText returns what has become of a task.
func (w words) stateText(task op.Task) string {
	t := w.run.Task(task)
	switch {
	case task == w.run.Left:
		return ", and has ended the program"
	case t == nil:
		return ", and has ended"
	case t.Waits:
		return ", and now waits" + w.At(t.Block.At)
	}
	return ""
}

func (w words) whyLock(task op.Task, b *state.Block) []string {
	t := w.run.Objects.Ensure(b.Object)
	if !t.HasUsers() {
		return []string{"no goroutine has locked " + w.ObjectName(b.Object) + ": it is a copy of a lock, made while that was locked (the built-in property copy shows where)"}
	}
	holders := t.Sections()
	var notes []string
	for _, h := range holders[:min(len(holders), maxUsersNamed)] {
		holder := w.TaskName(h.Task)
		if h.Task == task {
			holder += " itself"
		}
		did := " has locked "
		if b.Kind == op.Once {
			did = " runs the function of "
		}
		note := holder + did + w.ObjectName(b.Object) + w.At(h.At)
		if h.Task != task {
			note += w.stateText(h.Task)
		}
		notes = append(notes, note)
	}
	if b.Kind == op.RLock && t.Writer.Kind == op.None && len(notes) > 0 {
		notes = append(notes, "a writer waits for "+w.ObjectName(b.Object)+", which keeps new readers out")
	}
	return notes
}

// whyGroup names the tasks that a WaitGroup lacks. If these are not known it names those that have
// added to it.
func (w words) whyGroup(task op.Task, object op.Object) []string {
	t := w.run.Objects.Ensure(object)
	group := w.ObjectName(object)
	notes := []string{fmt.Sprintf("the counter of %s is %d", group, t.Counter)}
	alive, gone := w.owing(object, t.Counter)
	var names []string
	for _, o := range alive[:min(len(alive), maxUsersNamed)] {
		names = append(names, w.TaskName(o))
	}
	switch len(alive) {
	case 0:
	case 1:
		notes = append(notes, names[0]+" has not called Done on "+group)
	default:
		notes = append(notes, wording.Some(names, len(alive)-len(names))+" have not called Done on "+group)
	}
	for _, o := range gone {
		notes = append(notes, w.TaskName(o)+" has ended without calling Done on "+group)
	}
	if int64(len(alive)+len(gone)) >= t.Counter {
		return notes
	}
	for _, m := range w.lastUsesOf(object, op.NoTask, []op.Kind{op.Add}) {
		note := w.TaskName(m.Task) + " has added to " + group + w.At(m.At)
		if m.Task != task {
			note += w.stateText(m.Task)
		}
		notes = append(notes, note)
	}
	return notes
}

func (w words) whyCondition(object op.Object) []string {
	notes := []string{"there has been no Signal or Broadcast of " + w.ObjectName(object) + " since"}
	for _, m := range w.lastUsesOf(object, op.NoTask, signals) {
		notes = append(notes, w.TaskName(m.Task)+" signalled it earlier"+w.At(m.At))
	}
	return notes
}
