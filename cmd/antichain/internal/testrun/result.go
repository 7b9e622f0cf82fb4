// Package testrun defines the messages between antichain test and the processes that run its test
// binaries.
//
// antichain test has go test start such a process for each test binary. It sends each process a
// plan of what to check, and the process returns the results.
package testrun

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
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/verification"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/event"
)

const plansFile = "plans.json"

// The exchange directory is a private one with the plans of "antichain test", by package, in
// plans.json, and gets one file with the result for each test binary.

// Result is the file that a test binary leaves in the exchange directory.
type Result struct {
	Package  string
	Finished bool // false: the check was stopped or died
	Report   string
	execution.Conclusion
	Verification *verification.Outcome // nil if nothing was to be verified
}

// Run runs a test binary as the plan of its package says, and leaves the result in the exchange
// directory.
func Run(ctx context.Context, s terminal.Streams, exchange, binary string, args []string) error {
	path, err := instrument.PackageOf(binary)
	if err != nil {
		return err
	}
	plan := new(exploration.Plan)
	if err := readPlan(exchange, path, plan); err != nil {
		return err
	}
	plan.Live.Notes = notes{exchange}
	if plan.Tests.Shown {
		terminal.Remote = notes{exchange}
	}
	args = withTimeout(args, plan.Tests.Within)
	file, err := os.CreateTemp(exchange, "result-*.json") // mode 0600
	if err != nil {
		return err
	}
	defer file.Close()
	if plan.Specification, err = plan.Specification.Parse(); err != nil {
		return err
	}
	result := Result{Package: path}
	result.conclude(plan, func(words io.Writer) *execution.Conclusion {
		return plan.Unjudged("the check was stopped before it had ended", words)
	})
	if err := writeResult(file, &result); err != nil { // it stands if this process dies
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
	if plan.Verifies != "" {
		result.Verification, err = verification.Run(ctx, plan, binary, args, s.Err)
	} else {
		result.conclude(plan, func(words io.Writer) *execution.Conclusion {
			var ended *execution.Conclusion
			ended, err = exploration.Run(ctx, plan, binary, args, s, words)
			return ended
		})
	}
	if err != nil {
		return err
	}
	result.Finished = true
	if err := writeResult(file, &result); err != nil {
		return err
	}
	return exit.Code(result.Code)
}

// conclude keeps the conclusion that the function conclude returns and the text that it writes,
// unless the conclusion is nil.
func (r *Result) conclude(plan *exploration.Plan, conclude func(words io.Writer) *execution.Conclusion) {
	var words bytes.Buffer
	ended := conclude(&words)
	if ended == nil {
		return
	}
	if ended.Builtins.IsUnknown() && !plan.Check.JSON {
		words.WriteString(ended.Builtins.Text()) // what is well is said once for all packages
	}
	r.Conclusion, r.Report = *ended, words.String()
}

// writeResult replaces the content of a result file.
func writeResult(f *os.File, r *Result) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

// WritePlans makes the exchange directory.
func WritePlans(exchange string, plans map[string]*exploration.Plan) error {
	if err := os.Mkdir(exchange, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(plans)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(exchange, plansFile), data, 0o600)
}

// readPlan reads the plan of a package into p, which has a destination of the type that was
// written, if any was.
func readPlan(exchange, path string, p *exploration.Plan) error {
	data, err := os.ReadFile(filepath.Join(exchange, plansFile))
	if err != nil {
		return err
	}
	var plans map[string]json.RawMessage
	if err := json.Unmarshal(data, &plans); err != nil {
		return err
	}
	if plans[path] == nil {
		return fmt.Errorf("%s: not a package of this antichain test", path)
	}
	return json.Unmarshal(plans[path], p)
}

// ReadResults returns what the test binaries left, by package.
func ReadResults(exchange string) ([]Result, error) {
	dir := os.DirFS(exchange)
	names, err := fs.Glob(dir, "result-*.json")
	if err != nil {
		return nil, err
	}
	var results []Result
	var broken []error
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		var r Result
		if err := json.Unmarshal(data, &r); err != nil {
			broken = append(broken, err)
			continue
		}
		r.namePackage()
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b Result) int { return cmp.Compare(a.Package, b.Package) })
	return results, errors.Join(broken...)
}

func (r *Result) namePackage() {
	if r.Reports == nil {
		return
	}
	for _, a := range r.Reports.Accounts {
		a.Package = r.Package
	}
}

// Summarise prints the reports and puts the results together.
func Summarise(stderr io.Writer, results []Result, code int) *execution.Conclusion {
	all := &execution.Conclusion{Code: code, Reports: new(reports.Collection)}
	for _, r := range results {
		if !r.Finished {
			fmt.Fprintf(stderr, "antichain: %s: the check was stopped before it had ended\n", event.Printable(r.Package))
			all.Failed, all.Reports.Cut = true, true
		}
		if r.Report != "" {
			fmt.Fprintf(stderr, "antichain: %s\n%s", event.Printable(r.Package), r.Report)
		}
		all.Include(&r.Conclusion)
		all.Builtins.Include(r.Package, &r.Builtins)
	}
	return all
}

// withTimeout returns the arguments of a test binary that ends itself after a time, if that is not
// 0. go test gives it another one, in which it is also to be judged.
func withTimeout(args []string, limit time.Duration) []string {
	if limit == 0 {
		return args
	}
	args = slices.Clone(args)
	for i, a := range args {
		if !strings.HasPrefix(a, "-test.") {
			break // what follows is the user's
		}
		if flag := "-test.timeout="; strings.HasPrefix(a, flag) {
			args[i] = flag + limit.String() // each time that it is given
		}
	}
	return args
}
