package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/spf13/cobra"
)

// execTestVerb is the hidden verb that go test runs each test binary with:
//
//	antichain exec-test EXCHANGE BINARY ARGS…
//
// EXCHANGE is a private directory with the plans of "antichain test", by package, in
// plans.json, and gets one file with the result for each test binary. The test's output and
// exit code pass through, so that go test sees what it would see without tracing.
const execTestVerb = "exec-test"

const plansFile = "plans.json"

func newExecTest(s terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:                execTestVerb + " EXCHANGE BINARY [args...]",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return execTest(cmd.Context(), s, args[0], args[1], args[2:])
		},
	}
}

// testResult is what one test binary leaves in the exchange directory.
type testResult struct {
	Package  string
	Finished bool // false: the check was stopped or died
	Report   string
	conclusion
}

func execTest(ctx context.Context, s terminal.Streams, exchange, binary string, args []string) error {
	path, err := instrument.PackageOf(binary)
	if err != nil {
		return err
	}
	plans, err := readPlans(exchange)
	if err != nil {
		return err
	}
	plan := plans[path]
	if plan == nil {
		return fmt.Errorf("%s: no package that antichain test knows", path)
	}
	plan.Within = withinTimeout(args)
	file, err := os.CreateTemp(exchange, "result-*.json") // mode 0600
	if err != nil {
		return err
	}
	defer file.Close()
	result := testResult{Package: path}
	if err := writeResult(file, &result); err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil {
			result.Bug, result.Finished = true, true
			_ = writeResult(file, &result) // the panic says more than an error here
			panic(v)
		}
	}()
	ctx, stop := whileParentLives(ctx)
	defer stop()
	var words bytes.Buffer
	ended, err := plan.run(ctx, binary, args, s, &words)
	if err != nil {
		return err
	}
	result.conclusion = *ended
	if ended.Builtins.IsUnknown() && !plan.JSON {
		words.WriteString(ended.Builtins.Summary()) // what is well is said once for all packages
	}
	result.Report, result.Finished = words.String(), true
	if err := writeResult(file, &result); err != nil {
		return err
	}
	return exit.Code(result.Code)
}

// writeResult replaces the content of a result file.
func writeResult(f *os.File, r *testResult) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

// writePlans makes the exchange directory.
func writePlans(exchange string, plans map[string]*plan) error {
	if err := os.Mkdir(exchange, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(plans)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(exchange, plansFile), data, 0o600)
}

func readPlans(exchange string) (map[string]*plan, error) {
	data, err := os.ReadFile(filepath.Join(exchange, plansFile))
	if err != nil {
		return nil, err
	}
	var plans map[string]*plan
	return plans, json.Unmarshal(data, &plans)
}

// readResults returns what the test binaries left, by package.
func readResults(exchange string) ([]testResult, error) {
	dir := os.DirFS(exchange)
	names, err := fs.Glob(dir, "result-*.json")
	if err != nil {
		return nil, err
	}
	var results []testResult
	var broken []error
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		var r testResult
		if err := json.Unmarshal(data, &r); err != nil {
			broken = append(broken, err)
			continue
		}
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b testResult) int { return cmp.Compare(a.Package, b.Package) })
	return results, errors.Join(broken...)
}

// summarise prints the reports and puts the results together.
func summarise(stderr io.Writer, results []testResult, code int) *conclusion {
	all := &conclusion{Code: code}
	for _, r := range results {
		if !r.Finished {
			fmt.Fprintf(stderr, "antichain: %s: the check was stopped before it had ended\n", event.Printable(r.Package))
			all.Failed = true
			continue
		}
		if r.Report != "" {
			fmt.Fprintf(stderr, "antichain: %s\n%s", event.Printable(r.Package), r.Report)
		}
		all.Checked = all.Checked || r.Checked
		all.Bug = all.Bug || r.Bug
		all.Violated = all.Violated || r.Violated
		all.Failed = all.Failed || r.Failed
		all.Unknown = all.Unknown || r.Unknown || r.Builtins.IsUnknown()
		all.Builtins.Include(&r.Builtins)
	}
	return all
}
