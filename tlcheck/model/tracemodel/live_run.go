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

// LiveRun is the run of a program that goes on, as a transition system of one path: its states are the slices that the
// run passes, in the order in which it was recorded. It grows with AddFrom. It is for one goroutine.
type LiveRun struct {
	teller
	builder *san.Builder
	shared  []string
	ends    []int   // by state: how many recorded events are in its slice
	places  [][]int // by task: where its events stand in the recorded order, ascending
	tasks   []string
	named   map[string]kripke.Atom
	atoms   []liveAtom
}

var _ kripke.System = (*LiveRun)(nil)

// liveAtom is a local formula of a task that may not be there yet.
type liveAtom struct {
	task    string
	formula *lsl.Formula
	log     *lsl.Log
	walker  *san.Walker // nil before the task is there; at the last state that was looked at
	atom                // as far as the walker has come
}

// NewLive returns the run of a program with that header, of which nothing has happened.
func NewLive(h *event.Header) (*LiveRun, error) {
	builder, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	builder.RequireMutual()
	r := &LiveRun{teller: newTeller(builder.Net()), builder: builder, ends: []int{0}, named: map[string]kripke.Atom{}}
	for _, s := range h.Shared {
		r.shared = append(r.shared, s.Name)
	}
	r.grow()
	return r, nil
}

// AddFrom reads an event. Once those that it waits for are read, too, there is one state more.
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

// grow makes states of what has become part of the net.
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

// Net returns the net of the run so far.
func (r *LiveRun) Net() *san.Net { return r.net }

// Processes implements kripke.System: they are the tasks so far.
func (r *LiveRun) Processes() []string { return r.tasks }

// Initial implements kripke.System: the slice in which nothing has happened.
func (r *LiveRun) Initial() []kripke.State { return []kripke.State{0} }

// States implements kripke.System.
func (r *LiveRun) States() int { return len(r.ends) }

// Last returns the state that the run has come to.
func (r *LiveRun) Last() kripke.State { return kripke.State(len(r.ends) - 1) }

// at returns how many events of a task are in a state's slice.
func (r *LiveRun) at(t san.Task, s kripke.State) int { return sort.SearchInts(r.places[t], r.ends[s]) }

// Action returns the action that led to a state, which must not be the first one.
func (r *LiveRun) Action(s kripke.State) san.Action {
	t := r.net.Recorded(r.ends[s-1])[0]
	return r.net.Canonical(san.Action{Task: t, K: int32(r.at(t, s))})
}

// Moves implements kripke.System: what has come next, if that is known yet.
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

// there reports whether a task is there in a state.
func (r *LiveRun) there(t san.Task, s kripke.State) bool {
	creator, ok := r.net.SpawnedBy(t)
	return !ok || r.at(creator.Task, s) >= int(creator.K)
}

// Atom implements kripke.System. The name is that of an atom of a Run, but the task need not be there yet. A formula about
// shared variables is refused: what they can be is known at the end of the run.
func (r *LiveRun) Atom(name string) (kripke.Atom, error) {
	if a, ok := r.named[name]; ok {
		return a, nil
	}
	task, prop, err := r.read(name)
	if err != nil {
		return 0, err
	}
	if err := tlcheck.Monitorable(prop, lsl.L3, r.shared); err != nil {
		var refused *tlcheck.UnsupportedError
		if errors.As(err, &refused) {
			err = errors.New(name + " cannot be evaluated while the program runs: " + refused.Reason)
		}
		return 0, err
	}
	a := kripke.Atom(len(r.atoms))
	r.atoms = append(r.atoms, liveAtom{task: task, log: &lsl.Log{}, formula: lsl.Compile(r.net, prop.Formula.(*spec.Atom).Local, lsl.L3)})
	r.named[name] = a
	return a, nil
}

// Task returns the name of the task that an atom is about.
func (r *LiveRun) Task(p kripke.Atom) string { return r.atoms[p].task }

// Holds implements kripke.System, in time logarithmic in the events of the task. A local state is looked at once.
func (r *LiveRun) Holds(p kripke.Atom, s kripke.State) bool {
	a := &r.atoms[p]
	if !r.follow(a) {
		return false
	}
	k := r.at(a.atom.task, s)
	return a.in(k) && (k > 0 || r.there(a.atom.task, s))
}

// follow looks at the local states of an atom's task that have come. It returns false if the task is not there.
func (r *LiveRun) follow(a *liveAtom) bool {
	if a.walker == nil {
		t, ok := r.net.Lookup(a.task)
		if !ok {
			return false
		}
		a.atom.task, a.walker = t, r.net.Walk(t)
		r.look(a)
	}
	for a.walker.Next() {
		r.look(a)
	}
	return true
}

func (r *LiveRun) look(a *liveAtom) {
	state := a.walker.State()
	if a.formula.Eval(state, a.log) == lsl.True {
		a.add(state.K())
	}
}

// Failed returns an error if propositions could not be evaluated at all, since their formulas are too deep or the like.
func (r *LiveRun) Failed() error {
	for _, a := range r.atoms {
		if err := gaveUp("a proposition", a.log); err != nil {
			return err
		}
	}
	return nil
}

// EvalErrors returns where propositions are undefined, in the states that were looked at, since they cannot be evaluated.
func (r *LiveRun) EvalErrors() (all []lsl.EvalError) {
	for _, a := range r.atoms {
		all = append(all, a.log.EvalErrors()...)
	}
	return all
}

// Describe implements kripke.System, as that of a Run does.
func (r *LiveRun) Describe(s kripke.State) (fields []kripke.Field) {
	for t := range san.Task(len(r.tasks)) {
		if k := r.at(t, s); k > 0 || r.there(t, s) {
			fields = append(fields, r.view(local{t, k})...)
		}
	}
	return fields
}

// Label implements kripke.System.
func (r *LiveRun) Label(_ kripke.State, m kripke.Move) string {
	return r.label(san.Action{Task: san.Task(m.Process), K: m.Action})
}

// Place returns the position of the latest event of a task that has one, as "file.go:line"; "" if there is none.
func (r *LiveRun) Place(s kripke.State, process int) string {
	return r.net.Place(san.Task(process), r.at(san.Task(process), s))
}
