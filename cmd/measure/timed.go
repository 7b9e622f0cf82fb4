//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// commandLimit is how long a timed command may take.
const commandLimit = 10 * time.Minute

// commandOutcome is the result of a timed command.
type commandOutcome struct {
	out     string // on standard output
	code    int    // its exit code
	seconds float64
	cpu     float64 // seconds of processor time
	mib     float64 // the most memory that it had at any time
}

// timed runs a command in a directory. Exit codes other than 0 and 1, which are the answers of
// checkers, are errors.
//
// The memory is what GNU time says. The kernel's account of a child of this process would begin
// with what this process itself has, which is more than a small checker takes, and many are gone
// before one could look at them.
func timed(dir string, in io.Reader, name string, args ...string) (commandOutcome, error) {
	if _, err := exec.LookPath("time"); err != nil {
		return commandOutcome{}, fmt.Errorf("memory is measured by GNU time (apt-get install time): %w", err)
	}
	report, err := os.CreateTemp("", "measure-time-")
	if err != nil {
		return commandOutcome{}, err
	}
	defer os.Remove(report.Name())
	defer report.Close()
	ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "time", append([]string{"-q", "-f", "%M %U %S", "-o", report.Name(), name}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, in, &out, &stderr
	begin := time.Now()
	err = cmd.Run()
	t := commandOutcome{out: out.String(), code: exitCode(err), seconds: time.Since(begin).Seconds()}
	if t.code > 1 {
		return t, fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &out, &stderr)
	}
	var kib, user, system float64
	if _, err := fmt.Fscan(report, &kib, &user, &system); err != nil {
		return t, fmt.Errorf("what GNU time says of %s: %w", name, err)
	}
	t.mib, t.cpu = kib/1024, user+system
	return t, nil
}

// several runs the same a number of times, and returns the median seconds and the most memory.
func several(count int, once func() (commandOutcome, error)) (all commandOutcome, err error) {
	var seconds []float64
	for range count {
		t, err := once()
		if err != nil {
			return t, err
		}
		seconds = append(seconds, t.seconds)
		all.mib = max(all.mib, t.mib)
	}
	all.seconds = median(seconds)
	return all, nil
}
