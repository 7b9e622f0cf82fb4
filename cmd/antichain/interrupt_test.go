//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/ptytest"
)

// hardTrace writes a trace on which hardFormula takes longer than anybody waits, once it has
// been found violated.
func hardTrace(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["t0"`)
	for i := 1; i < 20; i++ {
		fmt.Fprintf(&b, `,"t%d"`, i)
	}
	b.WriteString("]}\n")
	for k := range 50 {
		for i := range 20 {
			fmt.Fprintf(&b, `{"t":"t%d","global":{"even":%v}}`+"\n", i, (k+i)%2 == 0)
		}
	}
	path := filepath.Join(t.TempDir(), "hard.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const hardFormula = "not next forall t (t:(even))"

// On a terminal a long check shows how far it is, and ctrl-C ends it with what is known.
func TestInterruptOfChecks(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "check", "--timeout", "0", "-e", hardFormula, "-e", hardFormula, hardTrace(t))
	cmd.Args[0] = "antichain"
	cmd.Env = append(os.Environ(), "TERM=xterm")
	var stdout strings.Builder
	cmd.Stdout = &stdout
	screen := ptytest.Start(t, cmd)
	if line, want := screen.Await(" intervals kept"), "\r\x1b[Kchecking -e 1 … "; !strings.HasPrefix(line, want) {
		t.Fatalf("shown %q, want %q", line, want)
	}
	screen.Type("\x03")
	var status *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &status) || status.ExitCode() != exit.Unknown {
		t.Errorf("ended with %v", err)
	}
	// The second one may have begun beside the first one.
	want := regexp.MustCompile("^-e 1: unknown: interrupted before the formula was decided\n-e 2: unknown: interrupted .*\n$")
	if !want.MatchString(stdout.String()) {
		t.Errorf("printed %q, want %s", stdout.String(), want)
	}
}

// What waits for input that never comes ends too.
func TestInterruptOfReading(t *testing.T) {
	in, never, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	_, err = input.ReadOne(ctx, new(limits.Limits), "-", terminal.Streams{In: in}, new(input.Flags))
	var stopped *limits.ReadStoppedError
	if !errors.As(err, &stopped) || err.Error() != "interrupted after 0 events of the trace" {
		t.Error(err)
	}
}

// The first interrupt ends the context, the second the process.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Args[0] = interruptHelper
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	lines := bufio.NewReader(out)
	for _, want := range []string{"ready\n", "interrupted\n"} {
		if got, err := lines.ReadString('\n'); got != want {
			t.Fatalf("printed %q, %v, want %q", got, err, want)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	var status *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &status) || exit.StatusOf(status.ProcessState) != 128+int(syscall.SIGINT) {
		t.Errorf("ended with %v", err)
	}
}
