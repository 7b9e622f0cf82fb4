package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// Main waits for tasks that wait for ever: that is one finding, whose key is that of the tasks.
func TestStuckWithThoseThatAwaitThem(t *testing.T) {
	const wg, other, c = 1, 2, 3
	add := func(group op.Object, n int64) op.Op { return op.Op{Kind: op.Add, Object: group, Arg: n} }
	done := func(task op.Task) op.Op { return op.Op{Kind: op.Done, Task: task, Object: wg, Arg: -1} }
	start := func(task op.Task) op.Op { return op.Op{Kind: op.Go, Other: task} }
	wait := func(task op.Task, kind op.Kind, object op.Object) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: kind, Object: object}
	}
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task} }
	for _, test := range []struct {
		name, want string // tasks of each finding, those that it is about in front of a bar
		notes      []string
		ops        []op.Op
	}{
		{
			"an Add for each", "1 2|main", []string{"main.1 and main.2 have not called Done on object 1"},
			[]op.Op{
				add(wg, 1), start(1), add(wg, 1), start(2),
				wait(1, op.Recv, 0), wait(2, op.Recv, 0), wait(0, op.Wait, wg),
			},
		},
		{
			"an Add for all", "2|main", []string{"main.2 has not called Done on object 1"},
			[]op.Op{add(wg, 2), start(1), start(2), done(1), end(1), wait(2, op.Recv, c), wait(0, op.Wait, wg)},
		},
		{
			"one has ended without Done", "main|", []string{"main.1 has ended without calling Done on object 1"},
			[]op.Op{add(wg, 2), start(1), start(2), done(2), end(1), end(2), wait(0, op.Wait, wg)},
		},
		{
			"another one is done for it", "main|", []string{"main has added to object 1"},
			[]op.Op{add(wg, 2), start(1), start(2), end(1), done(2), done(2), add(wg, 1), end(2), wait(0, op.Wait, wg)},
		},
		{
			"started without an Add", "main|,1|", []string{"main has added to object 1"},
			[]op.Op{start(1), add(wg, 1), wait(1, op.Recv, 0), wait(0, op.Wait, wg)},
		},
		{
			"of another WaitGroup", "main|,1|", []string{"main has added to object 1"},
			[]op.Op{add(wg, 1), add(other, 1), start(1), wait(1, op.Recv, 0), wait(0, op.Wait, wg)},
		},
		{
			"waits for itself", "1|", []string{"main.1 has not called Done on object 1"},
			[]op.Op{add(wg, 1), start(1), wait(1, op.Wait, wg), {Kind: op.Left}},
		},
	} {
		var got, notes []string
		for _, f := range told(append([]op.Op{{Kind: op.Main}, {Kind: op.MakeChan, Object: c}}, test.ops...)) {
			made := len(f.Makers())
			tasks := func(parties []Party) string {
				var all []string
				for _, p := range parties {
					all = append(all, strings.TrimPrefix(testNames{}.Task(p.Task).Name, "main."))
				}
				return strings.Join(all, " ")
			}
			got = append(got, tasks(f.Parties[:made])+"|"+tasks(f.Parties[made:]))
			notes = append(notes, f.Notes...)
		}
		if strings.Join(got, ",") != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for _, n := range test.notes {
			if !slices.ContainsFunc(notes, func(note string) bool { return strings.HasPrefix(note, n) }) {
				t.Errorf("%s: %q lacks %q", test.name, notes, n)
			}
		}
	}
}

// A report names what is at fault: a buffer that is full and who has filled it, and of a select
// statement the channels that are not nil.
func TestStuckNamesWhatIsAtFault(t *testing.T) {
	const c, d = 1, 2
	begin := []op.Op{
		{Kind: op.Main}, {Kind: op.Go, Other: 1},
		{Kind: op.MakeChan, Object: c, Arg: 1}, {Kind: op.MakeChan, Object: d},
	}
	const full = "the buffer of object 1, with room for 1, is full: filled by "
	const unheard = "no other goroutine has received from "
	const unsaid = "no other goroutine has sent on object 2 or closed it"
	waits := func(cases ...op.Case) op.Op {
		return op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: cases}
	}
	for _, test := range []struct {
		name, text string
		notes      string
		ops        []op.Op
	}{
		{
			"full", "to send on object 1",
			full + "main at x.go:5; " + unheard + "object 1",
			[]op.Op{{Kind: op.Send, Object: c}, {Kind: op.Block, Task: 1, Want: op.Send, Object: c}},
		},
		{
			"full in a select", "to send on object 1 or to receive from object 2",
			full + "main.1 at x.go:5; " + unheard + "object 1; " + unsaid,
			[]op.Op{{Kind: op.Send, Task: 1, Object: c}, waits(op.Case{Object: c, Send: true}, op.Case{Object: d})},
		},
		{
			"no buffer", "to send on object 2", unheard + "object 2",
			[]op.Op{{Kind: op.Block, Task: 1, Want: op.Send, Object: d}},
		},
		{
			"a nil channel in a select", "to receive from object 2", unsaid,
			[]op.Op{waits(op.Case{Object: d}, op.Case{})},
		},
		{
			"a timer that has fired", "to receive from object 2",
			"the timer of object 2 has fired, or is stopped",
			[]op.Op{
				{Kind: op.Arm, Object: d}, {Kind: op.Recv, Task: 1, Object: d},
				{Kind: op.Block, Task: 1, Want: op.Recv, Object: d},
			},
		},
		{
			"a ticker that is stopped", "to receive from object 2",
			"the ticker of object 2 is stopped",
			[]op.Op{
				{Kind: op.Arm, Object: d, Arg: 1}, {Kind: op.Stop, Object: d},
				{Kind: op.Block, Task: 1, Want: op.Recv, Object: d},
			},
		},
		{
			"nil channels alone", "to receive from a nil channel or a nil channel",
			"a nil channel blocks for ever",
			[]op.Op{waits(op.Case{}, op.Case{})},
		},
	} {
		found := told(slices.Concat(begin, test.ops, []op.Op{{Kind: op.Left}}))
		if len(found) != 1 || !strings.HasSuffix(found[0].Text, test.text) ||
			strings.Join(found[0].Notes, "; ") != test.notes {
			t.Errorf("%s: %+v", test.name, found)
		}
	}
}

// Of the signals that a Wait can miss, those are to blame that are not under its lock, nor right
// behind a section of it.
func TestLostSignalBlames(t *testing.T) {
	const cond, mu, other = 1, 2, 3
	waits := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}},
	}
	woken := script{
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}},
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.Left}},
	}
	signal := op.Op{Kind: op.Signal, Object: cond}
	section := func(lock op.Object, ops ...op.Op) []op.Op {
		return slices.Concat([]op.Op{{Kind: op.Lock, Object: lock}}, ops, []op.Op{{Kind: op.Unlock, Object: lock}})
	}
	for _, test := range []struct {
		name, want string // lines of the signals that are to blame
		ops        []op.Op
	}{
		{"without a lock", "6", []op.Op{signal}},
		{"under the lock", "", section(mu, signal)},
		{"under the lock, and later without", "10", append(section(mu, signal), signal, signal)},
		{"right behind its section", "", append(section(mu), signal)},
		{"later", "10", slices.Concat(section(mu), section(other), []op.Op{signal})},
		{"under another lock", "7", section(other, signal)},
	} {
		s := slices.Clone(waits)
		for _, o := range test.ops {
			s = append(s, script{{Op: o}}...)
		}
		var blamed []string
		for _, f := range append(s, woken...).findings(Stuck) {
			for _, n := range f.Notes {
				if _, at, ok := strings.Cut(n, " signals at x.go:"); ok {
					blamed = append(blamed, strings.Fields(at)[0])
				}
			}
		}
		if got := strings.Join(blamed, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// startedSomewhere are names of tasks whose go statements are known.
type startedSomewhere struct{ testNames }

func (n startedSomewhere) Task(t op.Task) op.Origin {
	o := n.testNames.Task(t)
	o.At = 1
	return o
}

// An observed finding has what the tasks did last, and those that could have woken them.
func TestStuckHasItsPast(t *testing.T) {
	const c, mu, wg = 1, 2, 3
	checker := checkerOf(Stuck)
	for i, o := range []op.Op{
		{Kind: op.Main}, {Kind: op.MakeChan, Object: c},
		{Kind: op.Add, Object: wg, Arg: 1}, {Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2},
		{Kind: op.Handoff, Task: 1, Other: 2, Object: c},
		{Kind: op.End, Task: 2},
		{Kind: op.Lock, Task: 1, Object: mu},
		{Kind: op.Block, Task: 1, Want: op.Send, Object: c},
		{Kind: op.Block, Want: op.Wait, Object: wg},
	} {
		o.At, o.K = op.Place(i+1), int32(i+1)
		checker.Op(&o)
	}
	var got []string
	for _, f := range checker.Findings(startedSomewhere{}) {
		for _, s := range f.Past {
			text := fmt.Sprint(s.Task, " ", s.Kind)
			if s.Kind == op.Go {
				text += fmt.Sprint(" ", s.Other)
			}
			got = append(got, text)
		}
	}
	want := "0 add, 0 go 1, 1 lock, 2 recv, 2 end, 1 block, 0 block"
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
