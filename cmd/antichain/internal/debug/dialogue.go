// Package debug is the temporal debugger of Gunter and Peled, "Temporal Debugging for Concurrent
// Systems", 2002, §4.
//
// The user goes through the states of a transition system, a program or a recorded run. A step is a
// sequence of states that satisfies a formula of temporal logic.
//
// The steps form a stack. Each step begins where the one below it ends. The user can remove the top
// step, or replace it by another way to satisfy its formula, or by a step for another formula.
package debug

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug/view"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// Subject is the system that is debugged.
type Subject struct {
	kripke.System
	Name string
	Word string // singular noun for its processes

	// Memory limits the bytes of the process while it searches; 0 is no limit.
	Memory int64
	// Backward returns the system with all moves reversed, with the same states. It is nil if the
	// system only goes forward.
	Backward func(context.Context) (kripke.System, error)
	// Place returns the source position of a process, as "file.go:line"; "" for none. It is nil
	// without a source.
	Place func(s kripke.State, process int) string
	// Runs returns the function that a process runs; "" if it is unknown. It is nil if processes
	// are not goroutines.
	Runs func(process int) string
	// EvalErrors returns the evaluation errors of propositions. It is nil if there cannot be any.
	EvalErrors func() []lsl.EvalError
	// Order draws the order of all events, and marks those before a state. It is nil if nothing was
	// recorded.
	Order func(s kripke.State, most int) (*diagram.Graph, error)
}

// Time is the default limit for a search.
const Time = 10 * time.Second

// Limit is the default limit for the states of a step.
const Limit = 10_000

// dialogue is the state of a session.
type dialogue struct {
	console.Console
	*Subject
	ctx  context.Context
	view *view.View

	stack *steps.Stack
	opt   steps.Options // for the next step
	time  time.Duration // limit of a search
	done  bool
}

// Run executes commands until the user ends the session. A script ends at its first error, which is
// returned.
func Run(ctx context.Context, s *Subject, c console.Console, style report.Style) error {
	d := &dialogue{Console: c, Subject: s, ctx: ctx, opt: steps.Options{Limit: Limit}, time: Time}
	d.view = &view.View{System: s.System, Out: c, Word: s.Word, Place: s.Place, Runs: s.Runs, Style: style}
	d.begin(s.Initial()[0])
	defer func() { d.stack.Close() }()
	if err := d.greet(); err != nil {
		return err
	}
	if err := commands.Converse(c, d, func() bool { return d.done }); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// begin empties the stack, and starts it at a state.
func (d *dialogue) begin(s kripke.State) {
	if d.stack != nil {
		d.stack.Close()
	}
	d.stack = steps.NewStack(d.System, s)
}

func (d *dialogue) greet() error {
	fmt.Fprintf(d, "%s: %s. help lists what you can do.\n", d.Name, d.view.Count())
	return d.view.Show(d.stack.Here(), nil)
}

// runBounded runs a search until it exceeds its limit of time or memory, or the user presses
// ctrl-C.
func (d *dialogue) runBounded(search func(context.Context) error) error {
	ctx, stop := budget.WithMemory(d.ctx, d.Memory)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, d.time, &timeError{d.time})
	defer cancel()
	terminal, ok := d.Console.(*console.Terminal)
	if !ok {
		return errors.Join(withRemedy(search(ctx)), d.sayUndefined())
	}
	ctx, done, err := terminal.Interruptible(ctx)
	if err != nil {
		return err
	}
	return errors.Join(withRemedy(search(ctx)), done(), d.sayUndefined())
}

// sayUndefined writes which propositions could not be evaluated.
func (d *dialogue) sayUndefined() error {
	if d.EvalErrors == nil {
		return nil
	}
	return d.view.Undefined(d.EvalErrors())
}

// timeError is the cause of a search that exceeded its time.
type timeError struct{ time time.Duration }

func (e *timeError) Error() string {
	return fmt.Sprintf("nothing was found in %s, and not everything was searched", e.time)
}

// withRemedy adds how to raise the limit that ended a search.
func withRemedy(err error) error {
	switch {
	case errors.As(err, new(*timeError)):
		return fmt.Errorf("%w: set time lets a search take longer, set limit makes steps shorter", err)
	case errors.As(err, new(*budget.MemoryError)):
		return fmt.Errorf("%w: --memory allows more, set limit makes steps shorter", err)
	}
	return err
}

// Unfinished reports whether an error is an exceeded limit of a search.
func Unfinished(err error) bool {
	return errors.As(err, new(*timeError)) || errors.As(err, new(*budget.MemoryError)) || errors.Is(err, ltl.ErrNodes)
}

// parse reads a formula.
func (d *dialogue) parse(text string) (*temporal.Formula, error) {
	return temporal.Parse("formula", text, temporal.FiniteLTL)
}

type command = console.Command[*dialogue]

// commands are all commands. init sets them, since help itself refers to them.
var commands console.Commands[*dialogue]

func init() {
	commands = console.Commands[*dialogue]{
		Groups: []console.Group[*dialogue]{
			{Heading: "Temporal steps", Commands: []*command{step, shortest, minimal, maximal, every, again, replace,
				remove, backward}},
			{Heading: "Single moves", Commands: []*command{moves, move, next, back, restart}},
			{Heading: "Looking", Commands: []*command{show, process, holds, stack, path, draw}},
			{Heading: "Other", Commands: []*command{set, help, quit}},
		},
		Aliases: map[string]*command{
			"?": help, "n": next, "b": back, "s": step, "q": quit, "exit": quit, "bt": stack,
			"print": holds, "p": holds,
		},
		Closing: "FORMULA is one of linear temporal logic over finite sequences.",
	}
}

var help = console.HelpCommand(&commands)

var quit = &command{
	Name: "quit", Short: "leave; so does ctrl-D",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.done = true
		return nil
	},
}

// RunScript runs a dialogue with the commands in a file, and writes it to out. An unfinished search
// becomes an exit code, and stderr names it.
func RunScript(file string, out, stderr io.Writer, talk func(console.Console) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return InScript(event.Printable(file), stderr, talk(console.NewScript(f, out)))
}

// InScript adds the position in the script to the error of a dialogue. An unfinished search becomes
// an exit code, and stderr names it.
func InScript(name string, stderr io.Writer, err error) error {
	var mistake *console.ScriptError
	if !errors.As(err, &mistake) {
		return err
	}
	err = fmt.Errorf("%s:%d: %w", name, mistake.Line, mistake.Err)
	if Unfinished(err) {
		fmt.Fprintln(stderr, "antichain:", err)
		return exit.Code(exit.Unknown)
	}
	return err
}
