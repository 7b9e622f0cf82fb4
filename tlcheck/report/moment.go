package report

import (
	"maps"
	"slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// moments returns the events of the chart, without those that it leaves out.
func (f finding) moments() []Moment {
	c := f.chart()
	var all []Moment
	index := map[side]int{}
	for step, r := range c.rows {
		for _, i := range slices.Sorted(maps.Keys(r.cells)) {
			index[side{step, c.heads[i]}] = len(all)
			all = append(all, Moment{Task: c.heads[i], Does: r.cells[i].text, At: r.cells[i].at})
		}
	}
	received := map[int]bool{}
	for step := range f.Schedule {
		f.causes(step, index, all, received)
	}
	return all
}

// side is the part of a task in a step.
type side struct {
	step int
	task string
}

// causes returns the steps that enable a step. A receive takes the first element of a buffer that
// was not received.
func (f finding) causes(step int, index map[side]int, all []Moment, received map[int]bool) {
	s := f.Schedule[step]
	note := func(of int, task op.Task, after int, cause op.Task) {
		i, ok := index[side{of, f.taskName(task)}]
		j, known := index[side{after, f.taskName(cause)}]
		if ok && known && task != cause {
			all[i].After = append(all[i].After, j)
		}
	}
	switch s.Kind {
	case op.Go:
		if first := f.firstOf(s.Other, step+1); first >= 0 {
			note(first, s.Other, step, s.Task)
		}
	case op.Handoff:
		note(step, s.Other, step, s.Task)
	}
	if s.Object == 0 {
		return
	}
	if s.Kind == op.Recv {
		for before, b := range f.Schedule[:step] {
			if b.Object == s.Object && b.Kind == op.Send && !received[before] {
				received[before] = true
				note(step, s.Task, before, b.Task)
				return
			}
		}
	}
	for before := step - 1; before >= 0; before-- {
		if b := f.Schedule[before]; b.Object == s.Object && slices.Contains(releases[s.Kind], b.Kind) {
			note(step, s.Task, before, b.Task)
			return
		}
	}
}

// firstOf returns the first step of a task at or after from; -1 if there is none.
func (f finding) firstOf(t op.Task, from int) int {
	for i := from; i < len(f.Schedule); i++ {
		if s := f.Schedule[i]; s.Task == t || s.Kind == op.Handoff && s.Other == t {
			return i
		}
	}
	return -1
}

// releases has the operations that can enable another one on the same object.
var releases = map[op.Kind][]op.Kind{
	op.Lock: {op.Unlock, op.RUnlock}, op.RLock: {op.Unlock},
	op.RecvClosed: {op.Close}, op.Wait: {op.Done}, op.CondWait: {op.Signal, op.Broadcast},
	op.AtomicLoad: {op.AtomicStore}, op.Once: {op.Once, op.Unlock},
}

// moments returns the events of the chart, without those that it leaves out.
func (c *chooser) moments() []Moment {
	var all []Moment
	index := map[san.Action]int{}
	net := c.v.Net
	for _, a := range c.v.Witness.Schedule {
		first := -1 // index of the joint action's first side
		for _, one := range net.Sides(a) {
			if _, shown := c.columns[one.Task]; !shown || !c.matters[one] {
				continue
			}
			m := Moment{Task: event.Printable(net.Name(one.Task)), Does: c.labels[one].text, At: c.labels[one].at}
			causes := net.Causes(one)
			if by, ok := net.SpawnedBy(one.Task); ok &&
				!slices.ContainsFunc(all, func(other Moment) bool { return other.Task == m.Task }) {
				causes = append(causes, by)
			}
			for _, cause := range causes {
				if i, ok := index[cause]; ok && cause.Task != one.Task {
					m.After = append(m.After, i)
				}
			}
			if first >= 0 {
				m.After = append(m.After, first)
			} else {
				first = len(all)
			}
			index[one] = len(all)
			all = append(all, m)
		}
	}
	return all
}
