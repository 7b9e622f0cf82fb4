//go:build linux && (amd64 || arm64)

package control

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// produced is how many records the goroutines of the program have written.
func produced(t *testing.T, p *program) uint64 {
	t.Helper()
	for taken := slots(t, p); p.slots.Load() < taken; {
		time.Sleep(100 * time.Microsecond)
	}
	return p.records.Load()
}

// slots is how many slots of the ring are taken.
func slots(t *testing.T, p *program) uint64 {
	t.Helper()
	f, err := os.Open(p.ring.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b [8]byte
	if _, err := f.ReadAt(b[:], ring.OffProd); err != nil {
		t.Fatal(err)
	}
	return binary.LittleEndian.Uint64(b[:])
}

// state is all that moves in the program.
func state(t *testing.T, p *program, s *Session) string {
	t.Helper()
	return fmt.Sprint(get(t, s, "counter"), get(t, s, "atomicCount"), get(t, s, "busy.spins"), " ", produced(t, p))
}

// However the goroutines are busy, a halted program stands still, and then goes on.
func TestHalt(t *testing.T) {
	one, collecting := []string{"GOMAXPROCS=1"}, []string{"GOGC=1"}
	for _, tt := range []struct {
		work string
		env  []string
	}{
		{"locked", nil}, {"locked", one}, {"locked", collecting}, {"locked", append(one, collecting...)},
		{"churn", nil}, {"churn", one}, {"churn", collecting},
		{"tick", nil}, {"tick", one},
		{"pipe", nil}, {"pipe", one},
		{"spin", nil}, {"spin", one},
		{"allocate", collecting}, {"allocate", append(one, collecting...)},
		{"allocate", []string{"GODEBUG=gcstoptheworld=1", "GOGC=1"}},
		{"collect", nil}, {"measure", nil}, {"collect measure locked", one},
		{"locked churn tick pipe spin allocate collect measure read many", nil},
		{"locked churn tick pipe spin allocate collect measure read many", append(one, collecting...)},
	} {
		t.Run(tt.work+" "+strings.Join(tt.env, " "), func(t *testing.T) {
			p := start(t, tt.env, strings.Fields(tt.work)...)
			s := p.dial(t)
			moved := ""
			for range 30 {
				if err := s.Halt(); err != nil {
					t.Fatalf("%v\n%s", err, p.stderr.String())
				}
				before := state(t, p, s)
				if _, err := s.Tasks(); err != nil {
					t.Fatal(err)
				}
				if after := state(t, p, s); after != before {
					t.Fatalf("moved from %s to %s while halted", before, after)
				}
				if err := s.Resume(); err != nil {
					t.Fatal(err)
				}
				moved = before
			}
			eventually(t, s, func() bool { return state(t, p, s) != moved })
		})
	}
}

// The garbage collector works while the program is halted, over and over.
func TestCollectWhileHalted(t *testing.T) {
	p := start(t, []string{"GOGC=1", "GODEBUG=gctrace=1"}, "allocate", "locked", "many")
	s := p.dial(t)
	for range 3 {
		if err := s.Halt(); err != nil {
			t.Fatal(err)
		}
		before := state(t, p, s)
		for start := strings.Count(p.stderr.String(), "gc "); strings.Count(p.stderr.String(), "gc ") < start+3; {
			if _, err := s.Tasks(); err != nil { // the operator makes garbage
				t.Fatal(err)
			}
		}
		if after := state(t, p, s); after != before {
			t.Fatalf("moved from %s to %s while halted", before, after)
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
		eventually(t, s, func() bool { return state(t, p, s) != before })
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
	}
}

// Goroutines that write records are stopped at one, and those that write none between.
func TestBetween(t *testing.T) {
	p := start(t, nil, "locked", "spin")
	s := p.dial(t)
	places := func() (places []string) {
		tasks, err := s.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			if task.State == Between {
				places = append(places, task.Stack[0].Func)
			}
		}
		return places
	}
	eventually(t, s, func() bool { return fmt.Sprint(places()) == "[main.spin]" })
}

// Every goroutine of the program is listed, with its position, and no other.
func TestTasks(t *testing.T) {
	p := start(t, nil, "many", "read", "spin")
	s := p.dial(t)
	var tasks []Task
	eventually(t, s, func() bool { // all have come where they stay
		var err error
		if tasks, err = s.Tasks(); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, task := range tasks {
			if task.State == Waiting || task.State == Outside {
				n++
			}
		}
		return n == 1003 && strings.Contains(fmt.Sprint(tasks), "main.spin")
	})
	seen := map[uint64]bool{}
	places := map[string]int{}
	for _, task := range tasks {
		if seen[task.Ctx] {
			t.Errorf("two goroutines %d", task.Ctx)
		}
		seen[task.Ctx] = true
		place := fmt.Sprint(task.State)
		if task.Reason != "" {
			place += ", " + task.Reason
		}
		for _, f := range task.Stack {
			if strings.HasPrefix(f.Func, "main.") {
				place += ", " + f.Func
				if f.Line == 0 || !strings.HasSuffix(f.File, "/testdata/program/main.go") {
					t.Errorf("%+v", f)
				}
			}
		}
		places[place]++
	}
	want := map[string]int{
		"waiting, chan receive, main.main.func1": 1000,
		"waiting, sleep, main.main":              1,
		"in a system call or C code":             1, // go syscall.Read
		"stopped between two records, main.spin": 1,
		"waiting, finalizer wait":                1,
	}
	for place, n := range want {
		if places[place] != n {
			t.Errorf("%d are %s, want %d", places[place], place, n)
		}
	}
	if len(tasks) != 1004 || !seen[1] {
		t.Errorf("%d goroutines: %v", len(tasks), places)
	}
}

// A goroutine whose wait the garbage collector has found to be endless is listed as one that waits.
func TestLeakedTask(t *testing.T) {
	p := start(t, nil, "leak")
	s := p.dial(t)
	eventually(t, s, func() bool {
		tasks, err := s.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			if task.State == Waiting && task.Reason == "chan receive" &&
				strings.Contains(fmt.Sprint(task.Stack), "main.leak.func1") {
				return true
			}
		}
		return false
	})
}

// Nothing can be asked of a program that runs, and the session survives that.
func TestNotHalted(t *testing.T) {
	p := start(t, nil, "locked")
	s := p.dial(t)
	for _, ask := range []func() error{
		func() error { _, err := s.Tasks(); return err },
		func() error { _, err := s.Variables(); return err },
		func() error { _, err := s.Get(pkg, "counter"); return err },
	} {
		if err := ask(); err == nil || err.Error() != "the program is not halted" {
			t.Errorf("error %v", err)
		}
	}
	for range 3 { // more often than needed
		for range 3 {
			if err := s.Halt(); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			if err := s.Resume(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The operator does not hide a deadlock, connected or not.
func TestDeadlock(t *testing.T) {
	for _, connected := range []bool{false, true} {
		p := start(t, nil, "line", "deadlock")
		if connected {
			raw(t, p.socket)
		}
		if _, err := io.WriteString(p.stdin, "\n"); err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, p.stdout)
		err := p.cmd.Wait()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != 2 ||
			!strings.Contains(p.stderr.String(), "all goroutines are asleep - deadlock!") {
			t.Errorf("connected=%v: %v\n%s", connected, err, p.stderr.String())
		}
	}
}

// Goroutines in C code are listed, and those that return from there stop.
func TestCgo(t *testing.T) {
	if os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("no cgo")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	p := startProgram(t, executable(t, "cgo"), nil)
	s := p.dial(t)
	const pkg = "example.com/cgo"
	counter := func() string {
		v, err := s.Get(pkg, "counter")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(text(v), produced(t, p))
	}
	moved := ""
	for range 30 {
		if err := s.Halt(); err != nil {
			t.Fatal(err)
		}
		before := counter()
		tasks, err := s.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		if after := counter(); after != before {
			t.Fatalf("moved from %s to %s while halted", before, after)
		}
		inC := 0
		for _, task := range tasks {
			if task.State == Outside && strings.Contains(fmt.Sprint(task.Stack), "_Cfunc_work") {
				inC++
			}
		}
		if inC > 1 {
			t.Errorf("%d goroutines in C: %v", inC, tasks)
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
		moved = before
	}
	eventually(t, s, func() bool {
		tasks, err := s.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		return counter() != moved && strings.Contains(fmt.Sprint(tasks),
			"in a system call or C code  [{main._Cfunc_work ")
	})
}
