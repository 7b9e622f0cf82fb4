package replay

import (
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/kripke"
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

// view returns what there is to see of a local state.
func (r *Run) view(l local) []kripke.Field {
	if view, ok := r.views[l]; ok {
		return view
	}
	if r.walkers[l.task] == nil {
		r.walkers[l.task] = r.net.Walk(l.task)
	}
	w := r.walkers[l.task]
	w.Seek(l.k)
	state := w.State()
	stack := state.Stack()
	view := []kripke.Field{{Process: int(l.task), Name: kripke.At, Value: place(stack)}}
	seen := map[string]bool{} // what is further out is hidden
	show := func(vars []event.Binding) {
		for _, b := range vars {
			if !seen[b.Name] {
				seen[b.Name] = true
				view = append(view, kripke.Field{Process: int(l.task), Name: r.tasks[l.task] + "." + b.Name, Value: b.Value.String()})
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
	t := san.Task(process)
	for k := r.fields[t].get(r.numbering.Packed(s)); k > 0; k-- {
		if at := r.net.Event(san.Action{Task: t, K: int32(k)}).At; at != "" {
			return at
		}
	}
	return ""
}
