//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// limits are the time that a program has, and then the time that its check has once it was told to end.
type limits struct{ program, check time.Duration }

// traced runs a program of the workspace under antichain run and returns what was found. A program
// that does not end in time is interrupted: what it did until then is checked.
func traced(ctx context.Context, w *workspace, l limits, env []string, args ...string) ([]*report.BuiltinObject, error) {
	cmd := exec.Command(w.antichain, append([]string{"run", "--json"}, args...)...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), env...)
	out, err := finish(ctx, cmd, l)
	found, unknown := findings(out)
	return found, cmp.Or(err, unknown)
}

// findings are the reports of violations in what antichain run --json has written. That something is unknown is an
// error, beside what was found.
func findings(out []byte) ([]*report.BuiltinObject, error) {
	var found []*report.BuiltinObject
	var unknown error
	checked := false
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte(`{"trace":`)) {
			continue
		}
		o := new(report.BuiltinObject)
		if err := json.Unmarshal(line, o); err != nil {
			return nil, err
		}
		checked = checked || o.Builtin != ""
		if o.Builtin != "" && o.Covered != "" {
			unknown = fmt.Errorf("%s is unknown: %s", o.Builtin, o.Covered)
		}
		if o.Builtin == "" || o.FindingObject == nil {
			continue
		}
		for _, o := range o.Findings() {
			if o.Verdict != tlcheck.Possible.String() {
				found = append(found, o)
			}
		}
	}
	if !checked {
		return nil, fmt.Errorf("nothing was checked: %s", tail(out))
	}
	return found, unknown
}

// tail is the end of what a program has written, in one line.
func tail(out []byte) string {
	const most = 300
	out = bytes.TrimSpace(out)
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// untraced runs an executable of the workspace that writes a profile of leaked goroutines at its end
// and returns which goroutines wait then, and whether the profile calls any of them leaked.
func untraced(ctx context.Context, w *workspace, l limits, name string, args ...string) ([]report.PartyObject, bool, error) {
	out, err := finish(ctx, exec.Command(w.path("bin", name), args...), l)
	waiting, leaked := parseDump(string(out))
	return waiting, leaked, err
}

// finish runs a command and returns what it writes. Out of time it is interrupted, then killed with
// all that it has started. How it exits does not matter.
func finish(ctx context.Context, cmd *exec.Cmd, l limits) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	err := await(ctx, cmd, ended, l)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return out.Bytes(), err
}

// await waits for the end of a command.
func await(ctx context.Context, cmd *exec.Cmd, ended <-chan error, l limits) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	case <-time.After(l.program):
		cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		case <-time.After(l.check):
		}
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("not ended %v after it was interrupted", l.check)
}
