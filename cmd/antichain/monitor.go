package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/alert"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
	"github.com/spf13/cobra"
)

// monitorFlags are the flags of monitor beside those of check.
type monitorFlags struct {
	specs     specfile.Source
	how       checkFlags
	input     input.Flags
	keepGoing bool // --keep-going
	postpone  bool // --defer
	builtins  findings.Flag
	untilEOF  bool // --until-eof
	byName    bool // --follow-name
	topic     topicFlags
	out       reports.Flags
	alerts    alert.Flags
}

func newMonitor(s terminal.Streams) *cobra.Command {
	var flags monitorFlags
	cmd := &cobra.Command{
		Use:   "monitor [--spec FILE] [-e FORMULA] [--builtin NAMES] [--logic l3|frey96] [--json] SOURCE...",
		Short: "check a specification and built-in properties while events arrive",
		RunE: func(cmd *cobra.Command, words []string) error {
			flags.topic.noteGiven(cmd.Flags())
			return flags.run(cmd.Context(), s, words)
		},
	}
	f := cmd.Flags()
	flags.specs.Register(f)
	flags.input.Register(f)
	f.StringVar(&flags.how.logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	flags.how.budgetFlags.register(f, 10*time.Minute, "a property that --defer has put off")
	flags.builtins.Register(f)
	flags.builtins = nil // unless the flag is given
	f.Lookup("builtin").DefValue = "none"
	f.BoolVar(&flags.how.json, "json", false, "print one JSON object for each property and run")
	flags.how.registerStrict(f)
	f.BoolVar(&flags.keepGoing, "keep-going", false, "continue after a violation with the other properties and runs")
	f.BoolVar(&flags.postpone, "defer", false, "check the properties that cannot be checked on-the-fly when their run is over")
	flags.topic.register(f)
	flags.out.Register(f)
	flags.alerts.Register(f)
	f.BoolVar(&flags.untilEOF, "until-eof", false, "do not wait for files to grow, or for further connections once all are closed")
	f.BoolVar(&flags.byName, "follow-name", false, "follow the name of a FILE: when another file takes its place, or it is written anew, go on with that")
	help.Summarise(cmd, f, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin", "defer", "format"}},
		{Title: "When it ends", Flags: []string{"keep-going", "until-eof", "follow-name"}},
		{Title: "Topics", Flags: []string{"group", "verdicts", "metrics"}},
		{Title: "What is printed", Flags: []string{"json", "report", "on-violation", "webhook", "baseline", "strict"}},
	})
	return cmd
}

func (f *monitorFlags) run(ctx context.Context, s terminal.Streams, words []string) error {
	if len(words) == 0 {
		return errors.New("no SOURCE given: name a trace file, unix:PATH or tcp:PORT, or - for standard input")
	}
	if !f.specs.Given() && len(f.builtins) == 0 {
		return errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA, or name built-in properties with --builtin")
	}
	if kafka.IsAddress(words[0]) && f.input.Format != "" && len(f.builtins) > 0 {
		return fmt.Errorf("--builtin cannot be combined with --format %s of a topic, whose messages have no operations", f.input.Format)
	}
	if err := f.topic.validate(words); err != nil {
		return err
	}
	if f.byName {
		if err := monitor.CheckFollowed(words, f.untilEOF, f.input.Format); err != nil {
			return err
		}
	}
	files, err := f.specs.Load()
	if err != nil {
		return err
	}
	if err := f.out.Prepare(words...); err != nil {
		return err
	}
	settings, err := f.how.settings(terminal.StyleOf(s.Out))
	if err != nil {
		return err
	}
	m := &monitor.Monitor{
		Checker:   *settings.Checker(files, s.Out, s.Err),
		Builtins:  findings.Wanted{On: f.builtins, Named: true}.Config(specfile.FunctionsOf(files)),
		KeepGoing: f.keepGoing, Postpone: f.postpone, Named: len(words) > 1,
	}
	m.Style.Source = specfile.SourceFor(f.specs.Files)
	m.Known, m.Reports = f.out.Recogniser(m.Style.Source, s), f.out.Collection()
	topic := kafka.IsAddress(words[0])
	if err := cmp.Or(m.Suits(), f.input.Validate(), f.alerts.Validate()); err != nil {
		return err
	}
	if whole := topic && f.input.Format != ""; !whole { // the others check runs when all is there
		if err := m.Admit(nil); err != nil {
			return err
		}
	}
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	ctx, stopMemory := budget.WithMemory(ctx, int64(f.how.Memory))
	defer stopMemory()
	m.Reading, m.Alerts = ctx, f.alerts.Start(s.Err)
	defer m.Alerts.Close()
	var stopChecking func()
	m.Checking, stopChecking = interrupt.After(ctx, interrupt.LastWork)
	defer stopChecking()
	if topic {
		err = monitorTopic(ctx, m, words[0], f)
	} else {
		err = m.Serve(ctx, words, &f.input, stream.Options{Stdin: s.In, UntilEOF: f.untilEOF, FollowName: f.byName})
	}
	m.NoteOpen()
	m.Reports.Cut = m.Failed || err != nil && err != monitor.ErrFirst
	if !f.out.Write(s, m.Reports) {
		m.Failed = true
	}
	if err != nil && err != monitor.ErrFirst && err != context.Cause(ctx) {
		return err
	}
	if cause := context.Cause(ctx); errors.As(cause, new(*budget.MemoryError)) {
		fmt.Fprintf(s.Err, "antichain: %v%s\n", cause, limits.Remedy(cause))
		m.Unknown = true
		if topic {
			return exit.Code(exit.Error) // a supervisor must see that it failed
		}
	}
	return m.Outcomes.Err()
}
