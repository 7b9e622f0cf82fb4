package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// forget drops state that new local states cannot affect, and slices that no future goal can make
// violations.
func (n *wideUntil) forget(v *version) {
	common := v.commonKnowledge(0)
	limit := &spoilLimit{counts: common}
	groups := n.groups.values
	n.groups.clear()
	done := map[*openInterval]bool{}
	for _, l := range n.bad.values {
		for _, b := range l.intervals {
			done[b] = b.isOver(common) && v.isFixed(b, common)
		}
	}
	for _, g := range groups {
		bad := n.falseFor(g.tiva)
		last := stdslices.DeleteFunc(stdslices.Clone(bad), func(b *openInterval) bool { return !done[b] })
		held := g.held
		g.held = nil
		for _, h := range held {
			if n.initially || h.isOver(common) {
				n.trim(v, g, h, limit, bad)
			} else {
				n.trim(v, g, h, limit, last)
			}
		}
		if !n.initially {
			g.latest(v, common)
		}
		if len(g.held) > 0 {
			n.groups.put(tivaKey(g.tiva), g)
		}
	}
	waiting := len(n.groups.values) > 0
	n.purge(func(b *openInterval) bool { return done[b] || !waiting && b.isOver(common) })
	over := func(goal *countedInterval) bool { return goal.isOver(common) || hasAll(common, goal.low) }
	n.goals = stdslices.DeleteFunc(n.goals, over)
	n.resume = stdslices.DeleteFunc(n.resume, func(s *wideSearch) bool { return over(s.goal) || s.isOver(common) })
}

// isFixed reports whether all tasks know everything that an open interval may contain, now and in
// future, once they know one of its exits.
func (v *version) isFixed(p *openInterval, common []int32) bool {
	for t, events := range common {
		if int(events) == v.net.Len(san.Task(t)) {
			continue
		}
		coming := cut{{Task: san.Task(t), K: events + 1}}
		if v.lacks(coming, p.out) {
			return false
		}
	}
	return true
}

// trim adds to a group the rest of one of its open intervals: without slices that are spoilt
// whatever happens.
func (n *wideUntil) trim(v *version, g *heldGroup, h *countedInterval, limit *spoilLimit, bad []*openInterval) {
	from := h.least(v)
	todo, seen := [][]int32{from}, map[string]bool{}
	for len(todo) > 0 {
		slice := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if h.isOver(slice) {
			continue
		}
		i := stdslices.IndexFunc(bad, func(b *openInterval) bool { return limit.spoils(v, b, slice) })
		switch {
		case i < 0 && stdslices.Equal(slice, from):
			g.held = append(g.held, h)
		case i < 0:
			p := *h.openInterval
			p.low, p.hasInitial = v.generators(slice), false
			g.held = append(g.held, &countedInterval{&p, slice})
		case !n.initially:
			for _, higher := range limit.raise(v, bad[i], slice) {
				if key := countsKey(higher); !seen[key] {
					seen[key] = true
					todo = append(todo, higher)
				}
			}
		}
	}
}

// latest drops open intervals each slice of which is below one of another open interval that leads
// to the same violations from now on.
func (g *heldGroup) latest(v *version, common []int32) {
	for i := 0; i < len(g.held); i++ {
		h := g.held[i]
		if !h.isOver(common) {
			continue
		}
		if stdslices.ContainsFunc(g.held, func(o *countedInterval) bool {
			return o != h && isBelow(o.least(v), common) && v.endsAfter(o, h)
		}) {
			g.held = stdslices.Delete(g.held, i, i+1)
			i--
		}
	}
}

// endsAfter reports whether every exit of o, past or future, is an exit of h or comes after one. h
// is over.
func (v *version) endsAfter(o, h *countedInterval) bool {
	return !stdslices.ContainsFunc(o.out, func(x *exit) bool {
		return x.happened &&
			!stdslices.ContainsFunc(h.out, func(y *exit) bool { return y.happened && v.has(cut{x.action}, y.action) })
	})
}

// purge drops open intervals in which p is false.
func (n *wideUntil) purge(drop func(*openInterval) bool) {
	lists := n.bad.values
	n.bad.clear()
	for _, l := range lists {
		if l.intervals = stdslices.DeleteFunc(l.intervals, drop); len(l.intervals) > 0 {
			n.bad.put(tivaKey(l.intervals[0].tiva), l)
		}
	}
}

func (n *wideUntil) need(g graph, base []int32) {
	for _, l := range n.bad.values {
		for _, b := range l.intervals {
			g.leave(base, b)
		}
	}
	for _, group := range n.groups.values {
		for _, h := range group.held {
			g.leave(base, h.openInterval)
		}
	}
	for _, p := range n.latent.values { // nothing is known of its other slices
		for t := range base {
			base[t] = min(base[t], int32(g.at(p.low, san.Task(t))))
		}
	}
}

func (n *wideUntil) holds(t san.Task) bool {
	return mentions(n.latent.values, t) ||
		stdslices.ContainsFunc(n.resume, func(s *wideSearch) bool { return stdslices.Contains(s.tiva, t) })
}

func (n *wideUntil) size() int {
	size := n.close.size() + len(n.goals) + len(n.resume) + len(n.latent.values)
	for _, g := range n.groups.values {
		size += len(g.held)
	}
	for _, l := range n.bad.values {
		size += len(l.intervals)
	}
	return size
}

func (n *wideUntil) rename(m *renaming) {
	n.close.rename(m)
	groups, lists, latent := n.groups.values, n.bad.values, n.latent.values
	n.groups.clear()
	n.bad.clear()
	n.latent.clear()
	for _, g := range groups {
		for _, h := range g.held {
			if h.counts = nil; m.interval(h.openInterval) {
				own := n.group(h.tiva)
				own.held = append(own.held, h)
			}
		}
	}
	for _, l := range lists {
		for _, b := range m.intervals(l.intervals) {
			n.addFalse(b)
		}
	}
	for _, p := range latent {
		if m.interval(p) {
			n.latent.put(tivaKey(n.relevantTasks(p.tiva)), p)
		}
	}
	n.goals = stdslices.DeleteFunc(n.goals, func(goal *countedInterval) bool {
		goal.counts = nil
		return !m.interval(goal.openInterval)
	})
	n.resume = stdslices.DeleteFunc(n.resume, func(s *wideSearch) bool {
		m.exit(s.exit)
		s.goal.counts = nil
		return !m.interval(s.openInterval) || !m.interval(s.goal.openInterval)
	})
}

func (n *wideUntil) snapshot(snap *snapshot.Codec) {
	n.close.snapshot(snap)
	var held []*countedInterval
	for _, g := range n.groups.values {
		held = append(held, g.held...)
	}
	interval := func(p **countedInterval) {
		snapshot.Pointer(snap, p, func(p *countedInterval) { snapshotInterval(snap, &p.openInterval) })
	}
	snapshot.Slice(snap, &held, interval)
	var bad []*openInterval
	for _, l := range n.bad.values {
		bad = append(bad, l.intervals...)
	}
	snapshotIntervals(snap, &bad)
	latent := n.latent.values
	snapshotIntervals(snap, &latent)
	snapshot.Slice(snap, &n.goals, interval)
	snapshot.Slice(snap, &n.resume, func(s **wideSearch) {
		snapshot.Pointer(snap, s, func(s *wideSearch) {
			snapshotInterval(snap, &s.openInterval)
			interval(&s.goal)
			snapshotExit(snap, &s.exit)
		})
	})
	if !snap.Reading() || snap.Err() != nil {
		return
	}
	for _, h := range held {
		g := n.group(h.tiva)
		g.held = append(g.held, h)
	}
	for _, b := range bad {
		n.addFalse(b)
	}
	for _, p := range latent {
		n.latent.put(tivaKey(n.relevantTasks(p.tiva)), p)
	}
}
