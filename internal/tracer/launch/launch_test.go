//go:build linux

package launch

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
)

func self() string {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exe
}

// private gives the test directories of its own for everything.
func private(t *testing.T) (base string) {
	t.Helper()
	base = t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", base)
	return base
}

func helper(name string) Config {
	return Config{Binary: self(), Env: append(os.Environ(), helperEnv+"="+name), Table: new(site.Table)}
}

// trace is what a run delivered.
type trace struct {
	header *event.Header
	events []string
}

func (tr *trace) into(cfg *Config) {
	cfg.Header = func(h *event.Header) error {
		if tr.header != nil || len(tr.events) > 0 {
			return errors.New("header out of place")
		}
		tr.header = h
		return nil
	}
	cfg.Event = func(e *event.Event) error {
		if tr.header == nil {
			return errors.New("event before the header")
		}
		tr.events = append(tr.events, e.Task+" "+e.Spawn)
		return nil
	}
}

func runHelper(t *testing.T, cfg Config) (trace, Result, error) {
	t.Helper()
	var tr trace
	tr.into(&cfg)
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Wait()
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return tr, res, err
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		helper  string
		events  int
		code    int
		signal  syscall.Signal
		missing uint64
		err     error
	}{
		{helper: "untraced", code: 5, err: ErrNotTraced},
		{helper: "empty"},
		{helper: "records", events: 1000, code: 3},
		{helper: "killed", events: 1, code: 128 + 9, signal: syscall.SIGKILL},
		{helper: "lost", missing: 7},
		{helper: "scribbled", events: 1, missing: 1},
	} {
		t.Run(tt.helper, func(t *testing.T) {
			private(t)
			tr, res, err := runHelper(t, helper(tt.helper))
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if len(tr.events) != tt.events || res.ExitCode != tt.code || res.Signal != tt.signal ||
				res.Missing != tt.missing {
				t.Errorf("%d events, %+v; want %+v", len(tr.events), res, tt)
			}
			if (tr.header == nil) != (tt.err != nil) {
				t.Errorf("header %+v", tr.header)
			}
			if res.Complete != (tt.err == nil) {
				t.Errorf("complete: %v", res.Complete)
			}
			if (res.Why == "") != (tt.missing == 0) {
				t.Errorf("why: %q", res.Why)
			}
		})
	}
}

// A consumer that rejects an event gets no more, and the trace is incomplete.
func TestEventRefused(t *testing.T) {
	private(t)
	cfg := helper("records")
	refused := errors.New("refused")
	n := 0
	cfg.Event = func(*event.Event) error {
		n++
		if n == 3 {
			return refused
		}
		return nil
	}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Wait()
	if !errors.Is(err, refused) || n != 3 || res.Complete || res.ExitCode != 3 {
		t.Errorf("%d events, complete %v, exit code %d, error %v", n, res.Complete, res.ExitCode, err)
	}
}

// Arguments, environment, directory and streams are the program's own.
func TestStreams(t *testing.T) {
	base := private(t)
	file := func(name, content string) *os.File {
		f, err := os.OpenFile(filepath.Join(base, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close(); os.Remove(f.Name()) })
		if _, err := io.WriteString(f, content); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		return f
	}
	cfg := helper("streams")
	cfg.Args = []string{"-x", "a b"}
	cfg.Env = append(cfg.Env, "LAUNCH_TEST_VALUE=v")
	cfg.Dir = "/"
	cfg.Stdin, cfg.Stdout, cfg.Stderr = file("in", "hello"), file("out", ""), file("err", "")
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	for f, want := range map[*os.File]string{cfg.Stdout: "out:hello:-x,a b:v:/", cfg.Stderr: "err"} {
		if got, _ := os.ReadFile(f.Name()); string(got) != want {
			t.Errorf("%s: %q, want %q", f.Name(), got, want)
		}
	}
}

// Events arrive while the program runs: it waits for the file that the first one makes.
func TestLive(t *testing.T) {
	for _, prompt := range []bool{false, true} {
		t.Run(fmt.Sprint("prompt ", prompt), func(t *testing.T) { live(t, prompt) })
	}
}

func live(t *testing.T, prompt bool) {
	private(t)
	flag := filepath.Join(t.TempDir(), "flag")
	cfg := helper("live")
	cfg.Prompt = prompt
	cfg.Args = []string{flag}
	n := 0
	cfg.Event = func(*event.Event) error {
		n++
		return os.WriteFile(flag, nil, 0o600)
	}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(); err != nil || n != 2 {
		t.Errorf("%d events, error %v", n, err)
	}
}

// A panic on the thread that follows a running program arrives as it was.
func TestPanicAtLowPriority(t *testing.T) {
	bug := capture(func() { atLowPriority(func() { panic("in the follower") }) })
	if bug == nil || bug.Value != "in the follower" || !strings.Contains(bug.Error(), "TestPanicAtLowPriority") {
		t.Errorf("panic %v", bug)
	}
}

// An error of the receiver ends the tracing, not the program.
func TestReceiverFails(t *testing.T) {
	private(t)
	cfg := helper("records")
	cfg.Event = func(*event.Event) error { return io.ErrShortWrite }
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Wait()
	if !errors.Is(err, io.ErrShortWrite) || res.ExitCode != 3 {
		t.Errorf("error %v, exit code %d", err, res.ExitCode)
	}
}

// A panic of the receiver reaches the goroutine that waits, after the program has ended
// undisturbed and everything is cleaned up.
func TestReceiverPanics(t *testing.T) {
	base := private(t)
	cfg := helper("records")
	cfg.Event = func(*event.Event) error { panic("in the receiver") }
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		bug, ok := recover().(*Bug)
		if !ok || bug.Value != "in the receiver" || !strings.Contains(bug.Error(), "TestReceiverPanics") {
			t.Errorf("panic %v", bug)
		}
		if r.result.ExitCode != 3 {
			t.Errorf("exit code %d", r.result.ExitCode)
		}
		if left, _ := os.ReadDir(base); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}()
	_, _ = r.Wait()
	t.Error("Wait returned")
}

func TestCancel(t *testing.T) {
	private(t)
	ctx, cancel := context.WithCancel(t.Context())
	cfg := helper("sleep")
	cfg.Event = func(*event.Event) error { cancel(); return nil }
	r, err := Start(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := r.Wait(); err != nil || res.Signal != syscall.SIGKILL {
		t.Errorf("error %v, %+v", err, res)
	}
}

func TestNoProgram(t *testing.T) {
	base := private(t)
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(base, "none"), script} {
		if _, err := Start(t.Context(), Config{Binary: path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if left, _ := os.ReadDir(base); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Signals sent to this process reach the program, each once. The test process has no
// terminal of its own to test that side.
func TestSignals(t *testing.T) {
	private(t)
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cfg := helper("signals")
	cfg.Stdout = out
	cfg.Event = func(*event.Event) error {
		go func() {
			for i, sig := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR1, syscall.SIGTERM} {
				_ = syscall.Kill(os.Getpid(), sig)
				for t.Context().Err() == nil { // two of a kind would be merged
					if got, _ := os.ReadFile(out.Name()); bytes.Count(got, []byte("<")) > i {
						break
					}
					time.Sleep(time.Millisecond)
				}
			}
		}()
		return nil
	}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	want := "ready<user defined signal 1><user defined signal 1><terminated>"
	if got, _ := os.ReadFile(out.Name()); string(got) != want {
		t.Errorf("the program got %q, want %q", got, want)
	}
}

// The directory is private, and the next start removes it if its run was killed.
func TestSweep(t *testing.T) {
	base := private(t)
	cmd := exec.Command(self())
	cmd.Env = append(os.Environ(), helperEnv+"=launcher")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	dir := lines.Text()
	lines.Scan()
	pid, err := strconv.Atoi(lines.Text())
	if err != nil {
		t.Fatalf("launcher said %q, %q", dir, lines.Text())
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{"."}, names(entries)...) {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}

	other := filepath.Join(base, dirPrefix+"someone-else's")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	removeDead(base)
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("directory of a live run: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	removeDead(base)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("directory of a killed run: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("directory of others: %v", err)
	}
}

func TestSweepUnfinished(t *testing.T) {
	base := t.TempDir()
	fresh, old := filepath.Join(base, dirPrefix+"fresh"), filepath.Join(base, dirPrefix+"old")
	for _, dir := range []string{fresh, old} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*unfinishedAge)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, dirPrefix+"link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	removeDead(base)
	left, _ := os.ReadDir(base)
	if got := strings.Join(names(left), " "); got != "antichain-fresh antichain-link" {
		t.Errorf("left: %s", got)
	}
}

func names(entries []os.DirEntry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// The runtime directory is used only if it is private.
func TestBaseDirs(t *testing.T) {
	run, tmp := t.TempDir(), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("TMPDIR", tmp)
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(baseDirs(false), " "); got != run+" "+tmp {
		t.Errorf("private: %s", got)
	}
	if err := os.Chmod(run, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(baseDirs(false), " "); got != tmp {
		t.Errorf("public: %s", got)
	}
	long := filepath.Join(tmp, strings.Repeat("l", 100))
	t.Setenv("TMPDIR", long)
	if got := strings.Join(baseDirs(false), " "); got != long {
		t.Errorf("long: %s", got)
	}
	if got := strings.Join(baseDirs(true), " "); got != "/tmp" {
		t.Errorf("long, for a socket: %s", got)
	}
	for n := range 100 {
		base := "/tmp" + strings.Repeat("/l", n)
		dir := filepath.Join(base, dirPrefix+rand.Text())
		fits := true
		for _, name := range []string{control.SocketName, control.DialogueName} {
			fits = fits && len(filepath.Join(dir, name)) < 108
		}
		if isLong(base) == fits {
			t.Errorf("%d bytes: long: %v", len(base), !fits)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(tmp, "none"))
	if _, err := newPrivateDir(false); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no directory: error %v", err)
	}
}
