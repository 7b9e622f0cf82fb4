package tlcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// History shows that operations cannot be explained.
type History struct {
	Model      *spec.Linearizable
	Operations []*linearizability.Operation
	Functions  []string // by operation
	Evidence   *linearizability.Evidence
	Events     []HistoryEvent // of the object, up to the return that cannot be explained
}

// HistoryEvent is the call or the return of an operation, and the event of the run that it is.
type HistoryEvent struct {
	linearizability.Event
	Action san.Action
}

// isAboutStates refuses a property about operations, which has no values in states.
func isAboutStates(prop *spec.Property, what string) error {
	if _, ok := prop.Formula.(*spec.Linearizable); !ok {
		return nil
	}
	return fmt.Errorf("%s: property %s is about orders of operations and not about states, so it cannot be %s: "+
		"check it", prop.Place(prop.Formula.Position()), prop.Name, what)
}

// maxPositions bounds the search for an order that explains operations, and that for an order that
// cannot be explained, to have them end without a budget of time.
const maxPositions = 1 << 18

// checkLinearizable decides a property about operations: for the order in which the run recorded
// them, and then for all orders that the run's synchronisation allows.
func checkLinearizable(
	ctx context.Context, net *san.Net, prop *spec.Property, l *spec.Linearizable, opt Options,
) (*Result, error) {
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	r := &Result{Property: prop, Net: net}
	c, err := newCalls(net, l, opt.Logic)
	if err != nil {
		r.Covered = err.Error()
		return r, nil
	}
	c.nameObjects()
	model, err := spec.ModelOf(l)
	if err != nil {
		return nil, err
	}
	decided := &linearizability.Result{Verdict: linearizability.Linearizable}
	if !net.Header().Unordered {
		if decided, err = linearizability.CheckWithin(ctx, model, c.ops, maxPositions); err != nil {
			return nil, fmt.Errorf("%s: %w", prop.Place(l.Pos), err)
		}
	}
	happened := decided.Verdict == linearizability.Violated
	if decided.Verdict == linearizability.Linearizable {
		decided, err = linearizability.CheckOrdersWithin(ctx, model, c.ops, c.before, maxPositions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", prop.Place(l.Pos), err)
		}
	}
	switch decided.Verdict {
	case linearizability.Linearizable:
		r.Verdict = Holds
		if len(c.ops) == 0 {
			r.Vacuous = "none of its operations was called"
		}
	case linearizability.Violated:
		r.Verdict, r.Witness = Violated, c.witness(l, decided.Evidence, happened)
	default:
		r.Stopped = context.Cause(ctx)
		r.Covered = fmt.Sprintf("%s after %d positions of the search", cmp.Or(errors.Join(r.Stopped), errSearch),
			decided.Positions)
	}
	return r, nil
}

var errSearch = errors.New("undecided")

// witness returns an order of the run's events with which an operation cannot be explained.
func (c *calls) witness(l *spec.Linearizable, e *linearizability.Evidence, happened bool) *Witness {
	h := &History{Model: l, Operations: c.ops, Functions: c.functions, Evidence: e}
	events := e.Events
	if happened {
		events = c.recorded(e)
	}
	last := linearizability.Event{Operation: e.Operation, Return: true}
	var order []san.Action
	for _, ev := range events {
		a := c.at[ev.Operation].action(ev)
		h.Events = append(h.Events, HistoryEvent{ev, a})
		if order = append(order, a); ev == last {
			break
		}
	}
	w := &Witness{History: h, Happened: happened, Unseen: c.net.Header().Unordered}
	if happened { // the beginning of the run itself
		w.Schedule = c.prefix(order[len(order)-1])
	} else {
		w.Schedule = c.through(order)
	}
	counts := make([]int, c.net.Tasks())
	for _, a := range w.Schedule {
		for _, side := range c.net.Sides(a) {
			counts[side.Task] = max(counts[side.Task], int(side.K))
		}
	}
	w.Slice, _ = slices.NewLattice(c.net).Ideal(counts)
	return w
}

// recorded returns the calls and returns of an object in the order of the run.
func (c *calls) recorded(e *linearizability.Evidence) (events []linearizability.Event) {
	for _, op := range stdslices.Concat(e.Before, e.Overlapping, []int{e.Operation}) {
		events = append(events, linearizability.Event{Operation: op})
		if !c.ops[op].Unfinished {
			events = append(events, linearizability.Event{Operation: op, Return: true})
		}
	}
	stdslices.SortFunc(events, func(a, b linearizability.Event) int {
		return cmp.Compare(c.moment[c.at[a.Operation].action(a)], c.moment[c.at[b.Operation].action(b)])
	})
	return events
}

// prefix returns the run up to an event.
func (c *calls) prefix(last san.Action) (order []san.Action) {
	for a := range c.net.Order() {
		order = append(order, a)
		if c.moment[a] == c.moment[last] {
			break
		}
	}
	return order
}

// through returns an order of the run's events that has some events in a given order, and before
// each of them only what it needs.
func (c *calls) through(events []san.Action) (order []san.Action) {
	done, down := make([]int32, c.net.Tasks()), make([]int32, c.net.Tasks())
	for _, a := range events {
		c.net.Down(a, down)
		var missing []san.Action
		for t, k := range down {
			for done[t] < k {
				done[t]++
				if e := (san.Action{Task: san.Task(t), K: done[t]}); c.net.Canonical(e) == e {
					missing = append(missing, e)
				}
			}
		}
		stdslices.SortFunc(missing, func(a, b san.Action) int { return cmp.Compare(c.moment[a], c.moment[b]) })
		order = append(order, missing...)
	}
	return order
}
