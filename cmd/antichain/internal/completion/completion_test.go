package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/spf13/cobra"
)

// complete returns what a shell proposes behind these words.
func complete(t *testing.T, unparsed bool, args ...string) []string {
	t.Helper()
	root := &cobra.Command{Use: "antichain"}
	run := &cobra.Command{Use: "run", Run: func(*cobra.Command, []string) {}, DisableFlagParsing: unparsed}
	for _, name := range []string{"builtin", "report", "strategy", "seed"} {
		run.Flags().String(name, "", "")
	}
	root.AddCommand(run)
	Add(root)
	var out strings.Builder
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd, "run"}, args...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(out.String(), "\n:")
	return strings.Split(text, "\n")
}

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		args       []string
		has, hasNo []string
	}{
		{[]string{"--strategy", ""}, []string{"auto", "pos", "pct:", "all"}, []string{"deadlock", "pct:DEPTH"}},
		{[]string{"--strategy="}, []string{"pos"}, []string{"deadlock"}},
		{[]string{"--builtin", ""}, []string{"deadlock", "all", "none"}, nil},
		{[]string{"--builtin", "race,"}, []string{"race,deadlock"}, []string{"race,race", "deadlock"}},
		{[]string{"--report", ""}, []string{"sarif="}, []string{"sarif"}},
		{[]string{"--seed", ""}, nil, []string{"pos", "deadlock"}},
		{[]string{""}, nil, []string{"pos", "deadlock"}},
	} {
		for _, unparsed := range []bool{false, true} {
			values := complete(t, unparsed, c.args...)
			for _, v := range c.has {
				if !slices.Contains(values, v) {
					t.Errorf("%q, unparsed %t: %q is not among %q", c.args, unparsed, v, values)
				}
			}
			for _, v := range c.hasNo {
				if slices.Contains(values, v) {
					t.Errorf("%q, unparsed %t: %q is among %q", c.args, unparsed, v, values)
				}
			}
		}
	}
}

// All strategies have names that are completed.
func TestStrategies(t *testing.T) {
	for _, name := range strategies {
		if strings.HasSuffix(name, ":") {
			name += "3"
		}
		if _, err := strategy.Parse(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(strings.FieldsFunc(strategy.Names, func(r rune) bool { return r == ',' })) + 1; n != len(strategies) {
		t.Errorf("%d names are completed of %s", len(strategies), strategy.Names)
	}
}
