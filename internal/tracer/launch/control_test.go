//go:build linux && (amd64 || arm64)

package launch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
)

// counting counts forever, and stops on request.
const counting = `package main

import (
	"os"
	"sync"
)

var (
	mu      sync.Mutex
	counter int
	stop    bool
)

func main() {
	for os.Getppid() != 1 {
		mu.Lock()
		counter++
		if stop {
			os.Stderr.WriteString("told\n")
			os.Exit(7)
		}
		mu.Unlock()
	}
}
`

func buildCounting(t *testing.T) (binary string, table *site.Table) {
	t.Helper()
	return buildTraced(t, counting, "counter", "stop")
}

// buildTraced builds a program whose given variables are recorded.
func buildTraced(t *testing.T, source string, variables ...string) (binary string, table *site.Table) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	dir := commandtest.Directory(t)
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var request rewrite.Request
	for _, v := range variables {
		request.Variables = append(request.Variables, rewrite.Name{Text: v})
	}
	build, err := instrument.Prepare(t.Context(), instrument.Config{
		Dir: dir, CacheDir: filepath.Join(dir, "cache"), Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		Specs: []rewrite.Spec{{Package: "m", Request: request}},
	})
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(dir, "program")
	if err := build.CompileAgain(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	if table, err = instrument.TableOf(binary); err != nil {
		t.Fatal(err)
	}
	return binary, table
}

// last keeps the counter as the last event about it has it.
type last struct{ events, counter int64 }

func (l *last) add(e *event.Event) error {
	l.events++
	for _, b := range e.Global {
		if b.Name == "counter" {
			l.counter = b.Value.Int()
		}
	}
	return nil
}

// A run is halted by who started it.
func TestControl(t *testing.T) {
	binary, table := buildCounting(t)
	private(t)
	var l last
	r, err := Start(t.Context(), Config{Binary: binary, Table: table, Control: true, Event: l.add, Stderr: devNull(t)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Control(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.PID() != r.PID() {
		t.Errorf("connected to %d, not %d", s.PID(), r.PID())
	}
	haltAndStop(t, s)
	v, err := s.Get("m", "counter")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	res, err := r.Wait()
	if err != nil || res.ExitCode != 7 || res.Missing > 0 {
		t.Errorf("%+v, %v", res, err)
	}
	if n := l.counter - v.Int(); n < 0 || n > 1 {
		t.Errorf("the counter was %d when the program was halted, and ends at %d", v.Int(), l.counter)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// haltAndStop halts the program when it has counted something and antichain has received that, and
// requests its end.
func haltAndStop(t *testing.T, s *control.Session) {
	t.Helper()
	for {
		if err := s.Halt(); err != nil {
			t.Fatal(err)
		}
		counted, err := s.Get("m", "counter")
		if err == nil && counted.Int() > 1 {
			if _, err = s.Set("m", "stop", event.BoolValue(true)); err == nil {
				return
			}
		}
		if refused := new(control.RefusalError); err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
	}
}

// A program that ends before it listens leaves no caller waiting.
func TestControlEnded(t *testing.T) {
	private(t)
	cfg := helper("untraced")
	cfg.Control = true
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Control(t.Context()); err == nil || err.Error() != "the program has ended" {
		t.Errorf("error %v", err)
	}
	r.Wait()
}

// A program that waits is attached to, and left or not.
func TestAttach(t *testing.T) {
	binary, table := buildCounting(t)
	private(t)
	said := regexp.MustCompile(`waits for a checker at (\S+)`)
	for _, detach := range []bool{true, false} {
		stderr, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stderr.Close()
		waiting, err := StartWaiting(t.Context(), Config{Binary: binary, Stderr: w})
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		lines := bufio.NewReader(stderr)
		line, _ := lines.ReadBytes('\n')
		if !said.Match(line) {
			t.Fatalf("the program says %q", line)
		}
		if got := Executable(waiting.PID()); got != binary {
			t.Errorf("executable %s", got)
		}
		var l last
		r, err := Attach(t.Context(), fmt.Sprint(waiting.PID()), Config{Binary: binary, Table: table, Event: l.add})
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		haltAndStop(t, s)
		if detach {
			err = s.Detach()
		} else {
			err = s.Resume()
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, _ := lines.ReadBytes('\n'); !bytes.Equal(line, []byte("told\n")) {
			t.Errorf("the program says %q", line)
		}
		if res, err := waiting.Wait(); err != nil || res.ExitCode != 7 {
			t.Errorf("detach=%v: %+v, %v", detach, res, err)
		}
		res, err := r.Wait()
		if err != nil || res.ExitCode != -1 || res.Missing > 0 || res.Broken || l.counter == 0 {
			t.Errorf("detach=%v: %+v, %v, %d events", detach, res, err, l.events)
		}
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// brief ends, or is killed if its argument says so, at once.
const brief = `package main

import (
	"os"
	"sync"
	"syscall"
)

var (
	mu      sync.Mutex
	counter int
)

func main() {
	mu.Lock()
	counter++
	mu.Unlock()
	if os.Args[1] == "killed" {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
}
`

// A program that has ended before it answers was attached to all the same.
func TestAttachBrief(t *testing.T) {
	binary, table := buildTraced(t, brief, "counter")
	private(t)
	t.Setenv("GOMAXPROCS", "1") // it ends before its operator has a turn
	for _, end := range []string{"ended", "killed"} {
		for range 10 {
			stderr, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			waiting, err := StartWaiting(t.Context(), Config{Binary: binary, Args: []string{end}, Stderr: w})
			w.Close()
			if err != nil {
				t.Fatal(err)
			}
			reaped := make(chan error)
			go func() {
				_, err := waiting.Wait()
				reaped <- err
			}()
			if _, err := stderr.Read(make([]byte, 1)); err != nil { // it waits
				t.Fatal(err)
			}
			var l last
			r, err := Attach(t.Context(), fmt.Sprint(waiting.PID()), Config{Binary: binary, Table: table, Event: l.add})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Wait()
			if err != nil || res.ExitCode != -1 || res.Missing > 0 || res.Broken != (end == "killed") ||
				l.counter != 1 {
				t.Errorf("%s: %+v, %v, %d events", end, res, err, l.events)
			}
			if err := <-reaped; err != nil {
				t.Error(err)
			}
			stderr.Close()
		}
	}
}

func devNull(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
