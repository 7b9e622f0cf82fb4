package stuck

import (
	"cmp"
	"math"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
)

// past returns the operations of the run that show how tasks have come to wait: the last ones of
// others that had to do with what they wait for, the locks that the tasks hold, and at the end the
// waits. The order is a possible one of each task, and mostly of all.
func (w words) past(waiting []op.Task) []op.Step {
	p := pastMaker{words: w, seen: map[op.Step]bool{}}
	for _, t := range waiting {
		b := &w.run.Task(t).Block
		for _, h := range w.run.Task(t).Held {
			p.sections(h.Object, t)
		}
		p.partners(t, b)
	}
	for _, t := range p.others() {
		switch task := w.run.Task(t); {
		case slices.Contains(waiting, t):
		case task == nil && t != w.run.Left:
			p.add(op.Step{Task: t, Other: op.NoTask, Kind: op.End, K: math.MaxInt32})
		case task != nil && task.Waits:
			waiting = append(waiting, t)
		}
	}
	for _, t := range append(p.others(), waiting...) {
		if start := w.run.Start(t, w.Names); start.At != 0 {
			p.add(start)
		}
	}
	steps := p.ordered()
	for _, t := range waiting {
		b := w.run.Task(t).Block
		b.Kind = op.Block
		steps = append(steps, b.Step(b.Object))
	}
	return steps
}

// pastMaker collects operations.
type pastMaker struct {
	words
	steps []op.Step
	seen  map[op.Step]bool
}

func (p *pastMaker) add(s op.Step) {
	if !p.seen[s] {
		p.seen[s] = true
		p.steps = append(p.steps, s)
	}
}

// sections adds the operations by which a lock was taken, all or only that of one task.
func (p *pastMaker) sections(object op.Object, only op.Task) {
	for _, s := range p.run.Objects.Ensure(object).Sections() {
		if only == op.NoTask || s.Task == only {
			p.add(s.Step(object))
		}
	}
}

// partners adds what others have done last with what a task waits for.
func (p *pastMaker) partners(t op.Task, b *state.Block) {
	switch b.Kind {
	case op.Send, op.Recv:
		p.uses(t, b.Object, channelKinds)
	case op.Select:
		cases, _ := shown(b)
		for _, c := range cases {
			p.uses(t, c.Object, channelKinds)
		}
	case op.Lock, op.RLock, op.Once:
		p.sections(b.Object, op.NoTask)
	case op.Wait:
		p.uses(op.NoTask, b.Object, []op.Kind{op.Add, op.Done})
	case op.CondWait:
		p.uses(t, b.Object, signals)
	}
}

var channelKinds = []op.Kind{op.Send, op.Recv, op.Close, state.WouldSend, state.WouldReceive}

// uses adds the last uses of an object by other tasks.
func (p *pastMaker) uses(but op.Task, object op.Object, kinds []op.Kind) {
	if object == 0 {
		return
	}
	for _, m := range p.lastUsesOf(object, but, kinds) {
		if m.Kind == state.WouldSend || m.Kind == state.WouldReceive {
			m.Kind = op.Select
		}
		p.add(m.Step(object))
	}
}

// others returns the tasks of the operations so far.
func (p *pastMaker) others() []op.Task {
	var all []op.Task
	for _, s := range p.steps {
		if !slices.Contains(all, s.Task) {
			all = append(all, s.Task)
		}
	}
	return all
}

// ordered returns the operations in an order: those of a task as they came, and what is received
// after it was sent if that is possible.
func (p *pastMaker) ordered() []op.Step {
	left := slices.Clone(p.steps)
	slices.SortStableFunc(left, func(a, b op.Step) int {
		return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.K, b.K))
	})
	var steps []op.Step
	for len(left) > 0 {
		next := max(slices.IndexFunc(left, func(s op.Step) bool {
			return !slices.ContainsFunc(left, func(before op.Step) bool { return comesBefore(before, s) })
		}), 0)
		steps, left = append(steps, left[next]), slices.Delete(left, next, next+1)
	}
	return steps
}

// comesBefore reports whether one operation comes before another one of its task, starts the task
// of the other, or gives what the other takes.
func comesBefore(a, b op.Step) bool {
	switch {
	case a.Task == b.Task:
		return a.K < b.K
	case a.Kind == op.Go && a.Other == b.Task:
		return true
	}
	gives := a.Kind == op.Send || a.Kind == op.Add
	takes := b.Kind == op.Recv || b.Kind == op.Done
	return gives && takes && a.Object == b.Object
}
