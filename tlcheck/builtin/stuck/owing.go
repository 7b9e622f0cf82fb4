package stuck

import "github.com/antichain-go/antichain/tracer/op"

// A task owes a WaitGroup if it was started after an Add that no other task was started for, and
// has not called Done. So do those that WaitGroup.Go starts. A program may mean the Add for a later
// go statement: this orders and names tasks in reports, and does not decide what waits for ever.

// additions are what a task has last added to a WaitGroup, less the tasks that it has started
// since.
type additions struct {
	group op.Object
	left  int64
}

// maxGone bounds the tasks of a WaitGroup that have ended without Done.
const maxGone = 3

func (m *memory) noteAdd(o *op.Op) {
	t := m.task(o.Task)
	if t.added.group != o.Object {
		t.added = additions{group: o.Object}
	}
	t.added.left += o.Delta()
}

func (m *memory) noteStart(o *op.Op) {
	if by := m.task(o.Task); by.added.left > 0 {
		by.added.left--
		m.task(o.Other).owes = by.added.group
	}
}

// noteDone notes that a task is done with a WaitGroup, for itself or for one that has ended.
func (m *memory) noteDone(o *op.Op) {
	if t := m.task(o.Task); t.owes == o.Object {
		t.owes = 0
	} else if gone := m.gone.At(o.Object); gone != nil && len(*gone) > 0 {
		*gone = (*gone)[1:]
	}
}

// noteGone notes that a task ends.
func (m *memory) noteGone(number op.Task) {
	if group := m.task(number).owes; group != 0 {
		if gone := m.gone.Ensure(group); len(*gone) < maxGone {
			*gone = append(*gone, number)
		}
	}
}

// owedTo returns the WaitGroups that some of the tasks owe, each with the tasks that owe it.
func (m *memory) owedTo(tasks []op.Task) map[op.Object][]op.Task {
	owed := map[op.Object][]op.Task{}
	for _, t := range tasks {
		if group := m.task(t).owes; group != 0 {
			owed[group] = append(owed[group], t)
		}
	}
	return owed
}

// owing returns the tasks that owe a WaitGroup with that counter, and those that have ended, unless
// these are too many.
func (m *memory) owing(group op.Object, counter int64) (alive, gone []op.Task) {
	for number := range m.run.Tasks() {
		if m.task(number).owes == group {
			alive = append(alive, number)
		}
	}
	if ended := m.gone.At(group); ended != nil && int64(len(alive)+len(*ended)) <= counter {
		gone = *ended
	}
	return alive, gone
}
