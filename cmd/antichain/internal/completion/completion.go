// Package completion has shells complete the values of flags.
package completion

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/antichain-go/antichain/linearizability"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// values returns the values of each flag that has a few, by the name of the flag, which means the
// same in all verbs.
func values() map[string][]string {
	var formats []string
	for _, f := range input.NewFormats() {
		formats = append(formats, f.Name)
	}
	return map[string][]string{
		"builtin":      append(findings.Names(findings.Known), "all", "none"),
		"format":       formats,
		"linearizable": linearizability.Names(),
		"live":         {"observed", "predicted"},
		"predict":      {"run", "locks"},
		"stop-at":      exploration.StopAts,
		"strategy":     strategies,
	}
}

// strategies are those of package strategy, in its order. The depth follows the colon.
var strategies = strings.Split(strings.NewReplacer(" or ", ", ", "DEPTH", "").Replace(strategy.Names), ", ")

// Add has the flags of root and of all commands below it complete their values.
func Add(root *cobra.Command) {
	completions := make(map[string]cobra.CompletionFunc)
	for flag, values := range values() {
		completions[flag] = cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		if flag == "builtin" {
			completions[flag] = listOf(values)
		}
	}
	forms := reports.Formats()
	for i := range forms {
		forms[i] += "=" // a file follows
	}
	completions["report"] = cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoSpace)
	add(root, completions)
}

func add(cmd *cobra.Command, completions map[string]cobra.CompletionFunc) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if complete := completions[f.Name]; complete != nil {
			if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // the flag exists, and is visited once
			}
		}
	})
	if cmd.DisableFlagParsing && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = unparsed(completions)
	}
	for _, sub := range cmd.Commands() {
		add(sub, completions)
	}
}

// unparsed completes the flags of a command for which cobra does not take flags apart.
func unparsed(completions map[string]cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		flag, value, hasValue := strings.Cut(text, "=")
		if !hasValue {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			flag, value = args[len(args)-1], text
		}
		complete := completions[strings.TrimPrefix(flag, "--")]
		if complete == nil || !strings.HasPrefix(flag, "--") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return complete(cmd, nil, value)
	}
}

// listOf completes the last of some values that are separated by commas, with one that is not among
// them.
func listOf(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		end := strings.LastIndex(text, ",") + 1
		given := strings.Split(text[:end], ",")
		var completions []string
		for _, v := range values {
			if !slices.Contains(given, v) {
				completions = append(completions, text[:end]+v)
			}
		}
		return completions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
