package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
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
	untilEOF  bool // --until-eof
	topic     topicFlags
}

func newMonitor(s terminal.Streams) *cobra.Command {
	var flags monitorFlags
	cmd := &cobra.Command{
		Use:   "monitor [--spec FILE] [-e FORMULA] [--logic l3|frey96] [--json] SOURCE...",
		Short: "check a specification while events come in",
		Long: `monitor checks a specification on traces that are still being written. A violation is reported
as soon as the events that have come make it certain, and ends antichain, or with --keep-going the
property.

SOURCE is
    -                       standard input
    FILE                    a trace that is followed as it grows: to the end of a binary one, a text
                            trace until an interrupt (ctrl-C); with --until-eof to where it ends now
    unix:PATH               a socket to listen on; it is made, for this user alone
    tcp:[HOST:]PORT         a port to listen on; only this machine can reach it if no HOST is given.
                            Peers are not authenticated. Port 0 is a free one
    unix+connect:PATH       a socket, or a port, that somebody else listens on
    tcp+connect:[HOST:]PORT
    kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC
                            a topic of Kafka, with many runs at once: their ids are the keys of records

With --format it is - or a FILE, whose log is read to where it ends now.

Each connection sends a trace, in the text or the binary form. Those whose headers have the same "run"
are one run, whose tasks need different names: an initial task env creates those of the later ones, and
counts as a goroutine. Every other trace is a run of its own. A run that can be joined is over when nobody can join any more:
always as long as a socket is listened on, else until each SOURCE has begun.

Only properties whose violations stay what they are, however the run goes on, can be checked like this;
antichain explain tells why one cannot. With --defer the others are checked when their run is over.

A run whose sender breaks off, or that an interrupt ends, is cut off: a property is then unknown if
its verdict rests on what would have come next. Text traces have no end marker, so the end of a connection
between two lines counts as the end of the run. With --until-eof a socket is closed when all who have
connected are gone.

--json prints one object for each property and run, as check does. "forgotten" in a witness is the
number of events that come before the "schedule" in every order and are not kept: what nothing to
come can be part of is forgotten (antichain explain says of a property what its memory grows with).
Of a run that others can join nothing is, since they know nothing of it when they begin, unless all properties are
about one goroutine at a time. In a topic a run says how many sources it has, in the header antichain-sources of
a record, as those that run, test and send write.

Of a topic all partitions are read, from the beginning, until ctrl-C or with --until-eof to where they end now.
With --group the members of a consumer group share them, and save the state of the runs to the topic
TOPIC-GROUP-snapshots: who gets a partition goes on where its last owner has stopped. A violation does not end
monitor. A run is over when its sources say so, or cut off after --idle. One that is broken, or takes more than
--run-memory, has the verdict error, and the others go on. Records that cannot be read go to --dead-letters.
Verdicts are printed, or go to the topic --verdicts. Each has an "id", which is the same if it is said again, as after a crash.

While a topic is read there is a log on standard error: JSON, but for a terminal. --metrics serves numbers for
Prometheus at /metrics, whether monitor works at /healthz, and whether it reads, or stands by, at /readyz.
ctrl-C or SIGTERM lets a member save what it has, within --grace, and leave the group; a second one ends it at once.

Exit codes: 1 as soon as a property is violated, else 2 usage, specification or input error, 3 unknown,
0 all hold. Of a topic they are about what was read until the end; 2 is also for records that cannot be read,
and for an end without saving.`,
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
	f.BoolVar(&flags.how.json, "json", false, "print one JSON object for each property and run")
	f.BoolVar(&flags.keepGoing, "keep-going", false, "go on after a violation, with the other properties and runs")
	f.BoolVar(&flags.postpone, "defer", false, "check properties that cannot be checked on-the-fly when their run is over")
	flags.topic.register(f)
	f.BoolVar(&flags.untilEOF, "until-eof", false, "do not wait for files to grow, nor for more connections when all are closed")
	return cmd
}

func (f *monitorFlags) run(ctx context.Context, s terminal.Streams, words []string) error {
	if len(words) == 0 {
		return errors.New("no SOURCE given: name a trace file, unix:PATH or tcp:PORT, or - for standard input")
	}
	if !f.specs.Given() {
		return errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA")
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
			Stdout: s.Out, Stderr: s.Err, JSON: f.how.json, Options: opt, Style: terminal.StyleOf(s.Out), Properties: specfile.Properties(files),
		},
		KeepGoing: f.keepGoing, Postpone: f.postpone, Named: len(words) > 1,
	}
	m.Style.Source = report.Source{Dirs: specfile.SourceDirs(f.specs.Files)}
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
