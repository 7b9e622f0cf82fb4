// Package oplog makes records of operations from logs of programs other than Go's. Their readers
// describe the operations of the log's tasks, and get the events that a trace has for them.
package oplog

import (
	"cmp"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Log makes the events of the operations of a log.
type Log struct {
	name    string
	tasks   uint64
	objects uint64
	pcs     map[string]uint64 // of places and functions
	lines   []line            // those before next have been read
	next    int
}

// line is a record of a task on an object, or a description of code.
type line struct {
	record       *event.Record
	code         *event.Code
	task, object string
}

// Task is a task of a log, as a goroutine.
type Task struct {
	Name string // "" if it has the default name of goroutines
	Ctx  uint64 // the number of the goroutine
	exit uint64 // the object that it releases at its end
}

// New returns a Log without operations. name is the place of those for which the log has none.
func New(name string) *Log { return &Log{name: name, pcs: map[string]uint64{}} }

// Next makes e the next event that has not been read, and reports whether there is one.
func (l *Log) Next(e *event.Event) bool {
	if l.next == len(l.lines) {
		l.lines, l.next = l.lines[:0], 0
		return false
	}
	from := &l.lines[l.next]
	l.next++
	e.Reset()
	e.Record, e.Code, e.Task, e.Obj = from.record, from.code, from.task, from.object
	return true
}

// apart is the distance between addresses: the reader of operations allocates memory for the
// objects in a range. An object can have further addresses behind its own.
const apart = 64

// NewAddress returns an address for an object that has none.
func (l *Log) NewAddress() uint64 {
	l.objects++
	return apart * l.objects
}

// At returns an address for a place in the program, as the log names it. A log without places is
// one place itself, since its lines are too many to distinguish.
func (l *Log) At(place string) uint64 {
	place = cmp.Or(place, l.name)
	if pc, ok := l.pcs[place]; ok {
		return pc
	}
	return l.describe(place, &event.Code{Calls: []op.Call{{At: place}}})
}

// Stack returns an address for calls, innermost first, 0 if there are none.
func (l *Log) Stack(calls []op.Call) uint64 {
	var key strings.Builder
	for _, c := range calls {
		key.WriteString(c.Function + "\n" + c.At + "\n")
	}
	return l.describe(key.String(), &event.Code{Calls: calls})
}

// Function returns the address of a function, 0 if its name is not known.
func (l *Log) Function(name string) uint64 { return l.describe(name, &event.Code{Function: name}) }

// describe returns an address for code, which is described before its first record.
func (l *Log) describe(key string, code *event.Code) uint64 {
	pc, ok := l.pcs[key]
	if !ok && key != "" {
		pc = uint64(len(l.pcs)) + 1
		l.pcs[key], code.PC = pc, pc
		l.lines = append(l.lines, line{code: code})
	}
	return pc
}

// Put writes a record of a task. It returns the record, which can be completed until it is read.
func (l *Log) Put(t *Task, made event.Record, object string) *event.Record {
	made.Ctx = t.Ctx
	l.lines = append(l.lines, line{record: &made, task: t.Name, object: object})
	return &made
}

// NewTask returns a task that has not begun. The first one is the main goroutine.
func (l *Log) NewTask(name string) *Task {
	l.tasks++
	return &Task{name, l.tasks, l.NewAddress()}
}

// IsMain reports whether the task is the main goroutine.
func (t *Task) IsMain() bool { return t.Ctx == 1 }

// Begin writes that a task begins by itself. It returns the record of that, as Put does.
func (l *Log) Begin(t *Task) *event.Record {
	begun := l.Put(t, event.Record{Kind: ring.KindThreadStart}, "")
	if t.IsMain() {
		begun.Kind, begun.Arg = ring.KindStarted, 1
	}
	l.introduce(t)
	return begun
}

// Start writes that a task starts another, which runs a function.
func (l *Log) Start(t, child *Task, function, at uint64) {
	l.Put(t, event.Record{Kind: ring.KindGo, Addr: child.Ctx, Aux: function, PC: [ring.PCs]uint64{at}}, "")
	l.introduce(child)
}

// introduce gives a task its name, even if it only takes part in operations of other tasks. Nothing
// is released there before its end.
func (l *Log) introduce(t *Task) {
	if t.Name != "" {
		l.Put(t, event.Record{Kind: ring.KindAcquire, Addr: t.exit, Aux: t.exit}, "")
	}
}

// End writes the end of a task, for the tasks that join it.
func (l *Log) End(t *Task) {
	l.Put(t, event.Record{Kind: ring.KindRelease, Addr: t.exit, Aux: t.exit}, "")
	l.Put(t, event.Record{Kind: ring.KindEnd}, "")
}

// Join writes that a task has waited for the end of another.
func (l *Log) Join(t, other *Task, at uint64) {
	l.Put(t, event.Record{Kind: ring.KindAcquire, Addr: other.exit, Aux: other.exit, PC: [ring.PCs]uint64{at}}, "")
}

// Access writes that a task reads or writes a variable.
func (l *Log) Access(t *Task, variable uint64, writes bool, at uint64) {
	made := event.Record{Kind: ring.KindRead, Addr: variable, Aux: 1, PC: [ring.PCs]uint64{at}}
	if writes {
		made.Kind = ring.KindWrite
	}
	l.Put(t, made, "")
}
