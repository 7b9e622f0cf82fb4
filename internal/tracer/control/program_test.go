//go:build linux && (amd64 || arm64)

package control

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

const pkg = "example.com/program"

// programs are the traced programs, built once.
var programs = map[string]func() (string, error){
	"program": built(rewrite.Spec{Package: pkg, Request: request("step",
		"counter", "atomicCount", "ready", "small", "byteSize", "ratio", "wide", "name", "enabled", "ages",
		"queue.items", "queue.id", "list.id", "any1", "pause", "busy.named")}),
	"cgo": built(rewrite.Spec{Package: "example.com/cgo", Request: request("called", "counter")}),
}

func request(function string, variables ...string) rewrite.Request {
	r := rewrite.Request{Functions: []rewrite.Name{{Text: function}}}
	for _, v := range variables {
		r.Variables = append(r.Variables, rewrite.Name{Text: v})
	}
	return r
}

// built builds the program in testdata that a specification is for.
func built(spec rewrite.Spec) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		tmp, err := os.MkdirTemp("", "control-test")
		if err != nil {
			return "", err
		}
		before := cleanup
		cleanup = func() { before(); os.RemoveAll(tmp) }
		b, err := instrument.Prepare(context.Background(), instrument.Config{
			Dir: filepath.Join("testdata", path.Base(spec.Package)), CacheDir: filepath.Join(tmp, "cache"),
			Specs: []rewrite.Spec{spec}, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		})
		if err != nil {
			return "", err
		}
		binary := filepath.Join(tmp, "program")
		return binary, b.CompileAgain(context.Background(), binary)
	})
}

var cleanup = func() {}

// The test binary is also the other processes: with helperEnv set it runs a helper
// instead of the tests.
const helperEnv = "CONTROL_TEST_HELPER"

var helpers = map[string]func(args []string) error{
	"greet": func(args []string) error {
		conn, err := net.Dial("unix", args[0])
		if err != nil {
			return err
		}
		err = newMessage(ring.AskHello).uvarint(ring.ControlVersion).send(conn)
		if _, _, e := receive(conn); err != nil || e != nil {
			fmt.Print("refused")
		} else {
			fmt.Print("answered")
		}
		return nil
	},
	// attach to a waiting program, and halt it for ever.
	"halt": func(args []string) error {
		a, err := Attach(context.Background(), args[0], ring.Options{})
		if err != nil {
			return err
		}
		go a.Ring.Follow(nil, func(*ring.Record) bool { return true })
		s, err := a.Session(context.Background())
		if err != nil {
			return err
		}
		return haltForever(s)
	},
	// start a program in a directory, and do the same.
	"run": func(args []string) error {
		r, err := ring.Create(args[1], ring.Options{Control: true})
		if err != nil {
			return err
		}
		cmd := exec.Command(args[0], "locked", "churn")
		cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, []string{r.Env()}
		if err := cmd.Start(); err != nil {
			return err
		}
		go r.Follow(nil, func(*ring.Record) bool { return true })
		for {
			s, err := Dial(context.Background(), filepath.Join(args[1], SocketName), r)
			if err == nil {
				return haltForever(s)
			}
			if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ECONNREFUSED) {
				return err
			}
		}
	},
}

// haltForever halts a program, signals it to end, and does nothing more.
func haltForever(s *Session) error {
	for {
		if err := s.Halt(); err != nil {
			return err
		}
		if _, err := s.Set(pkg, "ready", event.BoolValue(true)); err == nil {
			fmt.Println("halted")
			select {}
		}
		if err := s.Resume(); err != nil { // its packages are not initialised yet
			return err
		}
	}
}

func TestMain(m *testing.M) {
	if name := os.Getenv(helperEnv); name != "" {
		if err := helpers[name](os.Args[1:]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	cleanup()
	os.Exit(code)
}

func executable(t testing.TB, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	path, err := programs[name]()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// program is a running program.
type program struct {
	cmd    *exec.Cmd
	ring   *ring.Ring
	socket string
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr lockedBuffer

	ended   chan struct{}
	stop    chan struct{} // ends the reading of the ring
	read    sync.WaitGroup
	records atomic.Uint64 // read, but for those of the garbage collector
	slots   atomic.Uint64 // read
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start runs the program with a ring that is read.
func start(t testing.TB, env []string, work ...string) *program {
	t.Helper()
	return startProgram(t, executable(t, "program"), env, work...)
}

func startProgram(t testing.TB, exe string, env []string, work ...string) *program {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := ring.Create(dir, ring.Options{Control: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: exec.Command(exe, work...), ring: r, socket: filepath.Join(dir, SocketName),
		stop: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), r.Env()), env...)
	p.run(t)
	p.follow()
	t.Cleanup(func() { p.unfollow(); p.ring.Close() })
	return p
}

func (p *program) run(t testing.TB) {
	t.Helper()
	p.ended = make(chan struct{})
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		p.stdin.Close()
	})
}

// follow reads the ring.
func (p *program) follow() {
	p.read.Go(func() {
		p.ring.Follow(p.stop, func(r *ring.Record) bool {
			if r.Kind != ring.KindFree {
				p.records.Add(1)
			}
			p.slots.Store(r.Index + 1 + uint64(len(r.Payload)/ring.PayloadPerSlot))
			return true
		})
	})
}

// unfollow stops that.
func (p *program) unfollow() {
	select {
	case <-p.stop:
	default:
		close(p.stop)
	}
	p.read.Wait()
}

// line waits for a line of output.
func (p *program) line(t testing.TB, want string) {
	t.Helper()
	for {
		line, err := p.stdout.ReadString('\n')
		if strings.TrimSpace(line) == want {
			return
		}
		if err != nil {
			t.Fatalf("no line %q: %v\n%s", want, err, p.stderr.String())
		}
	}
}

// dial connects when the program is ready.
func (p *program) dial(t testing.TB) *Session {
	t.Helper()
	p.line(t, "ready")
	s, err := Dial(t.Context(), p.socket, p.ring)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.stderr.String())
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (p *program) wait(t testing.TB) {
	t.Helper()
	if _, err := io.Copy(io.Discard, p.stdout); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
	p.cmd.Wait()
}

// get returns a value as text.
func get(t testing.TB, s *Session, path string) string {
	t.Helper()
	v, err := s.Get(pkg, path)
	if err != nil {
		t.Fatal(err)
	}
	return text(v)
}

func text(v Value) string { return fmt.Sprint(v.Type, " ", v.Value) }

// eventually halts and resumes the program until ok. The test's own deadline ends it.
func eventually(t testing.TB, s *Session, ok func() bool) {
	t.Helper()
	for {
		if err := s.Halt(); err != nil {
			t.Fatal(err)
		}
		if ok() {
			return
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}
