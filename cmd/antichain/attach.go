package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/spf13/cobra"
)

type attachFlags struct {
	specs    specfile.Source
	how      checkFlags
	output   string        // -o
	builtins findings.Flag // --builtin
	live     live.Settings // --live, --keep-going and --defer
	where    bool          // --where
}

func newAttach(s terminal.Streams) *cobra.Command {
	var flags attachFlags
	cmd := &cobra.Command{
		Use:   "attach [--spec FILE] [-e FORMULA] [-o TRACE] [--logic l3|frey96] [--json] PID|SOCKET",
		Short: "check a program that waits for a checker, from its beginning",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one program, by its process id or its socket")
			}
			if flags.where {
				return flags.printWhere(cmd.Context(), s, args[0])
			}
			return flags.run(cmd.Context(), s, args[0])
		},
	}
	f := cmd.Flags()
	flags.specs.Register(f)
	f.VarP((*atomicfile.Flag)(&flags.output), "output", "o", "write the trace to this `FILE`: as text if its name ends in .jsonl, else in binary form")
	f.StringVar(&flags.how.logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	flags.how.budgetFlags.register(f, 10*time.Minute, "a property that --defer has put off")
	f.BoolVar(&flags.how.json, "json", false, "print one JSON object for each property")
	f.BoolVar(&flags.live.KeepGoing, "keep-going", false, "continue after a violation with the other properties")
	flags.builtins.Register(f)
	flags.live.On = true
	flags.live.Register(f, "halt the program at a violation of a built-in property when it happens, or with --live=predicted also when it is only predicted")
	f.BoolVar(&flags.live.Postpone, "defer", false, "check at the end the properties that cannot be checked on-the-fly")
	f.BoolVar(&flags.where, "where", false,
		"only print where the goroutines of a program are that antichain traces; the program continues")
	return cmd
}

// printWhere prints where the goroutines of a process stand.
func (f *attachFlags) printWhere(ctx context.Context, s terminal.Streams, process string) error {
	pid, err := strconv.Atoi(process)
	if err != nil {
		return fmt.Errorf("%s is not a process id: --where takes the one of the traced program", process)
	}
	m, err := f.monitor(s)
	if err != nil {
		return err
	}
	return hang.Where(ctx, pid, &m.Checker, s.Out)
}

func (f *attachFlags) run(ctx context.Context, s terminal.Streams, target string) error {
	m, err := f.monitor(s)
	if err != nil {
		return err
	}
	p, err := live.FindProcess(ctx, target)
	if err != nil {
		return err
	}
	if p.IsHalted() {
		if f.specs.Given() || f.output != "" {
			return errors.New("the program is halted by the antichain that has started it, and which checks it: leave out --spec, -e and -o")
		}
		return p.Visit(ctx, s)
	}
	a := live.Attachment{Process: p, Monitor: m, Builtins: f.builtins, Live: f.live.Flag, Memory: int64(f.how.Memory), Output: f.output}
	return a.Run(ctx, s)
}

// monitor loads the specification, and finds mistakes in the flags.
func (f *attachFlags) monitor(s terminal.Streams) (*monitor.Monitor, error) {
	if !f.live.On {
		return nil, errors.New("--live=false: antichain attach always checks while the program runs")
	}
	if !f.specs.Given() && len(f.builtins) == 0 {
		return nil, errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA, or leave out --builtin none")
	}
	files, err := f.specs.Load()
	if err != nil {
		return nil, err
	}
	settings, err := f.how.settings(terminal.StyleOf(s.Out))
	err = cmp.Or(err, f.builtins.Suits(specfile.FunctionsOf(files)))
	if err == nil && f.output != "" {
		err = tracefile.CheckOverwritable(f.output)
	}
	if err != nil {
		return nil, err
	}
	m := &monitor.Monitor{Checker: *settings.Checker(files, s.Out, s.Err), KeepGoing: f.live.KeepGoing, Postpone: f.live.Postpone}
	m.Style.Source = specfile.SourceFor(f.specs.Files)
	return m, nil
}
