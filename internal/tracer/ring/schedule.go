package ring

import (
	"encoding/binary"
	"errors"
	"sync/atomic"
	"time"
)

// Schedule is an order of a few operations that a program keeps: a goroutine waits before an
// operation that is a step until the steps before it are done. All other goroutines and operations
// run freely.
type Schedule struct {
	Steps []Step
	Roles bool // the first goroutine to come plays a role; else each step has its goroutine
	// goroutines without a further step wait before operations until all steps are done; not with
	// Roles
	Alone bool

	// go statements that the goroutines of the steps come from, or those of their roles
	Starts []Start
	User   []Code // the code outside the standard library, ascending

	Patience time.Duration // without a step, after which the program continues freely
	// with Roles: without any progress, after which a waiting goroutine is released
	Quiet time.Duration

	Halt int // after so many steps the program stops itself, and is to be halted; 0: it does not

	// Lines are lines of the source, by their numbers in the program. Goroutines that reach one are
	// held until there is one at each of them, two different ones if a line is there twice. Then
	// the program stops itself, and is to be halted.
	Lines []int
	// how long a goroutine is held there at most, before all are released for good
	Holds time.Duration
}

// Step is one operation: the nth of a goroutine at its place after its previous step. Or it is an
// event of the specification: the nth of its site.
type Step struct {
	Nth    int // from 1
	Places []Code
	Site   int // 1 + the number of the site, of an event; else 0
	// 1 + index in Starts of the origin of the goroutine, or of those of its role; 0 for main
	Class int
	Role  int // with Roles: steps of one role are of one goroutine; less than MaxRoles

	// Steps with the same number are on one object, those with another one on others; 0: on any. At
	// most MaxObjects
	Object int
	Others int // on how many other objects the goroutine operates there before; 0: it is not known
	Op     int // the operation (Op...); 0: any

	Waits   bool // it is done as soon as the goroutine blocks
	Blocks  bool // with Waits: it is done only if the goroutine blocks
	Case    int  // with Decides: the case that is taken if it is ready, from 1 to MaxCase; 0: any
	Decides bool // it is a select statement, and done when its case is chosen
	Writes  bool // with Meets: it is a write
	Atomic  bool // with Meets: it is atomic, as one of the two may be
	// it is a memory access: the last two steps are, and are done when two goroutines are about to
	// make them at once
	Meets bool
}

// Start is a go statement, executed by main (Class 0) or by goroutines of Starts[Class-1].
type Start struct {
	Class int
	// without any, all go statements that it executes, and the timers that it arms to start
	// goroutines
	Places []Code
	Nth    int // its number among those there, from 1; 0: each, for roles
}

// Code is a range of return addresses, as offsets from runtime.text.
type Code struct{ Lo, Hi uint64 } // Hi is exclusive

// encode returns the schedule in the form in which it follows the slots.
func (s *Schedule) encode() []byte {
	if s == nil {
		return nil
	}
	var steps, starts []byte
	var places []Code
	le := binary.LittleEndian
	for _, t := range s.Steps {
		b := make([]byte, StepSize)
		le.PutUint32(b[StepNth:], uint32(t.Nth))
		if t.Waits {
			b[StepFlags] |= StepWaits
		}
		if t.Blocks {
			b[StepFlags] |= StepBlocks
		}
		if t.Decides {
			b[StepFlags] |= StepDecides
		}
		if t.Meets {
			b[StepFlags] |= StepMeets
		}
		if t.Writes {
			b[StepFlags] |= StepWrites
		}
		if t.Atomic {
			b[StepFlags] |= StepAtomic
		}
		le.PutUint16(b[StepFlags+StepCaseShift/8:], uint16(t.Case))
		le.PutUint32(b[StepPlace:], uint32(len(places)))
		le.PutUint32(b[StepPlaces:], uint32(len(t.Places)))
		le.PutUint32(b[StepClass:], uint32(t.Class))
		le.PutUint32(b[StepRole:], uint32(t.Role))
		le.PutUint32(b[StepSite:], uint32(t.Site))
		le.PutUint32(b[StepObject:], uint32(t.Object))
		le.PutUint32(b[StepOp:], uint32(t.Op))
		le.PutUint32(b[StepOthers:], uint32(t.Others))
		steps, places = append(steps, b...), append(places, t.Places...)
	}
	for _, t := range s.Starts {
		b := make([]byte, StartSize)
		le.PutUint32(b[StartClass:], uint32(t.Class))
		le.PutUint32(b[StartPlace:], uint32(len(places)))
		le.PutUint32(b[StartPlaces:], uint32(len(t.Places)))
		le.PutUint32(b[StartNth:], uint32(t.Nth))
		starts, places = append(starts, b...), append(places, t.Places...)
	}
	b := make([]byte, ScheduleData)
	le.PutUint64(b[SchedulePatient:], uint64(s.Patience))
	le.PutUint64(b[ScheduleQuiet:], uint64(s.Quiet))
	if s.Roles {
		b[ScheduleRoles] = 1
	}
	if s.Alone {
		b[ScheduleAlone] = 1
	}
	le.PutUint32(b[ScheduleSteps:], uint32(len(s.Steps)))
	le.PutUint32(b[ScheduleStarts:], uint32(len(s.Starts)))
	le.PutUint32(b[SchedulePlaces:], uint32(len(places)))
	le.PutUint32(b[ScheduleUser:], uint32(len(s.User)))
	le.PutUint32(b[ScheduleHalt:], uint32(s.Halt))
	le.PutUint32(b[ScheduleLines:], uint32(len(s.Lines)))
	le.PutUint64(b[ScheduleHolds:], uint64(s.Holds))
	b = append(append(b, steps...), starts...)
	for _, c := range append(places, s.User...) {
		b = le.AppendUint64(le.AppendUint64(b, c.Lo), c.Hi)
	}
	for _, line := range s.Lines {
		b = le.AppendUint32(b, uint32(line))
	}
	return b
}

// Progress is how far a program has kept its schedule.
type Progress struct {
	Done   int  // steps done
	GaveUp bool // the next step did not come in time
	Missed Missed
	// An operation may have been taken for a step that is another one: it was not the operation of
	// that number there, or other operations there were on other objects.
	Unsure bool
	Input  bool          // the program has read standard input
	Ahead  time.Duration // by which the clock that the program sees was moved on

	Met bool // there was a goroutine at each of the lines at once
	// the lines, one bit each, of the moment when goroutines were at the most of them at once
	Most uint64
}

// Progress reports how far the program has kept the schedule, if there is one. It may be called on
// any goroutine at any time.
func (r *Ring) Progress() Progress {
	if r.opt.Schedule == nil {
		return Progress{}
	}
	var p Progress
	at := HeaderSize + r.opt.Slots*SlotSize
	err := errors.Join(
		r.command(at+ScheduleDone, func(done *uint32) { p.Done = int(atomic.LoadUint32(done)) }),
		r.command(at+ScheduleEnd, func(end *uint32) { p.GaveUp = atomic.LoadUint32(end) != 0 }),
		r.command(at+ScheduleAhead, func(*uint32) {
			p.Ahead = time.Duration(atomic.LoadUint64(r.word64(at + ScheduleAhead)))
		}),
		r.command(at+ScheduleMissed, func(missed *uint32) {
			p.Missed = Missed(atomic.LoadUint32(missed))
		}),
		r.command(at+ScheduleUnsure, func(unsure *uint32) {
			p.Unsure = atomic.LoadUint32(unsure) != 0
		}),
		r.command(at+ScheduleInput, func(input *uint32) { p.Input = atomic.LoadUint32(input) != 0 }),
		r.command(at+ScheduleMet, func(met *uint32) {
			p.Met, p.Most = atomic.LoadUint32(met) != 0, atomic.LoadUint64(r.word64(at+ScheduleMost))
		}),
	)
	if err != nil { // it is closed
		return r.closed.progress
	}
	return p
}

// Missed says why the next step did not come: one of the constants of that name.
type Missed uint32

// IsOtherWay reports whether the program went another way, on which the step does not come.
func (m Missed) IsOtherWay() bool { return m > MissedUnknown && m < MissedUnstarted }

// String says what the goroutine of the step did; "" if that is unknown.
func (m Missed) String() string {
	words := [...]string{
		MissedUnknown:    "",
		MissedEnded:      "had ended",
		MissedUnhindered: "did not have to wait there",
		MissedWaits:      "waited, and no other goroutine could end that",
		MissedRounds:     "waited for time to go by, again and again",
		MissedUnstarted:  "was never started",
		MissedLock:       "waited for a lock",
		MissedTime:       "waited for time to go by, or for a goroutine that did",
		MissedWorld:      "waited for a system call or the network, or for a goroutine that did",
		MissedRuns:       "was still on its way",
	}
	if int(m) >= len(words) {
		return ""
	}
	return words[m]
}
