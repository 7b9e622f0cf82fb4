package confirmation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// state is a global state that violates a property of a specification, and that a run is to pass
// through.
type state struct {
	property *spec.Property
	options  tlcheck.Options
}

func (s state) String() string { return s.property.Name }

// reached reports whether a run passed through such a state: whether the property is violated in
// the one order in which its events came.
func (s state) reached(ctx context.Context, a *Attempt) (bool, error) {
	if a.Order == nil {
		return false, nil
	}
	r, err := tlcheck.Check(ctx, a.Order, s.property, s.options)
	return err == nil && r.Verdict == tlcheck.Violated, err
}

// errTemporal says why a property is not tried.
var errTemporal = errors.New("its formula has temporal operators, and a run can be steered to a single state only")

// scheduleOfState returns a schedule that leads to the state of a witness: each goroutine that the
// property speaks of comes to its local state, and stays there until all have.
func scheduleOfState(r *tlcheck.Result, source func(string) ([]byte, int, bool)) (*schedule.Schedule, error) {
	if isTemporal(r.Property.Formula) {
		return nil, errTemporal
	}
	w, net := r.Witness, r.Net
	if w.History != nil {
		return scheduleOfHistory(w.History, net, source)
	}
	tasks := tasksOf(w)
	place := make(map[san.Action]int)
	for i, a := range w.Schedule {
		for _, side := range net.Sides(a) {
			place[side] = i
		}
	}
	slices.SortStableFunc(tasks, func(t, u san.Task) int {
		return cmp.Compare(place[last(w, t)], place[last(w, u)])
	})
	s := new(schedule.Schedule)
	for _, t := range tasks {
		if err := addOrigin(s, net, t, source); err != nil {
			return nil, err
		}
		if err := addArrival(s, net, t, w.Slice.At(t), source); err != nil {
			return nil, err
		}
	}
	if n := len(s.Steps); n > 0 {
		s.Steps[n-1].Halt = true // in the state, which the steps behind it leave
	}
	for _, t := range tasks {
		addDeparture(s, net, t, w.Slice.At(t), source)
	}
	if len(s.Steps) == 0 {
		return nil, errors.New("its goroutines record no event at which they could be held")
	}
	return s, nil
}

// tasksOf returns the tasks that a witness speaks of, each once.
func tasksOf(w *tlcheck.Witness) (tasks []san.Task) {
	for _, b := range w.TIVA {
		if !slices.Contains(tasks, b.Task) {
			tasks = append(tasks, b.Task)
		}
	}
	return tasks
}

// last returns the last event of a task in the slice of a witness; of number 0 if there is none.
func last(w *tlcheck.Witness, t san.Task) san.Action {
	return san.Action{Task: t, K: int32(w.Slice.At(t))}
}

// addArrival adds the steps by which a task has done k events: the last one of the specification
// among them, and then the operation that ends its phase, if that comes behind.
func addArrival(s *schedule.Schedule, net *san.Net, t san.Task, k int, source func(string) ([]byte, int, bool)) error {
	of := k
	for of > 0 && !isOfSpecification(net.Event(san.Action{Task: t, K: int32(of)})) {
		of--
	}
	if of == 0 {
		return nil // it has not begun
	}
	at := san.Action{Task: t, K: int32(of)}
	step := stepOf(net, at, 1, source)
	for i := 1; i < of; i++ {
		if other := stepOf(net, san.Action{Task: t, K: int32(i)}, 1, nil); other.Event == step.Event && other.At == step.At && other.Function == step.Function {
			step.Nth++
		}
	}
	s.Steps = append(s.Steps, step)
	if of < k {
		s.Steps = append(s.Steps, stepOf(net, san.Action{Task: t, K: int32(k)}, 1, source))
	}
	return nil
}

// addDeparture adds the step before which a task that has done k events is held: its next event
// that can be a step. Other events are not steps: those of the sync.Pool in package fmt, and those
// that the standard library does for itself, which are at no place.
func addDeparture(s *schedule.Schedule, net *san.Net, t san.Task, k int, source func(string) ([]byte, int, bool)) {
	for k++; k <= net.Len(t); k++ {
		if step := stepOf(net, san.Action{Task: t, K: int32(k)}, 1, source); step.Line.At != "" && (step.Event != "" || step.Kind != op.None) {
			s.Steps = append(s.Steps, step)
			return
		}
	}
}

// isOfSpecification reports whether an event is recorded because the specification speaks of its
// place.
func isOfSpecification(e san.Info) bool { return e.Enter != "" || e.Exit != "" || e.Op == "" }

// stepOf returns the step that is an event of a net.
func stepOf(net *san.Net, a san.Action, nth int, source func(string) ([]byte, int, bool)) schedule.Step {
	e := net.Event(a)
	step := schedule.Step{Goroutine: net.Name(a.Task), Nth: nth, Line: schedule.LineAt(e.At, "", source)}
	switch {
	case e.Enter != "":
		step.Event, step.Function, step.Text = schedule.Enter, e.Enter, ""
	case e.Exit != "":
		step.Event, step.Function, step.Text = schedule.Exit, e.Exit, ""
	case e.Op == "":
		step.Event = schedule.Statement
	default:
		step.Kind = schedule.KindOf(event.WithoutEffect(e.Op))
	}
	return step
}

// addOrigin adds where a task comes from, and before that where who started it does.
func addOrigin(s *schedule.Schedule, net *san.Net, t san.Task, source func(string) ([]byte, int, bool)) error {
	name := net.Name(t)
	if name == "main" || slices.ContainsFunc(s.Goroutines, func(g schedule.Goroutine) bool { return g.Name == name }) {
		return nil
	}
	by, info, created := net.Origin(t)
	if parent, known := net.Lookup(by); created && known && by == schedule.Parent(name) {
		if err := addOrigin(s, net, parent, source); err != nil {
			return err
		}
	} else {
		return nil // by its number it is found, by its role it is not
	}
	s.Goroutines = append(s.Goroutines, schedule.Goroutine{Name: name, By: by, Nth: nthStart(net, by, name, info.At), Line: schedule.LineAt(info.At, "", source)})
	return nil
}

// nthStart returns which goroutine the named one is of those that another one started on a line.
func nthStart(net *san.Net, by, name, at string) int {
	nth := 1
	number, _ := strconv.Atoi(strings.TrimPrefix(name, by+"."))
	for i := 1; i < number; i++ {
		if t, known := net.Lookup(fmt.Sprintf("%s.%d", by, i)); known {
			if _, info, created := net.Origin(t); created && info.At == at {
				nth++
			}
		}
	}
	return nth
}

// isTemporal reports whether a formula speaks of other slices than the one where it is asked.
func isTemporal(f spec.Formula) bool {
	switch f.(type) {
	case *spec.Future, *spec.Binary:
		return true
	}
	return slices.ContainsFunc(spec.Operands(f), isTemporal)
}

// ConfirmState tries the witness of a violated property, if the run did not pass through its state,
// and returns the outcome. The error is that of a run, or of the context.
func (c *Confirmer) ConfirmState(ctx context.Context, r *tlcheck.Result, options tlcheck.Options, run *Run) (*tlcheck.Confirmation, error) {
	if r.Verdict != tlcheck.Violated || r.Witness == nil || r.Witness.Happened {
		return nil, nil
	}
	program, err := c.Program()
	if err != nil {
		return nil, err
	}
	s, why := scheduleOfState(r, c.Source.File)
	if why == nil {
		if s.Fit(program); len(s.Steps) == 0 {
			why = errors.New("its goroutines are nowhere in the program's own code")
		}
		s.Comment = []string{fmt.Sprintf("%s: %s", r.Name(), spec.FormatProperty(r.Property))}
	}
	return c.confirm(ctx, s, why, state{r.Property, options}, run.Took)
}
