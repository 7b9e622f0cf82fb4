package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// streams are the standard streams, replaced in tests.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

//go:embed spec.txt
var specText string

// mainerr runs antichain with these arguments and returns the exit code.
func mainerr(args []string, s streams) (code int) {
	defer func() {
		if v := recover(); v != nil {
			reportBug(v, s.err)
			code = exitBug
		}
	}()
	root := newRoot(s)
	root.SetArgs(args)
	return finish(root.Execute(), s.err)
}

// newRoot returns the command with all verbs.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "antichain",
		Short: "check temporal specifications of parallel programs",
		Long: `antichain records one run of a parallel Go program and checks a specification in every
order of the run's events that the program's synchronisation allows, also in those that
did not happen.

Exit codes: 0 holds, 1 violated, 2 usage, specification or input error, 3 unknown,
4 internal error.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(s.err)
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitCode(exitError)
		},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(
		newRun(s), newTest(s), newBuild(s), newExecTest(s),
		newCheck(s), newExplain(s), newTable(s), newStats(s), newConvert(s),
		newVersion(s), newSpecTopic(),
	)
	return root
}

// newSpecTopic is "antichain help spec".
func newSpecTopic() *cobra.Command {
	return &cobra.Command{Use: "spec", Short: "the specification language", Long: specText}
}
