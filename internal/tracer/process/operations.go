package process

import (
	"iter"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Operations reads the records of operations in a trace, and passes the operations to a watcher in
// the order of the run.
type Operations struct {
	order *causality.Order
	fed   ring.Record // reused
	err   error       // of the order
	code  *code

	// Names that the trace gives to objects without their own; none in traces of programs.
	tasks   map[op.Task]string
	objects map[op.Object]string
}

// code describes the code of a program, from its trace, as its Symbols.
type code struct {
	calls     map[uint64][]op.Call
	functions map[uint64]string
	behind    map[string]*event.Behind
}

func newCode() *code {
	return &code{map[uint64][]op.Call{}, map[uint64]string{}, map[string]*event.Behind{}}
}

// NewOperations returns a reader of the operations in a trace with that header, which passes them
// to a watcher. It is nil if the trace has none.
func NewOperations(h *event.Header, to op.Watcher) *Operations {
	if h.Operations == nil {
		return nil
	}
	o := &Operations{code: newCode()}
	o.order = causality.New(causality.Options{
		Sparse: true, Env: h.Operations.Env, Watch: to, Accesses: h.Operations.Accesses, Symbols: o.code,
		Keep: func(*event.Event) error { return nil }, Traced: o.traced,
	})
	return o
}

// maxCode bounds the described addresses: the trace is untrusted.
const maxCode = 1 << 20

// Add processes an event of the trace. It ignores actions of tasks.
func (o *Operations) Add(e *event.Event) {
	switch {
	case e.Code != nil:
		o.code.add(e.Code)
	case e.Record != nil:
		o.err = o.feed(e.Record)
		if e.Task != "" || e.Obj != "" {
			o.name(e)
		}
	}
}

// name remembers the names in a record.
func (o *Operations) name(e *event.Event) {
	if o.tasks == nil {
		o.tasks, o.objects = map[op.Task]string{}, map[op.Object]string{}
	}
	if t := o.order.TaskOf(e.Record.Ctx); t != op.NoTask && e.Task != "" {
		o.tasks[t] = e.Task
	}
	if object := o.order.ObjectAt(e.Record.Addr); object != 0 && e.Obj != "" {
		o.objects[object] = e.Obj
	}
}

// Task implements op.Names.
func (o *Operations) Task(t op.Task) op.Origin {
	origin := o.order.Task(t)
	if name, ok := o.tasks[t]; ok {
		origin.Name, origin.Display = name, ""
	}
	return origin
}

// IsTaskName reports whether a word is what reports call a task, or begins such a name.
func (o *Operations) IsTaskName(word string) bool { return o.order.IsTaskName(word) }

// Object implements op.Names.
func (o *Operations) Object(object op.Object) string {
	if name, ok := o.objects[object]; ok {
		return name
	}
	return o.order.Object(object)
}

// Place implements op.Names.
func (o *Operations) Place(at op.Place) op.Location { return o.order.Place(at) }

// feed reads a record of a trace.
func (o *Operations) feed(r *event.Record) error {
	o.order.Skip(r.Ctx, r.Skipped)
	if r.Kind == ring.KindEnter { // it stands for the ones that are left out
		o.order.Skip(r.Ctx, 1)
		o.order.GiveName(r.Ctx)
		return nil
	}
	o.fed = ringRecord(r)
	return o.order.Feed(&o.fed)
}

// traced processes the record of a traced function. The traces of programs leave those out.
func (o *Operations) traced(rec *ring.Record) { o.order.Corrupt(rec, "at an unknown site") }

// Finish passes on the remaining operations after the last event.
func (o *Operations) Finish() { o.err = o.order.Finish() }

var _ op.Names = (*Operations)(nil)

// Wrong says which records make no sense, or why the watcher lacks operations; "" if all is well.
func (o *Operations) Wrong() string {
	s := o.order.Stats()
	switch {
	case s.Corrupt > 0:
		return s.First
	case o.err != nil:
		return o.err.Error()
	}
	return s.Unwatched
}

// Behind returns the source's description of the select statement at that place, nil if the trace
// has none.
func (o *Operations) Behind(at string) *event.Behind { return o.code.behind[at] }

// Functions yields the functions that the trace has seen running or called. Other functions of the
// program have not run, or have left no records. It returns false if there were too many to keep.
func (o *Operations) Functions(see func(name string)) bool {
	for _, name := range o.code.functions {
		see(op.ShortName(name))
	}
	for _, calls := range o.code.calls {
		for _, c := range calls {
			see(op.ShortName(c.Function))
		}
	}
	return !o.code.isFull()
}

func (c *code) isFull() bool { return len(c.calls)+len(c.functions)+len(c.behind) >= maxCode }

func (c *code) add(d *event.Code) {
	switch {
	case c.isFull():
	case d.Select != "":
		c.behind[d.Select] = &event.Behind{Harmless: d.Harmless, Leaves: d.Leaves}
	case d.Function != "":
		c.functions[d.PC] = d.Function
	default:
		c.calls[d.PC] = d.Calls
	}
}

// Function implements Symbols.
func (c *code) Function(entry uint64) string { return c.functions[entry] }

// Position implements Symbols.
func (c *code) Position(pcs [ring.PCs]uint64) (at string, library bool) {
	l := c.Location(pcs[:])
	return l.At, l.Library
}

// Location implements Symbols.
func (c *code) Location(pcs []uint64) op.Location { return op.LocationOf(c.Calls(pcs)) }

// Calls implements Symbols.
func (c *code) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for _, pc := range pcs {
			for _, call := range c.calls[pc] {
				if !yield(call) {
					return
				}
			}
		}
	}
}
