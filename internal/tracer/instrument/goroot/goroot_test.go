//go:build linux && (amd64 || arm64)

package goroot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// The overlays of the programs that tests share.
var (
	overlay       = sync.OnceValues(func() (string, error) { return sharedOverlay("plain", Options{}) })
	memoryOverlay = sync.OnceValues(func() (string, error) { return sharedOverlay("memory", Options{Memory: true}) })
)

func sharedOverlay(name string, opt Options) (string, error) {
	dir, err := tmp()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, name)
	o, err := Write(filepath.Join(dir, "overlay"), goroot(), opt)
	if err != nil {
		return "", err
	}
	if len(o.Lacks) > 0 {
		return "", fmt.Errorf("the overlay lacks %v", o.Lacks)
	}
	return writeOverlay(dir, o)
}

func writeOverlay(dir string, o *Overlay) (string, error) {
	b, err := json.Marshal(map[string]any{"Replace": o.Replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, b, 0o600)
}

// program builds testdata/NAME traced.
func program(t testing.TB, name string) string {
	t.Helper()
	return built(t, name, overlay, "-gcflags="+CallAtomics)
}

// withMemory builds testdata/NAME with accesses to memory.
func withMemory(t testing.TB, name string, flags ...string) string {
	t.Helper()
	return built(t, name, memoryOverlay, flags...)
}

var programs sync.Map // name and flags -> func() (string, error)

// built is the executable of testdata/NAME. Tests that want the same one share it. It has no debug
// information: linking takes half the time.
func built(t testing.TB, name string, overlay func() (string, error), flags ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	build, _ := programs.LoadOrStore(fmt.Sprint(name, flags), sync.OnceValues(func() (string, error) {
		json, err := overlay()
		if err != nil {
			return "", err
		}
		dir, err := os.MkdirTemp(filepath.Dir(json), name+"-*")
		if err != nil {
			return "", err
		}
		exe := filepath.Join(dir, name)
		args := slices.Concat([]string{"build", "-overlay", json, "-o", exe, "-ldflags=-w"}, flags,
			[]string{"./testdata/" + name})
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		return exe, nil
	}))
	exe, err := build.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

type run struct {
	stats  ring.Stats
	id     ring.Identity
	stdout string
	err    error // of the program
	took   time.Duration
}

// trace runs a command traced, with a consumer that calls f for each record.
func trace(t testing.TB, opt ring.Options, f func(*ring.Record), cmd *exec.Cmd) run {
	t.Helper()
	return traceIn(t, t.TempDir(), opt, f, cmd)
}

// traceIn is trace with the ring in dir.
func traceIn(t testing.TB, dir string, opt ring.Options, f func(*ring.Record), cmd *exec.Cmd) run {
	t.Helper()
	r, err := ring.Create(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if cmd.Env == nil {
		cmd.Env = cmd.Environ()
	}
	cmd.Env = append(cmd.Env, r.Env())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer lastResort(cmd)()
	exited := make(chan struct{})
	var runErr error
	go func() { runErr = cmd.Wait(); close(exited) }()
	if err := r.Consume(exited, func(rec *ring.Record) bool { f(rec); return true }); err != nil {
		t.Error(err)
	}
	return run{r.Stats(), r.Identity(), out.String(), runErr, time.Since(start)}
}

// lastResort ends a program that hangs, with the stacks of its goroutines, unless stop is called.
func lastResort(cmd *exec.Cmd) (stop func() bool) {
	return time.AfterFunc(5*time.Minute, func() { cmd.Process.Signal(syscall.SIGQUIT) }).Stop
}

// ok fails the test if the run was not an undisturbed one.
func (r run) ok(t testing.TB) {
	t.Helper()
	if r.err != nil || r.stats.Missing() != 0 {
		t.Fatalf("%v, stats %+v, output:\n%s", r.err, r.stats, r.stdout)
	}
}

func TestNoFalseRaces(t *testing.T) {
	exe := program(t, "noraces")
	for _, procs := range []string{"1", "2", "4"} {
		c := newChecker()
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		trace(t, ring.Options{}, c.add, cmd).ok(t)
		for _, r := range c.races {
			t.Errorf("GOMAXPROCS=%s: false race %s", procs, r)
		}
		if c.kinds[ring.KindStmt] < 300 {
			t.Errorf("only %d accesses", c.kinds[ring.KindStmt])
		}
	}
}

// Every kind carries an edge that nothing else does: without it there are false
// races in the block of the program that is about it.
func TestEveryKindIsNeeded(t *testing.T) {
	exe := program(t, "noraces")
	kinds := func(kinds ...ring.Kind) func(*ring.Record) bool {
		return func(r *ring.Record) bool {
			for _, k := range kinds {
				if r.Kind == k {
					return true
				}
			}
			return false
		}
	}
	op := func(ops ...ring.Op) func(*ring.Record) bool {
		return func(r *ring.Record) bool {
			switch r.Kind {
			case ring.KindAcquire, ring.KindRelease, ring.KindReleaseMerge:
				for _, op := range ops {
					if r.Op() == op {
						return true
					}
				}
			}
			return false
		}
	}
	for _, test := range []struct {
		block string
		drop  func(*ring.Record) bool
	}{
		{"go", kinds(ring.KindGo)},
		{"waitgroup", op(ring.OpDone)},
		{"waitgroup", op(ring.OpWait)},
		{"once", op(ring.OpOnce)},
		{"atomic", kinds(ring.KindAtomicStore)},
		{"atomic", kinds(ring.KindAtomicLoad)},
		{"atomicvalue", kinds(ring.KindAtomicLoad)},
		{"atomicfunc", kinds(ring.KindAtomicStore)},
		{"spinlock", kinds(ring.KindAtomicRMW)},
		{"mutex", op(ring.OpLock)},
		{"mutex", op(ring.OpUnlock)},
		{"rwmutex", op(ring.OpRLock)},
		{"rwmutex", op(ring.OpRUnlock)},
		{"cond", op(ring.OpSignal, ring.OpNone)},
		{"cond", op(ring.OpWait)},
		{"buffered", kinds(ring.KindSend)},
		{"buffered", kinds(ring.KindRecv)},
		{"handoff", kinds(ring.KindHandoff)},
		{"close", kinds(ring.KindClose)},
		{"close", kinds(ring.KindRecvClosed)},
		{"closepanic", kinds(ring.KindRecvClosed)},
		{"select", kinds(ring.KindSend)},
		{"select", kinds(ring.KindHandoff)},
		{"reflectselect", kinds(ring.KindSend)},
		{"context", kinds(ring.KindGo)},
		{"timer", op(ring.OpTimer)},
		{"syncmap", kinds(ring.KindAtomicStore, ring.KindAtomicRMW)},
		{"pool", op(ring.OpGet)},
		{"pull", op(ring.OpNone)},
		{"finalizer", kinds(ring.KindFinGo)},
		{"closedconn", op(ring.OpNone)},
		{"tcp", op(ring.OpStream)},
		{"pipe", op(ring.OpStream)},
	} {
		// On a busy machine goroutines may run one after the other, and an order that
		// something else enforces is not missed. One run that needs the kind is enough.
		missed, dropped := false, 0
		for runs := 0; runs < 20 && !missed; runs++ {
			full, without := newChecker(), newChecker()
			without.drop = test.drop
			trace(t, ring.Options{}, func(r *ring.Record) {
				if test.drop(r) {
					dropped++
				}
				full.add(r)
				without.add(r)
			}, exec.Command(exe, test.block)).ok(t)
			if len(full.races) > 0 {
				t.Errorf("%s: false races %q", test.block, full.races)
			}
			missed = len(without.races) > 0 || full.kinds[ring.KindStmt] == 0
		}
		if !missed {
			t.Errorf("%s: %d records dropped in 20 runs, and nothing is missed", test.block, dropped)
		}
	}
}

// Races stay visible: no more order is recorded than there is.
func TestRaces(t *testing.T) {
	exe := program(t, "races")
	for range 3 {
		c := newChecker()
		trace(t, ring.Options{}, c.add, exec.Command(exe)).ok(t)
		if n := c.racy(); n != 6 {
			t.Errorf("races on %d variables, want 6: %q", n, c.races)
		}
	}
}

// An object at the address of one that was freed does not inherit what was released there.
func TestMemoryReuse(t *testing.T) {
	exe := program(t, "reuse")
	for range 5 {
		full, without := newChecker(), newChecker()
		without.drop = func(r *ring.Record) bool { return r.Kind == ring.KindFree }
		cmd := exec.Command(exe)
		// memory that one processor has to give away would not be used by others
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		r := trace(t, ring.Options{}, func(r *ring.Record) { full.add(r); without.add(r) }, cmd)
		r.ok(t)
		if n := full.racy(); n != 7 {
			t.Fatalf("races on %d variables, want 7: %q", n, full.races)
		}
		if r.stdout != "" {
			t.Log(r.stdout) // some memory was not used again this time
			continue
		}
		if n := without.racy(); n != 0 {
			t.Errorf("races on %d variables even if nobody knows of the reuse: %q", n, without.races)
		}
		return
	}
	t.Error("in no run was the memory of all objects used again")
}

func TestChildrenAndEnvironment(t *testing.T) {
	exe := program(t, "child")
	child := 0
	contexts := map[uint64]bool{}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "KEPT=yes")
	r := trace(t, ring.Options{}, func(r *ring.Record) {
		if r.Kind == ring.KindStmt {
			child++
		}
		contexts[r.Ctx] = true
	}, cmd)
	r.ok(t)
	if r.stdout != "" {
		t.Errorf("output:\n%s", r.stdout)
	}
	if child != 0 {
		t.Error("the child wrote into the ring")
	}
	if !contexts[1] {
		t.Error("nothing of the main goroutine")
	}
	if r.id.Exe != exe || r.id.Arch != runtime.GOARCH || r.id.PID == 0 || r.id.Text == 0 {
		t.Errorf("identity %+v", r.id)
	}
}

// A ring belongs to the first process that maps it.
func TestSecondProcess(t *testing.T) {
	exe := program(t, "load")
	r, err := ring.Create(t.TempDir(), ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stmts := 0
	for range 2 {
		cmd := exec.Command(exe, "1", "100")
		cmd.Env = append(os.Environ(), r.Env())
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "100\n" {
			t.Fatalf("%v\n%s", err, out)
		}
		if _, err := r.Poll(0, func(rec *ring.Record) bool {
			if rec.Kind == ring.KindStmt {
				stmts++
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	if stmts != 100 {
		t.Errorf("%d records, want the first process's 100", stmts)
	}
}

// The program ends in the middle of everything, and what was written counts.
func TestExitInMidWrite(t *testing.T) {
	exe := program(t, "load")
	for range 5 {
		n := 0
		r := trace(t, ring.Options{}, func(rec *ring.Record) {
			if rec.Kind == ring.KindAtomicRMW {
				n++
			}
		}, exec.Command(exe, "4", "1000000", "exit"))
		var code *exec.ExitError
		if !errors.As(r.err, &code) || code.ExitCode() != 7 || r.stats.Missing() != 0 {
			t.Fatalf("%v, stats %+v", r.err, r.stats)
		}
		if n < 1000 {
			t.Errorf("%d additions in the trace, the program exited at 1000", n)
		}
	}
}

func TestFileMode(t *testing.T) {
	exe := program(t, "load")
	for _, args := range [][]string{{"2", "20000"}, {"4", "1000000", "exit"}} {
		name := filepath.Join(t.TempDir(), "out.trace")
		cmd := exec.Command(exe, args...)
		cmd.Dir = filepath.Dir(name)
		cmd.Env = append(os.Environ(), ring.EnvTrace+"=out.trace")
		out, err := cmd.CombinedOutput()
		t.Logf("%v %s", err, out)
		r, err := ring.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stmts, adds := 0, 0
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			switch rec.Kind {
			case ring.KindStmt:
				stmts++
			case ring.KindAtomicRMW:
				adds++
			}
		}
		if s := r.Stats(); s.Missing() != 0 || !r.Clean() {
			t.Errorf("stats %+v, clean %v", s, r.Clean())
		}
		if len(args) == 2 && (stmts != 40000 || adds < 40000) {
			t.Errorf("%d records with payload and %d additions, want 40000 each", stmts, adds)
		}
		if adds < 1000 {
			t.Errorf("%d additions, want 1000 at least", adds)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Stats()
		if info.Mode().Perm() != 0o600 || info.Size() > int64(ring.HeaderSize+(s.Records*3+s.Holes)*ring.SlotSize) {
			t.Errorf("mode %v, %d bytes for %+v", info.Mode(), info.Size(), s)
		}
		r.Close()

		// A file that exists is not touched.
		cmd = exec.Command(exe, "1", "1")
		cmd.Env = append(os.Environ(), ring.EnvTrace+"="+name)
		out, err = cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "not traced") || !strings.HasSuffix(string(out), "1\n") {
			t.Errorf("%v, output %q", err, out)
		}
		if after, err := os.Stat(name); err != nil || after.Size() != info.Size() {
			t.Error("the file has changed")
		}
	}
}

// Without a ring the traced program is just a program.
func TestUntraced(t *testing.T) {
	exe := program(t, "noraces")
	out, err := exec.Command(exe).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), ring.EnvRing+"=/nonexistent")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
