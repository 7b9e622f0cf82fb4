package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
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
	topic     topicFlags
}

func newMonitor(s terminal.Streams) *cobra.Command {
	var flags monitorFlags
	cmd := &cobra.Command{
		Use:   "monitor [--spec FILE] [-e FORMULA] [--builtin NAMES] [--logic l3|frey96] [--json] SOURCE...",
		Short: "check a specification and built-in properties while events arrive",
		Long: `monitor checks a specification on traces that are still being written. It reports a violation as
soon as the events received make it certain, and then ends. With --keep-going it goes on with the
other properties.

SOURCE is
    -                       standard input
    FILE                    a trace, followed as it grows: a binary trace to its end, a text trace
                            until an interrupt (ctrl-C); with --until-eof to its current end
    unix:PATH               a socket to listen on; it is created for this user alone
    tcp:[HOST:]PORT         a port to listen on; without HOST only this machine can reach it.
                            Peers are not authenticated. Port 0 is a free one
    unix+connect:PATH       a socket that another process listens on
    tcp+connect:[HOST:]PORT a port that another process listens on
    kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC
                            a Kafka topic with many runs at once; record keys are the runs' IDs

With --format SOURCE is - or a FILE, and its log is read to its current end.

Each connection sends a trace, in text or binary form. Traces whose headers have the same "run" form
one run. Their tasks need different names. An initial task env creates the tasks of sources that
join later, and counts as a goroutine. Every other trace is a run of its own. A run that sources can
join is over when no further source can join: while antichain listens on a socket one always can,
else until each SOURCE has begun.

With --builtin monitor also checks built-in properties, if the traces have the operations that they
need: those of run, test and send with --builtin have. A violation is reported as soon as it is
certain; that a goroutine waits for ever is only when the run is over. antichain help builtins says
what a report means.

A property can be monitored only if a violation stays one however the run continues; antichain
explain tells why a property cannot. With --defer such properties are checked when their run is over.

A run is cut off if its sender breaks off or an interrupt ends it. A property is then unknown if its
verdict depends on what would have come next. Text traces have no end marker, so the end of a
connection between two lines counts as the end of the run. With --until-eof antichain closes a
socket when all connected senders are gone.

--json prints one object for each property and run, as check does. "forgotten" in a witness is the
number of events that precede the "schedule" in every order and are not kept. State that no future
global state can include is discarded (antichain explain says what a property's memory grows with).
A source that joins late may be concurrent with everything seen so far, so nothing of a run that
others can join is discarded, unless all properties are about one goroutine at a time. In a topic a
run states how many sources it has in the record header antichain-sources; run, test and send write
it.

monitor reads all partitions of a topic from the beginning, until ctrl-C or, with --until-eof, to
their current end. With --group the members of a consumer group share the partitions and save the
state of the runs to the topic TOPIC-GROUP-snapshots. A member that takes over a partition continues
where the last owner stopped. A violation does not end monitor. A run is over when its sources say
so, and cut off after --idle. A run that is broken, or takes more than --run-memory, has the verdict
error; the others continue. Records that cannot be read go to --dead-letters. Verdicts are printed,
or go to the topic --verdicts. Each has an "id", which stays the same if the verdict is repeated, as
after a crash.

While monitor reads a topic it logs to standard error: in JSON, except on a terminal. --metrics
serves metrics for Prometheus at /metrics; /healthz tells whether monitor works, /readyz whether it
reads or stands by. At ctrl-C or SIGTERM a member saves its state, within --grace, and leaves the
group; a second one ends it at once.

Exit codes: 1 as soon as a property is violated, else 2 usage, specification or input error, 3
unknown, or with --strict vacuous (antichain help spec), 0 all hold. For a topic they cover what was
read until the end; 2 is also for records that cannot be read, and for an end without saving.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			flags.topic.given(cmd.Flags())
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
	f.BoolVar(&flags.untilEOF, "until-eof", false, "do not wait for files to grow, or for further connections once all are closed")
	summarise(cmd, f, summary{`monitor checks traces that are still being written, and reports a violation as soon as the events
received make it certain. SOURCE is

    - or FILE               standard input, or a trace that is followed as it grows
    unix:PATH, tcp:PORT     a socket to listen on; with +connect, one that another process listens on
    kafka://BROKER/TOPIC    a topic with many runs at once

Exit codes: 0 all hold, 1 one is violated, 2 usage, specification or input error, 3 unknown.`, []section{
		{"What is checked", []string{"spec", "expr", "builtin", "defer", "format"}},
		{"When it ends", []string{"keep-going", "until-eof"}},
		{"Topics", []string{"group", "verdicts", "metrics"}},
		{"What is printed", []string{"json", "strict"}},
	}})
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
	files, err := f.specs.Load()
	if err != nil {
		return err
	}
	opt, err := f.how.options()
	if err != nil {
		return err
	}
	m := &monitor.Monitor{
		Checker: check.Checker{
			Stdout: s.Out, Stderr: s.Err, JSON: f.how.json, Strict: f.how.strict, Options: opt, Style: terminal.StyleOf(s.Out), Properties: specfile.Properties(files), Functions: specfile.FunctionsOf(files),
		},
		Builtins:  findings.Wanted{On: f.builtins, Named: true}.Config(specfile.FunctionsOf(files)),
		KeepGoing: f.keepGoing, Postpone: f.postpone, Named: len(words) > 1,
	}
	m.Style.Source = specfile.SourceFor(f.specs.Files)
	topic := kafka.IsAddress(words[0])
	if err := f.input.Validate(); err != nil {
		return err
	}
	if whole := topic && f.input.Format != ""; !whole { // else a run is checked when all of it is there
		if err := m.Admit(nil); err != nil {
			return err
		}
	}
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	ctx, stopMemory := budget.WithMemory(ctx, int64(f.how.Memory))
	defer stopMemory()
	var sources []stream.Source
	if !topic {
		if f.input.Format == "" {
			sources, err = m.OpenSources(words, stream.Options{Stdin: s.In, UntilEOF: f.untilEOF})
		} else {
			sources, err = m.OpenLogs(ctx, &f.input, words, s.In)
		}
		if err != nil {
			return input.Unread(ctx, err, 0)
		}
	}
	m.Reading = ctx
	var stopChecking func()
	m.Checking, stopChecking = interrupt.After(ctx, interrupt.LastWork)
	defer stopChecking()
	if sources == nil {
		err = monitorTopic(ctx, m, words[0], f)
	} else {
		err = stream.Serve(ctx, sources, m)
	}
	if err != nil && err != monitor.ErrFirst && err != context.Cause(ctx) {
		return err
	}
	var memory *budget.MemoryError
	if cause := context.Cause(ctx); errors.As(cause, &memory) {
		fmt.Fprintf(s.Err, "antichain: %v%s\n", cause, limits.Remedy(cause))
		m.Unknown = true
	}
	return m.Outcomes.Err()
}
