// Package unfolding enumerates the partial orders that the runs of a concurrent program can have.
//
//	x := unfolding.New(program, []unfolding.Goroutine{0}, func(o unfolding.Order) error { ... })
//	x.Bounds.Runs = 1000
//	err := x.Explore()
//	fmt.Println(x.Counts.Complete(), x.Counts.Orders, x.Counts.Left, x.Counts.Estimate)
//
// Its events are operations with everything that must come before them. Two runs with the same
// events are one order, so each order needs one run at most. The search is that of Rodríguez,
// Sousa, Sharma and Kroening, "Unfolding-based Partial Order Reduction" (CONCUR 2015), sections 4
// and 5: no order is missed, and none is reached twice. It is kept outside of the program, which
// is only asked for runs that begin with given steps. Events are never removed (section 5 of the
// paper removes some), so Bounds limits them.
//
// An operation that is blocked is no event: a goroutine stands at its next operation until that is
// possible. An order is complete when no goroutine can go on, whether it has ended or not.
//
// Where a bound ends the search, Left and Estimate say what it leaves. The estimate is that of
// Knuth, "Estimating the Efficiency of Backtrack Programs" (Mathematics of Computation 29, 1975),
// section 2, with a search in place of random probes: a branch that was not looked at leads to as
// many orders as the one beside it.
package unfolding

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/bits-and-blooms/bitset"
)

// Program makes runs. The next step of a goroutine depends only on the steps that come before it in
// the partial order.
type Program interface {
	// Run makes the steps of prefix in their order, with these operations, and then steps of its
	// own choice until no goroutine can go on.
	Run(prefix []Taken) (Run, error)
}

// ErrDiverged is the error of a run that did not make the steps of its prefix, or made other
// operations behind the same history: the program depends on more than the order of its steps. The
// search goes on with other orders.
var ErrDiverged = errors.New("the program did something else behind the same steps")

// Divergence is an ErrDiverged at an operation of a goroutine.
type Divergence struct {
	Goroutine Goroutine
	// what it did behind the same steps before, and what it did now; of kind End if it did nothing
	Known, Done Operation
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("%v: goroutine %d did %v instead of %v", ErrDiverged, d.Goroutine, d.Done, d.Known)
}

func (d *Divergence) Unwrap() error { return ErrDiverged }

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

// place is a part of an object behind its latest write. Two uses that no order relates, with the
// same history but for themselves, come after the same write: a later one would come between them.
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

	Bounds Bounds
	order  func(Order) error
	latest *bitset.BitSet // the events of the latest run
	ran    map[string]bool
	Counts Counts
}

// Bounds end a search. Those that are zero do not.
type Bounds struct {
	Runs   int // of the program
	Events int // that are kept, and histories of one operation
	Steps  int // of one run
}

// ErrStop is returned by a program that makes no further run. It ends the search as a bound does.
var ErrStop = errors.New("the search was stopped")

// Counts says what a search has done.
type Counts struct {
	Runs   int // runs of the program
	Orders int // distinct partial orders that were reached
	Events int
	// Diverged is the number of runs that ended with ErrDiverged. Orders that begin as these should
	// have begun were not looked at.
	Diverged int
	Why      error // of the first of them
	// DeadEnds is the number of times that a search led nowhere. It is zero, by theorem 2.
	DeadEnds int

	Bound    string  // what ended the search: "runs", "events", "steps", "stop"; "": nothing
	Left     int     // how many orders were not reached at least, because of a bound or divergence
	Estimate float64 // of all orders; their number, if the search is complete
}

// Complete reports whether all partial orders were reached.
func (c Counts) Complete() bool { return c.Bound == "" && c.Diverged == 0 && c.DeadEnds == 0 }

// Order is a partial order of a run that is complete.
type Order struct {
	Steps []Taken // a linearisation
	Ran   bool    // a run had this order
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

// Explore reaches each partial order once, as far as Bounds allow. Any other error of the program
// than ErrDiverged, and one of order, ends it.
func (x *Explorer) Explore() error {
	size, err := x.explore(bitset.New(0), x.start(), nil, bitset.New(0))
	x.Counts.Events = len(x.events)
	x.Counts.Estimate = math.Max(size, float64(x.Counts.Orders+x.Counts.Left))
	if errors.Is(err, ErrStop) {
		x.Counts.Bound = cmp.Or(x.Counts.Bound, "stop")
		return nil
	}
	return err
}

// explore reaches each maximal configuration that contains done and none of never. Those in wanted
// are made first: together with done they exclude all of never. It returns how many there are, by
// an estimate if there is an error.
func (x *Explorer) explore(
	done *bitset.BitSet, s *state, never []int, wanted *bitset.BitSet,
) (size float64, err error) {
	if !x.known(s) {
		if err := x.run(done, wanted); err != nil {
			return x.leave(err)
		}
	}
	steps := x.enabled(s)
	if len(steps) == 0 {
		return 1, x.complete(done)
	}
	chosen, found := x.choose(s, steps, never, wanted)
	if !found {
		x.Counts.DeadEnds++
		return 0, nil
	}
	after := s.clone()
	after.do(chosen)
	size, err = x.explore(with(done, chosen), after, never, without(wanted, chosen))
	if err != nil && !errors.Is(err, ErrStop) {
		return size, err
	}
	never = append(never[:len(never):len(never)], chosen)
	other := x.alternative(done, never)
	switch {
	case other == nil:
		return size, err
	case err != nil:
		x.Counts.Left++
		return 2 * size, err
	}
	more, err := x.explore(done, s, never, other.Difference(done))
	return size + more, err
}

// leave leaves the orders that a run would have begun: one at least.
func (x *Explorer) leave(err error) (size float64, _ error) {
	switch {
	case errors.Is(err, ErrDiverged):
		if x.Counts.Diverged++; x.Counts.Why == nil {
			x.Counts.Why = err
		}
		err = nil
	case !errors.Is(err, ErrStop):
		return 0, err
	}
	x.Counts.Left++
	return 1, err
}

// bound returns an error if n is more than a bound allows.
func (x *Explorer) bound(what string, n, most int) error {
	if most == 0 || n <= most {
		return nil
	}
	x.Counts.Bound = what
	return ErrStop
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
	order := Order{Steps: x.taken(done), Ran: x.ran[key]}
	delete(x.ran, key)
	if err := x.order(order); err != nil {
		return err
	}
	return x.extend(done)
}

// run asks for a run that begins with two sets of events, and notes all of its events.
func (x *Explorer) run(done, wanted *bitset.BitSet) error {
	if err := x.bound("runs", x.Counts.Runs+1, x.Bounds.Runs); err != nil {
		return err
	}
	prefix := x.taken(done.Union(wanted))
	err := x.attempt(prefix)
	if errors.Is(err, ErrDiverged) { // once may be chance
		err = x.attempt(prefix)
	}
	return err
}

// attempt makes a run that begins with a prefix.
func (x *Explorer) attempt(prefix []Taken) error {
	x.Counts.Runs++
	r, err := x.program.Run(prefix)
	if err != nil {
		return err
	}
	if err := x.bound("steps", len(r.Steps), x.Bounds.Steps); err != nil {
		return err
	}
	if len(r.Steps) < len(prefix) {
		return fmt.Errorf("%w: the run ended after %d of %d", ErrDiverged, len(r.Steps), len(prefix))
	}
	return x.note(r, prefix)
}

// note notes the events of a run that begins with a prefix.
func (x *Explorer) note(r Run, prefix []Taken) error {
	s := x.start()
	made := bitset.New(0)
	for i, t := range r.Steps {
		if i < len(prefix) && t.Step != prefix[i].Step {
			return fmt.Errorf("%w: step %d is %v instead of %v", ErrDiverged, i, t.Step, prefix[i].Step)
		}
		if err := x.learn(s.position(t.Goroutine), t.Operation); err != nil {
			return err
		}
		if t.Partner != Alone {
			if err := x.learn(s.position(t.Partner), t.Received); err != nil {
				return err
			}
		}
		if !x.can(s, t.Step) {
			return fmt.Errorf("%w: step %d is %v, which its objects do not allow", ErrDiverged, i, t.Step)
		}
		e := x.event(s, t.Step)
		if err := x.bound("events", len(x.events), x.Bounds.Events); err != nil {
			return err
		}
		s.do(e)
		made.Set(uint(e))
	}
	for g := range s.last {
		if err := x.learn(s.position(g), r.Blocked[g]); err != nil {
			return err
		}
	}
	x.latest = made
	x.ran[name(made)] = true
	return nil
}

// learn notes what a goroutine does next at a position.
func (x *Explorer) learn(p position, op Operation) error {
	if known, ok := x.next[p]; ok && !reflect.DeepEqual(known, op) {
		return &Divergence{Goroutine: p.goroutine, Known: known, Done: op}
	}
	x.next[p] = op
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

// taken returns the steps of a configuration in an order in which they can be made. Events have
// greater numbers than those before them.
func (x *Explorer) taken(c *bitset.BitSet) []Taken {
	steps := make([]Taken, 0, c.Count())
	for i, ok := c.NextSet(0); ok; i, ok = c.NextSet(i + 1) {
		v := &x.events[i]
		steps = append(steps, Taken{v.step, v.operation, v.received})
	}
	return steps
}
