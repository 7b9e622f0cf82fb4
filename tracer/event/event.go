package event

import "github.com/antichain-go/antichain/internal/wording"

// Header is the first line of a trace: what is known before the first event.
type Header struct {
	Version int      // format version, 1 or 2; a writer takes 0 for 1
	Tasks   []string // initial tasks, in order; at least one, no two alike

	Consts []Binding // program constants, visible in every local state behind all other scopes
	Shared []Binding // shared variables (value sets) with their initial values

	Run, Program, Host, Start string // informative; Start is RFC 3339

	// Instrumented says which names a tracer has recorded; nil for a trace whose
	// producer did not say. A specification that names others is refused.
	Instrumented *Instrumentation

	// Sparse says that the tracer has left out tasks of which it would have shown no
	// more than their beginning and end, and that EnvTask creates the others:
	// who started one is in its name, "a.2" being the second that "a" started. Only
	// properties that cannot see the difference can be checked (tlcheck.Sparse).
	Sparse bool

	// Caveat says, in a sentence without a full stop, what a verdict on the trace rests on because
	// its source shows less than what happened. Reports show it beside each verdict.
	Caveat string

	// Unordered says that nobody has seen in which order the events of different tasks came: that
	// in which they stand is one of those that are possible.
	Unordered bool

	// Sums says that each group of lines of the text form is followed by its checksum. Writers of
	// version 2 set it.
	Sums bool

	// Operations says which operations of the run are in the trace beside its events; nil if none
	// are.
	Operations *Operations

	// keys that have no meaning, kept as they came; of version 2 those that begin with "x-"
	Extra []Binding
}

// Operations says which operations of a run a trace has for the built-in properties. It is the
// header key "operations".
type Operations struct {
	Accesses bool   // accesses to memory are among them
	Hidden   string // why not all accesses are, "" if they are
	Env      bool   // goroutines that nobody in the program started may run its code

	// Only names the built-in properties that can be judged on the operations of a log that does
	// not show all of them; none if all can.
	Only []string
}

// Untraced says why the trace supports no verdict: it does not show all synchronisation. It is ""
// for a trace that does.
func (h *Header) Untraced() string {
	if h.Instrumented == nil || len(h.Instrumented.Untraced) == 0 {
		return ""
	}
	return "the program was traced without " + wording.List(h.Instrumented.Untraced)
}

// Instrumentation lists what a traced program records, as canonical names.
// It is the header key "instrumented".
type Instrumentation struct {
	Package string // import path that short names are resolved against
	// frame names: "append", "Queue.put", "other.Queue.put" (package name for other packages)
	Functions []string
	Variables []string // variable paths as recorded: "b.last", "elem"
	Steps     bool     // every statement of the traced functions is an event

	// Names are names of functions as the specification writes them, and the frame names
	// that the tracer took them for, where these differ.
	Names map[string]string `json:",omitempty"`

	// Untraced names the kinds of synchronisation that the tracer could not see. What they
	// order looks unordered in the trace, so it supports no verdict if there are any.
	Untraced []string `json:",omitempty"`

	// Unwatched names the built-in properties that could not be judged in this run, each followed
	// by a colon and why.
	Unwatched []string `json:",omitempty"`
}

// Ref names one event: the K-th of Task, counted from 1.
type Ref struct {
	Task string
	K    int
}

// Binding is one variable and its value.
type Binding struct {
	Name  string
	Value Value
}

// Event is one event: one action of one task, or its share of a joint action.
// The zero value of every field but Task means "absent". A decoder may reuse an
// Event and its slices between calls; who keeps one calls Clone.
type Event struct {
	Task string // id of the task whose next event this is

	Enter, Exit string // function whose frame is pushed, or turned to TERM; never both
	Spawn       string // id of the task this event creates

	Set    []Binding // bound in the top frame, or in the task's own scope if the stack is empty
	Global []Binding // bound in the task's own scope (local copies of globals)
	Write  []Binding // written to shared variables

	After []Ref // this action comes after these events
	// and after these, if what it and those before it read has been written by who wrote it in the
	// run; not part of a trace
	Seen []Ref
	With []Ref // this event and these are one joint action

	Op, Obj string // what the event is, and on what
	At      string // "file.go:line"
	TS      int64  // nanoseconds since the header's start; informative only, 0 is absent

	// keys that have no meaning, kept as they came; of version 2 those that begin with "x-"
	Extra []Binding

	// What is not nil makes this no action of a task, which no net sees: a record of an operation
	// of the run, or what is known of the program's code. Of a record Task and Obj are names, or
	// "".
	Record *Record
	Code   *Code
}

// IsAction reports whether the event is an action of a task.
func (e *Event) IsAction() bool { return e.Record == nil && e.Code == nil }

// Clone returns a copy that shares no slice with e. Values are immutable and shared.
func (e *Event) Clone() *Event {
	c := new(Event)
	c.CopyFrom(e)
	if e.Record != nil {
		c.Record = e.Record.Clone()
	}
	return c
}

// CopyFrom makes e a copy of other that shares no slice with it, and keeps the capacity of its
// slices. They share what Record points to.
func (e *Event) CopyFrom(other *Event) {
	e.Reset()
	e.Task, e.Enter, e.Exit, e.Spawn, e.Op, e.Obj, e.At, e.TS = other.Task, other.Enter, other.Exit, other.Spawn,
		other.Op, other.Obj, other.At, other.TS
	e.Set, e.Global, e.Write = append(e.Set, other.Set...), append(e.Global, other.Global...),
		append(e.Write, other.Write...)
	e.After, e.Seen, e.With = append(e.After, other.After...), append(e.Seen, other.Seen...),
		append(e.With, other.With...)
	e.Extra = append(e.Extra, other.Extra...)
	e.Record, e.Code = other.Record, other.Code
}

// Reset empties e and keeps the capacity of its slices.
func (e *Event) Reset() {
	// Field by field: an assignment of the whole goes through the garbage collector's bulk
	// write barrier, which took a sixth of the time of reading a program's records.
	e.Task, e.Enter, e.Exit, e.Spawn, e.Op, e.Obj, e.At, e.TS = "", "", "", "", "", "", "", 0
	e.Set, e.Global, e.Write = e.Set[:0], e.Global[:0], e.Write[:0]
	e.After, e.Seen, e.With, e.Extra = e.After[:0], e.Seen[:0], e.With[:0], e.Extra[:0]
	if e.Record != nil {
		e.Record = nil
	}
	if e.Code != nil {
		e.Code = nil
	}
}

// EnvTask is the initial task that creates those that no event of another task does.
const EnvTask = "env"

// OpEnd is the op of the last event of a task.
const OpEnd = "end"
