package linearizability

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// Event is the call or the return of an operation.
type Event struct {
	Operation int // its index in the history
	Return    bool
}

// CheckOrders decides whether a history is linearizable in all orders of its calls and returns that
// a partial order allows. The operations have the same results in all of them; their moments mean
// nothing. The partial order is strict and transitive, and has each call before its return.
//
// A history that is violated has, in its evidence, an order that cannot be explained.
func CheckOrders(ctx context.Context, m Model, ops []*Operation, before func(a, b Event) bool) (*Result, error) {
	return CheckOrdersWithin(ctx, m, ops, before, math.MaxInt)
}

// CheckOrdersWithin is CheckOrders that tries about so many orders and explanations at most for
// each object. A history that needs more is Undecided, unless another object is violated.
func CheckOrdersWithin(
	ctx context.Context, m Model, ops []*Operation, before func(a, b Event) bool, most int,
) (*Result, error) {
	shares, err := divide(m, ops)
	if err != nil {
		return nil, err
	}
	r := &Result{Verdict: Linearizable}
	for _, share := range shares {
		if len(share.ops)*len(share.ops)/64 > most {
			r.Verdict = Undecided
			continue
		}
		o := newOrders(share, before)
		o.most = most
		events, done := o.run(ctx)
		r.Positions += o.tried + len(o.configs)
		switch {
		case ctx.Err() != nil:
			r.Verdict = Undecided
			return r, nil
		case !done:
			r.Verdict = Undecided
		case events != nil:
			r.Verdict, r.Evidence = Violated, o.evidence(ctx, events)
			return r, nil
		}
	}
	return r, nil
}

// orders looks for an order of calls and returns that cannot be explained.
//
// Whether an order can be explained depends on which operations return before which are called. The
// more there are of these, the harder it is. So it suffices to consider orders in which returns
// come as early as possible, and calls as late as possible. Such an order goes in steps: it chooses
// a return, has the calls that must come before it, and then all returns that are possible. The
// returns that are possible depend on the calls alone.
//
// After a step, an order has a set of explanations: the states in which the object can be, each
// with the operations that are placed and have not returned. One without explanations is what is
// looked for. Of two orders with the same calls, one with more explanations need not be considered:
// what cannot be explained after it cannot be explained after the other one.
type orders struct {
	*share
	states *states
	needs  []*bitset.BitSet // by operation: the calls before its return; nil if unfinished
	ends   []int32          // operations that return, each after those that must return before it
	calls  []int32          // by operation: how many others must be called before it is

	configs  []config
	number   map[string]int32
	explored map[string][][]int32 // by calls: sets of explanations, none in another one
	tried    int
	most     int // of tried, and of configs
}

// config is an explanation: a state, and the operations that are placed and have not returned.
type config struct {
	state  int32
	placed *bitset.BitSet
}

// node is an order up to the end of a step.
type node struct {
	before *node
	events []Event // of the step; Operation is the index in the share
	called *bitset.BitSet
	fits   []int32 // the explanations, in increasing order
}

func newOrders(s *share, before func(a, b Event) bool) *orders {
	o := &orders{
		share: s, states: newStates(s), needs: make([]*bitset.BitSet, len(s.ops)),
		number: map[string]int32{}, explored: map[string][][]int32{}, calls: make([]int32, len(s.ops)),
	}
	for j := range s.ops {
		for i := range s.ops {
			if i != j && before(Event{s.index[i], false}, Event{s.index[j], false}) {
				o.calls[j]++
			}
		}
	}
	earlier := make([]int, len(s.ops)) // returns
	for j, end := range s.ops {
		if end.Unfinished {
			continue
		}
		o.ends = append(o.ends, int32(j))
		o.needs[j] = bitset.New(uint(len(s.ops)))
		o.needs[j].Set(uint(j))
		at := Event{s.index[j], true}
		for i, other := range s.ops {
			if i != j && before(Event{s.index[i], false}, at) {
				o.needs[j].Set(uint(i))
			}
			if i != j && !other.Unfinished && before(Event{s.index[i], true}, at) {
				earlier[j]++
			}
		}
	}
	slices.SortStableFunc(o.ends, func(a, b int32) int { return cmp.Compare(earlier[a], earlier[b]) })
	return o
}

// run returns an order that cannot be explained, nil if there is none. The second result is false
// if the context ended before that was known.
func (o *orders) run(ctx context.Context) ([]Event, bool) {
	n := uint(len(o.ops))
	first := &node{called: bitset.New(n), fits: []int32{o.config(0, bitset.New(n))}}
	for stack := []*node{first}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, missing := range o.choices(at.called) {
			next, ok := o.step(ctx, at, missing)
			switch {
			case !ok:
				return nil, false
			case len(next.fits) == 0:
				return o.complete(next), true
			case o.isNew(next):
				stack = append(stack, next)
			}
		}
	}
	return nil, true
}

// choices returns the smallest sets of calls after which some further operation can return.
func (o *orders) choices(called *bitset.BitSet) (all []*bitset.BitSet) {
	var sets []*bitset.BitSet
	for _, j := range o.ends {
		if missing := o.needs[j].Difference(called); missing.Any() {
			sets = append(sets, missing)
		}
	}
	slices.SortStableFunc(sets, func(a, b *bitset.BitSet) int { return cmp.Compare(a.Count(), b.Count()) })
	for _, set := range sets {
		if !slices.ContainsFunc(all, set.IsSuperSet) {
			all = append(all, set)
		}
	}
	return all
}

// step returns the order that goes on with some calls, and with the returns that they allow.
func (o *orders) step(ctx context.Context, from *node, calls *bitset.BitSet) (*node, bool) {
	if o.tried++; o.tried > o.most {
		return nil, false
	}
	to := &node{before: from, called: from.called.Union(calls), fits: from.fits, events: o.inOrder(calls)}
	pending := bitset.New(uint(len(o.ops)))
	var ends []int32
	for i := range to.called.EachSet() {
		if o.needs[i] == nil || !from.called.IsSuperSet(o.needs[i]) {
			pending.Set(i)
		}
	}
	for _, j := range o.ends {
		if pending.Test(uint(j)) && to.called.IsSuperSet(o.needs[j]) {
			ends = append(ends, j)
		}
	}
	for _, j := range ends {
		to.events = append(to.events, Event{int(j), true})
		fits, ok := o.end(ctx, to.fits, pending, j)
		if to.fits = fits; !ok {
			return nil, false
		}
		pending.Clear(uint(j))
	}
	return to, true
}

// inOrder returns calls in an order that is allowed.
func (o *orders) inOrder(calls *bitset.BitSet) (events []Event) {
	for i := range calls.EachSet() {
		events = append(events, Event{int(i), false})
	}
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Compare(o.calls[a.Operation], o.calls[b.Operation])
	})
	return events
}

// end returns the explanations after an operation has returned.
func (o *orders) end(ctx context.Context, fits []int32, pending *bitset.BitSet, op int32) (after []int32, done bool) {
	seen := map[int32]bool{}
	todo := slices.Clone(fits)
	var observing, others []int32
	for i := range pending.EachSet() {
		if o.looks[i] {
			observing = append(observing, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	for n := 0; len(todo) > 0; n++ {
		if n%64 == 0 && ctx.Err() != nil || len(o.configs) > o.most {
			return nil, false
		}
		at := o.observe(todo[len(todo)-1], observing)
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		c := o.configs[at]
		if c.placed.Test(uint(op)) {
			placed := c.placed.Clone()
			after = append(after, o.config(c.state, placed.Clear(uint(op))))
			continue
		}
		todo = append(todo, o.place(c, others)...)
	}
	slices.Sort(after)
	return slices.Compact(after), true
}

// observe returns the explanation that also places the operations that see its state.
func (o *orders) observe(at int32, observing []int32) int32 {
	c := o.configs[at]
	placed := c.placed
	for _, op := range observing {
		if o.ops[op].Unfinished || c.placed.Test(uint(op)) || o.states.step(c.state, op) != c.state {
			continue
		}
		if placed == c.placed {
			placed = placed.Clone()
		}
		placed.Set(uint(op))
	}
	if placed == c.placed {
		return at
	}
	return o.config(c.state, placed)
}

// place returns the explanations that place one operation more. Of unfinished operations that are
// alike it takes the first.
func (o *orders) place(c config, ops []int32) (all []int32) {
	var unfinished []int32 // classes
	for _, op := range ops {
		if c.placed.Test(uint(op)) {
			continue
		}
		after := o.states.step(c.state, op)
		if o.ops[op].Unfinished {
			if after == c.state || slices.Contains(unfinished, o.class[op]) {
				continue
			}
			unfinished = append(unfinished, o.class[op])
		}
		if after != refused {
			placed := c.placed.Clone()
			all = append(all, o.config(after, placed.Set(uint(op))))
		}
	}
	return all
}

// config returns the number of an explanation.
func (o *orders) config(state int32, placed *bitset.BitSet) int32 {
	k := string(binary.LittleEndian.AppendUint32([]byte(key(placed)), uint32(state)))
	n, ok := o.number[k]
	if !ok {
		n = int32(len(o.configs))
		o.number[k] = n
		o.configs = append(o.configs, config{state, placed})
	}
	return n
}

// key returns a text for a set, which equal sets have in common.
func key(set *bitset.BitSet) string {
	var b []byte
	for _, w := range set.Words() {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// isNew reports whether no order with the same calls, and with no explanations beyond those of n,
// was found before. It keeps n then.
func (o *orders) isNew(n *node) bool {
	k := key(n.called)
	for _, known := range o.explored[k] {
		if contains(n.fits, known) {
			return false
		}
	}
	o.explored[k] = append(slices.DeleteFunc(o.explored[k], func(known []int32) bool {
		return contains(known, n.fits)
	}), n.fits)
	return true
}

// contains reports whether a set, in increasing order, has all of another one.
func contains(set, other []int32) bool {
	for _, x := range other {
		i, ok := slices.BinarySearch(set, x)
		if !ok {
			return false
		}
		set = set[i+1:]
	}
	return true
}

// complete returns the order up to a node, and goes on until all operations are called, and all
// that can return have.
func (o *orders) complete(n *node) []Event {
	called := n.called
	var steps [][]Event
	for ; n != nil; n = n.before {
		steps = append(steps, n.events)
	}
	slices.Reverse(steps)
	events := slices.Concat(steps...)
	call := func(set *bitset.BitSet) {
		events = append(events, o.inOrder(set)...)
		next := called.Union(set)
		for _, j := range o.ends {
			if next.IsSuperSet(o.needs[j]) && !called.IsSuperSet(o.needs[j]) {
				events = append(events, Event{int(j), true})
			}
		}
		called = next
	}
	for choices := o.choices(called); len(choices) > 0; choices = o.choices(called) {
		call(choices[0])
	}
	all := bitset.New(uint(len(o.ops)))
	call(all.FlipRange(0, uint(len(o.ops))).Difference(called))
	return events
}

// evidence shows why an order cannot be explained.
func (o *orders) evidence(ctx context.Context, events []Event) *Evidence {
	ordered := &share{model: o.model, index: o.index, class: o.class, classes: o.classes, looks: o.looks}
	for _, op := range o.ops {
		moved := *op
		ordered.ops = append(ordered.ops, &moved)
	}
	for at, e := range events {
		if e.Return {
			ordered.ops[e.Operation].Return = int64(at)
		} else {
			ordered.ops[e.Operation].Call = int64(at)
		}
	}
	s := newSearch(ordered)
	s.run(ctx, -1)
	shown := s.evidence()
	for _, e := range events {
		shown.Events = append(shown.Events, Event{o.index[e.Operation], e.Return})
	}
	return shown
}
