package stuck

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// lateSends finds tasks that wait for ever because they send when the receiver has looked for the
// last time:
//
//	for {
//		select {
//		case r := <-requests:
//			close(r.done)
//		case <-stop:
//			for {
//				select {
//				case r := <-requests:
//					close(r.done)
//				default:
//					return
//				}
//			}
//		}
//	}
//
// A task R received in a select statement what S has sent, and then did what S waited for. Later R
// took the default of a statement with the same channel, and ended. It came there by another case,
// of a channel that was closed, or the statement is the same. If neither the close nor R's arrival
// at the first statement comes after the send, there is a slice in which R takes the default, and
// S has not sent. If no other task receives from the channel, S waits for ever. On an unbuffered
// channel it waits to send.
//
// In that slice everything is left out that R did with the message. It is assumed that this has no
// influence on where R goes. So the finding is only possible.
//
// There is none if R has waited for the senders before it looked for the last time: at a WaitGroup
// with which S was done after its send, or for a lock that S held while it sent. If S comes to that
// lock behind R, it will mostly see that R has closed the door.
type lateSends struct {
	*memory
	channels candidate.Objects[requests]
	found    []lateSend
}

// requests are what tasks have sent on a channel.
type requests struct {
	sent     []request // by slot of the buffer
	receipts []receipt
}

// request is a send, and what the task has looked at before.
type request struct {
	candidate.Mark
	test op.Step
}

// receipt is a request that R has received.
type receipt struct {
	choice  // of R; its number is that of the receipt
	request request
	answer  candidate.Mark // where S waited for what R did then, of kind None so far
	reply   op.Object      // for which it waited
	poll    candidate.Mark // the last time that R looked at the channel, if it took the default
	ended   []op.Object    // WaitGroups and locks by which R may wait until S has sent
	awaited bool           // R has waited for one of these since it last came to wait for requests
}

// lateSend is a receipt that R need not have come to.
type lateSend struct {
	receipt
	channel, stop op.Object
	why           candidate.Mark // the close of stop, of kind None if the statement has the default
	settled       bool           // the channel has been freed: no other task has received from it
}

// Bounds. Each only loses findings.
const (
	maxSlots     = 1 << 8 // of a buffer
	maxReceipts  = 8      // from a channel
	maxLateSends = 64
	maxUntilWait = 3 // operations from a send, or from a look before it, to what comes next
)

// noteTest notes an operation by which a task may find out whether to send.
func (l *lateSends) noteTest(o *op.Op) {
	object := o.Object
	switch {
	case o.Kind == op.Select && o.TakesDefault() && len(o.Cases) > 0:
		object = o.Cases[0].Object
	case o.Kind == op.AtomicLoad, o.Kind == op.Unlock, o.Kind == op.RUnlock:
	default:
		return
	}
	m := candidate.MarkOf(o, o.Kind)
	l.task(o.Task).test = m.Step(object)
}

// requestOf returns a send with what its task has looked at right before.
func (t *task) requestOf(m candidate.Mark) request {
	r := request{Mark: m}
	if test := t.test; test.Kind != op.None && test.K+maxUntilWait >= m.K {
		r.test = test
	}
	return r
}

func (l *lateSends) noteSend(o *op.Op) {
	slot := o.Slot()
	if o.Task == op.NoTask || slot < 0 || slot >= maxSlots {
		return
	}
	c, t := l.channels.Ensure(o.Object), l.task(o.Task)
	r := t.requestOf(candidate.MarkOf(o, op.Send))
	for int64(len(c.sent)) <= slot {
		c.sent = append(c.sent, request{})
	}
	c.sent[slot] = r
	t.sent, t.sentOn, t.ended = r.Mark, o.Object, t.ended[:0]
}

// noteRelease notes that a task is done with a WaitGroup, or unlocks. If it has sent a request
// right before, others may wait for that.
func (l *lateSends) noteRelease(o *op.Op) {
	t := l.task(o.Task)
	if t.sent.Kind == op.None || o.K > t.sent.K+maxUntilWait {
		return
	}
	if s := &l.run.Released; o.Kind != op.Done && (s.Task != o.Task || s.K > t.sent.K) {
		return // it has sent outside of the section
	}
	t.ended = append(t.ended, o.Object)
	receipts := l.receipts(t.sentOn)
	for i := range receipts {
		if r := &receipts[i]; r.request.Mark == t.sent && r.answer.Kind == op.None {
			r.ended = append(r.ended, o.Object)
		}
	}
}

// noteAwaited notes that a task has waited for a WaitGroup, or for a lock.
func (l *lateSends) noteAwaited(o *op.Op) {
	for _, channel := range l.task(o.Task).serves {
		for r := range l.receiptsOf(o.Task, channel) {
			r.awaited = r.awaited || slices.Contains(r.ended, o.Object)
		}
	}
}

// noteReceive notes that a task receives from a buffered channel.
func (l *lateSends) noteReceive(o *op.Op) {
	l.noteUse(o.Task, o.Object, candidate.Mark{})
	c := l.channels.At(o.Object)
	if slot := o.Slot(); o.Task != op.NoTask && c != nil && slot >= 0 && slot < int64(len(c.sent)) {
		sender := c.sent[slot]
		l.noteAnswer(candidate.MarkOf(o, op.Recv), o.Object, sender.Mark)
		l.noteReceipt(o.Object, candidate.MarkOf(o, op.Recv), sender, candidate.Mark{})
	}
}

// noteHandoff notes that a task receives from an unbuffered channel.
func (l *lateSends) noteHandoff(o *op.Op) {
	l.noteUse(o.Other, o.Object, candidate.Mark{})
	sent, received := candidate.MarkOf(o, op.Send), candidate.MarkOfOther(o, op.Recv)
	l.noteAnswer(received, o.Object, sent)
	if t := l.task(o.Task); t.choice.Kind == op.None {
		l.noteReceipt(o.Object, received, t.requestOf(sent), sent)
	}
}

// noteReceipt keeps a request that a task has received in a select statement, in place of the last
// one at the same places. A sender that waits to send has no other answer.
func (l *lateSends) noteReceipt(channel op.Object, at candidate.Mark, r request, answer candidate.Mark) {
	ch := &l.task(at.Task).choice
	isCase := ch.Kind != op.None && slices.Contains(ch.cases, op.Case{Object: channel})
	if !isCase || r.Kind != op.Send || r.Task == at.Task || r.Within(ch.begin, at.Task, ch.K) {
		return
	}
	x := receipt{choice: ch.withTransfer(at.K), request: r, answer: answer, reply: channel}
	x.cases = slices.Clone(ch.cases)
	if sender := l.task(r.Task); sender.sent == r.Mark {
		x.ended = slices.Clone(sender.ended)
	}
	c := l.channels.Ensure(channel)
	i := slices.IndexFunc(c.receipts, func(y receipt) bool {
		return y.Task == x.Task && y.At == x.At && y.request.At == r.At
	})
	switch {
	case i >= 0:
		c.receipts[i] = x
	case len(c.receipts) < maxReceipts:
		c.receipts = append(c.receipts, x)
		t := l.task(at.Task)
		if !slices.Contains(t.serves, channel) && len(t.serves) < maxReceipts {
			t.serves = append(t.serves, channel)
		}
	}
}

// noteAnswer notes that the wait of a task for an object was ended by another one. It may be the
// answer to what the task has sent right before.
func (l *lateSends) noteAnswer(at candidate.Mark, reply op.Object, by candidate.Mark) {
	t := l.task(at.Task)
	if t.sent.Kind == op.None || at.K > t.sent.K+maxUntilWait || reply == t.sentOn || t.choice.Kind != op.None {
		return
	}
	for r := range l.receiptsOf(by.Task, t.sentOn) {
		if r.request.Mark == t.sent && by.K > r.K && l.answersAlone(r.Task, reply) {
			r.answer, r.reply = at, reply
		}
	}
}

// receipts returns what tasks have received from a channel.
func (l *lateSends) receipts(channel op.Object) []receipt {
	if c := l.channels.At(channel); c != nil {
		return c.receipts
	}
	return nil
}

// receiptsOf yields what a task has received from a channel.
func (l *lateSends) receiptsOf(task op.Task, channel op.Object) iter.Seq[*receipt] {
	return func(yield func(*receipt) bool) {
		receipts := l.receipts(channel)
		for i := range receipts {
			if r := &receipts[i]; r.Task == task && !yield(r) {
				return
			}
		}
	}
}

// answersAlone reports whether no other task has done what ends a wait to receive from a channel.
func (l *lateSends) answersAlone(task op.Task, reply op.Object) bool {
	c := l.run.Objects.Ensure(reply)
	return !c.Timed && !c.Outside && len(c.Users.List) < state.MaxUsers &&
		!slices.ContainsFunc(c.Users.List, func(u candidate.Mark) bool {
			return u.Task != task && state.Ends(op.Recv, u.Kind)
		})
}

// noteLook notes that a task looks at channels in a select statement.
func (l *lateSends) noteLook(o *op.Op) {
	poll := candidate.Mark{}
	if o.Kind == op.Select && o.TakesDefault() {
		poll = candidate.MarkOf(o, op.Select)
	}
	isPoll := o.Kind == op.Select && o.HasDefault()
	for _, c := range o.Cases {
		if c.Object != 0 && !c.Send {
			if !isPoll {
				l.noteWaiting(o.Task, c.Object)
			}
			l.noteUse(o.Task, c.Object, poll)
		}
	}
}

// noteWaiting notes that a task comes to wait for requests: its waits before were for
// the sake of others.
func (l *lateSends) noteWaiting(task op.Task, channel op.Object) {
	for r := range l.receiptsOf(task, channel) {
		r.awaited = false
	}
}

// noteUse notes that a task comes to a channel to receive. poll is of kind None unless it finds
// nothing there.
func (l *lateSends) noteUse(task op.Task, channel op.Object, poll candidate.Mark) {
	for r := range l.receiptsOf(task, channel) {
		r.poll = poll
	}
}

// noteEnd notes that R ends.
func (l *lateSends) noteEnd(number op.Task, t *task) {
	for _, channel := range t.serves {
		for r := range l.receiptsOf(number, channel) {
			if r.poll.Kind == op.Select && r.answer.Kind != op.None && !r.awaited {
				l.findWay(channel, r)
			}
		}
	}
}

// findWay keeps a receipt if R can reach the default without it.
func (l *lateSends) findWay(channel op.Object, r *receipt) {
	if r.hasDefault && r.poll.At == r.At {
		l.keep(lateSend{receipt: *r, channel: channel})
		return
	}
	for _, option := range r.cases {
		c := l.run.Objects.At(option.Object)
		if option.Send || option.Object == channel || c == nil || c.Closing.Kind != op.Close {
			continue
		}
		closing := &c.Closing
		comesAfter := closing.Knows(&r.request.Mark) || closing.Knows(&r.Mark) ||
			closing.Within(r.begin, r.Task, r.K)
		if !comesAfter && closing.Within(l.run.Ended.Know, r.Task, r.poll.K) {
			l.keep(lateSend{receipt: *r, channel: channel, stop: option.Object, why: closing.Mark})
			return
		}
	}
}

func (l *lateSends) keep(x lateSend) {
	isKnown := slices.ContainsFunc(l.found, func(y lateSend) bool {
		return y.request.At == x.request.At && y.answer.At == x.answer.At && y.poll.At == x.poll.At
	})
	if !isKnown && len(l.found) < maxLateSends {
		l.found = append(l.found, x)
	}
}

// noteFree notes that a channel is freed: nothing receives from it any more.
func (l *lateSends) noteFree(object op.Object, freed *state.Object) {
	l.channels.Set(object, nil)
	l.found = slices.DeleteFunc(l.found, func(x lateSend) bool {
		return x.channel == object && !x.settled && x.mayBeReceived(freed)
	})
	for i := range l.found {
		l.found[i].settled = l.found[i].settled || l.found[i].channel == object
	}
}

// mayBeReceived reports whether another task than R may receive the request.
func (x *lateSend) mayBeReceived(channel *state.Object) bool {
	users := channel.Users.List
	return len(users) == state.MaxUsers || slices.ContainsFunc(users, func(u candidate.Mark) bool {
		return u.Task != x.Task && state.Ends(op.Send, u.Kind)
	})
}

// findings reports the tasks that may wait for ever. Of two at the same places one is enough.
func (l *lateSends) findings(w words) []rule.Finding {
	var all []rule.Finding
	for i := range l.found {
		x := &l.found[i]
		c := l.run.Objects.At(x.channel)
		if x.settled || c == nil || !x.mayBeReceived(c) && !l.isAwaited(x.channel) {
			all = append(all, w.lateSend(x))
		}
	}
	return all
}

// isAwaited reports whether a task waits to receive from a channel.
func (l *lateSends) isAwaited(channel op.Object) bool {
	for _, t := range l.run.Tasks() {
		if t.Waits && slices.Contains(t.Block.Objects(), channel) {
			return true
		}
	}
	return false
}
