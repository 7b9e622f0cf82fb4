package event

import "github.com/antichain-go/antichain/internal/wording"

// Header is the first line of a trace: everything known before the first event.
type Header struct {
	Version int      // format version, 1 or 2; a writer treats 0 as 1
	Tasks   []string // initial tasks, in order; at least one, no two alike

	Consts []Binding // program constants, visible in every local state behind all other scopes
	Shared []Binding // shared variables (value sets) with their initial values

	Run, Program, Host, Start string // informative; Start is RFC 3339

	// Instrumented has the names that a tracer recorded; nil for a trace whose producer did not
	// list them. A specification with other names is refused.
	Instrumented *Instrumentation

	// Sparse says that the tracer has left out the tasks that only begin and end, and that EnvTask
	// creates the others. The name of a task shows its creator: "a.2" is the second task that "a"
	// started. Only properties that cannot see the difference can be checked
	// (tlcheck.DecidableOnSparse).
	Sparse bool

	// Caveat says what the source of the trace does not show, as a sentence without a full stop.
	// Every verdict depends on it, so reports show it beside each one.
	Caveat string

	// Unordered says that the order of the events of different tasks was not observed: the trace
	// has one of the possible orders.
	Unordered bool

	// Sums says that each group of lines of the text form is followed by its checksum. Writers of
	// version 2 set it.
	Sums bool

	// Operations says which operations of the run the trace has beside its events; nil for none.
	Operations *Operations

	// keys without a meaning, kept unchanged; in version 2 those that begin with "x-"
	Extra []Binding
}

// Operations says which operations of a run a trace has for the built-in properties. It is the
// header key "operations".
type Operations struct {
	Accesses bool   // accesses to memory are included
	Hidden   string // why some accesses are missing; "" if none is
	Env      bool   // goroutines that were not started by the program may run its code

	// Only names the built-in properties that can be judged if the log does not show all
	// operations; empty if all can.
	Only []string
}

// Untraced says why the trace, which does not show all synchronisation, supports no verdict. It is
// "" for a trace that does.
func (h *Header) Untraced() string {
	if h.Instrumented == nil || len(h.Instrumented.Untraced) == 0 {
		return ""
	}
	return "the program was traced without " + wording.List(h.Instrumented.Untraced)
}

// Instrumentation lists what a traced program records, by canonical names. It is the header key
// "instrumented".
type Instrumentation struct {
	Package string // import path against which short names are resolved
	// frame names: "append", "Queue.put", "other.Queue.put" (package name for other packages)
	Functions []string
	Variables []string // variable paths as recorded: "b.last", "elem"
	Steps     bool     // every statement of the traced functions is an event

	// Names maps names of functions in the specification to frame names, where these differ.
	Names map[string]string `json:",omitempty"`

	// Operations names the functions whose calls are recorded with arguments and results, as
	// operations on an object.
	Operations []string `json:",omitempty"`

	// Untraced names the kinds of synchronisation that the tracer could not see. Whatever they
	// order appears unordered in the trace, so a trace with any supports no verdict.
	Untraced []string `json:",omitempty"`

	// Unwatched names the built-in properties that could not be judged in this run, each followed
	// by a colon and the reason.
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

// Event is an action of one task, or a task's share of a joint action. The zero value of every
// field but Task means "absent". A decoder may reuse an Event and its slices between calls; use
// Clone to keep one.
type Event struct {
	Task string // id of the task whose next event this is

	Enter, Exit string // function whose frame is pushed, or left; never both
	Spawn       string // id of the task this event creates

	Set    []Binding // bound in the top frame, or in the task's own scope if the stack is empty
	Global []Binding // bound in the task's own scope (local copies of globals)
	Write  []Binding // written to shared variables

	After []Ref // this action comes after these events
	// this action comes after these events only if every value read so far was written by the same
	// event as in the run; not part of a trace
	Seen []Ref
	With []Ref // this event and these are one joint action

	Op, Obj string // the operation and its object
	At      string // "file.go:line"
	TS      int64  // nanoseconds since the header's start; informative only, 0 is absent

	// keys without a meaning, kept unchanged; in version 2 those that begin with "x-"
	Extra []Binding

	// If one of these is set, this is no action of a task, and no net contains it: Record is an
	// operation of the run, Code describes the program's code. Task and Obj of a record are names,
	// or "".
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

// CopyFrom makes e a copy of other. It keeps the capacity of e's slices and shares no slice with
// other, but shares what Record points to.
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
	// An assignment of the whole struct goes through the garbage collector's bulk write barrier,
	// which took a sixth of the time of reading a program's records.
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

// Size returns the approximate memory of the event in bytes.
func (e *Event) Size() int {
	n := len(e.Task) + len(e.Enter) + len(e.Exit) + len(e.Spawn) + len(e.Op) + len(e.Obj) + len(e.At)
	for _, bs := range [...][]Binding{e.Set, e.Global, e.Write, e.Extra} {
		n += sizeOf(bs)
	}
	for _, refs := range [...][]Ref{e.After, e.With} {
		for i := range refs {
			n += 24 + len(refs[i].Task)
		}
	}
	if e.Record != nil {
		n += 120 + len(e.Record.Payload)
	}
	if e.Code != nil {
		n += 200 * (1 + len(e.Code.Calls))
	}
	return n
}

// EnvTask is the initial task that creates the tasks that no other event creates.
const EnvTask = "env"

// OpEnd is the op of the last event of a task.
const OpEnd = "end"
