package halt

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/control"
)

// That a program has ended is no mistake of whoever tells it to go on.
func TestIgnoreEnd(t *testing.T) {
	if err := IgnoreEnd(fmt.Errorf("resume: %w", control.ErrEnded)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := IgnoreEnd(broken); !errors.Is(err, broken) || IgnoreEnd(nil) != nil {
		t.Error(err)
	}
}

// An attempt is over when it is known whether the program stands still, and not before.
func TestPoll(t *testing.T) {
	a := &Attempt{done: make(chan session, 1)}
	if a.Poll(); a.IsOver() {
		t.Error("over before it is known")
	}
	broken := errors.New("broken")
	a.done <- session{err: broken}
	if a.Poll(); !a.IsOver() || a.Err() != broken {
		t.Errorf("over: %v, error %v", a.IsOver(), a.Err())
	}
}

// A goroutine has the name of reports before its precise one, or that of the outermost function of
// the program.
func TestNames(t *testing.T) {
	frame := func(function, file string) control.Frame { return control.Frame{Func: function, File: file, Line: 7} }
	stack := []control.Frame{
		frame("sync.(*Mutex).Lock", "/go/src/sync/mutex.go"), frame("main.(*bank).transfer", "/src/bank.go"),
		frame("main.main.func1", "/src/bank.go"),
		frame("x.org/errgroup.(*Group).Go.func1", "/mod/x.org/errgroup@v1.2.3/group.go"),
		frame("runtime.goexit", "/go/src/runtime/asm.s"),
	}
	for want, g := range map[string]Goroutine{
		"main.func1 (main.1) is running in bank.transfer, at bank.go:7":        {Name: "main.1"},
		"transfer #2 (main.1) is running in bank.transfer, at bank.go:7":       {Name: "main.1", Display: "transfer #2"},
		"a goroutine without a name is running in bank.transfer, at bank.go:7": {},
	} {
		g.Stack = stack
		var b strings.Builder
		if err := WriteGoroutines(&b, []Goroutine{g}, "/src"); err != nil {
			t.Fatal(err)
		}
		state := "is " + g.State.String()
		if got := strings.TrimSpace(b.String()); got != strings.Replace(want, "is running", state, 1) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	main := Goroutine{Name: "main", Task: control.Task{Stack: []control.Frame{frame("main.main", "/src/bank.go")}}}
	if got := main.name(); got != "main" {
		t.Errorf("main is called %q", got)
	}
}
