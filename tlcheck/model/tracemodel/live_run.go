package tracemodel

import (
	"errors"
	"math"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// LiveRun is the run of a program that is still running, as a transition system with one path: its
// states are the slices that the run passes, in the order of recording. It grows with AddFrom. Only
// one goroutine may use it.
type LiveRun struct {
	describer
	builder *san.Builder
	shared  []string
	ends    []int   // by state: number of recorded events in its slice
	places  [][]int // by task: positions of its events in the recorded order, ascending
	tasks   []string
	named   map[string]kripke.Atom
	atoms   []liveAtom
}

var _ kripke.System = (*LiveRun)(nil)

// liveAtom is a local formula of a task that may not exist yet.
type liveAtom struct {
	task    string
	formula *lsl.Formula
	log     *lsl.Log
	walker  *san.Walker // at the last evaluated state; nil before the task exists
	atom                // up to the walker
}

// NewLive returns the run of a program with this header, before its first event.
func NewLive(h *event.Header) (*LiveRun, error) {
	builder, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	builder.RequireMutual()
	r := &LiveRun{builder: builder, ends: []int{0}, named: map[string]kripke.Atom{}}
	r.describer = newDescriber(builder.Net(), r)
	for _, s := range h.Shared {
		r.shared = append(r.shared, s.Name)
	}
	r.grow()
	return r, nil
}

// AddFrom reads an event. When all events that it waits for are read, a new state is added.
func (r *LiveRun) AddFrom(e *event.Event, from san.Positioner) error {
	if err := r.builder.AddFrom(e, from); err != nil {
		return err
	}
	r.grow()
	if len(r.ends) > math.MaxInt32 {
		return errors.New("the run passes more states than can be counted")
	}
	return nil
}

// grow adds states for new events in the net.
func (r *LiveRun) grow() {
	for t := len(r.tasks); t < r.net.Tasks(); t++ {
		r.tasks, r.places = append(r.tasks, r.net.Name(san.Task(t))), append(r.places, nil)
	}
	end := r.ends[len(r.ends)-1]
	for more := r.net.Recorded(end); len(more) > 0; {
		n := len(r.net.Sides(san.Action{Task: more[0], K: int32(len(r.places[more[0]]) + 1)}))
		for _, t := range more[:n] {
			r.places[t] = append(r.places[t], end)
			end++
		}
		r.ends, more = append(r.ends, end), more[n:]
	}
}

// Processes implements kripke.System. They are the tasks so far.
func (r *LiveRun) Processes() []string { return r.tasks }

// Initial implements kripke.System: the slice before all events.
func (r *LiveRun) Initial() []kripke.State { return []kripke.State{0} }

func (r *LiveRun) States() int { return len(r.ends) }

// Last returns the present state of the run.
func (r *LiveRun) Last() kripke.State { return kripke.State(len(r.ends) - 1) }

// at returns the number of events of a task in the slice of a state.
func (r *LiveRun) at(t san.Task, s kripke.State) int { return sort.SearchInts(r.places[t], r.ends[s]) }

// Action returns the action that led to a state, which must not be the initial one.
func (r *LiveRun) Action(s kripke.State) san.Action {
	t := r.net.Recorded(r.ends[s-1])[0]
	return r.net.Canonical(san.Action{Task: t, K: int32(r.at(t, s))})
}

// Moves implements kripke.System: the recorded next action, if it is known.
func (r *LiveRun) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	if s == r.Last() {
		return dst, nil
	}
	a := r.Action(s + 1)
	return append(dst, kripke.Move{To: s + 1, Process: int32(a.Task), Action: a.K}), nil
}

// Took reports whether a task has an event in the action that led to a state.
func (r *LiveRun) Took(t san.Task, s kripke.State) bool { return s > 0 && r.at(t, s) > r.at(t, s-1) }

// Over reports whether a task has ended in a state.
func (r *LiveRun) Over(t san.Task, s kripke.State) bool {
	return r.net.Ended(t) && r.at(t, s) == r.net.Len(t)
}

// Atom implements kripke.System. The name is that of an atom of a Run, but the task need not exist
// yet. Atom fails for a formula about shared variables, whose values are known only at the end of
// the run.
func (r *LiveRun) Atom(name string) (kripke.Atom, error) {
	if a, ok := r.named[name]; ok {
		return a, nil
	}
	task, prop, err := r.read(name)
	if err != nil {
		return 0, err
	}
	if err := tlcheck.Monitorable(prop, lsl.L3, r.shared); err != nil {
		if refused, ok := errors.AsType[*tlcheck.UnsupportedError](err); ok {
			err = errors.New(name + " cannot be evaluated while the program runs: " + refused.Reason)
		}
		return 0, err
	}
	a := kripke.Atom(len(r.atoms))
	r.atoms = append(r.atoms, liveAtom{task: task, log: &lsl.Log{},
		formula: lsl.Compile(r.net, prop.Formula.(*spec.Atom).Local, lsl.L3)})
	r.named[name] = a
	return a, nil
}

// Task returns the name of the task of an atom.
func (r *LiveRun) Task(p kripke.Atom) string { return r.atoms[p].task }

// Holds implements kripke.System. It takes time logarithmic in the events of the task, and
// evaluates each local state once.
func (r *LiveRun) Holds(p kripke.Atom, s kripke.State) bool {
	a := &r.atoms[p]
	if !r.follow(a) {
		return false
	}
	k := r.at(a.atom.task, s)
	return a.in(k) && (k > 0 || r.created(a.atom.task, s))
}

// follow evaluates the new local states of an atom's task. It returns false if the task does not
// exist.
func (r *LiveRun) follow(a *liveAtom) bool {
	if a.walker == nil {
		t, ok := r.net.Lookup(a.task)
		if !ok {
			return false
		}
		a.atom.task, a.walker = t, r.net.Walk(t)
		r.evaluate(a)
	}
	for a.walker.Next() {
		r.evaluate(a)
	}
	return true
}

func (r *LiveRun) evaluate(a *liveAtom) {
	state := a.walker.State()
	if a.formula.Eval(state, a.log) == lsl.True {
		a.add(state.K())
	}
}

// Failed returns an error if propositions cannot be evaluated at all, for instance because their
// formulas are too deep.
func (r *LiveRun) Failed() error {
	for _, a := range r.atoms {
		if err := evaluationError("a proposition", a.log); err != nil {
			return err
		}
	}
	return nil
}

// EvalErrors returns the evaluated local states in which propositions are undefined because of an
// error.
func (r *LiveRun) EvalErrors() (all []lsl.EvalError) {
	for _, a := range r.atoms {
		all = append(all, a.log.EvalErrors()...)
	}
	return all
}
