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

// Program is a traced program, halted when Run is called and whenever Go has returned.
type Program interface {
	// Run is what is known of its run. It may be looked at while the program is halted, and when it has ended.
	Run() *tracemodel.LiveRun
	// Go lets the program go on until the goal is reached, its time is over, or the program has ended. After an error it is
	// of no more use.
	Go(*Goal) (Stop, error)
	// Ending says how the program has ended, "" if it has not.
	Ending() string

	PID() int
	Tasks() ([]control.Task, error) // of the halted program
	TaskName(ctx uint64) string     // the name that a goroutine has as a task, "" if it has none
}

// Goal says how far a program goes.
type Goal struct {
	// Reached is asked whenever the run has grown. Then the program is halted.
	Reached func() bool
	// Held returns who waits at its next record, by the names of tasks, or with others who does not. It is asked
	// before the program goes on, and again and again meanwhile.
	Held func() (others bool, tasks []string)
	// Look, if it is there, is told what those goroutines do that are not held, when somebody is and for that long nobody has come
	// to a record. For that the program is halted for a moment.
	Look func(quiet time.Duration, others []control.Task)
	Time time.Duration
}

// Stop says why a program stands.
type Stop uint8

// The reasons.
const (
	Halted      Stop = iota // the goal is reached
	Late                    // the time is over
	Interrupted             // by the person
	Ended                   // so has the program
)

// Decision is what becomes of the program in the end.
type Decision uint8

// The decisions.
const (
	End    Decision = iota // it is ended
	Detach                 // it goes on and is not watched any more
)

// Subject is what the dialogue is about.
type Subject struct {
	Program
	Name string
	Root string // directory that positions are relative to
}

// dialogue is where a person is.
type dialogue struct {
	console.Console
	*Subject
	ctx  context.Context
	run  *tracemodel.LiveRun
	view *view.View

	here     kripke.State
	step     kripke.State    // where the last step began
	held     map[string]bool // tasks, by the person
	time     time.Duration   // for a step
	again    string          // what an empty line repeats
	decision *Decision
}

// Run reads and carries out commands until the person has had enough. A script ends at its first mistake, which is returned,
// and at its end; then the program is to end, too.
func Run(ctx context.Context, s *Subject, c console.Console, style report.Style) (Decision, error) {
	d := &dialogue{Console: c, Subject: s, ctx: ctx, run: s.Run(), held: map[string]bool{}, time: debug.Time}
	d.view = &view.View{System: d.run, Out: c, Word: "task", Place: d.run.Position, Style: style}
	where := "halted before its first event"
	if ending := d.Ending(); ending != "" {
		where = ending + ", before it could be halted"
	}
	fmt.Fprintf(d, "%s: %s. help lists what you can do.\n", s.Name, where)
	if err := show.Do(d, "", nil); err != nil {
		return End, err
	}
	script, _ := c.(*console.Script)
	for d.decision == nil {
		line, err := c.ReadLine("(antichain) ", func(line string) []string { return commands.Complete(d, line) })
		switch {
		case errors.Is(err, console.ErrInterrupted):
			continue
		case errors.Is(err, io.EOF) && script != nil:
			return End, nil
		case errors.Is(err, io.EOF):
			line = quit.Name
		case err != nil && script != nil:
			return End, &debug.ScriptError{Line: script.Line(), Err: err}
		case err != nil:
			return End, err
		}
		if line == "" {
			line = d.again
		}
		d.again, err = commands.Obey(d, line)
		if err != nil && script != nil {
			return End, &debug.ScriptError{Line: script.Line(), Err: err}
		}
		if err != nil {
			fmt.Fprintln(c, err)
		}
	}
	return *d.decision, nil
}

// parse reads a formula.
func (d *dialogue) parse(text string) (*temporal.Formula, error) {
	return temporal.Parse("formula", text, temporal.FiniteLTL)
}

// known reports whether something has come next that the person has not seen.
func (d *dialogue) known() bool { return d.here < d.run.Last() }

// ahead says how much further than the person the program is.
func (d *dialogue) ahead() error {
	if !d.known() {
		return nil
	}
	_, err := fmt.Fprintf(d, "The program is %s further.\n", wording.Plural(int(d.run.Last()-d.here), "event"))
	return err
}
