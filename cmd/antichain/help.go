package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// examples are what the help of each verb begins with, by the path of the verb.
var examples = map[string]string{
	"antichain": `
antichain run ./cmd/server        runs a program, and reports what can go wrong in any order
antichain test ./...              the same with the tests of packages
antichain check run.trace         the same with a run that was recorded`,
	"antichain run": `
antichain run ./cmd/server
antichain run -e 'not (t1:(in.write) and t2:(in.write)) if t1 != t2' ./cmd/server -port 8080`,
	"antichain replay": `
antichain replay bank-deadlock-23cc95ec.schedule ./examples/bank`,
	"antichain test": `
antichain test ./...
antichain test -run TestServer -count 5 ./server`,
	"antichain build": `
antichain build -o server ./cmd/server
ANTICHAIN_TRACE=run.trace ./server`,
	"antichain builtins": `
antichain builtins deadlock
antichain builtins deadlock abba >main.go`,
	"antichain attach": `
ANTICHAIN_TRACE=wait ./server &
antichain attach --spec server.tl $!`,
	"antichain check": `
antichain check run.trace
antichain check --spec server.tl --count run.trace`,
	"antichain monitor": `
antichain monitor --spec server.tl run.trace
antichain monitor --builtin deadlock,stuck unix:/run/antichain.sock`,
	"antichain explain": `
antichain explain -e 't:(in.work) -> sometime t:(not in.work)'
antichain explain --spec server.tl --on run.trace`,
	"antichain table": `
antichain table -e 't1:(in.write) and t2:(in.write)' run.trace`,
	"antichain stats": `
antichain stats run.trace`,
	"antichain convert": `
antichain convert --to text -o run.jsonl run.trace`,
	"antichain send": `
antichain send run.trace kafka://broker1/traces`,
	"antichain rekey": `
antichain rekey --group keys kafka://broker1/otlp_spans kafka://broker1/keyed_spans`,
	"antichain program": `
antichain program --param n=3 philosophers.gcl`,
	"antichain debug": `
antichain debug run.trace
antichain debug ./cmd/server`,
	"antichain doctor": `
antichain doctor`,
	"antichain ltl": `
antichain ltl sat 'F p & G (p -> X !p)'`,
	"antichain ltl sat": `
antichain ltl sat 'F p & G (p -> X !p)'`,
	"antichain ltl valid": `
antichain ltl valid 'G p -> F p'`,
	"antichain ltl implies": `
antichain ltl implies 'p U q' 'F q'`,
	"antichain ltl equiv": `
antichain ltl equiv 'F p' 'true U p'`,
	"antichain ltl eval": `
antichain ltl eval --word '[["a"],[],["a","b"]]' 'F (a & b)'`,
	"antichain ltl check": `
antichain ltl check --model peterson.gcl --fair process 'G (P1.at.L1 -> F P1.at.L3)'`,
	"antichain ctl": `
antichain ctl check --model dekker.gcl 'AG !(P0.at.m8 & P1.at.n8)'`,
	"antichain ctl check": `
antichain ctl check --model dekker.gcl 'AG !(P0.at.m8 & P1.at.n8)'`,
	"antichain ctl sat": `
antichain ctl sat 'AG EF p & EG !p'`,
	"antichain ctl synth": `
antichain ctl synth --file mutex.ctl`,
	"antichain steps": `
antichain steps --model dekker.gcl 'F (P0.at.m2 & P1.at.n2)'`,
	"antichain version": `
antichain version`,
}

// section is a part of the flags of a verb, for its help.
type section struct {
	title string
	flags []string
}

// summary is the help of a verb that has more flags than people want to read. Its --help-all tells everything.
type summary struct {
	what     string // the verb does
	sections []section
}

// helpAll is the value of --help-all, which asks for help as --help does.
type helpAll struct {
	flags *pflag.FlagSet
	asked bool
}

func (h *helpAll) String() string { return "false" }
func (h *helpAll) Type() string   { return "bool" }
func (h *helpAll) Set(string) error {
	h.asked = true
	return h.flags.Set("help", "true")
}

// summarise gives cmd, whose flags are these, a short help and --help-all.
func summarise(cmd *cobra.Command, flags *pflag.FlagSet, s summary) {
	all := &helpAll{flags: flags}
	flags.VarPF(all, "help-all", "", "help on everything, with all flags").NoOptDefVal = "true"
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if all.asked {
			writeHelp(cmd.OutOrStdout(), cmd)
		} else {
			s.write(cmd.OutOrStdout(), cmd)
		}
	})
}

// write writes the short help.
func (s summary) write(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "%s\n\n%s\n\nUsage:\n  %s\n", cmd.Example, s.what, cmd.UseLine())
	for _, section := range s.sections {
		usual := pflag.NewFlagSet("", pflag.ContinueOnError)
		usual.SortFlags = false
		for _, name := range section.flags {
			usual.AddFlag(cmd.Flags().Lookup(name))
		}
		fmt.Fprintf(w, "\n%s:\n%s", section.title, usual.FlagUsages())
	}
	fmt.Fprintf(w, "\n%s --help-all lists all flags, and says more.", cmd.CommandPath())
	if cmd.Flags().Lookup("kafka-tls") != nil {
		fmt.Fprint(w, " antichain help kafka is about topics of Kafka.")
	}
	fmt.Fprintln(w)
}

// writeHelp writes all that the help of a verb has.
func writeHelp(w io.Writer, cmd *cobra.Command) {
	if cmd.Example != "" {
		fmt.Fprintf(w, "%s\n\n", cmd.Example)
	}
	if text := strings.TrimSpace(cmd.Long); text != "" {
		fmt.Fprintf(w, "%s\n\n", text)
	} else if cmd.Short != "" {
		fmt.Fprintf(w, "%s\n\n", cmd.Short)
	}
	if cmd.Runnable() || cmd.HasSubCommands() {
		fmt.Fprint(w, cmd.UsageString())
	}
}

// setHelp has the help of all verbs begin with examples.
func setHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}", "", 1))
	var set func(*cobra.Command)
	set = func(cmd *cobra.Command) {
		cmd.Example = strings.TrimPrefix(examples[cmd.CommandPath()], "\n")
		for _, sub := range cmd.Commands() {
			set(sub)
		}
	}
	set(root)
}

// newKafkaTopic is "antichain help kafka".
func newKafkaTopic() *cobra.Command {
	flags := func(register func(*pflag.FlagSet)) string {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		register(set)
		return set.FlagUsages()
	}
	return &cobra.Command{Use: "kafka", Short: "the flags for topics of Kafka", Long: `run and test send a trace to a topic while the program runs, send does so with files, and monitor
checks the runs of a topic as they come in.

    antichain run --to kafka://broker1/traces ./cmd/server
    antichain monitor --group checkers --spec server.tl kafka://broker1/traces

Of run and test:
` + flags(func(set *pflag.FlagSet) {
		new(sinkFlags).register(set)
		registerRunID(set, new(string))
	}) + `
Of monitor, with --kafka-… as above:
` + flags(func(set *pflag.FlagSet) {
		all := pflag.NewFlagSet("", pflag.ContinueOnError)
		new(topicFlags).register(all)
		for _, name := range topicFlagNames {
			set.AddFlag(all.Lookup(name))
		}
	})}
}
