package op

import "time"

// What Arg is depends on the kind of an operation. Each method below is for the kinds that its
// comment names, and means nothing for others.

// Mistake is an operation that the runtime or package sync refuses. A task is about to make it at a
// Misuse.
type Mistake int64

// Mistakes.
const (
	SendClosed Mistake = 1 + iota
	CloseClosed
	CloseNil
	NegativeCounter
	WaitReuse
	UnlockUnlocked
	RUnlockUnlocked
	// while main waited for others before it ended the program, which would have ended it otherwise
	Panicked
)

// Arg of Select.
const (
	NoDefault int64 = iota
	TookDefault
	LeftDefault
)

// Source says what may still wake the task of a CutOff.
type Source int64

// Sources.
const (
	FromNothing Source = iota // so the task waits for ever
	FromGlobals               // only package variables
	FromUnknown               // it was not found out
)

// Outcome is the end of a check: Checked.
type Outcome int64

// Outcomes.
const (
	Complete     Outcome = iota
	TookTooLong          // nothing is known about some tasks
	Missed               // it did not take place
	NoPreemption         // the same, as the program does not preempt goroutines
	Profiled             // the program's own profile of leaks has some tasks
)

// ByTimer reports whether a timer will start the task of a Go.
func (o *Op) ByTimer() bool { return o.Arg == 1 }

// OfForeignLog reports whether a Main begins a log of another program than a traced one.
func (o *Op) OfForeignLog() bool { return o.Arg != 0 }

// MainReturned reports whether a program Left because its function main returned.
func (o *Op) MainReturned() bool { return o.Arg != 0 }

// Capacity returns the capacity of the channel of a MakeChan.
func (o *Op) Capacity() int64 { return o.Arg }

// Slot is the place in the buffer that a Send fills or a Recv empties, from 0.
func (o *Op) Slot() int64 { return o.Arg }

// HasDefault reports whether a Select has a default case.
func (o *Op) HasDefault() bool { return o.Arg != NoDefault }

// TakesDefault reports whether a Select goes on with its default case.
func (o *Op) TakesDefault() bool { return o.Arg == TookDefault }

// Tries reports whether a Lock or RLock would have given up instead of waiting (TryLock, TryRLock).
func (o *Op) Tries() bool { return o.Arg != 0 }

// Delta returns the number that an Add or Done adds to the counter of a WaitGroup.
func (o *Op) Delta() int64 { return o.Arg }

// Unheard reports whether no task waited for a Signal or Broadcast.
func (o *Op) Unheard() bool { return o.Arg == 1 }

// RanFunction reports whether the task of a Once is the one that ran the function.
func (o *Op) RanFunction() bool { return o.Arg == 1 }

// Repeats reports whether a timer that is armed fires again and again, as a ticker does.
func (o *Op) Repeats() bool { return o.Arg == 1 }

// Ends reports whether what is Outside the program operates on Object no longer.
func (o *Op) Ends() bool { return o.Arg != 0 }

// Exchanges reports whether an AtomicStore also reads, as a Swap or an Add does.
func (o *Op) Exchanges() bool { return o.Arg == 1 }

// Source is what leads to that which the task of a CutOff waits for.
func (o *Op) Source() Source { return Source(o.Arg) }

// Outcome returns the outcome of a Checked.
func (o *Op) Outcome() Outcome { return Outcome(o.Arg) }

// Elapsed returns the time since the run began, at a Time.
func (o *Op) Elapsed() time.Duration { return time.Duration(o.Arg) }

// OtherCases returns the number of cases of a select that blocks besides Cases.
func (o *Op) OtherCases() int64 { return o.Arg }

// Mistake returns the mistake that an operation of kind Misuse is about to make.
func (o *Op) Mistake() Mistake { return Mistake(o.Arg) }

// Size is the number of bytes of a Conflict, ReadFrom, Rewrite or Overwrite.
func (o *Op) Size() int64 { return o.Arg }

// Overwrites reports whether a Copy writes its object over.
func (o *Op) Overwrites() bool { return o.Arg == 1 }
