package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testrun"
	"github.com/spf13/cobra"
)

// execTestVerb is the hidden verb that go test runs each test binary with:
//
//	antichain exec-test EXCHANGE BINARY ARGS…
//
// EXCHANGE is a private directory with the plans of "antichain test", by package, in
// plans.json, and gets one file with the result for each test binary. The test's output and
// exit code pass through: go test sees what it would see without tracing.
const execTestVerb = "exec-test"

func newExecTest(s terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:                execTestVerb + " EXCHANGE BINARY [args...]",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return testrun.Run(cmd.Context(), s, args[0], args[1], args[2:])
		},
	}
}
