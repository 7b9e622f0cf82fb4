package orders

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
)

// program names places by their lines. From line 100 on they are in the standard library.
type program struct{}

func (program) Task(t op.Task) op.Origin {
	if t == 0 {
		return op.Origin{Name: "main"}
	}
	return op.Origin{Name: fmt.Sprint("main.", t)}
}

// Object returns mutexes below 10, then RWMutexes, and channels from 20 on.
func (program) Object(o op.Object) string {
	switch {
	case o < 10:
		return fmt.Sprint("mutex ", o)
	case o < 20:
		return fmt.Sprint("rwmutex ", o)
	}
	return fmt.Sprint("chan ", o)
}

func (program) Place(p op.Place) op.Location {
	return op.Location{At: fmt.Sprint("m.go:", p), Called: true, Library: p >= 100}
}

// watch returns a watcher of a run in which main starts goroutines 1 and 2.
func watch(run ...op.Op) *Watcher {
	w := new(Watcher)
	begin := []op.Op{
		{Kind: op.Lock, Object: 9}, // while packages are initialised
		{Kind: op.Main},
		{Kind: op.Go, Other: 1, At: 1}, {Kind: op.Go, Other: 2, At: 1},
	}
	for _, o := range slices.Concat(begin, run) {
		if o.Kind != op.Handoff && o.Kind != op.Go {
			o.Other = op.NoTask
		}
		w.Op(&o)
	}
	return w
}

var end = []op.Op{{Kind: op.End, Task: 1}, {Kind: op.End, Task: 2}, {Kind: op.Left, Arg: 1}}

// words describes the steps of a run.
func words(r unfolding.Run) (all []string) {
	for _, t := range r.Steps {
		text := fmt.Sprintf("%d: %d of %d", t.Goroutine, t.Operation.Kind, t.Operation.Object)
		if t.Operation.Kind == unfolding.Communicate {
			text = fmt.Sprintf("%d: case %d of %v", t.Goroutine, t.Case, t.Operation.Cases)
		}
		if t.Partner != unfolding.Alone {
			text += fmt.Sprintf(" meets %d: case %d of %v", t.Partner, t.Receives, t.Received.Cases)
		}
		all = append(all, text)
	}
	return all
}

// TestRun reads operations of all kinds.
func TestRun(t *testing.T) {
	cases := []op.Case{{}, {Object: 21, Send: true}, {Object: 20}}
	for _, test := range []struct {
		name string
		run  []op.Op
		want []string // steps behind the go statements
	}{
		{"a lock", []op.Op{{Kind: op.Lock, Task: 1, Object: 3}, {Kind: op.Unlock, Task: 1, Object: 3}},
			[]string{"1: 1 of 1", "1: 3 of 1"}},
		{"a writer waits", []op.Op{
			{Kind: op.RLock, Task: 1, Object: 11}, {Kind: op.Block, Want: op.Lock, Task: 2, Object: 11},
			{Kind: op.RUnlock, Task: 1, Object: 11}, {Kind: op.Lock, Task: 2, Object: 11},
			{Kind: op.Unlock, Task: 2, Object: 11},
		}, []string{"1: 8 of 1", "2: 4 of 1", "1: 10 of 1", "2: 5 of 1", "2: 7 of 1"}},
		{"a reader reads when a writer unlocks", []op.Op{
			{Kind: op.Lock, Task: 1, Object: 11}, {Kind: op.Block, Want: op.RLock, Task: 2, Object: 11},
			{Kind: op.Unlock, Task: 1, Object: 11}, {Kind: op.Block, Want: op.Lock, Task: 1, Object: 11},
			{Kind: op.RLock, Task: 2, Object: 11},
		}, []string{"1: 4 of 1", "1: 5 of 1", "1: 7 of 1", "2: 8 of 1", "1: 4 of 1"}},
		{"they meet", []op.Op{
			{Kind: op.Block, Want: op.Select, Task: 2, Cases: cases},
			{Kind: op.Handoff, Task: 1, Other: 2, Object: 20},
		}, []string{"1: case 0 of [{true 1 0}] meets 2: case 1 of [{true 2 1} {false 1 0}]"}},
		{"a select", []op.Op{
			{Kind: op.Select, Task: 1, Arg: op.LeftDefault, Cases: cases},
			{Kind: op.Send, Task: 1, Object: 21, InCase: true},
			{Kind: op.Select, Task: 1, Arg: op.TookDefault, Cases: cases},
		}, []string{"1: case 0 of [{true 2 1} {false 1 0}]", "1: case -1 of [{true 2 1} {false 1 0}]"}},
		{"a closed channel", []op.Op{
			{Kind: op.Close, Task: 1, Object: 20}, {Kind: op.RecvClosed, Task: 2, Object: 20},
			{Kind: op.Misuse, Arg: int64(op.SendClosed), Task: 2, Object: 20},
		}, []string{"1: 22 of 1", "2: case 0 of [{false 1 0}]", "2: case 0 of [{true 1 0}]"}},
		{"a counter", []op.Op{
			{Kind: op.Add, Arg: 1, Object: 1}, {Kind: op.Done, Arg: -1, Task: 1, Object: 1}, {Kind: op.Wait, Object: 1},
		}, []string{"0: 19 of 1", "1: 19 of 1", "0: 20 of 1"}},
		{"an atomic variable of the library", []op.Op{{Kind: op.AtomicLoad, Task: 1, At: 100}}, nil},
	} {
		n := NewNumbers()
		w := watch(slices.Concat([]op.Op{{Kind: op.MakeChan, Object: 21, Arg: 1}}, test.run, end)...)
		r, err := n.Run(w, program{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, words(r)[2:]); diff != "" && len(test.want)+len(r.Steps) > 2 {
			t.Errorf("%s: %s", test.name, diff)
		}
		if doubts := n.Doubts(); len(doubts) > 0 {
			t.Errorf("%s: %v", test.name, doubts)
		}
	}
}

// TestObjects checks that objects have the same numbers in a run in which they come in another
// order, and one of them only to a goroutine that waits.
func TestObjects(t *testing.T) {
	n := NewNumbers()
	first, err := n.Run(watch(
		op.Op{Kind: op.Lock, Task: 1, Object: 3, At: 5}, op.Op{Kind: op.Lock, Task: 2, Object: 4, At: 6},
		op.Op{Kind: op.Block, Want: op.Lock, Task: 1, Object: 4, At: 7},
	), program{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := n.Run(watch(
		op.Op{Kind: op.Lock, Task: 2, Object: 6, At: 6}, op.Op{Kind: op.Lock, Task: 1, Object: 7, At: 5},
		op.Op{Kind: op.Unlock, Task: 2, Object: 6, At: 8},
		op.Op{Kind: op.Lock, Task: 1, Object: 6, At: 7},
	), program{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one, two := first.Steps[2].Operation.Object, first.Steps[3].Operation.Object
	var got []unfolding.Object
	for _, s := range second.Steps[2:] {
		got = append(got, s.Operation.Object)
	}
	if want := []unfolding.Object{two, one, two, two}; one == two || !slices.Equal(got, want) {
		t.Errorf("objects %v, want %v", got, want)
	}
	if b := first.Blocked[1]; b.Kind != unfolding.Lock || b.Object != two {
		t.Errorf("main.1 waits for %+v", b)
	}
}

// TestSame checks that it is a doubt if one object has two numbers.
func TestSame(t *testing.T) {
	n := NewNumbers()
	one, two := op.Op{Kind: op.Lock, Task: 1, Object: 3}, op.Op{Kind: op.Lock, Task: 2, Object: 3}
	for _, run := range [][]op.Op{{one}, {two}, {one, {Kind: op.Unlock, Task: 1, Object: 3}, two}} {
		if doubts := n.Doubts(); len(doubts) > 0 {
			t.Errorf("doubts %v too early", doubts)
		}
		if _, err := n.Run(watch(append(run, end...)...), program{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if doubts := n.Doubts(); len(doubts) != 1 {
		t.Errorf("doubts %v", doubts)
	}
}

// TestSchedule checks the steps that a run is to begin with, and that a run is found to begin so.
func TestSchedule(t *testing.T) {
	n := NewNumbers()
	selects := op.Op{Kind: op.Block, Want: op.Select, Task: 2, At: 9, Cases: []op.Case{{Object: 20}, {Object: 21}}}
	begin := []op.Op{
		{Kind: op.Lock, Task: 2, Object: 3, At: 5}, {Kind: op.Unlock, Task: 2, Object: 3, At: 6},
		{Kind: op.Lock, Task: 2, Object: 11, At: 7}, {Kind: op.Unlock, Task: 2, Object: 11, At: 8},
		selects, {Kind: op.Handoff, Task: 1, Other: 2, Object: 20, At: 10, OtherAt: 9},
		{Kind: op.Block, Want: op.Recv, Object: 22, At: 11},
		{Kind: op.Handoff, Task: 1, Other: 0, Object: 22, At: 12, OtherAt: 11},
		{Kind: op.Select, Task: 1, Arg: op.TookDefault, At: 13, Cases: []op.Case{{Object: 20}}},
	}
	r, err := n.Run(watch(slices.Concat(begin, end)...), program{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := n.Schedule(r.Steps)
	var got []string
	for _, step := range s.Steps {
		got = append(got, step.Words())
	}
	want := []string{
		"main.2: lock at m.go:5", "main.2: unlock at m.go:6", "main.2: waits at m.go:7", "main.2: unlock at m.go:8",
		"main.1: send at m.go:10", "main.2: select at m.go:9", "main: recv at m.go:11", "main.1: send at m.go:12",
		"main.1: select at m.go:13",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	two := schedule.Goroutine{Name: "main.2", By: "main", Nth: 2, Line: schedule.Line{At: "m.go:1"}}
	if g := s.Goroutines; len(g) != 2 || g[1] != two {
		t.Errorf("goroutines %+v", g)
	}

	early := op.Op{Kind: op.Lock, Task: 1, Object: 5, At: 20} // first, and none of the steps
	prefix := r.Steps[:4]
	again, err := n.Run(watch(slices.Concat([]op.Op{early}, begin[:2], end)...), program{}, prefix)
	if err != nil || again.Steps[3].Goroutine != 2 || again.Steps[4].Goroutine != 1 {
		t.Errorf("%v, %v", words(again), err)
	}
	if _, err = n.Run(watch(end...), program{}, prefix); !errors.Is(err, unfolding.ErrDiverged) {
		t.Errorf("%v without the steps", err)
	}
}

// TestDoubts checks what keeps the orders from being all.
func TestDoubts(t *testing.T) {
	for _, test := range []struct {
		does op.Op
		want string
	}{
		{op.Op{Kind: op.Conflict}, "data races"},
		{op.Op{Kind: op.Arm}, "timers"},
		{op.Op{Kind: op.Outside}, "the outside world"},
		{op.Op{Kind: op.Signal}, "Cond"},
		{op.Op{Kind: op.Block, Want: op.CondWait}, "Cond"},
		{op.Op{Kind: op.Once}, "Once"},
		{op.Op{Kind: op.AtomicLoad}, "atomic variables"},
		{op.Op{Kind: op.Lock, Arg: 1}, "TryLock"},
		{op.Op{Kind: op.Block, Want: op.Select, Arg: 1}, "select statements of many cases"},
		{op.Op{Kind: op.Send, Task: op.NoTask, Object: 20}, "operations of the runtime"},
	} {
		n := NewNumbers()
		if _, err := n.Run(watch(append([]op.Op{test.does}, end...)...), program{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(n.Doubts(), ", "); got != test.want {
			t.Errorf("doubts %q of %v, want %q", got, test.does.Kind, test.want)
		}
	}
	n := NewNumbers()
	if _, err := n.Run(watch(), program{}, nil); err != nil {
		t.Fatal(err)
	}
	if got := n.Doubts(); !slices.Equal(got, []string{"goroutines that were cut off by the end of the program"}) {
		t.Errorf("doubts %q", got)
	}
}
