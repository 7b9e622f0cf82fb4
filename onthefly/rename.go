package onthefly

import (
	"fmt"
	"iter"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// renaming gives open intervals and exits the new names of the net. These are shared, so they
// record the renaming that changed them last.
type renaming struct {
	*san.Renaming
	turn int32
}

// each yields the first tasks with their new numbers, without forgotten ones.
func (m *renaming) each(tasks int) iter.Seq2[san.Task, san.Task] {
	return func(yield func(t, now san.Task) bool) {
		for t := range san.Task(tasks) {
			if now, ok := m.Task(t); ok && !yield(t, now) {
				return
			}
		}
	}
}

// byTask reorders a list by task to the new numbers. The numbers of the tasks of versions stay
// contiguous: tasks that are in no version yet follow.
func byTask[T any](m *renaming, was []T) []T {
	n := 0
	for range m.each(len(was)) {
		n++
	}
	now := make([]T, n)
	for t, u := range m.each(len(was)) {
		now[u] = was[t]
	}
	return now
}

// interval renames an open interval; it returns false if a task of its TIVA is forgotten.
func (m *renaming) interval(p *openInterval) bool {
	if p.turn == m.turn {
		return p.tiva != nil
	}
	p.turn = m.turn
	tiva := make([]san.Task, len(p.tiva))
	for i, t := range p.tiva {
		ok := true
		if tiva[i] = t; t != anyTask {
			tiva[i], ok = m.Task(t)
		}
		if !ok {
			p.tiva = nil
			return false
		}
	}
	p.tiva, p.low, p.out = tiva, m.cut(p.low), m.exits(p.out)
	obligations := p.obligations
	p.obligations = nil
	for _, d := range obligations {
		p.obligations = append(p.obligations, d.rename(m))
	}
	return true
}

// tasks renames the tasks of a group; it returns false if one is forgotten.
func (m *renaming) tasks(ts *groupTasks) bool {
	for i, t := range ts {
		if t != anyTask {
			now, ok := m.Task(t)
			if !ok {
				return false
			}
			ts[i] = now
		}
	}
	return true
}

// intervals renames open intervals. It drops those that name a forgotten task, and duplicates: of
// several with all slices that contain the base, one for each TIVA stays.
func (m *renaming) intervals(ps []*openInterval) []*openInterval {
	always := map[string]bool{}
	return stdslices.DeleteFunc(ps, func(p *openInterval) bool {
		if !m.interval(p) {
			return true
		}
		if len(p.low)+len(p.out)+len(p.obligations) > 0 {
			return false
		}
		key := fmt.Sprint(p.tiva)
		again := always[key]
		always[key] = true
		return again
	})
}

// cut renames the generators of a slice that are not in the base.
func (m *renaming) cut(low cut) cut {
	var now cut
	for _, a := range low {
		if a, ok := m.Action(a); ok {
			now = append(now, a)
		}
	}
	return now
}

// exits renames exits and drops those that will never happen.
func (m *renaming) exits(out []*exit) []*exit {
	var now []*exit
	for _, x := range out {
		if m.exit(x); !x.never {
			now = append(now, x)
		}
	}
	return now
}

func (m *renaming) exit(x *exit) {
	if x.turn != m.turn {
		x.turn = m.turn
		if x.happened {
			x.action, _ = m.Action(x.action) // in the base its number is 0 or less: see graph.has
		}
	}
}
