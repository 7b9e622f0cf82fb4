package reorder

import "github.com/antichain-go/antichain/tracer/op"

// Cut is how many events each task has performed.
type Cut []int

// Cuts calls visit with each cut, which visit must not keep.
func (r *Run) Cuts(visit func(Cut)) {
	c := make(Cut, len(r.Of))
	var next func(t int)
	next = func(t int) {
		if t == len(c) {
			visit(c)
			return
		}
		for n := range len(r.Of[t]) + 1 {
			c[t] = n
			next(t + 1)
		}
	}
	next(0)
}

// Bits returns the events in a cut.
func (r *Run) Bits(c Cut) Bits {
	var in Bits
	for t, n := range c {
		for _, i := range r.Of[t][:n] {
			in |= 1 << i
		}
	}
	return in
}

// AtPoints reports whether a cut ends each task directly before one of the events, and others after
// what precedes these.
func (r *Run) AtPoints(c Cut, events ...int) bool {
	in := r.Bits(c)
	for _, i := range events {
		if _, _, before := r.Before(i); c[r.Events[i].Task] != r.Events[i].Index || before&^in != 0 {
			return false
		}
	}
	return true
}

// IsClosed reports whether a set contains a close of a channel.
func (r *Run) IsClosed(channel int, in Bits) bool {
	for i := range r.Events {
		if in.Has(i) && r.Events[i].Instr == (Instr{op.Close, channel}) {
			return true
		}
	}
	return false
}

// IsCorrectPrefix reports whether a set is closed under the order Data and under mutual exclusion.
func (r *Run) IsCorrectPrefix(in Bits) bool {
	for i := range r.Events {
		if in.Has(i) && (r.Events[i].Data&^in != 0 || r.IsExcluded(i, in&(1<<i-1))) {
			return false
		}
	}
	return true
}

// IsExcluded reports whether an event begins a section that an open one in a set excludes.
func (r *Run) IsExcluded(i int, in Bits) bool {
	for j := range r.Events {
		if in.Has(j) && r.excludes(j, i) && !r.hasEnd(j, in) {
			return true
		}
	}
	return false
}

func (r *Run) excludes(i, j int) bool {
	a, b := &r.Events[i], &r.Events[j]
	return a.Section == i && b.Section == j && a.Obj == b.Obj && (a.Kind == op.Lock || b.Kind == op.Lock)
}

// hasEnd reports whether a set contains the end of a section.
func (r *Run) hasEnd(section int, in Bits) bool {
	for i := range r.Events {
		if r.Events[i].Section == section && i != section && in.Has(i) {
			return true
		}
	}
	return false
}

// state is the state after a correct order of some events.
type state struct {
	in      Bits
	written [variables]int // the last writer of each variable, plus 1
}

// Reached returns the sets of events of all orders in which each read sees the same write as in the
// run.
func (r *Run) Reached() map[Bits]bool {
	seen, found := map[state]bool{{}: true}, map[Bits]bool{}
	for todo := []state{{}}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		found[s.in] = true
		for t := range r.Of {
			for _, i := range r.Of[t] {
				if s.in.Has(i) {
					continue
				}
				if next := r.do(s, i); next.in != s.in && !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
				break // its next event
			}
		}
	}
	return found
}

// do returns the state after an event, or the same one if the event cannot come next.
func (r *Run) do(s state, i int) state {
	e := &r.Events[i]
	if e.Kind == op.Read && s.written[e.Obj] != e.Writer+1 || e.Index == 0 && !r.isStarted(e.Task, s.in) {
		return s
	}
	switch {
	case e.Kind == op.Write:
		s.written[e.Obj] = i + 1
	case e.IsAccess():
	case e.Free&^s.in != 0, r.IsExcluded(i, s.in):
		return s
	}
	s.in |= 1 << i
	return s
}

func (r *Run) isStarted(task int, in Bits) bool {
	for i := range r.Events {
		if in.Has(i) && r.Events[i].Instr == (Instr{op.Go, task}) {
			return true
		}
	}
	return task == 0
}
