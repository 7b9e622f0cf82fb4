package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/internal/paralleltest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if isTest := strings.HasSuffix(os.Args[0], ".test"); isTest {
		prepareTests()
	}
	testscript.Main(m, map[string]func(){"antichain": main, interruptHelper: sayInterrupted})
}

// withoutDebugInfo is GOFLAGS of the commands that build traced programs: no test debugs one, and linking takes half the time.
const withoutDebugInfo = "-ldflags=-w"

// prepareTests is for this process and all that tests start.
func prepareTests() {
	// A job in the background ignores interrupts, and so would the programs that tests interrupt.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	if err := os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" "+withoutDebugInfo)); err != nil {
		panic(err) // the name is one
	}
	paralleltest.PerProcessor(2)
}

// interruptHelper is a program that says when it can be interrupted, and by what it was.
const interruptHelper = "interrupt-helper"

func sayInterrupted() {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println(context.Cause(ctx))
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
}

// TestScripts runs testdata/script/*.txtar: one file for each topic, its header comment is
// the script.
func TestScripts(t *testing.T) {
	t.Parallel()
	requireOnly(t, "testdata/script", "*.txtar")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               goSetup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"peers":    peers,
			"keep":     keep,
			"broker":   broker,
			"received": received,
			"produce":  produce,
			"letters":  letters,
			"sections": sections,
		},
	})
}

// longTests is the environment variable that asks for tests that take long.
const longTests = "ANTICHAIN_LONG"

// condition is what a script asks in brackets: [long] is for what takes long and has a sample elsewhere. .ci/long runs it.
func condition(name string) (bool, error) {
	if name == "long" {
		return os.Getenv(longTests) != "", nil
	}
	return false, fmt.Errorf("no condition %s", name)
}

// exits is the script command "exits CODE PROGRAM ARGS…": the program must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// keep is the script command "keep NAME REGEXP": the group of the expression in the last standard
// error becomes the variable NAME.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME REGEXP")
	}
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stderr"))
	if len(m) != 2 {
		ts.Fatalf("nothing to keep: no match of %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// goSetup lets the go command work in a script: with this machine's caches, without a network.
func goSetup(env *testscript.Env) error {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return err
		}
		env.Setenv(name, string(value[:len(value)-1]))
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	env.Setenv("REPO", repo)
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOFLAGS", withoutDebugInfo)
	env.Setenv("GOTOOLCHAIN", "local")
	return nil
}

// requireOnly fails unless dir holds at least one file and only files that match the pattern:
// a test file that no test reads is worse than none.
func requireOnly(t *testing.T, dir, pattern string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); !ok || e.IsDir() {
			t.Errorf("%s/%s is not run by any test: its name does not match %s", dir, e.Name(), pattern)
		}
	}
}
