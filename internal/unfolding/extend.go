package unfolding

import (
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// goroutines returns those that have been started, in the order of their numbers.
func (s *state) goroutines() []Goroutine {
	all := make([]Goroutine, 0, len(s.last))
	for g := range s.last {
		all = append(all, g)
	}
	slices.Sort(all)
	return all
}

// event returns the event that a step is in a state, and adds it if it is new.
func (x *Explorer) event(s *state, step Step) int {
	op := s.operation(step.Goroutine)
	uses, after := s.accesses(step, op)
	before := slices.Clone(after)
	v := event{step: step, operation: op, accesses: uses}
	for _, a := range uses {
		before = append(before, s.use(a)...)
		v.places = append(v.places, place{a.object, a.part, s.written(a)})
	}
	v.position = [2]position{s.position(step.Goroutine), s.position(step.Goroutine)}
	if step.Partner != Alone {
		v.position[1] = s.position(step.Partner)
		v.received = s.operation(step.Partner)
	}
	before = append(before, v.position[0].behind, v.position[1].behind)
	history := bitset.New(uint(len(x.events) + 1))
	for _, e := range before {
		if e != root {
			history.InPlaceUnion(x.events[e].history)
		}
	}
	key := eventKey{step, name(history)}
	if e, ok := x.numbers[key]; ok {
		return e
	}
	e := len(x.events)
	x.numbers[key] = e
	v.history = history.Set(uint(e))
	v.conflicts = bitset.New(uint(e + 1))
	x.events = append(x.events, v)
	x.addConflicts(e)
	return e
}

// addConflicts finds the events that a new one excludes, and is not excluded from by their
// histories.
func (x *Explorer) addConflicts(e int) {
	v := &x.events[e]
	compare := func(f int) {
		if f != e && !v.conflicts.Test(uint(f)) && x.conflict(e, f) {
			v.conflicts.Set(uint(f))
			x.events[f].conflicts.Set(uint(e))
		}
	}
	for i, p := range v.position {
		if i > 0 && p == v.position[0] {
			break
		}
		for _, f := range x.atPosition[p] {
			compare(f)
		}
		x.atPosition[p] = append(x.atPosition[p], e)
	}
	for _, p := range v.places {
		for _, f := range x.atPlace[p] {
			compare(f)
		}
		x.atPlace[p] = append(x.atPlace[p], e)
	}
}

// conflict reports whether two events that no order relates exclude each other themselves: both are
// done from one position, or use a part in a way that orders them.
func (x *Explorer) conflict(e, f int) bool {
	v, w := &x.events[e], &x.events[f]
	if v.history.Test(uint(f)) || w.history.Test(uint(e)) || !x.opposed(v, w) {
		return false
	}
	before := without(v.history, e)
	return x.join(before, without(w.history, f)) != nil &&
		x.join(before, w.history) != nil && x.join(v.history, without(w.history, f)) != nil
}

func (x *Explorer) opposed(v, w *event) bool {
	for _, p := range v.position {
		if p == w.position[0] || p == w.position[1] {
			return true
		}
	}
	for _, a := range v.accesses {
		for _, b := range w.accesses {
			if a.object == b.object && a.part == b.part && !a.effect.commutes(b.effect) {
				return true
			}
		}
	}
	return false
}

// extend adds all events that are possible after a part of a configuration.
func (x *Explorer) extend(c *bitset.BitSet) error {
	own := map[Goroutine][]int{}
	stands := map[Goroutine]int{}
	for _, g := range x.initial {
		stands[g] = root
	}
	for i, ok := c.NextSet(0); ok; i, ok = c.NextSet(i + 1) {
		v := &x.events[i]
		own[v.step.Goroutine] = append(own[v.step.Goroutine], int(i))
		if v.step.Partner != Alone {
			own[v.step.Partner] = append(own[v.step.Partner], int(i))
		}
		if v.operation.Kind == Start {
			stands[v.operation.Starts] = int(i)
		}
	}
	for g, behind := range stands {
		for _, e := range own[g] {
			if err := x.extendAt(c, position{g, behind}, e); err != nil {
				return err
			}
			behind = e
		}
		if err := x.extendAt(c, position{g, behind}, root); err != nil {
			return err
		}
	}
	return nil
}

// extendAt adds what a goroutine can do at a position, after each part of a configuration that does
// not contain its next event there, if it has one.
func (x *Explorer) extendAt(c *bitset.BitSet, p position, next int) error {
	op := x.next[p]
	if op.Kind == End || op.Kind == Start {
		return nil
	}
	base := bitset.New(0)
	if p.behind != root {
		base = x.events[p.behind].history
	}
	histories, err := x.histories(c, base, op, next)
	if err != nil {
		return err
	}
	for _, h := range histories {
		key := past{p, name(h)}
		if x.extended[key] {
			continue
		}
		x.extended[key] = true
		s := x.after(h)
		for _, step := range x.enabled(s) {
			if step.Goroutine == p.goroutine || step.Partner == p.goroutine {
				x.event(s, step)
			}
		}
		if err := x.bound("events", len(x.events), x.Bounds.Events); err != nil {
			return err
		}
	}
	return nil
}

// histories returns the parts of a configuration that contain base and differ in what matters for
// an operation.
func (x *Explorer) histories(c, base *bitset.BitSet, op Operation, next int) ([]*bitset.BitSet, error) {
	all := []*bitset.BitSet{base}
	seen := map[string]bool{name(base): true}
	for i, ok := c.NextSet(0); ok; i, ok = c.NextSet(i + 1) {
		v := &x.events[i]
		if base.Test(i) || next != root && v.history.Test(uint(next)) || !x.matters(int(i), op) {
			continue
		}
		for _, h := range all[:len(all):len(all)] {
			joined := h.Union(v.history)
			if k := name(joined); !seen[k] {
				seen[k] = true
				all = append(all, joined)
			}
		}
		if err := x.bound("events", len(all), x.Bounds.Events); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// matters reports whether an event changes what an operation can do, or what it comes after.
func (x *Explorer) matters(e int, op Operation) bool {
	v := &x.events[e]
	for _, o := range op.objects() {
		for _, a := range v.accesses {
			if a.object == o {
				return true
			}
		}
	}
	return op.Kind == Communicate && x.bringsPartner(e, op)
}

// bringsPartner reports whether a goroutine stands behind an event that may meet an operation.
func (x *Explorer) bringsPartner(e int, op Operation) bool {
	v := &x.events[e]
	for _, g := range []Goroutine{v.step.Goroutine, v.step.Partner, v.operation.Starts} {
		for _, c := range x.next[position{g, e}].Cases {
			if slices.ContainsFunc(op.Cases, func(d Case) bool { return d.Channel == c.Channel && d.Send != c.Send }) {
				return true
			}
		}
	}
	return false
}

// objects returns the objects that an operation may use.
func (o Operation) objects() []Object {
	if o.Kind != Communicate {
		return []Object{o.Object}
	}
	var objects []Object
	for _, c := range o.Cases {
		objects = append(objects, c.Channel)
	}
	return objects
}
