package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// followProcess is an antichain that follows a file.
type followProcess struct {
	*exec.Cmd
	stdout *bufio.Reader
}

func follow(t *testing.T, args ...string) *followProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"monitor"}, args...)...)
	cmd.Args[0] = "antichain"
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &followProcess{cmd, bufio.NewReader(stdout)}
}

// until reads what is printed up to a line.
func (f *followProcess) until(t *testing.T, want string) {
	t.Helper()
	for {
		line, err := f.stdout.ReadString('\n')
		if strings.TrimSpace(line) == want {
			return
		}
		if err != nil {
			t.Fatalf("%q was not printed: %v", want, err)
		}
	}
}

// A violation is reported while the file grows, and an interrupt ends the following with what is
// known.
func TestFollowedFile(t *testing.T) {
	t.Parallel()
	path := written(t, "trace.jsonl", `{"antichain":1,"tasks":["main"]}`+"\n"+`{"t":"main","enter":"f"}`+"\n")
	f := follow(t, "--keep-going", "-e", "t:(not in.f)", "-e", "t:(not in.g)", "-e", "t:(in.g) -> next t:(in.h)", "-e", "t:(not in.h)", path)
	f.until(t, "-e 1: violated")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(`{"t":"main","enter":"g"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	f.until(t, "-e 2: violated")
	if err := f.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	f.until(t, "-e 3: unknown: the run was interrupted, and the verdict rests on what would have come next")
	f.until(t, "-e 4: unknown: the run was interrupted; the property holds in what came before, and what would have come next may violate it")
	var status *exec.ExitError
	if err := f.Wait(); !errors.As(err, &status) || status.ExitCode() != exit.Violated {
		t.Errorf("ended with %v", err)
	}
}

// A file that is followed ends the verb at the first violation.
func TestFollowedFileViolated(t *testing.T) {
	path := written(t, "trace.jsonl", `{"antichain":1,"tasks":["main"]}`+"\n"+`{"t":"main","enter":"f"}`+"\n")
	code, stdout, stderr := verb("monitor", "-e", "t:(not in.f)", path)
	if code != exit.Violated || !strings.HasPrefix(stdout, "-e: violated\n") || stderr != "" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// Nobody need ever write to a pipe for an interrupt to end the verb.
func TestInterruptOfMonitor(t *testing.T) {
	in, never, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	f := monitorFlags{specs: specfile.Source{Formulas: []string{"t:(in.f)"}}, how: checkFlags{logic: "l3"}}
	var said strings.Builder
	err = f.run(ctx, terminal.Streams{In: in, Out: &said, Err: io.Discard}, []string{"-"})
	if err != exit.Code(exit.Unknown) || said.String() != "-e: unknown: no run began: interrupted\n" {
		t.Errorf("%v, %s", err, said.String())
	}
}

// A trace that ends too early is cut off, in both forms; there is no other remedy here.
func TestMonitorOfCutTraces(t *testing.T) {
	var whole strings.Builder
	w := event.NewBinaryWriter(&whole, &event.Header{Tasks: []string{"main"}})
	if err := w.Write(&event.Event{Task: "main", Enter: "f"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for name, trace := range map[string]string{
		"binary": whole.String(),
		"text":   `{"antichain":1,"tasks":["main"]}` + "\n" + `{"t":"main","enter":"f"}` + "\n" + `{"t":"ma`,
	} {
		code, stdout, stderr := verb("monitor", "--until-eof", "-e", "t:(in.f) -> next t:(in.g)", "-e", "t:(not in.g)", written(t, name, trace))
		want := "-e 1: unknown: the run was cut off, and the verdict rests on what would have come next\n" +
			"-e 2: unknown: the run was cut off; the property holds in what came before, and what would have come next may violate it\n"
		if code != exit.Unknown || stdout != want || !strings.Contains(stderr, "truncated") || !strings.HasSuffix(stderr, "(its tasks are cut off)\n") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
	}
}

// What an executable of "antichain build" writes makes sense at its end.
func TestMonitorOfRawTrace(t *testing.T) {
	head := make([]byte, ring.HeaderSize)
	binary.LittleEndian.PutUint64(head[ring.OffMagic:], ring.Magic)
	path := filepath.Join(t.TempDir(), "raw")
	if err := os.WriteFile(path, head, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := verb("monitor", "-e", "t:(in.f)", path)
	if code != exit.Error || !strings.Contains(stderr, "use antichain check") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// When there is no memory for the runs, nothing is known.
func TestMonitorWithoutMemory(t *testing.T) {
	in, never, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	// for this whole process, whose collector would then do nothing else
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	var out, said strings.Builder
	code := mainerr([]string{"monitor", "--memory", "1", "-e", "t:(not in.g)", "-"}, terminal.Streams{In: in, Out: &out, Err: &said})
	if code != exit.Unknown || !strings.Contains(said.String(), "; --memory allows more\n") {
		t.Errorf("exit code %d, %s%s", code, out.String(), said.String())
	}
}

// The properties of a run that there is no memory for are unknown.
func TestMonitoredWithoutMemory(t *testing.T) {
	property, err := spec.ParseFormula("t:(not in.g)")
	if err != nil {
		t.Fatal(err)
	}
	property.Name = "p"
	var out strings.Builder
	m := &monitor.Monitor{Checking: t.Context(), Checker: check.Checker{Stdout: &out, Properties: []*spec.Property{property}}}
	r, err := m.Begin("r", &event.Header{Tasks: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(&budget.MemoryError{Limit: 1 << 30}); err != nil {
		t.Error(err)
	}
	if want := "p: unknown: the memory limit of 1 GiB was reached; --memory allows more\n"; out.String() != want || !m.Unknown {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// When the memory is used up, it is said what takes it.
func TestMonitoredHolding(t *testing.T) {
	// with before: what idle has not heard of cannot be condensed
	property, err := spec.ParseFormula(workload.ShiftFormulas[1])
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	m := &monitor.Monitor{Checking: t.Context(), Checker: check.Checker{Stdout: &out, Properties: []*spec.Property{property}}}
	run := workload.Shifts{Workers: 4, Seed: 1, Idle: true}
	r, err := m.Begin("r", run.Header())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = run.Each(140_000, func(e *event.Event) error {
		if n++; n%1000 == 0 {
			if err := r.Step(); err != nil {
				return err
			}
		}
		return r.Add(e, "")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(&budget.MemoryError{Limit: 1 << 30}); err != nil {
		t.Error(err)
	}
	pattern := `unknown: the memory limit of 1 GiB was reached; --memory allows more\. (\d+) events are kept, of which idle has not heard of (\d+); \d+ sets of slices for ".*in\.critical.*"`
	if match := regexp.MustCompile(pattern).FindStringSubmatch(out.String()); match == nil || match[1] != match[2] {
		t.Errorf("printed %q", out.String())
	}
}

// What takes too long is given up when there is no memory for it, and the checker left alone.
func TestMonitoredGivenUp(t *testing.T) {
	property, err := spec.ParseFormula("t:(not in.g)")
	if err != nil {
		t.Fatal(err)
	}
	property.Name = "p"
	ctx, cancel := context.WithCancelCause(t.Context())
	var out strings.Builder
	m := &monitor.Monitor{Checking: ctx, Checker: check.Checker{Stdout: &out}}
	r := &monitor.Run{Monitor: m, OnTheFly: []*spec.Property{property}}
	if err := r.Do(func() error { return nil }); err != nil {
		t.Error("what ended was given up:", err)
	}
	never := make(chan struct{})
	defer close(never)
	begun := make(chan struct{})
	go func() {
		<-begun
		cancel(&budget.MemoryError{Limit: 1 << 30})
	}()
	if err := r.Do(func() error { close(begun); <-never; return nil }); !errors.As(err, new(*budget.MemoryError)) {
		t.Error("what does not end was not given up:", err)
	}
	if err := r.Close(interrupt.Err); err != nil {
		t.Error(err)
	}
	if want := "p: unknown: interrupted before it was decided\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// The end of the reading is that of the checking, but an interrupt leaves it a moment.
func TestAfter(t *testing.T) {
	for _, cause := range []error{interrupt.Err, &budget.MemoryError{Limit: 1}} {
		parent, cancel := context.WithCancelCause(t.Context())
		grace := time.Duration(0)
		if cause != interrupt.Err {
			grace = time.Hour
		}
		ctx, stop := interrupt.After(parent, grace)
		if ctx.Err() != nil {
			t.Error("it has ended before its parent")
		}
		cancel(cause)
		if <-ctx.Done(); context.Cause(ctx) != cause {
			t.Errorf("%v ended with %v", cause, context.Cause(ctx))
		}
		stop()
	}
	parent, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	ctx, stop := interrupt.After(parent, time.Hour)
	if r := (&monitor.Run{Monitor: &monitor.Monitor{Checking: ctx}}); r.Do(func() error { return nil }) != nil {
		t.Error("an interrupt left no moment")
	}
	stop()
}

// A panic of what is being checked comes out where it was waited for.
func TestMonitoredPanic(t *testing.T) {
	defer func() {
		if v, _ := recover().(string); !strings.HasPrefix(v, "a bug\n") || !strings.Contains(v, "monitor_test.go") {
			t.Errorf("recovered %q", v)
		}
	}()
	r := &monitor.Run{Monitor: &monitor.Monitor{Checking: t.Context()}}
	err := r.Do(func() error { panic("a bug") })
	t.Errorf("within returned: %v", err)
}
