package tracemodel

import (
	"cmp"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tracer/event"
)

// Describe implements kripke.System: for each task that is there, in which functions it is and what they see, the innermost
// first; each variable has the name of its task before its own. Shared variables are left out, as what they are depends on
// the task that looks.
func (r *Run) Describe(s kripke.State) (fields []kripke.Field) {
	packed := r.numbering.Packed(s)
	for t, f := range r.fields {
		if k := f.get(packed); k > 0 || r.created(san.Task(t), s) {
			fields = append(fields, r.view(local{san.Task(t), k})...)
		}
	}
	return fields
}

// teller tells of the local states and events of a net, which may grow.
type teller struct {
	net     *san.Net
	views   map[local][]kripke.Field
	walkers map[san.Task]*san.Walker
}

func newTeller(net *san.Net) teller {
	return teller{net, map[local][]kripke.Field{}, map[san.Task]*san.Walker{}}
}

// local is a local state.
type local struct {
	task san.Task
	k    int
}

// view returns what there is to see of a local state.
func (r *teller) view(l local) []kripke.Field {
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
	view := []kripke.Field{{Process: int(l.task), Name: kripke.At, Value: place(stack)}}
	seen := map[string]bool{} // what is further out is hidden
	show := func(vars []event.Binding) {
		for _, b := range vars {
			if !seen[b.Name] {
				seen[b.Name] = true
				view = append(view, kripke.Field{Process: int(l.task), Name: name + "." + b.Name, Value: b.Value.String()})
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

// place says where a task is: its functions, outermost first, with + behind one that it has just entered and - behind one
// that it has just left.
func place(stack []san.Frame) string {
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

// Place returns the position of the latest event of a task that has one, as "file.go:line"; "" if there is none.
func (r *Run) Place(s kripke.State, process int) string {
	return r.net.Place(san.Task(process), r.fields[process].get(r.numbering.Packed(s)))
}

// label says what the events of an action are, and where.
func (r *teller) label(a san.Action) string {
	text := r.event(a)
	for _, side := range r.net.Joint(a) {
		if side.Task != a.Task {
			text += ", with " + r.net.Name(side.Task) + ": " + r.event(side)
		}
	}
	return text
}

// event says in a few words what an event was.
func (r *teller) event(a san.Action) string {
	what := cmp.Or(r.net.What(a), "step")
	if at := r.net.Event(a).At; at != "" {
		what += " (" + at + ")"
	}
	return what
}
