package gotrace

import (
	"cmp"
	"fmt"
	"maps"
	stdslices "slices"
	"strings"

	symbols "github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/oplog"
	"github.com/antichain-go/antichain/tracer/op"
	"golang.org/x/exp/trace"
)

// run turns an execution trace into events.
type run struct {
	events     []event.Event // including the records of operations
	actions    int           // events that are no records
	initial    []string      // goroutines with events that no event creates, in the order of these
	goroutines map[trace.GoID]*goroutine
	tasks      map[trace.TaskID]*task
	operations operations
}

// goroutine is a goroutine that has appeared in the trace.
type goroutine struct {
	id       trace.GoID
	name     string
	function string // of the go statement; "" if it was not seen
	at       string // where that function begins
	system   bool   // it is the runtime's
	created  bool   // by an event
	started  bool   // it has run, so its function has been entered
	ended    bool
	events   int
	regions  []string           // that it is in
	causes   map[trace.GoID]int // the events of others that its next event comes after

	task       *oplog.Task      // of its records, nil if there is none
	introduced *event.Record    // its beginning, if it has no parent
	root       trace.StackFrame // its function, unless Func is ""
	state      trace.GoState
	reason     string             // of that state
	waits      []trace.StackFrame // where it was when it last stopped
}

// task is one of runtime/trace.
type task struct {
	value event.Value
	by    trace.GoID // the goroutine that has begun it
	k     int        // the event that has
}

func newRun(name string) *run {
	return &run{goroutines: map[trace.GoID]*goroutine{}, tasks: map[trace.TaskID]*task{},
		operations: newOperations(name)}
}

// add adds the events for one of the trace.
func (r *run) add(e *trace.Event) {
	kind := e.Kind()
	if kind == trace.EventStateTransition {
		if s := e.StateTransition(); s.Resource.Kind == trace.ResourceGoroutine {
			r.transition(e, &s)
		}
		return
	}
	g := r.goroutineOf(e)
	if g == nil {
		return
	}
	switch kind {
	case trace.EventRegionBegin:
		r.enter(g, e)
	case trace.EventRegionEnd:
		r.leave(g, e)
	case trace.EventTaskBegin:
		r.begin(g, e)
	case trace.EventTaskEnd:
		t := e.Task()
		r.orderAfterTask(g, t.ID)
		r.emit(g, e, event.Event{Op: "task end", Obj: taskName(t),
			Global: []event.Binding{{Name: "ended", Value: r.taskValue(t)}}})
	case trace.EventLog:
		r.log(g, e)
	}
}

// goroutineOf returns the goroutine of an event, nil if there is none or it is the runtime's.
func (r *run) goroutineOf(e *trace.Event) *goroutine {
	id := e.Goroutine()
	if id == trace.NoGoroutine {
		return nil
	}
	if g := r.goroutine(id); !g.system && !g.ended {
		return g
	}
	return nil
}

func (r *run) goroutine(id trace.GoID) *goroutine {
	g := r.goroutines[id]
	if g == nil {
		g = &goroutine{id: id, name: fmt.Sprintf("goroutine %d", id), causes: map[trace.GoID]int{}}
		if id == 1 {
			g.name = "main"
		}
		r.goroutines[id] = g
	}
	return g
}

// transition takes a change of the state of a goroutine.
func (r *run) transition(e *trace.Event, s *trace.StateTransition) {
	id := s.Resource.Goroutine()
	if _, known := r.goroutines[id]; !known {
		r.nameGoroutine(id, s)
	}
	g := r.goroutine(id)
	if g.system || g.ended {
		return
	}
	from, to := s.Goroutine()
	by := r.goroutineOf(e)
	r.takeTransition(e, s, g, by)
	if by != nil && by != g {
		switch {
		case from == trace.GoNotExist && !g.created && g.events == 0:
			r.spawn(by, g, e)
		case from == trace.GoWaiting && to == trace.GoRunnable:
			r.unblock(by, g, e)
		}
	}
	switch {
	case to == trace.GoRunning && g.function != "" && !g.started:
		g.started = true
		r.emit(g, nil, event.Event{Enter: g.function, At: g.at})
	case to == trace.GoNotExist:
		r.end(g)
	}
}

// nameGoroutine names a goroutine by its first stack: that of one that is created begins with its
// function, that of another ends with it.
func (r *run) nameGoroutine(id trace.GoID, s *trace.StateTransition) {
	g := r.goroutine(id)
	frames := stack(s.Stack)
	if len(frames) == 0 {
		return
	}
	if from, _ := s.Goroutine(); from != trace.GoNotExist {
		g.system = ofRuntime(frames[len(frames)-1].Func)
		return
	}
	f := frames[0]
	g.function, g.at = short(f.Func), position(f)
	g.name = fmt.Sprintf("%s %d", g.function, id)
	g.system = ofRuntime(f.Func)
}

// ofRuntime reports whether a goroutine with that function is the runtime's own.
func ofRuntime(function string) bool {
	return function != "runtime.main" &&
		(strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "runtime/"))
}

// short is the name of a function with its package's name instead of its path.
func short(function string) string {
	return symbols.UnescapePath(function[strings.LastIndexByte(function, '/')+1:])
}

func position(f trace.StackFrame) string {
	if f.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// place returns the place in the program where an event happened.
func place(e *trace.Event) string {
	for f := range e.Stack().Frames() {
		if !ofRuntime(f.Func) {
			return position(f)
		}
	}
	return ""
}

// emit adds an event of a goroutine; from is its origin in the trace, nil for one without a stack.
func (r *run) emit(g *goroutine, from *trace.Event, e event.Event) {
	if g.events == 0 && !g.created {
		r.initial = append(r.initial, g.name)
	}
	g.events++
	e.Task = g.name
	if from != nil {
		e.At = place(from)
	}
	for _, id := range stdslices.Sorted(maps.Keys(g.causes)) {
		e.After = append(e.After, event.Ref{Task: r.goroutines[id].name, K: g.causes[id]})
	}
	clear(g.causes)
	r.collect()
	r.events = append(r.events, e)
	r.actions++
}

// orderAfter orders the next event of a goroutine after the k-th of another.
func (g *goroutine) orderAfter(other trace.GoID, k int) {
	if other != g.id {
		g.causes[other] = max(g.causes[other], k)
	}
}

func (r *run) spawn(by, g *goroutine, e *trace.Event) {
	g.created = true
	r.emit(by, e, event.Event{Spawn: g.name, Op: op.Go.String(), Obj: cmp.Or(g.function, g.name)})
}

// unblock orders the next event of a goroutine after all actions of the one that wakes it.
// Otherwise knowledge that the waker has gained since its last event would be lost.
func (r *run) unblock(by, g *goroutine, e *trace.Event) {
	if len(by.causes) > 0 || by.created && by.events == 0 {
		r.emit(by, e, event.Event{Op: "unblock", Obj: g.name})
	}
	if by.events > 0 {
		g.orderAfter(by.id, by.events)
	}
}

func (r *run) end(g *goroutine) {
	g.ended = true
	e := event.Event{Op: event.OpEnd}
	if g.started && len(g.regions) == 0 {
		e.Exit = g.function
	}
	r.emit(g, nil, e)
	g.regions, g.causes = nil, nil
}

func (r *run) enter(g *goroutine, from *trace.Event) {
	region := from.Region()
	name := regionName(region)
	e := event.Event{Enter: name}
	if t := r.orderAfterTask(g, region.Task); t != nil {
		e.Set = []event.Binding{{Name: "task", Value: t.value}}
	}
	g.regions = append(g.regions, name)
	r.emit(g, from, e)
}

// leave ends a region, unless it began before the trace did.
func (r *run) leave(g *goroutine, from *trace.Event) {
	name := regionName(from.Region())
	last := len(g.regions) - 1
	if last < 0 || g.regions[last] != name {
		return
	}
	g.regions = g.regions[:last]
	r.emit(g, from, event.Event{Exit: name})
}

func regionName(region trace.Region) string { return cmp.Or(region.Type, "region") }

func (r *run) begin(g *goroutine, from *trace.Event) {
	t := from.Task()
	r.orderAfterTask(g, t.Parent)
	value := r.taskValue(t)
	r.emit(g, from, event.Event{Op: "task", Obj: taskName(t), Global: []event.Binding{{Name: "begun", Value: value}}})
	r.tasks[t.ID] = &task{value, g.id, g.events}
}

// orderAfterTask orders the next event of a goroutine after the beginning of a task, where its
// context comes from. It returns the task, nil if its beginning is not in the trace.
func (r *run) orderAfterTask(g *goroutine, id trace.TaskID) *task {
	t := r.tasks[id]
	if t != nil {
		g.orderAfter(t.by, t.k)
	}
	return t
}

func (r *run) taskValue(t trace.Task) event.Value {
	return event.ObjectValue([]event.Binding{{Name: "type", Value: event.StringValue(t.Type)},
		{Name: "id", Value: event.UintValue(uint64(t.ID))}})
}

func taskName(t trace.Task) string { return fmt.Sprintf("%s %d", t.Type, t.ID) }

func (r *run) log(g *goroutine, from *trace.Event) {
	l := from.Log()
	r.orderAfterTask(g, l.Task)
	r.emit(g, from, event.Event{Op: "log",
		Global: []event.Binding{{Name: cmp.Or(l.Category, "log"), Value: event.StringValue(l.Message)}}})
}
