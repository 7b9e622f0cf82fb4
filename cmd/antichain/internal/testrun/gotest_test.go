package testrun

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// goTest makes the test binary what is run instead of go test, and says what it does.
const goTest = "ANTICHAIN_TEST_GO_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(goTest) {
	case "":
		os.Exit(m.Run())
	case "build fails":
		os.Exit(2)
	case "test fails":
		exchange := os.Args[1]
		f, err := os.CreateTemp(exchange, "result-*.json")
		if err == nil {
			err = readPlan(exchange, "example.org/a", new(exploration.Plan))
		}
		if err == nil {
			err = writeResult(f, &Result{Package: "example.org/a", Finished: true})
		}
		if err != nil {
			panic(err)
		}
		os.Exit(1)
	case "terminated":
		parent, err := os.FindProcess(os.Getppid())
		if err == nil {
			err = parent.Signal(syscall.SIGTERM)
		}
		if err != nil {
			panic(err)
		}
		time.Sleep(time.Hour) // the end of the context kills it
	}
}

// run runs what does that instead of go test.
func run(t *testing.T, what string) (results []Result, code int, said string, err error) {
	t.Helper()
	var stderr strings.Builder
	g := &GoTest{Streams: terminal.Streams{Err: &stderr}, Exchange: filepath.Join(t.TempDir(), "tests")}
	g.Command = func(ctx context.Context) (*exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, os.Args[0], g.Exchange)
		cmd.Env = append(os.Environ(), goTest+"="+what)
		return cmd, nil
	}
	g.Report = func(reported []Result, exitCode int) error {
		results, code = reported, exitCode
		return nil
	}
	err = g.Run(t.Context(), map[string]*exploration.Plan{"example.org/a": {Plan: execution.Plan{Name: "a"}}})
	return results, code, stderr.String(), err
}

func TestGoTest(t *testing.T) {
	results, code, _, err := run(t, "test fails")
	if err != nil || code != 1 || len(results) != 1 || results[0].Package != "example.org/a" || !results[0].Finished {
		t.Errorf("%+v, %d, %v", results, code, err)
	}
	if _, _, _, err := run(t, "build fails"); err == nil || err.Error() != "go test failed before any test ran" {
		t.Error(err)
	}
}

// TestCodeOf takes the exit code of the first test binary that failed.
func TestCodeOf(t *testing.T) {
	failed := func(code int) Result { return Result{Conclusion: execution.Conclusion{Code: code}} }
	if got := codeOf([]Result{failed(0), failed(2), failed(1)}); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
	if got := codeOf([]Result{failed(0)}); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}

func TestUntested(t *testing.T) {
	with := specfile.Specification{Parsed: []*spec.File{{Properties: []*spec.Property{{}}}}}
	specs := map[string]specfile.Specification{"c": with, "a": with, "b": with, "none": {}}
	if got := Untested(specs, []Result{{Package: "b"}}); !slices.Equal(got, []string{"a", "c"}) {
		t.Error(got)
	}
}
