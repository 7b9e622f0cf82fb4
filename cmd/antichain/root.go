package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/completion"
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:embed spec.txt
var specText string

// mainerr runs antichain with these arguments and returns the exit code.
func mainerr(args []string, s terminal.Streams) (code int) {
	defer func() {
		if v := recover(); v != nil {
			reportBug(v, s.Err)
			code = exit.Bug
		}
	}()
	root := newRoot(s)
	root.SetArgs(args)
	return finish(root.Execute(), s.Err)
}

// newRoot returns the command with all verbs.
func newRoot(s terminal.Streams) *cobra.Command {
	root := newGroup(s, &cobra.Command{
		Use:           "antichain",
		Short:         "find concurrency bugs that did not happen",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionString(), // --version
	})
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddCommand(
		newRun(s),
		newReplay(s),
		newVerify(s),
		newTest(s),
		newBuild(s),
		newBuiltinsVerb(s),
		newAttach(s),
		newExecTest(s),
		newCheck(s),
		newMonitor(s),
		newExplain(s),
		newTable(s),
		newStats(s),
		newConvert(s),
		newSend(s),
		newRekey(s),
		newProgram(s),
		newView(s),
		newDebug(s),
		newDoctor(s),
		newConfig(s),
		newLTL(s),
		newCTL(s),
		newSteps(s),
		newInit(s),
		newFmt(s),
		newLSP(s),
		newMCP(s),
		newVersion(s),
		newMan(),
		newSpecTopic(),
		newFormatsTopic(),
		newKafkaTopic(),
	)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp(root))
	help.Set(root)
	completion.Add(root)
	return root
}

// newGroup makes cmd a command that does nothing but to have others: without the name of one of
// them it prints its help.
func newGroup(s terminal.Streams, cmd *cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetOut(s.Err)
		if err := cmd.Help(); err != nil {
			return err
		}
		return exit.Code(exit.Error)
	}
	return cmd
}

// newHelp is "antichain help". The one that cobra has exits with 0 for a topic that it does
// not know.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "help about any command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commands(root), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if topic == root && len(rest) > 0 {
				return unknownCommand(root, rest[0])
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// unknownCommand says which commands there are.
func unknownCommand(root *cobra.Command, name string) error {
	hint := ""
	if near := root.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return fmt.Errorf("unknown command %q%s: the commands are %s", name, hint, wording.List(commands(root)))
}

// commands returns the names of what "antichain help" lists.
func commands(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagValues describes the values of flags by their types. Flags of types of our own describe
// themselves.
var flagValues = map[string]string{
	"int":           "a whole number of at most 18 digits",
	"uint64":        "a whole number of at most 19 digits, not below 0",
	"N":             "a whole number of at most 18 digits, or all",
	"stringToInt64": "the name of a parameter and a whole number, as n=4",
	"duration":      "a duration, such as 90s or 5m",
}

// flagError says what the value of a flag should be, where the flags are listed, or that a long
// flag has two dashes.
func flagError(cmd *cobra.Command, err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if ok && flagValues[invalid.GetFlag().Value.Type()] != "" {
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %s: expected %s", f.Name, event.Printable(invalid.GetValue()), flagValues[f.Value.Type()])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
	if cmd.Flags().Lookup(name) != nil {
		return fmt.Errorf("unknown flag: -%s; long flags have two dashes: --%s", name, name)
	}
	if unknown.GetSpecifiedName() == "predict" {
		return fmt.Errorf("%w; run, test and check have it, which look at a run when it has ended: keep the trace and use antichain check --predict locks", err)
	}
	help := "--help"
	if cmd.Flags().Lookup("help-all") != nil {
		help = "--help-all"
	}
	hint := similarFlag(cmd.Flags(), unknown.GetSpecifiedName())
	return fmt.Errorf("%w%s; %s %s lists the flags", err, hint, cmd.CommandPath(), help)
}

// similarFlag asks whether the flag that is most like name was meant, if there is one.
func similarFlag(flags *pflag.FlagSet, name string) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := source.Closest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean --%s?)", near)
	}
	return ""
}

// newSpecTopic is "antichain help spec".
func newSpecTopic() *cobra.Command {
	return &cobra.Command{Use: "spec", Short: "the specification language", Long: specText}
}

// newFormatsTopic is "antichain help formats".
func newFormatsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(`check, monitor, explain, table, stats, view, convert, send and debug read traces, in text or binary form.
With --format they read other records of runs. ltl, ctl and steps read traces only: convert other
records first. Such a file is read to its current end, also by monitor. It may be compressed as a
whole with gzip or zstd.

If a file holds several runs, each is checked and reported as FILE:RUN. --run chooses one of them;
convert, table and explain need it then.`)
	for _, f := range input.NewFormats() {
		fmt.Fprintf(&b, "\n--format %s: %s\n\n%s", f.Name, f.About, f.Text)
	}
	long := strings.TrimSuffix(b.String(), "\n")
	return &cobra.Command{Use: "formats", Short: "the other formats that can be read", Long: long}
}

// newKafkaTopic is "antichain help kafka".
func newKafkaTopic() *cobra.Command {
	sink := help.Flags(func(flags *pflag.FlagSet) {
		new(delivery.SinkFlags).Register(flags)
		delivery.RegisterRunID(flags, new(string))
	})
	return &cobra.Command{Use: "kafka", Short: "the flags for topics of Kafka", Long: `run and test send a trace to a topic while the program runs, send does so with files, and monitor
checks the runs of a topic as they come in.

    antichain run --to kafka://broker1/traces ./cmd/server
    antichain monitor --group checkers --spec server.tl kafka://broker1/traces

Of run and test:
` + sink + `
Of monitor, with --kafka-… as above:
` + help.Flags(new(topicFlags).register, topicFlagNames...)}
}
