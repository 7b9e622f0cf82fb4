//go:build linux && (amd64 || arm64)

package control

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

var waiting = regexp.MustCompile(`^antichain: process (\d+) waits for a checker at (\S+)\n`)

// startWaiting starts the program without a checker, in directories of its own.
func startWaiting(t *testing.T, work ...string) (p *program, base string) {
	t.Helper()
	exe, base := executable(t, "program"), t.TempDir()
	p = &program{cmd: exec.Command(exe, work...), stop: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR=", "TMPDIR="+base, ring.EnvTrace+"="+TraceWait)
	p.run(t)
	var said []string
	for said == nil {
		said = waiting.FindStringSubmatch(p.stderr.String())
	}
	if said[1] != fmt.Sprint(p.cmd.Process.Pid) || filepath.Dir(filepath.Dir(said[2])) != base {
		t.Fatalf("the program says %q", said[0])
	}
	p.socket = said[2]
	return p, base
}

// attach attaches to a waiting program and reads its ring.
func (p *program) attach(t *testing.T, target string) (*Attachment, *Session) {
	t.Helper()
	a, err := Attach(t.Context(), target, ring.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, p.stderr.String())
	}
	p.ring = a.Ring
	p.follow()
	t.Cleanup(func() { p.unfollow(); a.Ring.Close() })
	s, err := a.Session(t.Context())
	if err != nil {
		t.Fatalf("%v\n%s", err, p.stderr.String())
	}
	t.Cleanup(func() { s.Close() })
	return a, s
}

// said is what the program has said beside that it waits.
func (p *program) said() string { return waiting.ReplaceAllString(p.stderr.String(), "") }

// A waiting program is found by its process id or its socket, does nothing before it is
// found, and runs on untraced after it is left.
func TestAttach(t *testing.T) {
	for _, byPID := range []bool{true, false} {
		p, base := startWaiting(t, "locked")
		for path, want := range map[string]os.FileMode{p.socket: 0o600 | os.ModeSocket,
			filepath.Dir(p.socket): 0o700 | os.ModeDir} {
			if info, err := os.Lstat(path); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
		target := p.socket
		if byPID {
			target = fmt.Sprint(p.cmd.Process.Pid)
		}
		if pid, socket, err := Resolve(t.Context(), target); err != nil || pid != p.cmd.Process.Pid ||
			socket != p.socket {
			t.Errorf("resolved to %d, %s, %v", pid, socket, err)
		}
		a, s := p.attach(t, target)
		if s.PID() != p.cmd.Process.Pid || a.PID != s.PID() {
			t.Errorf("attached to %d, %d", a.PID, s.PID())
		}
		if _, err := Attach(t.Context(), target, ring.Options{}); err == nil ||
			!strings.Contains(err.Error(), "already has a checker") {
			t.Errorf("a second checker: %v", err)
		}
		p.line(t, "ready")
		before := ""
		eventually(t, s, func() bool {
			old := before
			before = get(t, s, "counter")
			return old != "" && before != old
		})
		if _, err := s.Set(pkg, "ready", event.BoolValue(true)); err != nil {
			t.Fatal(err)
		}
		p.unfollow()
		if p.records.Load() == 0 {
			t.Error("no records")
		}
		// while it is halted
		if err := errors.Join(s.Detach(), a.Ring.Close(), a.Remove()); err != nil {
			t.Fatal(err)
		}
		p.line(t, "told")
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
		if text := p.said(); text != "" {
			t.Errorf("the program says %q", text)
		}
		if left, _ := os.ReadDir(base); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if err := s.Halt(); err == nil {
			t.Error("halted after detaching")
		}
	}
}

// When a checker is killed, the program that it has halted goes on and says so once.
func TestCheckerKilled(t *testing.T) {
	p, _ := startWaiting(t, "locked", "churn")
	checker := exec.Command("/proc/self/exe", p.socket)
	checker.Env = append(os.Environ(), helperEnv+"=halt")
	out, err := checker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "halted\n" {
		t.Fatalf("the checker says %q", line)
	}
	if err := checker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	checker.Wait()
	p.line(t, "told")
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if text := p.said(); text != gone {
		t.Errorf("the program says %q", text)
	}
}

const gone = "antichain: the antichain process is gone or does not respond; the program continues untraced\n"

// The same for a checker that has started the program.
func TestStarterKilled(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	checker := exec.Command("/proc/self/exe", executable(t, "program"), dir)
	checker.Env = []string{helperEnv + "=run"}
	out, err := checker.StdoutPipe() // of the program, too
	if err != nil {
		t.Fatal(err)
	}
	said, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	checker.Stderr = w
	if err := checker.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "halted" {
	}
	if err := checker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() && lines.Text() != "told" {
	}
	if lines.Text() != "told" {
		t.Error("the program has not gone on")
	}
	if text, err := io.ReadAll(said); err != nil || string(text) != gone {
		t.Errorf("the program says %q, %v", text, err)
	}
	checker.Wait()
}

// The line for a lost checker comes once, though nothing of the program waits for it.
func TestCheckerLost(t *testing.T) {
	p, _ := startWaiting(t, "many")
	a, s := p.attach(t, p.socket)
	p.line(t, "ready")
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
	p.unfollow()
	s.Close()
	a.Ring.Close() // the heartbeat stops
	for p.said() == "" {
	}
	if text := p.said(); text != gone {
		t.Errorf("the program says %q", text)
	}
}

// A closed session alone, with the ring still read, loses nothing.
func TestReconnect(t *testing.T) {
	p := start(t, nil, "locked")
	s := p.dial(t)
	for range 2 {
		if err := s.Halt(); err != nil {
			t.Fatal(err)
		}
		s.Close()
		var err error
		if s, err = Dial(t.Context(), p.socket, p.ring); err != nil {
			t.Fatal(err)
		}
	}
	before := ""
	eventually(t, s, func() bool {
		old := before
		before = get(t, s, "counter")
		return old != "" && before != old
	})
	if text := p.stderr.String(); text != "" {
		t.Errorf("the program says %q", text)
	}
}

// A program that ends leaves a session that says so.
func TestEnded(t *testing.T) {
	p := start(t, nil, "locked")
	s := p.dial(t)
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
	p.cmd.Process.Signal(syscall.SIGKILL)
	p.wait(t)
	for range 2 {
		if err := s.Resume(); err != ErrEnded {
			t.Errorf("error %v", err)
		}
	}
}

func TestFind(t *testing.T) {
	if _, err := Find(os.Getpid()); err == nil || !strings.Contains(err.Error(), "does not wait for a checker") {
		t.Errorf("a process that does not: %v", err)
	}
	if _, err := Find(1 << 30); err == nil || err.Error() != "there is no process 1073741824" {
		t.Errorf("no process: %v", err)
	}
}
