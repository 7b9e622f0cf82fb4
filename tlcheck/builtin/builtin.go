// Package builtin finds concurrency bugs in a run without a specification: deadlocks, goroutines that
// wait for ever, operations on closed channels, misused WaitGroups and locks, data races.
//
//	checker, err := builtin.New(builtin.Deadlock, builtin.Stuck)
//	checker.Op(&o) // each operation of the run
//	for _, finding := range checker.Findings(names) {
//		fmt.Println(finding.Property, finding.How, finding.Text)
//	}
//
// Its input is the sequence of operations of the run (package op). A finding is a bad global state of the run, a
// slice: two tasks wait for each other's locks, or a close and a send can come in either order. A finding is
// observed if the run passed through that slice. It is predicted if only another order of the same
// operations does. It is possible if that rests on what the program does in code that the run has not shown.
package builtin

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/op"
)

// Property is the name of a built-in property.
type Property string

// The built-in properties.
const (
	Race      Property = "race"
	Deadlock  Property = "deadlock"
	Stuck     Property = "stuck"
	Closed    Property = "closed"
	WaitGroup Property = "waitgroup"
	Unlock    Property = "unlock"
	Copy      Property = "copy"
	Leak      Property = "leak"
	Panic     Property = "panic"
)

// Properties are all of them, in the order of reports.
var Properties = []Property{Deadlock, Stuck, Closed, WaitGroup, Unlock, Panic, Copy, Race, Leak}

// Parse returns the property of that name. An error suggests another name.
func Parse(name string) (Property, error) {
	if p := Property(name); slices.Contains(Properties, p) {
		return p, nil
	}
	names := make([]string, len(Properties))
	for i, p := range Properties {
		names[i] = string(p)
	}
	hint := ""
	if near := source.Closest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return "", fmt.Errorf("no built-in property %q%s", name, hint)
}

// NeedsAccesses reports whether the property is about accesses to memory, which are told only if they are asked for.
func (p Property) NeedsAccesses() bool { return p == Copy || p == Race }

// Certainty says how a finding is known.
type Certainty uint8

const (
	Observed  Certainty = iota // it happened in the run
	Predicted                  // another order of the run's operations leads there
	Reordered                  // so does one in which locks are taken in another order; what they guard may then be different, and the program with it. Or somebody else may end a deadlock
	Following                  // of a race: nothing orders the two, but what is read before them depends on another race, so the program may not come there in another order
	Possible                   // so does another order, if the program does behind it what is assumed, and could not be read; this is no violation
)

// String returns the words that a report uses.
func (h Certainty) String() string {
	return [...]string{"observed", "predicted", "predicted, locks reordered", "predicted, behind another race", "possible"}[h]
}

// Finding is one violation of a built-in property.
type Finding struct {
	Property Property
	How      Certainty

	// Text says in one sentence what is wrong, with names of tasks, objects and places already in it.
	Text string

	Parties  []Party  // who takes part, first who fails or waits
	Schedule []Step   // an order of the operations that matter which leads there, some left out
	Reverses bool     // the order of critical sections in Schedule, and not only some of them being left out, is what leads there
	Notes    []string // what else helps: who could have woken a task, and in which other order
	Count    int      // findings that differ from this one in tasks and objects only, this one included
	Alike    []Party  // the first party of each of these others, some left out
	Guess    *Guess   // what is assumed of the program, nil if nothing is
	Told     bool     // Certain has returned it before

	// Also are the other findings that have the same cause, a lock that is never given back. They are not returned by themselves.
	Also []Finding

	core      int      // so many of the parties make it, 0 if all do; the others wait behind them
	cause     op.Place // where that lock was taken, 0 if it is none
	sectioned bool     // of a race: in the run critical sections order the two
	behind    bool     // its tasks could go on if those of the deadlocks that happened did
}

// Makers are the parties that make the finding; the others wait behind them.
func (f *Finding) Makers() []Party {
	if f.core == 0 {
		return f.Parties
	}
	return f.Parties[:f.core]
}

// IsOfEnd reports whether the finding says how goroutines are at the end of the run.
func (f *Finding) IsOfEnd() bool {
	switch f.Property {
	case Deadlock, Leak:
		return f.How == Observed
	case Stuck:
		return f.How == Observed || f.Guess.IsOfThisRun()
	}
	return false
}

// IsDoubtful reports whether the finding may be impossible, although the checker has made no mistake: locks are taken in another order,
// which may change what the program does, or something is assumed of the program.
func (f *Finding) IsDoubtful() bool {
	return f.How == Reordered || f.How != Observed && f.Guess != nil && !f.Guess.IsOfThisRun()
}

// Guess is what a finding assumes of the program, in words. If Select is not 0, it is that a task does not come
// back to the channel of the case that it took of that select statement, if it takes another one; or if both are the
// same, that behind it a task only comes back to the statement.
// The program's source may know better; see Checker.ReadSource.
type Guess struct {
	Text        string
	Select      op.Place
	Took, Other int // indices in Cases of the statement
}

// IsOfThisRun reports whether it is about what a task does on and on in this run, and not about a case that it did not take. It is
// false of no guess.
func (g *Guess) IsOfThisRun() bool { return g != nil && g.Select != 0 && g.Took == g.Other }

// Party is a task that takes part in a finding.
type Party struct {
	Task   op.Task
	Kind   op.Kind   // what it is about to do, or has done
	Object op.Object // 0: none, or nil
	At     op.Place
	Does   string // in words: "waits for mutex 2"
	Holds  []HeldLock

	k int32 // number of the operation with which it waits in a deadlock
}

// HeldLock is a lock that a task holds.
type HeldLock struct {
	Object op.Object
	Kind   op.Kind // Lock or RLock, or Send for a channel that is used as a lock
	At     op.Place
}

// Step is one operation of a schedule.
type Step struct {
	Task   op.Task
	Other  op.Task // of Handoff: the receiver; of Go: the new task; else NoTask
	Kind   op.Kind
	Object op.Object
	At     op.Place
	K      int32 // its number among the operations of the task, 0 if that is unknown
}
