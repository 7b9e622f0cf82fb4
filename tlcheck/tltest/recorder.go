package tltest

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// Recorder records the events of a run. Several goroutines may use it and its tasks at once.
type Recorder struct {
	mu       sync.Mutex
	header   event.Header
	tasks    map[string]*Task
	events   []event.Event
	unlocked map[string]Event   // the last Unlock of each lock
	sent     map[string][]Event // by channel: what has not been received
	err      error              // the first mistake of the test
}

// NewRecorder returns a Recorder without events.
func NewRecorder() *Recorder {
	return &Recorder{
		tasks: map[string]*Task{}, unlocked: map[string]Event{}, sent: map[string][]Event{},
	}
}

// Share declares a shared variable with its initial value. See Task.Write.
func (r *Recorder) Share(name string, initial any) {
	declared, err := bindings([]any{name, initial})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header.Shared = append(r.header.Shared, declared...)
	if err != nil {
		r.noteMistake(callSite(2), err)
	}
}

// Task returns the task of that name. Unless Go has started it, it exists from the beginning.
func (r *Recorder) Task(name string) *Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tasks[name] == nil {
		r.header.Tasks = append(r.header.Tasks, name)
		r.tasks[name] = &Task{recorder: r, name: name}
	}
	return r.tasks[name]
}

// Trace returns a reader of the events so far. The position of an event is the line of the test
// that recorded it.
func (r *Recorder) Trace() event.Reader {
	run, _ := r.snapshot()
	return run
}

// snapshot returns the events so far, and the first mistake.
func (r *Recorder) snapshot() (*reader, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	header := r.header
	return &reader{header: &header, events: slices.Clone(r.events)}, r.err
}

// Event is an event of a task.
type Event struct {
	task *Task
	k    int
}

// Task is a task of a run: a goroutine, a process, whatever acts by itself.
type Task struct {
	recorder *Recorder
	name     string
	events   int
	after    []event.Ref // what its next event comes after
}

// Enter records that the task enters a function, with variables of the function: names and values
// in turn.
func (t *Task) Enter(function string, variables ...any) Event {
	set, err := bindings(variables)
	return t.record(event.Event{Enter: function, Set: set}, err)
}

// Exit records that the task leaves the function that it has entered last, with variables as Enter
// has them.
func (t *Task) Exit(function string, variables ...any) Event {
	set, err := bindings(variables)
	return t.record(event.Event{Exit: function, Set: set}, err)
}

// Set records values of variables, names and values in turn. The variables belong to the function
// that the task is in, or to the task if it is in none.
func (t *Task) Set(variables ...any) Event {
	set, err := bindings(variables)
	return t.record(event.Event{Set: set}, err)
}

// Global is Set for variables of the task, whatever function it is in.
func (t *Task) Global(variables ...any) Event {
	global, err := bindings(variables)
	return t.record(event.Event{Global: global}, err)
}

// Write records that the task writes a shared variable. See Recorder.Share.
func (t *Task) Write(name string, value any) Event {
	write, err := bindings([]any{name, value})
	return t.record(event.Event{Write: write}, err)
}

// Send records that the task sends on a channel. Call it before the program sends.
func (t *Task) Send(channel string) Event {
	return t.record(event.Event{Op: "send", Obj: channel}, nil)
}

// Receive records that the task receives from a channel, what the first Send has sent that was not
// received so far. Call it after the program has received.
func (t *Task) Receive(channel string) Event {
	return t.record(event.Event{Op: "recv", Obj: channel}, nil)
}

// Lock records that the task locks a lock. Call it as soon as the program has locked it.
func (t *Task) Lock(lock string) Event {
	return t.record(event.Event{Op: "lock", Obj: lock}, nil)
}

// Unlock records that the task unlocks a lock. Call it before the program unlocks it.
func (t *Task) Unlock(lock string) Event {
	return t.record(event.Event{Op: "unlock", Obj: lock}, nil)
}

// Do records an operation of another kind, such as "read".
func (t *Task) Do(operation, object string) Event {
	return t.record(event.Event{Op: operation, Obj: object}, nil)
}

// Go records that the task starts another one, which it returns.
func (t *Task) Go(name string) *Task {
	t.record(event.Event{Op: "go", Spawn: name}, nil)
	return t.recorder.Task(name)
}

// End records that the task ends.
func (t *Task) End() Event { return t.record(event.Event{Op: event.OpEnd}, nil) }

// After has the next event of the task come after these. It returns the task:
// b.After(sent).Enter("handle").
func (t *Task) After(events ...Event) *Task {
	t.recorder.mu.Lock()
	defer t.recorder.mu.Unlock()
	t.comesAfter(events...)
	return t
}

func (t *Task) comesAfter(events ...Event) {
	for _, e := range events {
		if e.task != t {
			t.after = append(t.after, event.Ref{Task: e.task.name, K: e.k})
		}
	}
}

// record appends an event, at the line where the test called the exported method. err is a mistake
// in it, if any, which is noted.
func (t *Task) record(e event.Event, err error) Event {
	r := t.recorder
	e.Task, e.At = t.name, callSite(3)
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.applyOrder(&e); err == nil {
		err = before
	}
	if err != nil {
		r.noteMistake(e.At, err)
	}
	e.After, t.after = t.after, nil
	r.events = append(r.events, e)
	t.events++
	recorded := Event{t, t.events}
	switch e.Op {
	case "send":
		r.sent[e.Obj] = append(r.sent[e.Obj], recorded)
	case "unlock":
		r.unlocked[e.Obj] = recorded
	}
	return recorded
}

// applyOrder determines the causes of an event, and the tasks that it starts.
func (r *Recorder) applyOrder(e *event.Event) error {
	t := r.tasks[e.Task]
	switch {
	case e.Op == "recv":
		sent := r.sent[e.Obj]
		if len(sent) == 0 {
			return fmt.Errorf("Receive from %q without a Send before it", e.Obj)
		}
		t.comesAfter(sent[0])
		r.sent[e.Obj] = sent[1:]
	case e.Op == "lock":
		if unlocked, ok := r.unlocked[e.Obj]; ok {
			t.comesAfter(unlocked)
		}
	case e.Spawn != "":
		if r.tasks[e.Spawn] != nil {
			return fmt.Errorf("Go starts task %q, which exists already", e.Spawn)
		}
		r.tasks[e.Spawn] = &Task{recorder: r, name: e.Spawn}
	}
	return nil
}

// noteMistake notes a mistake.
func (r *Recorder) noteMistake(at string, err error) {
	if r.err == nil {
		r.err = &event.Error{Pos: at, Reason: err.Error()}
	}
}

// callSite returns the file and line of the caller that many frames up.
func callSite(skip int) string {
	_, file, line, _ := runtime.Caller(skip)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// reader is an event.Reader of recorded events.
type reader struct {
	header *event.Header
	events []event.Event
	next   int
}

func (r *reader) Header() (*event.Header, error) { return r.header, nil }

func (r *reader) Next(e *event.Event) error {
	if r.next == len(r.events) {
		return io.EOF
	}
	e.CopyFrom(&r.events[r.next])
	r.next++
	return nil
}

func (r *reader) Pos() string {
	if r.next == 0 {
		return "recorder"
	}
	return r.events[r.next-1].At
}
