package execution

import (
	"cmp"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// mostEarly bounds how many deadlines pass early in a run with a steered schedule. None do under a
// strategy that is named: its guarantee does not hold where a goroutine is slow.
func (p *Plan) mostEarly() int {
	if p.Strategy.IsDrawn() {
		return 0
	}
	return 2
}

// Passed says what time has passed in a run though goroutines could go on. A failure may rest on
// that.
type Passed struct {
	Early []EarlyFiring // deadlines that passed early, in their order; those left out are zero
	// other time, while goroutines were kept back, computed or waited for something outside
	Slow bool
	Read bool // the program has read the clock, by which code takes next to no time
}

// EarlyFiring is a deadline that passed before a goroutine that could go on.
type EarlyFiring struct {
	Fired    bool
	Sleep    bool // it was the end of time.Sleep, not of a timer
	Duration time.Duration
	Set      string // where a goroutine slept or set the timer; "" if unknown
	At       string // where one could go on; "" if unknown
}

// passed returns what time has passed in a run.
func passed(run *launch.Run, p ring.Passed) Passed {
	out := Passed{Slow: p.Slow, Read: p.Read}
	for _, f := range p.Early {
		out.Early = append(out.Early, EarlyFiring{
			Fired: f.Kind != 0, Sleep: f.Kind == ring.EarlySleep, Duration: f.Duration,
			Set: place(run.Location(f.Set[:])), At: place(run.Location(f.At[:])),
		})
	}
	return out
}

// place returns the innermost line of the program's own modules, or one that has called none.
func place(l op.Location) string { return cmp.Or(l.Own, l.At) }

// Any reports whether any time has passed while goroutines could go on.
func (p Passed) Any() bool { return p.Slow || p.Fired() > 0 }

// Fired returns how many deadlines passed early.
func (p Passed) Fired() (n int) {
	for _, f := range p.Early {
		if f.Fired {
			n++
		}
	}
	return n
}

// Timer says which deadline it was.
func (f *EarlyFiring) Timer() string {
	at := cmp.Or(f.Set, "an unknown place")
	switch {
	case f.Sleep:
		return fmt.Sprintf("time.Sleep(%v) at %s", f.Duration, at)
	case f.Duration == 0:
		return "a deadline"
	}
	return fmt.Sprintf("the timer of %v that was set at %s", f.Duration, at)
}

// String says which deadline passed before what.
func (f *EarlyFiring) String() string {
	text, verb := f.Timer(), "ran out"
	if f.Sleep {
		verb = "ended"
	}
	text += " " + verb + " before a goroutine that could run did so"
	if f.At != "" {
		text += " at " + f.At
	}
	return text
}
