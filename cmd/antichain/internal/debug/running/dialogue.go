// Package running is the temporal debugger on a running program. The program is halted, and resumes
// until a formula is satisfied.
//
// The states are the slices that the run passes, in the order in which they are recorded. A process
// cannot go back. The user may be slightly behind the program, since a goroutine that could not be
// stopped in time has recorded a few more events. These come first in the next step.
//
// Only one of all possible continuations happens when the program resumes. If a formula asks for a
// certain order, the debugger helps by holding goroutines at their records (see guide), for half of
// the time of the step.
package running

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug/view"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Program is a traced program, which is halted when Run is called and after each Go.
type Program interface {
	// Run is the recorded run. It may be read while the program is halted, and after its end.
	Run() *tracemodel.LiveRun
	// Go resumes the program until the goal is reached, the time is over, or the program has ended.
	// After an error the program is unusable.
	Go(*Goal) (Stop, error)
	// Ending describes how the program has ended; "" if it has not.
	Ending() string

	PID() int
	Tasks() ([]control.Task, error) // of the halted program
	TaskName(ctx uint64) string     // name of a goroutine as a task; "" if it has none
	DisplayName(ctx uint64) string  // what reports call a goroutine
}

// Goal describes how far a program goes.
type Goal struct {
	// Reached is called whenever the run has grown, with the program halted.
	Reached func() bool
	// Held returns the tasks to pause at their next record or, if others is true, the ones not to
	// pause. It is called before the program resumes, and repeatedly after that.
	Held func() (others bool, tasks []string)
	// Look, if not nil, receives the states of the goroutines that are not held, if some are held
	// and no goroutine has reached a record for the time quiet. The program is halted briefly for
	// that.
	Look func(quiet time.Duration, others []control.Task)
	Time time.Duration
}

// Stop is the reason for which a program was halted.
type Stop uint8

// The reasons.
const (
	Halted      Stop = iota // the goal is reached
	Late                    // the time is over
	Interrupted             // the user interrupted it
	Ended                   // the program ended
)

// Decision is the fate of the program after the session.
type Decision uint8

// The decisions.
const (
	End    Decision = iota // the program is ended
	Detach                 // the program continues unobserved
)

// Subject is the program that is debugged.
type Subject struct {
	Program
	Name string
	Root string // the directory to which positions are relative
}

// dialogue is the state of a session.
type dialogue struct {
	console.Console
	*Subject
	ctx  context.Context
	run  *tracemodel.LiveRun
	view *view.View

	here     kripke.State
	step     kripke.State    // the state in which the last step began
	held     map[string]bool // tasks held by the user
	time     time.Duration   // limit of a step
	decision *Decision
}

// Run executes commands until the user ends the session. A script ends at its first error, which is
// returned, or at its end; then the program is to end, too.
func Run(ctx context.Context, s *Subject, c console.Console, style report.Style) (Decision, error) {
	d := &dialogue{Console: c, Subject: s, ctx: ctx, run: s.Run(), held: map[string]bool{}, time: debug.Time}
	d.view = &view.View{System: d.run, Out: c, Word: "task", Place: d.run.Position, Runs: d.run.Runs, Style: style}
	state := "halted before its first event"
	if ending := d.Ending(); ending != "" {
		state = ending + ", before it could be halted"
	}
	fmt.Fprintf(d, "%s: %s. help lists what you can do.\n", s.Name, state)
	if err := show.Do(d, "", nil); err != nil {
		return End, err
	}
	for d.decision == nil {
		err := commands.Converse(c, d, func() bool { return d.decision != nil })
		if errors.Is(err, io.EOF) {
			err = quit.Do(d, "", nil) // so does a script end
		}
		if err != nil {
			return End, err
		}
	}
	return *d.decision, nil
}

// parse reads a formula.
func (d *dialogue) parse(text string) (*temporal.Formula, error) {
	return temporal.Parse("formula", text, temporal.FiniteLTL)
}

// hasNext reports whether a next state is recorded that the user has not visited.
func (d *dialogue) hasNext() bool { return d.here < d.run.Last() }

// writeAhead writes how far the program is ahead of the user.
func (d *dialogue) writeAhead() error {
	if !d.hasNext() {
		return nil
	}
	_, err := fmt.Fprintf(d, "The program is %s further.\n", wording.Plural(int(d.run.Last()-d.here), "event"))
	return err
}
