package tracemodel

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tracer/event"
)

// describer describes the states and moves of a net, which may grow.
type describer struct {
	net     *san.Net
	run     states
	views   map[local][]kripke.Field
	walkers map[san.Task]*san.Walker
}

// states maps the states of a run to slices.
type states interface {
	at(t san.Task, s kripke.State) int // the number of events of a task in the slice of a state
}

func newDescriber(net *san.Net, run states) describer {
	return describer{net, run, map[local][]kripke.Field{}, map[san.Task]*san.Walker{}}
}

// Net returns the net of the run so far.
func (r *describer) Net() *san.Net { return r.net }

// created reports whether a task exists in the slice of a state.
func (r *describer) created(t san.Task, s kripke.State) bool {
	creator, ok := r.net.SpawnedBy(t)
	return !ok || r.run.at(creator.Task, s) >= int(creator.K)
}

// Describe implements kripke.System. For each existing task it returns the functions on its stack
// and their variables, the innermost first. The name of a variable follows that of its task. Shared
// variables are omitted, since their values depend on the task that reads them.
func (r *describer) Describe(s kripke.State) (fields []kripke.Field) {
	for t := range san.Task(r.net.Tasks()) {
		if k := r.run.at(t, s); k > 0 || r.created(t, s) {
			fields = append(fields, r.view(local{t, k})...)
		}
	}
	return fields
}

// Position returns the position of a task's latest event that has one, as "file.go:line"; "" if
// there is none.
func (r *describer) Position(s kripke.State, process int) string {
	return r.net.Place(san.Task(process), r.run.at(san.Task(process), s))
}

// Runs returns the function that a task runs, "" if it is unknown.
func (r *describer) Runs(process int) string {
	_, start, _ := r.net.Origin(san.Task(process))
	return start.Obj
}

// Label implements kripke.System. It describes the events of the action and their positions.
func (r *describer) Label(_ kripke.State, m kripke.Move) string {
	a := san.Action{Task: san.Task(m.Process), K: m.Action}
	text := r.event(a)
	for _, side := range r.net.Joint(a) {
		if side.Task != a.Task {
			text += ", with " + r.net.Name(side.Task) + ": " + r.event(side)
		}
	}
	return text
}

// local is a local state.
type local struct {
	task san.Task
	k    int
}

// view returns the visible fields of a local state.
func (r *describer) view(l local) []kripke.Field {
	if view, ok := r.views[l]; ok {
		return view
	}
	if r.walkers[l.task] == nil {
		r.walkers[l.task] = r.net.Walk(l.task)
	}
	w, name := r.walkers[l.task], r.net.Name(l.task)
	w.Seek(l.k)
	state := w.State()
	stack := state.Stack()
	view := []kripke.Field{{Process: int(l.task), Name: kripke.At, Value: location(stack)}}
	seen := map[string]bool{} // variables of outer functions with the same name are hidden
	show := func(vars []event.Binding) {
		for _, b := range vars {
			if !seen[b.Name] {
				seen[b.Name] = true
				view = append(view, kripke.Field{Process: int(l.task), Name: name + "." + b.Name,
					Value: b.Value.String()})
			}
		}
	}
	for i := len(stack) - 1; i >= 0; i-- {
		show(stack[i].Vars)
	}
	show(state.Own())
	r.views[l] = view
	return view
}

// location returns the functions on the stack of a task, outermost first. A + follows one that it
// has just entered, and a - one that it has just left.
func location(stack []san.Frame) string {
	var b strings.Builder
	for i, f := range stack {
		if i > 0 {
			b.WriteString(">")
		}
		b.WriteString(f.Func)
		switch f.Phase {
		case san.Start:
			b.WriteString("+")
		case san.Term:
			b.WriteString("-")
		}
	}
	if b.Len() == 0 {
		return "outside"
	}
	return b.String()
}

// event describes an event in a few words.
func (r *describer) event(a san.Action) string {
	what := cmp.Or(r.net.Describe(a), "step")
	if at := r.net.Event(a).At; at != "" {
		what += " (" + at + ")"
	}
	return what
}

// Order draws the partial order of the run: its actions, and the direct order between them by
// program order, spawns and causes. Actions in the slice are bold. The error is for more than most
// actions.
func (r *Run) Order(s kripke.State, most int) (*diagram.Graph, error) {
	if n := r.net.Actions(); n > most {
		return nil, fmt.Errorf("the run has %d actions, too many for a picture (the limit is %d)", n, most)
	}
	g := &diagram.Graph{Groups: []string{""}}
	slice := r.Slice(s)
	number := map[san.Action]int{} // by canonical name
	for a := range r.net.Order() {
		text := ""
		for i, side := range r.net.Sides(a) {
			if i > 0 {
				text += "\n"
			}
			text += fmt.Sprintf("%s %d: %s", r.net.Name(side.Task), r.net.Number(side.Task, int(side.K)), r.event(side))
		}
		number[a] = len(g.Nodes)
		g.Nodes = append(g.Nodes, diagram.Node{Text: text, Bold: slice.Has(a)})
		for _, b := range r.before(a) {
			g.Edges = append(g.Edges, diagram.Edge{From: number[b], To: number[a], Dashed: b.Task != a.Task})
		}
	}
	return g, nil
}

// before returns the direct predecessors of an action, by canonical names.
func (r *Run) before(a san.Action) (before []san.Action) {
	seen := map[san.Action]bool{}
	add := func(b san.Action) {
		if b = r.net.Canonical(b); !seen[b] {
			seen[b] = true
			before = append(before, b)
		}
	}
	for _, side := range r.net.Sides(a) {
		if side.K > 1 {
			add(san.Action{Task: side.Task, K: side.K - 1})
		} else if by, ok := r.net.SpawnedBy(side.Task); ok {
			add(by)
		}
		for _, c := range r.net.Causes(side) {
			add(c)
		}
	}
	return before
}
