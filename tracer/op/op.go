// Package op describes a run as a sequence of operations on synchronisation objects, such as locks
// and channels. Each operation comes with the operations of other tasks that happen before it.
//
//	watcher.Op(&op.Op{Kind: op.Lock, Task: 1, K: 1, Object: 7}) // each operation, to a Watcher
//
// It connects the tracer, which observes a run (internal/tracer/causality), with the detectors of
// concurrency bugs, which need no specification (tlcheck/builtin).
//
// # Orders
//
// Each operation comes with clocks: which operations of other tasks come before it in every
// order of the run's events. Full is the order of the net, in which the critical sections of a lock
// come one after the other as they did in the run. Free leaves that out: unlocking a Mutex or
// RWMutex orders nothing, but two tasks must not be in sections that exclude
// each other. Everything that is ordered in Free is ordered in Full.
//
// Where accesses to memory are recorded there is a third one, Data: Free, and what has read memory
// comes after what has written there last. In orders that keep it, and in which sections exclude
// each other, each operation sees what it has seen in the run.
//
// Operation k of task t comes before an operation with clock c if c.At(int32(t)) >= k. A clock does
// not count operations of its own task: all earlier ones come before.
//
// Package stamp computes the clocks of operations that a program makes itself.
package op

import (
	"cmp"

	"github.com/antichain-go/antichain/tracer/op/clock"
)

type (
	// Task is the number of a task, in the order in which they appear; main is 0.
	Task int32
	// Object is a channel, lock and so on, from its making to the reuse of its memory; 0 is none.
	Object uint32
	// Place is a place in the program, with its callers; 0 is unknown.
	Place uint32
)

// NoTask stands for what is none of the tasks: the runtime, or the outside world.
const NoTask Task = -1

// Kind is what an operation does.
type Kind uint8

// Operations. Arg, Other and Cases are empty where nothing is said about them. The methods named
// here say what Arg means.
const (
	None Kind = iota

	// starts task Other, which knows this operation; ByTimer if time.AfterFunc will, with its timer
	// Object
	Go
	End  // of the task
	Main // the main goroutine has initialised all packages, or begins in an OfForeignLog
	Left // the program ends by its own will, after MainReturned or by os.Exit

	MakeChan // with a Capacity
	Send     // buffered, into a Slot
	Recv     // buffered, from a Slot
	// unbuffered: of Task, the sender, and of Other, the receiver, at once; either can be NoTask
	Handoff
	Close      // of a channel
	RecvClosed // receives the zero value from a closed channel
	// decides among Cases, where it HasDefault; the operation of the case follows unless it
	// TakesDefault
	Select

	// of a Mutex, for writing, or of the lock inside a Once; Tries if it would not have waited
	Lock
	Unlock    // of either
	RLock     // for reading; Tries if it would not have waited
	RUnlock   // for reading
	Add       // adds Delta > 0 to the counter of a WaitGroup
	Done      // adds Delta < 0
	Wait      // of a WaitGroup, returns
	CondWait  // of a Cond, returns
	Signal    // of a Cond; Unheard ones are reported once at least for a task and a Cond
	Broadcast // of a Cond, perhaps Unheard
	Once      // returns; the task that RanFunction did so between Lock and Unlock

	// arms a timer, which sends on the channel Object or starts its function (Go ByTimer), perhaps
	// Repeats
	Arm
	Stop // stops the timer of the channel Object, or of Go
	Fire // task Other begins to run the function of the timer Object

	Outside // something outside the program may operate on Object, until this Ends
	Free    // Object is gone; of NoTask
	// no task that goes on leads to what Other waits for, nor does one that such a task may wake;
	// see Source; of NoTask
	CutOff
	Checked // for what is CutOff, with an Outcome, as some tasks wait and others go on; of NoTask
	// the run has lasted for Elapsed, or a few milliseconds longer, when the next operation comes,
	// or the run ends; of NoTask
	Time

	// is about to wait for Object (0: nil) to do Want. A select waits for one of Cases (none: for
	// ever), or of OtherCases. The next operation of Task ends the wait
	Block
	Misuse // is about to fail, by a Mistake

	AtomicLoad  // of an atomic variable
	AtomicStore // stores, or Exchanges

	// does Want to Size bytes of memory at Address. Other did OtherWant to them before, one of
	// these is a Write or AtomicStore, not both are atomic, and nothing orders the two, or see
	// Sectioned
	Conflict

	// reads Size bytes of memory at Address, which Other has written last. What comes next of Task
	// comes after that in Data. If the two race, there is a Conflict, too, and the read may have
	// seen another value
	ReadFrom

	// writes what it has read right before, as the ReadFrom of the same Task and Other at the same
	// moments says: it counts, or tests and sets
	Rewrite

	// writes Size bytes of memory at Address; Want says how. Some task has accessed them before.
	// Which one, and when, is not known, as that was dropped for want of room. There is a Conflict
	// with each other access that is known, too
	Overwrite

	Read  // of Conflict: a plain access
	Write // of Conflict: a plain access

	// reads the memory of Object, which is no channel, as a value. If it Overwrites that, Object is
	// as good as new
	Copy

	KindCount
)

// Case is a case of a select statement.
type Case struct {
	Object Object // 0 is a nil channel
	Send   bool
}

// Kind returns Send or Recv.
func (c Case) Kind() Kind {
	if c.Send {
		return Send
	}
	return Recv
}

// Op is one operation. To keep it, copy it and its Cases.
type Op struct {
	Kind Kind
	Task Task // NoTask for what is not an operation of one
	// its number among those of Task, from 1. Not all operations are reported, so numbers may be
	// missing. 0 for Conflict, ReadFrom, Rewrite and Overwrite, which have none
	K      int32
	Object Object
	At     Place
	Arg    int64 // what the method for Kind says, such as Capacity; 0 for kinds without one
	// of Block: Send, Recv, Select, Lock, RLock, Once (its lock), Wait or CondWait; of Conflict and
	// Overwrite: Read, Write, AtomicLoad or AtomicStore
	Want Kind
	// a Send or Recv locks or unlocks Object: a channel with room for one element, from which each
	// task so far has received only what it has sent. Free orders it as little as a Lock or Unlock
	Locking bool
	InCase  bool // a Send, Recv, Handoff or RecvClosed of Task is a case of a select statement

	Other   Task  // see Kind
	OtherK  int32 // of Handoff: its number among those of Other
	OtherAt Place // of Handoff and Conflict: where Other is, or was

	Access // of Conflict, ReadFrom, Rewrite and Overwrite

	Cases   []Case // of Select and Block
	Address uint64 // of Conflict, ReadFrom, Rewrite, Overwrite, AtomicLoad and AtomicStore

	// What Task knows of the operations of others, this one included. Handoff: both know the same,
	// and each the operation of the other.
	Full, Free *clock.Clock
	Data       *clock.Clock // nil unless accesses to memory are recorded
	// Of Send, Recv, RecvClosed, Handoff and Wait: what Task knew right before, in both orders.
	// Full and Free include what the tasks did that let it go on. Of Handoff also what Other knew.
	// Begin also of AtomicLoad, Lock and RLock; of Lock it may include the unlock before. Of
	// Unlock and RUnlock, Full includes the lock, if that is another task's, and of Done the
	// additions that it takes away. Before also of Done and of Once that returns.
	Begin, OtherBegin   *clock.Clock // of Full
	Before, OtherBefore *clock.Clock // of Free
	// With Before, the same of Data.
	BeforeData, OtherBeforeData *clock.Clock
}

// Access is what a Conflict, ReadFrom, Rewrite or Overwrite states about its access to memory, and
// about the earlier one by Other. An Overwrite has a Moment only.
type Access struct {
	Moment, OtherMoment int32        // operations that Task and Other had done before their accesses
	OtherData           *clock.Clock // what Other knew at its access, in the order Data

	// Of Conflict.
	OtherWant  Kind // what Other did: Read, Write, AtomicLoad or AtomicStore
	OtherAlone bool // that does not stand for other accesses of Other, made right before it or earlier
	Sectioned  bool // the order of critical sections orders the two accesses, and nothing else does
}

// Step is one operation of a schedule: an order of a run's operations.
type Step struct {
	Task   Task
	Other  Task // of Handoff: the receiver; of Go: the new task; else NoTask
	Kind   Kind
	Object Object
	At     Place
	K      int32 // its number among the operations of Task, 0 if that is unknown
}

// A Watcher receives the operations of a run, in an order in which they happened. Op is reused.
type Watcher interface{ Op(*Op) }

// Discard ignores operations, for callers that need only what comes with them.
var Discard Watcher = discard{}

type discard struct{}

func (discard) Op(*Op) {}

// Names gives the meanings of numbers in operations, also after the run.
type Names interface {
	Task(Task) Origin
	Object(Object) string // "mutex 2", "chan 1"
	Place(Place) Location
}

// Origin says where and by which task a task was started.
type Origin struct {
	Name string // "main.2.1"
	// the name in reports, "shop.worker #2", that no other task of the run has; "" if it is Name
	Display  string
	Function string // that it runs, "" if unknown
	By       Task   // that started it; NoTask for main and for what the runtime starts
	At       Place  // the go statement
	// the Go test that it is in, or that the task was in which has started it; OutsideTests if that
	// is none, and "" if it is not known
	Test string
}

// DisplayName returns what reports call the task.
func (o Origin) DisplayName() string { return cmp.Or(o.Display, o.Name) }

// OutsideTests stands for what a test binary does before, between and behind its tests.
const OutsideTests = "TestMain"

// Location is a place in the source.
type Location struct {
	At      string // "dir/file.go:12" of the innermost frame in the user's code; "" if unknown
	Own     string // of the innermost one in the program's own modules; "" if there is none
	Library bool   // the standard library is at work there for itself
	Called  bool   // the user's code is there, or has called what is
	// innermost first, as far as known; frames of the runtime and of package sync are left out
	Stack []Frame
}

// Frame is one call.
type Frame struct {
	Function, At string
	// the function as a symbol of the program, with escapes in its path; "" if it has none
	Symbol string
}
