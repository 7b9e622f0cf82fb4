// Package unfolding enumerates the partial orders that the runs of a concurrent program can have.
//
// Its events are operations with everything that must come before them. Two runs with the same
// events are one order, so each order needs one run at most. The search is that of Rodríguez,
// Sousa, Sharma and Kroening, "Unfolding-based Partial Order Reduction" (CONCUR 2015), sections 4
// and 5: no order is missed, and none is reached twice. It is kept outside of the program, which
// is only asked for runs that begin with given steps.
package unfolding

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"
)

// Program makes runs. What one of its goroutines does next depends only on the steps that come
// before in the partial order.
type Program interface {
	// Run makes the steps of prefix in their order, and then steps of its own choice until no
	// goroutine can go on.
	Run(prefix []Step) (Run, error)
}

// Run is a run of a program.
type Run struct {
	Steps   []Taken                 // in the order in which they were made
	Blocked map[Goroutine]Operation // what goroutines were about to do at the end
}

// Taken is a step with the operations that it consists of.
type Taken struct {
	Step
	Operation Operation
	Received  Operation // that of the receiver, if it has one
}

// Event is an operation in one history. Two events with equal steps and histories are the same.
type event struct {
	step      Step
	operation Operation
	received  Operation
	position  [2]position // where the goroutines of the step stood before
	accesses  []access
	places    []place        // of accesses
	history   *bitset.BitSet // all events that come before it, with the event itself
	conflicts *bitset.BitSet // the events that it excludes, though not those before them
}

// position is where a goroutine stands: behind its latest event, or behind the one that starts it.
type position struct {
	goroutine Goroutine
	behind    int // number of an event; root, if the goroutine is there from the beginning
}

const root = -1

// place is a part of an object behind its latest write. Two uses with the same history but for
// themselves, of which none comes before the other, come after the same write: a later one would
// come between them.
type place struct {
	object  Object
	part    part
	written int
}

// past is a position in a history.
type past struct {
	position position
	history  string
}

type eventKey struct {
	step    Step
	history string
}

// Explorer keeps all events that are known.
type Explorer struct {
	program Program
	events  []event
	numbers map[eventKey]int
	// next is what the goroutine at a position does next. A goroutine that has ended there has an
	// operation of kind End.
	next map[position]Operation
	// Events that exclude each other themselves are at one place or position.
	atPlace    map[place][]int
	atPosition map[position][]int
	// extended are the positions and histories whose possible events are known.
	extended map[past]bool
	initial  []Goroutine

	order  func(Order) error
	latest *bitset.BitSet // the events of the latest run
	ran    map[string]bool
	Counts Counts
}

// Counts says what a search has done.
type Counts struct {
	Runs   int // runs of the program
	Orders int // distinct partial orders that were reached
	Events int
	// Incomplete is the number of positions at which not all histories were looked at.
	Incomplete int
	// DeadEnds is the number of times that a search led nowhere. It is zero, by theorem 2.
	DeadEnds int
}

// Order is a partial order of a run that is complete.
type Order struct {
	Steps []Step // a linearisation
	Ran   bool   // a run had this order
}

// New returns an explorer of a program whose goroutines initial are there from the beginning. It
// calls order for each partial order.
func New(program Program, initial []Goroutine, order func(Order) error) *Explorer {
	return &Explorer{
		program: program, initial: initial, order: order,
		numbers: map[eventKey]int{}, next: map[position]Operation{},
		atPlace: map[place][]int{}, atPosition: map[position][]int{},
		extended: map[past]bool{}, ran: map[string]bool{},
		latest: bitset.New(0),
	}
}

// Explore reaches each partial order once. An error of the program or of order ends it.
func (x *Explorer) Explore() error {
	return x.explore(bitset.New(0), x.start(), nil, bitset.New(0))
}

// explore reaches each maximal configuration that contains done and none of never. Those in wanted
// are made first: together with done they exclude all of never.
func (x *Explorer) explore(done *bitset.BitSet, s *state, never []int, wanted *bitset.BitSet) error {
	if !x.known(s) {
		if err := x.run(done, wanted); err != nil {
			return err
		}
	}
	steps := x.enabled(s)
	if len(steps) == 0 {
		return x.complete(done)
	}
	chosen, found := x.choose(s, steps, never, wanted)
	if !found {
		x.Counts.DeadEnds++
		return nil
	}
	after := s.clone()
	after.do(chosen)
	if err := x.explore(with(done, chosen), after, never, without(wanted, chosen)); err != nil {
		return err
	}
	never = append(never[:len(never):len(never)], chosen)
	if other := x.alternative(done, never); other != nil {
		return x.explore(done, s, never, other.Difference(done))
	}
	return nil
}

// choose returns the event of a step that leads on: one that is wanted, else one of the latest run,
// else any that is allowed.
func (x *Explorer) choose(s *state, steps []Step, never []int, wanted *bitset.BitSet) (int, bool) {
	chosen, rank := 0, 0
	for _, step := range steps {
		e := x.event(s, step)
		if contains(never, e) {
			continue
		}
		r := 1
		switch {
		case wanted.Test(uint(e)):
			r = 3
		case x.latest.Test(uint(e)):
			r = 2
		}
		if r > rank {
			chosen, rank = e, r
		}
	}
	return chosen, rank > 0
}

// alternative returns a configuration that contains done and excludes all of never for good, or nil
// if there is none (section 5 of the paper).
func (x *Explorer) alternative(done *bitset.BitSet, never []int) *bitset.BitSet {
	open := -1
	for _, e := range never {
		if !x.excluded(done, e) {
			open = e
			break
		}
	}
	if open < 0 {
		return done
	}
	forbidden := bitset.New(0)
	for _, e := range never {
		forbidden.Set(uint(e))
	}
	conflicts := x.events[open].conflicts
	for i, ok := conflicts.NextSet(0); ok; i, ok = conflicts.NextSet(i + 1) {
		history := x.events[i].history
		if done.Test(i) || history.IntersectionCardinality(forbidden) > 0 {
			continue
		}
		if joined := x.join(done, history); joined != nil {
			if other := x.alternative(joined, never); other != nil {
				return other
			}
		}
	}
	return nil
}

// excluded reports whether an event cannot come after a configuration any more.
func (x *Explorer) excluded(done *bitset.BitSet, e int) bool {
	return x.join(done, x.events[e].history) == nil
}

// join returns the union of two configurations, or nil if events of them exclude each other.
func (x *Explorer) join(a, b *bitset.BitSet) *bitset.BitSet {
	joined := a.Union(b)
	added := b.Difference(a)
	for i, ok := added.NextSet(0); ok; i, ok = added.NextSet(i + 1) {
		if x.events[i].conflicts.IntersectionCardinality(joined) > 0 {
			return nil
		}
	}
	return joined
}

// complete reports a partial order that nothing can be added to, and adds the events that were
// possible on its way.
func (x *Explorer) complete(done *bitset.BitSet) error {
	x.Counts.Orders++
	key := name(done)
	order := Order{Steps: x.steps(done), Ran: x.ran[key]}
	delete(x.ran, key)
	x.extend(done)
	x.Counts.Events = len(x.events)
	return x.order(order)
}

// run asks for a run that begins with two sets of events, and notes all of its events.
func (x *Explorer) run(done, wanted *bitset.BitSet) error {
	x.Counts.Runs++
	prefix := x.steps(done.Union(wanted))
	r, err := x.program.Run(prefix)
	if err != nil {
		return err
	}
	s := x.start()
	made := bitset.New(0)
	for i, t := range r.Steps {
		if i < len(prefix) && t.Step != prefix[i] {
			return fmt.Errorf("step %d of the run is %v, not %v", i, t.Step, prefix[i])
		}
		x.next[s.position(t.Goroutine)] = t.Operation
		if t.Partner != Alone {
			x.next[s.position(t.Partner)] = t.Received
		}
		if !x.can(s, t.Step) {
			return fmt.Errorf("step %d of the run is %v, which its objects do not allow", i, t.Step)
		}
		e := x.event(s, t.Step)
		s.do(e)
		made.Set(uint(e))
	}
	if len(r.Steps) < len(prefix) {
		return fmt.Errorf("the run ended after %d of %d steps", len(r.Steps), len(prefix))
	}
	for g := range s.last {
		x.next[s.position(g)] = r.Blocked[g]
	}
	x.latest = made
	x.ran[name(made)] = true
	return nil
}

// known reports whether the next operation of all goroutines is known.
func (x *Explorer) known(s *state) bool {
	for g := range s.last {
		if _, ok := x.next[s.position(g)]; !ok {
			return false
		}
	}
	return true
}

// steps returns the steps of a configuration in an order in which they can be made. Events have
// greater numbers than those before them.
func (x *Explorer) steps(c *bitset.BitSet) []Step {
	steps := make([]Step, 0, c.Count())
	for i, ok := c.NextSet(0); ok; i, ok = c.NextSet(i + 1) {
		steps = append(steps, x.events[i].step)
	}
	return steps
}
