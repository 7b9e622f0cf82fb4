package reversal

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// program names goroutines by their numbers, and places by their lines. From line 100 on they are
// in the standard library.
type program struct{ starts map[op.Task]op.Place }

func (p program) Task(t op.Task) op.Origin {
	if t == 0 {
		return op.Origin{Name: "main", By: op.NoTask}
	}
	return op.Origin{Name: fmt.Sprint("main.", t), By: 0, At: p.starts[t]}
}

func (program) Object(op.Object) string { return "" }

func (program) Place(p op.Place) op.Location {
	return op.Location{At: fmt.Sprint("m.go:", p), Called: true, Library: p >= 100}
}

// schedulesOf returns the schedules of the pairs of a run, in their order. main begins by starting
// goroutines 1, 2 and 3, at lines of these numbers.
func schedulesOf(t *testing.T, run []op.Op) (all []*schedule.Schedule) {
	t.Helper()
	w, visits, names := new(Watcher), new(schedule.Visits), program{make(map[op.Task]op.Place)}
	stamper := &stamp.Stamper{To: both{w, visits}}
	begin := []op.Op{{Kind: op.Main}}
	for n := range op.Task(3) {
		names.starts[n+1] = op.Place(n + 1)
		begin = append(begin, op.Op{Kind: op.Go, Other: n + 1, At: op.Place(n + 1)})
	}
	for _, o := range slices.Concat(begin, run) {
		stamper.Op(&o)
	}
	if err := stamper.Err(); err != nil {
		t.Fatal(err)
	}
	for _, p := range w.Ranked(names) {
		s, err := p.Schedule(visits, names, nil, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// both passes operations to two watchers.
type both [2]op.Watcher

func (b both) Op(o *op.Op) {
	b[0].Op(o)
	b[1].Op(o)
}

func made(t op.Task, at op.Place) op.Op {
	return op.Op{Kind: op.MakeChan, Task: t, Object: op.Object(at), At: at}
}

func lock(t op.Task, m op.Object, at op.Place) []op.Op {
	return []op.Op{{Kind: op.Lock, Task: t, Object: m, At: at}, {Kind: op.Unlock, Task: t, Object: m, At: at + 1}}
}

// Two operations are a pair if their order matters, and nothing else orders them.
func TestPairs(t *testing.T) {
	const c, d, mu, x = 1, 2, 3, 64
	buffered := op.Op{Kind: op.MakeChan, Object: c, Arg: 1, At: 9}
	other := op.Op{Kind: op.MakeChan, Object: d, Arg: 1, At: 9}
	for _, tt := range []struct {
		name string
		run  []op.Op
		want []string
	}{
		{
			"two sections", slices.Concat(lock(1, mu, 10), lock(2, mu, 20)),
			[]string{"main.2: lock at m.go:20 before main.1: lock at m.go:10"},
		},
		{
			"a message orders the sections",
			slices.Concat([]op.Op{buffered}, lock(1, mu, 10), []op.Op{
				{Kind: op.Send, Task: 1, Object: c, At: 12}, {Kind: op.Recv, Task: 2, Object: c, At: 19},
			}, lock(2, mu, 20)),
			nil,
		},
		{
			"sections inside of others", slices.Concat(
				lock(1, mu, 10)[:1], lock(1, 4, 12), lock(1, mu, 10)[1:],
				lock(2, mu, 20)[:1], lock(2, 4, 22), lock(2, mu, 20)[1:]),
			[]string{"main.2: lock at m.go:20 before main.1: lock at m.go:10"},
		},
		{
			"a close behind a send", []op.Op{
				buffered, {Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Close, Task: 2, Object: c, At: 20},
			},
			[]string{"main.2: close at m.go:20 before main.1: send at m.go:10"},
		},
		{
			"what is received was sent before", []op.Op{
				buffered, {Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Recv, Task: 2, Object: c, At: 20},
			},
			nil,
		},
		{
			"a close by the goroutine that has received the message", []op.Op{
				buffered, {Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Recv, Task: 2, Object: c, At: 20},
				{Kind: op.Close, Task: 2, Object: c, At: 21},
			},
			[]string{"main.2: close at m.go:21 before main.1: send at m.go:10"},
		},
		{
			"a close by one that knows more than the message", []op.Op{
				buffered, other, {Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Recv, Task: 2,
					Object: c, At: 20},
				{Kind: op.Send, Task: 1, Object: d, At: 11}, {Kind: op.Recv, Task: 2, Object: d, At: 21},
				{Kind: op.Close, Task: 2, Object: c, At: 22},
			},
			nil,
		},
		{
			"a default that is not taken", []op.Op{
				buffered, {Kind: op.Send, Task: 1, Object: c, At: 10},
				{Kind: op.Select, Task: 2, Cases: []op.Case{{Object: c}}, Arg: op.LeftDefault, At: 20},
				{Kind: op.Recv, Task: 2, Object: c, At: 20, InCase: true},
			},
			[]string{"main.2: select at m.go:20 before main.1: send at m.go:10"},
		},
		{
			"a select statement that waits for two", []op.Op{
				buffered, other,
				{Kind: op.Block, Task: 3, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: d}}, At: 30},
				{Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Recv, Task: 3, Object: c, At: 30, InCase: true},
				{Kind: op.Send, Task: 2, Object: d, At: 20},
			},
			[]string{"main.2: send at m.go:20 before main.1: send at m.go:10"},
		},
		{
			"a select statement that waits for a timer, too", []op.Op{
				buffered, {Kind: op.Arm, Task: 2, Object: d, At: 19},
				{Kind: op.Block, Task: 2, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: d}}, At: 20},
				{Kind: op.Send, Task: 1, Object: c, At: 10}, {Kind: op.Recv, Task: 2, Object: c, At: 20, InCase: true},
			},
			[]string{"main.2: select at m.go:20 before main.1: send at m.go:10"},
		},
		{
			"a select statement that went on by its timer", []op.Op{
				buffered, {Kind: op.MakeChan, Object: d, Arg: 1, At: 9}, {Kind: op.Arm, Task: 2, Object: d, At: 19},
				{Kind: op.Block, Task: 2, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: d}}, At: 20},
				{Kind: op.Handoff, Task: op.NoTask, Other: 2, Object: d, OtherAt: 20},
				{Kind: op.Close, Task: 1, Object: c, At: 10},
			},
			[]string{"main.1: close at m.go:10 before main.2: select at m.go:20"},
		},
		{
			"a writer that waits between two readers",
			slices.Concat([]op.Op{
				{Kind: op.RLock, Task: 1, Object: mu, At: 10}, {Kind: op.RUnlock, Task: 1, Object: mu, At: 11},
			}, lock(2, mu, 20)),
			[]string{"main.2: waits at m.go:20 before main.1: rlock at m.go:10"},
		},
		{
			"the library, and goroutines that do the same, come last",
			slices.Concat(lock(1, 5, 100), lock(2, 5, 110), lock(1, mu, 10), lock(2, mu, 20), []op.Op{
				{Kind: op.AtomicStore, Task: 1, Address: x, At: 12}, {Kind: op.AtomicLoad, Task: 2, Address: x, At: 22},
			}, lock(1, 6, 14), lock(2, 6, 24)),
			[]string{
				"main.2: lock at m.go:20 before main.1: lock at m.go:10",
				"main.2: load at m.go:22 before main.1: store at m.go:12",
				"main.2: lock at m.go:24 before main.1: lock at m.go:14",
				"main.2: lock at m.go:110 before main.1: lock at m.go:100",
			},
		},
	} {
		var got []string
		for _, s := range schedulesOf(t, tt.run) {
			got = append(got, Words(s))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}

// A key stands for two lines and two classes of goroutines, whatever their order is.
func TestKey(t *testing.T) {
	keyOf := func(starts [2]op.Place, first, second op.Task) string {
		w := new(Watcher)
		stamper := &stamp.Stamper{To: w}
		run := []op.Op{
			{Kind: op.Main}, {Kind: op.Go, Other: 1, At: starts[0]}, {Kind: op.Go, Other: 2, At: starts[1]},
		}
		for _, o := range slices.Concat(run, lock(first, 3, 10*op.Place(first)), lock(second, 3, 10*op.Place(second))) {
			stamper.Op(&o)
		}
		pairs := w.Ranked(program{})
		if err := stamper.Err(); err != nil || len(pairs) != 1 {
			t.Fatalf("%v, %d pairs", err, len(pairs))
		}
		return pairs[0].Key
	}
	one := keyOf([2]op.Place{1, 2}, 1, 2)
	if key := keyOf([2]op.Place{1, 2}, 2, 1); key != one {
		t.Errorf("in the other order: %q and %q", key, one)
	}
	if key := keyOf([2]op.Place{1, 3}, 1, 2); key == one {
		t.Errorf("of another go statement: %q", key)
	}
}

// Each pair of places is one pair, however often goroutines come there. It is made of the nearest
// operations.
func TestPairOfPlaces(t *testing.T) {
	var run []op.Op
	for range 5 {
		run = append(run, lock(1, 3, 10)...)
	}
	run = append(run, lock(2, 3, 20)...)
	run = append(run, lock(2, 3, 20)...)
	all := schedulesOf(t, run)
	if len(all) != 1 {
		t.Fatalf("%d pairs", len(all))
	}
	s := all[0]
	if s.Steps[0].Nth != 1 || s.Steps[1].Nth != 5 || s.Keep.Patience != time.Second {
		t.Errorf("%+v, %+v", s.Steps, s.Keep)
	}
}

// If the goroutine of the earlier operation may have found out right before that it is to do it,
// the pair has an order with that, too.
func TestBehindLook(t *testing.T) {
	const c, stop, mu, x = 1, 2, 3, 64
	asks := op.Op{Kind: op.Select, Task: 1, Cases: []op.Case{{Object: stop}}, Arg: op.TookDefault, At: 10}
	sends := op.Op{Kind: op.Send, Task: 1, Object: c, At: 15}
	closes := op.Op{Kind: op.Close, Task: 2, Object: c, At: 20}
	loads := op.Op{Kind: op.AtomicLoad, Task: 1, Address: x, At: 11}
	for _, tt := range []struct {
		name, want string
		before     []op.Op
	}{
		{"a default", "main.1: select at m.go:10", []op.Op{asks}},
		{"a default, and other operations", "main.1: select at m.go:10", append([]op.Op{asks}, lock(2, mu, 12)...)},
		{"the load of a flag", "main.1: load at m.go:11", []op.Op{asks, loads}},
		{"a section", "main.1: unlock at m.go:13", lock(1, mu, 12)},
		{"nothing", "", nil},
		{"what another one does", "", lock(2, mu, 12)},
		{"much else", "", []op.Op{asks, made(1, 30), made(1, 31), made(1, 32)}},
	} {
		w, visits, names := new(Watcher), new(schedule.Visits), program{map[op.Task]op.Place{1: 1, 2: 2}}
		stamper := &stamp.Stamper{To: both{w, visits}}
		begin := []op.Op{
			{Kind: op.Main}, {Kind: op.Go, Other: 1, At: 1}, {Kind: op.Go, Other: 2, At: 2},
			{Kind: op.MakeChan, Object: c, Arg: 1, At: 3}, {Kind: op.MakeChan, Object: stop, At: 4},
		}
		for _, o := range slices.Concat(begin, tt.before, []op.Op{sends, closes}) {
			stamper.Op(&o)
		}
		tried := false
		for _, p := range w.Ranked(names) {
			if p.earlier.role != sending {
				continue
			}
			tried = true
			got := ""
			if p.HasLook() {
				s, err := p.BehindLook(visits, names, nil, time.Second)
				if err != nil {
					t.Fatal(err)
				}
				if len(s.Steps) != 3 || Words(s) != "main.2: close at m.go:20 before main.1: send at m.go:15" {
					t.Errorf("behind %s: %d steps, %s", tt.name, len(s.Steps), Words(s))
				}
				got = s.Steps[0].Words()
			}
			if got != tt.want {
				t.Errorf("behind %s: got %q, want %q", tt.name, got, tt.want)
			}
		}
		if !tried {
			t.Errorf("behind %s: no pair", tt.name)
		}
	}
}
