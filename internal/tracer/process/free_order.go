package process

import (
	"errors"
	"fmt"
	"math"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// FreeOrder reads the trace of a Go program and turns it into the events of the same run without
// the order of its critical sections: each lock and unlock of a Mutex or RWMutex by the program is
// an event, and none of these orders anything (causality.Options.Sections). The records of
// operations in the trace give the remaining order. Events come after those whose values they have
// seen.
type FreeOrder struct {
	order     *causality.Order
	fed       ring.Record // reused
	code      *code
	header    *event.Header
	contexts  map[string]uint64 // by task, once it has had an event
	functions map[string]int32  // numbers of traced functions
	// events of traced functions since the last record of a goroutine; less than 0 if that record
	// has counted one
	counted map[uint64]int
	blind   bool // accesses to memory are ignored
	err     error
}

// ErrNoOperations says that a trace has no operations.
var ErrNoOperations = errors.New("the trace has no operations, which say where critical sections begin and end")

var errOfLog = errors.New("the trace was made of a log, whose operations need not be all there are: check the " +
	"log itself")

// NewFreeOrder returns a reader of a trace with that header. It passes each event to keep, which
// must not retain it. An error says which records the trace lacks.
func NewFreeOrder(h *event.Header, keep func(*event.Event) error) (*FreeOrder, error) {
	return newFreeOrder(h, false, keep)
}

// NewBlindFreeOrder is NewFreeOrder, except that accesses to memory order nothing, as if they were
// not recorded.
func NewBlindFreeOrder(h *event.Header, keep func(*event.Event) error) (*FreeOrder, error) {
	return newFreeOrder(h, true, keep)
}

func newFreeOrder(h *event.Header, blind bool, keep func(*event.Event) error) (*FreeOrder, error) {
	switch {
	case h.Operations == nil:
		return nil, ErrNoOperations
	case len(h.Operations.Only) > 0:
		return nil, errOfLog
	}
	f := &FreeOrder{blind: blind, code: newCode(), contexts: map[string]uint64{}, functions: map[string]int32{},
		counted: map[uint64]int{}}
	values := newReadsFrom()
	f.order = causality.New(causality.Options{
		Sections: true, Env: h.Operations.Env, Accesses: h.Operations.Accesses && !blind, Symbols: partialCode{f.code},
		Watch:  op.Discard, // required for the names of objects
		Keep:   func(e *event.Event) error { return keep(values.order(e)) },
		Traced: f.traced,
	})
	header := *h
	header.Tasks, header.Sparse = f.order.InitialTasks(), false
	f.header = &header
	return f, nil
}

// partialCode is the code of a trace, which describes only some addresses. An address that it does
// not describe may be in the standard library, whose locks keep the order of their sections.
type partialCode struct{ *code }

func (c partialCode) Location(pcs []uint64) op.Location {
	l := c.code.Location(pcs)
	for _, pc := range pcs {
		_, isDescribed := c.calls[pc]
		l.Library = l.Library || pc != 0 && !isDescribed
	}
	return l
}

// ShowsReads reports whether the Seen of events shows which writes reads have seen. That requires
// recorded accesses to memory.
func (f *FreeOrder) ShowsReads() bool { return f.header.Operations.Accesses && !f.blind }

// Open returns why events may see other values in another order than in the run, although they come
// after Seen; "" if they cannot.
func (f *FreeOrder) Open() string {
	switch at := f.order.Stats().Open; {
	case !f.ShowsReads():
		return noAccesses
	case f.header.Operations.Hidden == "" && at != "":
		return "the race at " + at + " leaves open what is read"
	}
	return f.header.Operations.Hidden
}

const noAccesses = "accesses to memory are not recorded: add --builtin race --race-in all"

// Header returns the header of the events.
func (f *FreeOrder) Header() *event.Header { return f.header }

// Add takes the next event of the trace.
func (f *FreeOrder) Add(e *event.Event) error {
	switch {
	case f.err != nil:
	case e.Code != nil:
		f.code.add(e.Code)
	case e.Record != nil && (e.Task != "" || e.Obj != ""):
		f.err = errOfLog
	case e.Record != nil:
		f.err = f.record(e.Record)
	case isTraced(e):
		f.err = f.keepEvent(e)
	}
	return f.err
}

// isTraced reports whether an event is that of a traced function or statement. All others follow
// from the records.
func isTraced(e *event.Event) bool {
	return e.Enter != "" || e.Exit != "" || e.Op == "" && (e.At != "" || len(e.Set)+len(e.Global)+len(e.Write) > 0)
}

// traced processes the record of a traced function. The traces of programs leave those out.
func (f *FreeOrder) traced(rec *ring.Record) { f.order.Corrupt(rec, "at an unknown site") }

// record processes a record. Records of traced functions before it have been counted with their
// events, since writes come between them.
func (f *FreeOrder) record(r *event.Record) error {
	left := int(min(r.Skipped, math.MaxInt32)) - f.counted[r.Ctx]
	isTraced := r.Kind == ring.KindEnter // it stands for an event that may follow later
	if isTraced {
		left++
	}
	if f.counted[r.Ctx] = 0; left > 0 {
		f.order.Skip(r.Ctx, uint64(left))
	}
	switch {
	case f.blind && (r.Kind == ring.KindRead || r.Kind == ring.KindWrite):
		return nil
	case !isTraced:
		f.fed = ringRecord(r)
		return f.order.Feed(&f.fed)
	}
	if left > 0 {
		f.counted[r.Ctx] = -1
	}
	f.order.GiveName(r.Ctx)
	return nil
}

// count counts the record that an event comes from.
func (f *FreeOrder) count(ctx uint64) {
	if f.counted[ctx] >= 0 {
		f.order.Count(ctx)
	}
	f.counted[ctx]++
}

// keepEvent keeps the event of a traced function. In the run all records before it have been read
// by then.
func (f *FreeOrder) keepEvent(e *event.Event) error {
	if err := f.order.Idle(); err != nil {
		return err
	}
	ctx := f.context(e.Task)
	switch {
	case ctx == 0 && e.Exit != "":
		return nil // of a goroutine that has ended and so closed its frames
	case ctx == 0 || !f.order.MakeTask(ctx):
		return fmt.Errorf("no record of the trace introduces the task %q", e.Task)
	case e.Exit != "" && !f.order.Unwind(ctx, f.function(e.Exit), 0):
		return fmt.Errorf("task %q leaves a function that it was not in, %q", e.Task, e.Exit)
	}
	if e.At != "" { // an exit by panic has no record
		f.count(ctx)
	}
	kept := f.order.Event()
	kept.Enter, kept.Exit, kept.Op, kept.At = e.Enter, e.Exit, e.Op, e.At
	kept.Set, kept.Global, kept.Write = append(kept.Set, e.Set...), append(kept.Global, e.Global...),
		append(kept.Write, e.Write...)
	switch {
	case e.Enter != "":
		f.order.Enter(ctx, causality.Frame{Function: f.function(e.Enter), Name: e.Enter})
	case e.Exit != "":
		f.order.Leave(ctx)
	default:
		f.order.Keep(ctx)
	}
	return nil
}

// context returns the number of a task's goroutine, 0 if there is none or it has ended.
func (f *FreeOrder) context(task string) uint64 {
	ctx, ok := f.contexts[task]
	if !ok || f.order.TaskName(ctx) != task {
		ctx = f.order.Goroutine(task)
		f.contexts[task] = ctx
	}
	return ctx
}

func (f *FreeOrder) function(name string) int32 {
	n, ok := f.functions[name]
	if !ok {
		n = int32(len(f.functions))
		f.functions[name] = n
	}
	return n
}

// Finish keeps the remaining events. It returns an error if the events do not match the events of
// the run.
func (f *FreeOrder) Finish() error {
	if f.err == nil {
		f.err = f.order.Finish()
	}
	if s := f.order.Stats(); f.err == nil && s.Corrupt > 0 {
		f.err = errors.New(s.First)
	}
	return f.err
}
