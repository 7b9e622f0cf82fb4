package tracemodel

import (
	"cmp"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tracer/event"
)

// Describe implements kripke.System. For each existing task it returns the functions on its stack
// and their variables, the innermost first. The name of a variable follows that of its task. Shared
// variables are omitted, since their values depend on the task that reads them.
func (r *Run) Describe(s kripke.State) (fields []kripke.Field) {
	packed := r.numbering.Packed(s)
	for t, f := range r.fields {
		if k := f.get(packed); k > 0 || r.created(san.Task(t), s) {
			fields = append(fields, r.view(local{san.Task(t), k})...)
		}
	}
	return fields
}

// describer describes the local states and events of a net, which may grow.
type describer struct {
	net     *san.Net
	views   map[local][]kripke.Field
	walkers map[san.Task]*san.Walker
}

func newDescriber(net *san.Net) describer {
	return describer{net, map[local][]kripke.Field{}, map[san.Task]*san.Walker{}}
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

// Position returns the position of a task's latest event that has one, as "file.go:line"; "" if
// there is none.
func (r *Run) Position(s kripke.State, process int) string {
	return r.net.Place(san.Task(process), r.fields[process].get(r.numbering.Packed(s)))
}

// label describes the events of an action and their positions.
func (r *describer) label(a san.Action) string {
	text := r.event(a)
	for _, side := range r.net.Joint(a) {
		if side.Task != a.Task {
			text += ", with " + r.net.Name(side.Task) + ": " + r.event(side)
		}
	}
	return text
}

// event describes an event in a few words.
func (r *describer) event(a san.Action) string {
	what := cmp.Or(r.net.Describe(a), "step")
	if at := r.net.Event(a).At; at != "" {
		what += " (" + at + ")"
	}
	return what
}
