package tlcheck

import (
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// stretch is a row of states in which a local predicate is not false, with bounds on the ways along
// it that hold for all values of other task variables.
type stretch struct {
	mark
	bounded bool         // the bounds below are known
	dead    bool         // there are no such ways
	floor   slices.Ideal // below all slices in which they begin
	roof    slices.Ideal // above all slices of the goal to which they lead
}

// stretchesOf returns the stretches of a task, in order.
func (s *search) stretchesOf(p *leftPart, t san.Task) []stretch {
	if p.stretches[t] == nil {
		marks := s.stretches(p.bad, t)
		p.stretches[t] = make([]stretch, len(marks))
		for i, m := range marks {
			p.stretches[t][i].mark = m
		}
	}
	return p.stretches[t]
}

// bound computes the bounds on the ways along a task's stretch.
func (s *search) bound(g *goal, p *leftPart, t san.Task, m *stretch) error {
	if m.bounded {
		return nil
	}
	if err := s.stopped(); err != nil {
		return err
	}
	m.bounded, m.floor, m.roof = true, m.in, m.until
	if m.starts {
		m.floor = m.in.Meet(m.before)
	}
	if m.ends {
		m.roof = m.until.Join(m.past)
	}
	for slot, wanted := range g.tracks {
		tasks := wanted.tasks
		if slot == p.slot {
			tasks = []san.Task{t}
		}
		if m.dead = m.dead || !s.lower(m, wanted, tasks, false); m.dead {
			return nil
		}
	}
	for i := range g.left {
		other := &g.left[i]
		if m.dead = m.dead || other.slot != p.slot && !s.lower(m, other.allowed, other.allowed.tasks, true); m.dead {
			return nil
		}
	}
	for slot, w := range g.core {
		if m.dead = m.dead || slot != p.slot && !s.somePasses(w, m.floor, m.roof); m.dead {
			return nil
		}
	}
	return nil
}

// lower lowers the roof of a stretch to the slices above the entry in which some of the tasks is in
// one of its spans, or has just left it; false if there are none.
func (s *search) lower(m *stretch, wanted *requirement, tasks []san.Task, left bool) bool {
	hi := m.roof
	if left {
		hi = m.until
	}
	var below []slices.Ideal
	for _, t := range tasks {
		spans, state := wanted.spans[t], stateIn(s.lat, hi, t)
		i := sort.Search(len(spans), func(i int) bool { return spans[i].from > state }) - 1
		if i < 0 {
			continue
		}
		out, ok := exit(s.net, t, spans[i].to)
		if !ok || !m.roof.Has(out) {
			return true
		}
		if m.in.Has(out) {
			continue
		}
		below = append(below, s.lat.NotAbove(out))
		if left {
			below = append(below, s.lat.Down(out))
		}
	}
	m.roof = m.roof.Meet(s.lat.Union(below))
	return len(below) > 0
}
