// Package help has the help texts of the verbs of antichain.
//
// The texts are in the folder text, one file a verb, named by its path: examples; after a line
// "---", for a verb with many flags, a summary; and finally the full text. {{NAME}} in a text
// stands for the passage of that name in the folder shared.
package help

import (
	"embed"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:embed text shared
var texts embed.FS

// text has the parts of a help text, which may be empty.
type text struct{ examples, summary, all string }

// passage matches what stands for a passage that several texts share.
var passage = regexp.MustCompile(`\{\{\w+\}\}`)

func textOf(cmd *cobra.Command) text {
	name := cmd.CommandPath()
	if cmd.HasParent() {
		name = strings.TrimPrefix(name, cmd.Root().Name()+" ")
	}
	src, err := texts.ReadFile("text/" + strings.ReplaceAll(name, " ", "_") + ".txt")
	if err != nil {
		return text{} // the command is a topic, or cobra's
	}
	whole := passage.ReplaceAllStringFunc(string(src), func(name string) string {
		src, err := texts.ReadFile("shared/" + strings.Trim(name, "{}") + ".txt")
		if err != nil {
			panic(err) // the files are compiled in
		}
		return strings.TrimSuffix(string(src), "\n")
	})
	parts := strings.Split(strings.TrimSuffix(whole, "\n"), "\n---\n")
	t := text{examples: parts[0]}
	switch len(parts) {
	case 2:
		t.all = parts[1]
	case 3:
		t.summary, t.all = parts[1], parts[2]
	}
	return t
}

// Set gives all verbs below root their texts, and begins their help with the examples.
func Set(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeAll(cmd.OutOrStdout(), cmd) })
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}", "", 1))
	set(root)
}

func set(cmd *cobra.Command) {
	t := textOf(cmd)
	cmd.Example = t.examples
	if cmd.Long == "" { // otherwise it depends on the other parts
		cmd.Long = t.all
	}
	for _, sub := range cmd.Commands() {
		set(sub)
	}
}

// Section is a group of flags of a verb.
type Section struct {
	Title string
	Flags []string
}

// allFlag is the value of --help-all, which asks for help as --help does.
type allFlag struct {
	flags *pflag.FlagSet
	asked bool
}

func (f *allFlag) String() string { return "false" }
func (f *allFlag) Type() string   { return "bool" }
func (f *allFlag) Set(string) error {
	f.asked = true
	return f.flags.Set("help", "true")
}

// Summarise makes the help of a verb with these flags its summary and the sections, and adds
// --help-all for the full text.
func Summarise(cmd *cobra.Command, flags *pflag.FlagSet, sections []Section) {
	all := &allFlag{flags: flags}
	flags.VarPF(all, "help-all", "", "help on everything, with all flags").NoOptDefVal = "true"
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if all.asked {
			writeAll(cmd.OutOrStdout(), cmd)
		} else {
			writeSummary(cmd.OutOrStdout(), cmd, sections)
		}
	})
}

func writeSummary(w io.Writer, cmd *cobra.Command, sections []Section) {
	fmt.Fprintf(w, "%s\n\n%s\n\nUsage:\n  %s\n", cmd.Example, textOf(cmd).summary, cmd.UseLine())
	for _, s := range sections {
		fmt.Fprintf(w, "\n%s:\n%s", s.Title, usages(cmd.Flags(), s.Flags))
	}
	fmt.Fprintf(w, "\n%s --help-all lists all flags, and says more.", cmd.CommandPath())
	if cmd.Flags().Lookup("kafka-tls") != nil {
		fmt.Fprint(w, " antichain help kafka is about topics of Kafka.")
	}
	fmt.Fprintln(w)
}

func writeAll(w io.Writer, cmd *cobra.Command) {
	if cmd.Example != "" {
		fmt.Fprintf(w, "%s\n\n", cmd.Example)
	}
	if about := strings.TrimSpace(cmd.Long); about != "" {
		fmt.Fprintf(w, "%s\n\n", about)
	} else if cmd.Short != "" {
		fmt.Fprintf(w, "%s\n\n", cmd.Short)
	}
	if cmd.Runnable() || cmd.HasSubCommands() {
		fmt.Fprint(w, cmd.UsageString())
	}
}

// usages describes flags, in this order.
func usages(flags *pflag.FlagSet, names []string) string {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	some.SortFlags = false
	for _, name := range names {
		some.AddFlag(flags.Lookup(name))
	}
	return some.FlagUsages()
}

// Flags describes the flags that register adds, all or those with the given names.
func Flags(register func(*pflag.FlagSet), names ...string) string {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	register(flags)
	if len(names) > 0 {
		return usages(flags, names)
	}
	return flags.FlagUsages()
}
