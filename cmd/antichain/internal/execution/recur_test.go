package execution

import (
	"os"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tracer/op"
)

// A test that runs by itself runs once, without benchmarks, and leaves the files of the run that
// the user wants alone.
func TestAlone(t *testing.T) {
	args := []string{"-test.paniconexit0", "-test.count=5", "-test.trace=t.out", "-test.bench=.", "-own", "-test.cpuprofile=no"}
	want := []string{"-test.paniconexit0", "-test.count=5", "-test.trace=t.out", "-test.bench=.",
		"-test.run=^TestX$", "-test.count=1", "-test.bench=", "-test.cpuprofile=", "-test.trace=", "-own", "-test.cpuprofile=no"}
	if got := argsFor(args, "^TestX$"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(args) != 6 || args[4] != "-own" {
		t.Errorf("changed: %q", args)
	}
}

// Where failed tests are not run again, nobody takes their output.
func TestNoFailures(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"-test.bench=.", "-bench is given"},
		{"-test.fuzz=FuzzX", "-fuzz is given"},
	} {
		run := &run{Config: launch.Config{Stdout: os.Stdout}}
		f, err := (&runner{Plan: &Plan{Tests: Tests{Recur: true}, Steering: Steering{Yields: 1}}, args: []string{tt.arg}}).failuresOf(run)
		if err != nil || f.flag != tt.want || run.Stdout != os.Stdout {
			t.Errorf("%s: %+v, %v", tt.arg, f, err)
		}
	}
	for _, p := range []*Plan{{Steering: Steering{Yields: 1}}, {Tests: Tests{Recur: true}}} {
		run := &run{Config: launch.Config{Stdout: os.Stdout}}
		if f, err := (&runner{Plan: p}).failuresOf(run); f != nil || err != nil || run.Stdout != os.Stdout {
			t.Errorf("%+v: %v, %v", p, f, err)
		}
	}
}

// What a test binary prints to one file comes through one pipe, so that its order stays.
func TestFailuresOf(t *testing.T) {
	r := &runner{Plan: &Plan{Tests: Tests{Recur: true}, Steering: Steering{Yields: 1}}, args: []string{"-test.bench="}}
	other, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, tt := range []struct {
		stderr *os.File
		one    bool
	}{{os.Stdout, true}, {other, false}, {nil, false}} {
		run := &run{Config: launch.Config{Stdout: os.Stdout, Stderr: tt.stderr}}
		f, err := r.failuresOf(run)
		if err != nil {
			t.Fatal(err)
		}
		if run.Stdout == os.Stdout || (run.Stderr == run.Stdout) != tt.one {
			t.Errorf("%+v", run.Config)
		}
		f.onStart()
		f.passOn(new(launch.Result))
	}
}

// origins are those of a test, and of a goroutine that main has started.
type origins struct{ op.Names }

func (origins) Task(t op.Task) op.Origin {
	return []op.Origin{
		{Name: "main", Function: "main.main", By: op.NoTask},
		{Name: "main.1", Function: "main.poll", By: 0},
		{Name: "main.2", Function: "testing.tRunner", By: 0},
		{Name: "main.2.1", Function: "main.f", By: 2},
	}[t]
}

// Timers count that goroutines of a test have set, and not that of package testing.
func TestTimers(t *testing.T) {
	for _, tt := range []struct {
		op   op.Op
		want bool
	}{
		{op.Op{Kind: op.Arm, Task: 3}, true},
		{op.Op{Kind: op.Go, Arg: 1, Task: 2}, true},
		{op.Op{Kind: op.Go, Task: 2}, false},
		{op.Op{Kind: op.Arm, Task: 0}, false},
		{op.Op{Kind: op.Arm, Task: 1}, false},
		{op.Op{Kind: op.Lock, Task: 3}, false},
	} {
		set := make(timers)
		set.Op(&tt.op)
		if got := set.areOfTest(origins{}); got != tt.want {
			t.Errorf("%+v: %v", tt.op, got)
		}
	}
}
