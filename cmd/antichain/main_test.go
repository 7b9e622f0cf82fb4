package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/paralleltest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if isTest := strings.HasSuffix(os.Args[0], ".test"); isTest {
		prepareTests()
	}
	testscript.Main(m, map[string]func(){"antichain": main, interruptHelper: sayInterrupted})
}

// withoutDebugInfo is GOFLAGS of the commands that build traced programs: no test debugs one, and
// linking takes half the time.
const withoutDebugInfo = "-ldflags=-w"

// prepareTests is for this process and all that tests start.
func prepareTests() {
	commandtest.TakeInterrupts()
	if err := os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" "+withoutDebugInfo)); err != nil {
		panic(err) // the name is one
	}
	if err := os.Unsetenv("GITHUB_ACTIONS"); err != nil { // there reports have annotations
		panic(err)
	}
	paralleltest.PerProcessor(2)
	commandtest.RelaxGarbage()
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

// longTests is the environment variable that asks for tests that take long.
const longTests = "ANTICHAIN_LONG"

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
