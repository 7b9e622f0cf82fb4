package rule

import (
	"slices"
	"time"

	"github.com/antichain-go/antichain/tracer/op"
)

// Certainty says how a finding is known.
type Certainty uint8

const (
	// Observed: it happened in the run.
	Observed Certainty = iota
	// Predicted: another order of the run's operations leads there.
	Predicted
	// Reordered: an order in which locks are taken in another order than in the run leads there.
	// What the locks guard may then differ, and with it the program's behaviour. Or another task
	// may end a deadlock.
	Reordered
	// Following, of a race: nothing orders the two, but what is read before them depends on another
	// race. So the program may not come there in another order.
	Following
	// Possible: another order leads there if the program then does what is assumed, which its
	// source did not confirm. This is no violation.
	Possible
)

// String returns the words that a report uses.
func (h Certainty) String() string {
	return [...]string{
		"observed", "predicted", "predicted, locks reordered", "predicted, behind another race", "possible",
	}[h]
}

// Finding is one violation of a built-in property.
type Finding struct {
	Property Property // the name of the rule; the checker sets it
	How      Certainty

	// Text says in one sentence what is wrong, with names of tasks, objects and places in it.
	Text string

	Parties  []Party   // the tasks that take part, first the one that fails or waits
	Schedule []op.Step // an order of the operations that matter which leads there, some left out
	Past     []op.Step // of one that was observed: what the tasks that matter did last in the run
	Reverses bool      // it needs the order of sections in Schedule, not only that some are left out
	Notes    []string  // what else helps: which task could have woken another one, and in which order
	Count    int       // findings that differ in tasks and objects only, this one included
	Alike    []Like    // these others, some left out
	Guess    *Guess    // what is assumed of the program, nil if nothing is
	Told     bool      // Certain has returned it before

	// Also are the other findings that have the same cause, a lock that is never given back. They
	// are not returned by themselves.
	Also []Finding

	Core      int      // how many of the parties make it, 0 if all do; the others wait behind them
	Cause     op.Place // where that lock was taken, 0 if it is none
	Scope     Scope    // where it has to be
	Polls     bool     // its tasks wake by a timer, only to wait again
	AtEnd     bool     // it says how goroutines are at the end of the run, if it was observed
	Sectioned bool     // in the run critical sections order its two operations
	Behind    bool     // its tasks could go on if those of the deadlocks that happened did
	Fails     Deed     // of the first party, if that comes behind where it is; else zero
}

// Deed is what a task does at a place.
type Deed struct {
	Kind op.Kind
	At   op.Place
}

// Like is a finding that differs from another one in tasks and objects only: its first party, and
// how it is known.
type Like struct {
	Party Party
	How   Certainty
}

// Scope limits a finding by where its parties, or the locks that they hold, are.
type Scope uint8

const (
	InProgram  Scope = iota // not in the standard library alone
	InCalls                 // there, or in the library where the program has called it
	Everywhere              // also in the library alone
)

// Concerns reports whether the finding is in its scope.
func (f *Finding) Concerns(names op.Names) bool {
	if f.Scope == Everywhere || len(f.Parties) == 0 {
		return true
	}
	for i := range f.Parties {
		p := &f.Parties[i]
		at := names.Place(p.At)
		if p.At == 0 || !at.Library || f.Scope == InCalls && at.Called {
			return true
		}
		for _, h := range p.Holds {
			if h.At != 0 && !names.Place(h.At).Library {
				return true
			}
		}
	}
	return false
}

// IsOwn reports whether all places are in the program's own modules, where accesses to memory are
// recorded. A section of other code, such as a list or a pool of connections, may read what is not
// recorded, and do something else if it comes later.
func IsOwn(names op.Names, places []op.Place) bool {
	return !slices.ContainsFunc(places, func(p op.Place) bool {
		at := names.Place(p)
		return at.Library || op.InDependency(at.At)
	})
}

// Makers are the parties that make the finding; the others wait behind them.
func (f *Finding) Makers() []Party {
	if f.Core == 0 {
		return f.Parties
	}
	return f.Parties[:f.Core]
}

// IsOfEnd reports whether the finding says how goroutines are at the end of the run.
func (f *Finding) IsOfEnd() bool {
	return f.AtEnd && (f.How == Observed || f.Guess.IsOfThisRun())
}

// IsDoubtful reports whether the finding may be impossible although the checker made no mistake:
// locks are taken in another order, which may change what the program does, or the finding is only
// possible or rests on an assumption.
func (f *Finding) IsDoubtful() bool {
	assumes := f.Guess != nil || f.How == Possible
	return f.How == Reordered || f.How != Observed && assumes && !f.Guess.IsOfThisRun()
}

// Guess is what a finding assumes of the program, in words. If Select is not 0, it is about a
// select statement. If Took and Other differ, a task that takes Other instead of Took does not come
// back to the channel of Took. If they are the same, a task only comes back to the statement after
// that case. The program's source may know better; see builtin.Checker.ReadSource.
type Guess struct {
	Text        string
	Select      op.Place
	Took, Other int  // indices in Cases of the statement
	OfThisRun   bool // it is about what others do not do after this run
}

// IsOfThisRun reports whether the guess is about what a task does again and again in this run, or
// others do not do after it, and not about a case that a task did not take. It is false for nil.
func (g *Guess) IsOfThisRun() bool {
	return g != nil && (g.OfThisRun || g.Select != 0 && g.Took == g.Other)
}

// Assume says that a finding rests on what other goroutines, which could go on, do not do.
func (f *Finding) Assume(does string) {
	f.Guess = &Guess{Text: "no other goroutine " + does}
	f.Notes = append(f.Notes, "other goroutines could go on; the report assumes that none of them "+does)
}

// Behind is what the program's source says about a Guess: whether a task comes back to the channel;
// or if Took and Other are the same, whether it only comes back to the statement.
type Behind uint8

// What the source says.
const (
	Unread    Behind = iota // nothing that is certain
	ComesBack               // it may come back, or the program ends: no task waits for it for ever
	Leaves                  // it does not
)

// Party is a task that takes part in a finding.
type Party struct {
	Task   op.Task
	Kind   op.Kind   // what it is about to do, or has done
	Object op.Object // 0: none, or nil
	At     op.Place
	Does   string // in words: "waits for mutex 2"
	Holds  []HeldLock

	K int32 // number of the operation with which it waits in a deadlock

	Waits *Lasting // at the end of the run; nil if it does not, or if the run has no times
}

// Lasting is a wait that has not ended.
type Lasting struct {
	Began time.Duration // after the run did
	For   time.Duration
}

// HeldLock is a lock that a task holds.
type HeldLock struct {
	Object op.Object
	Kind   op.Kind // Lock or RLock, or Send for a channel that is used as a lock
	At     op.Place
}
