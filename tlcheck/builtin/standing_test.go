package builtin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// lines are the names of a run: places are lines of a file.
type lines struct{}

func (lines) Task(t op.Task) op.Origin  { return op.Origin{Name: fmt.Sprint("task ", t)} }
func (lines) Object(o op.Object) string { return fmt.Sprint("chan ", o) }
func (lines) Place(p op.Place) op.Location {
	at := fmt.Sprint("a.go:", p)
	return op.Location{At: at, Called: true, Stack: []op.Frame{{Function: "main.f", At: at}}}
}

// leaks are two goroutines that wait while main goes on.
var leaks = []op.Op{
	{Kind: op.Main},
	{Kind: op.MakeChan, Object: 1},
	{Kind: op.Go, Other: 1},
	{Kind: op.Go, Other: 2},
	{Kind: op.Block, Task: 1, Object: 1, Want: op.Recv, At: 9},
	{Kind: op.Block, Task: 2, Object: 2, Want: op.Recv, At: 8},
}

// noCause is that nothing leads to what a goroutine waits for.
func noCause(t op.Task) op.Op { return op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t} }

func watched(t *testing.T, run ...op.Op) *builtin.Checker {
	t.Helper()
	checker, err := builtin.New(builtin.Stuck)
	if err != nil {
		t.Fatal(err)
	}
	s := &stamp.Stamper{To: checker}
	for _, o := range run {
		s.Op(&o)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return checker
}

// While a run goes on the goroutines are known that wait for ever. That is asked for as often as
// one likes, and is found in the end again unless it was reported.
func TestStanding(t *testing.T) {
	checker := watched(t, leaks...)
	if s := checker.Standing(lines{}); len(s.ForEver) != 0 || len(s.Waits()) != 2 || !s.GoesOn {
		t.Errorf("main goes on, and may wake both: %+v", s)
	}
	for _, reported := range []bool{false, true} {
		checker = watched(t, append(leaks, noCause(1))...)
		var s *builtin.Standing
		for range 2 {
			s = checker.Standing(lines{})
		}
		waits := s.Waits()
		if len(s.ForEver) != 1 || s.ForEver[0].Parties[0].Task != 1 || !waits[0].ForEver || waits[1].ForEver {
			t.Fatalf("task 1 waits for ever: %+v", s)
		}
		if reported {
			checker.NoteReported(lines{}, s.ForEver)
			if again := checker.Standing(lines{}); len(again.ForEver) != 0 {
				t.Errorf("reported again: %+v", again.ForEver)
			}
		}
		if found := checker.Findings(lines{}); len(found) != 1 || found[0].Told != reported {
			t.Errorf("reported: %t: in the end %+v", reported, found)
		}
	}
}

// A lock that others can reach may be unlocked by any of them: only where nothing leads to it, a
// goroutine certainly waits for ever.
func TestStandingAssumes(t *testing.T) {
	run := []op.Op{
		{Kind: op.Main},
		{Kind: op.Go, Other: 1},
		{Kind: op.Go, Other: 2},
		{Kind: op.Lock, Task: 1, Object: 8, At: 6},
		{Kind: op.End, Task: 1},
		{Kind: op.Block, Object: 8, Want: op.Lock, At: 9},
	}
	for _, isCutOff := range []bool{false, true} {
		ops, title := run, "antichain: goroutines wait for ever unless another one unlocks a lock:\n"
		if isCutOff {
			ops, title = append(run, noCause(0)), "antichain: goroutines wait for ever:\n"
		}
		s := watched(t, ops...).Standing(lines{})
		if len(s.ForEver) != 1 || (s.ForEver[0].Guess == nil) != isCutOff {
			t.Fatalf("cut off: %t: %+v", isCutOff, s.ForEver)
		}
		if waits := s.Waits(); waits[0].ForEver != isCutOff {
			t.Errorf("cut off: %t: main certainly waits for ever: %t", isCutOff, waits[0].ForEver)
		}
		page, b := report.Standing{ForEver: s.ForEver, Names: lines{}}, strings.Builder{}
		if err := page.Write(&b, report.Source{}); err != nil || !strings.HasPrefix(b.String(), title) {
			t.Errorf("cut off: %t: %v\n%s", isCutOff, err, b.String())
		}
	}
}

// Main may wait for a goroutine that answers a signal, and which may end the program.
func TestStandingAnswersSignal(t *testing.T) {
	run := []op.Op{
		{Kind: op.Main},
		{Kind: op.MakeChan, Object: 1},
		{Kind: op.Go, Other: 1},
		{Kind: op.Go, Other: 2},
		{Kind: op.Block, Object: 1, Want: op.Recv, At: 9},
		noCause(0),
	}
	if s := watched(t, run...).Standing(lines{}); len(s.ForEver) != 1 {
		t.Errorf("main waits for ever: %+v", s.ForEver)
	}
	answers := append(run, op.Op{Kind: op.Outside, Task: 1, Object: 3},
		op.Op{Kind: op.Block, Task: 1, Object: 3, Want: op.Recv, At: 7})
	if s := watched(t, answers...).Standing(lines{}); len(s.ForEver) != 0 {
		t.Errorf("task 1 may end the program: %+v", s.ForEver)
	}
}

// poll is a task that a timer wakes again and again, and that could receive from chan 1.
func poll(task op.Task) (all []op.Op) {
	const timer, done = 7, 1
	all = append(all, op.Op{Kind: op.MakeChan, Task: task, Object: timer, Arg: 1})
	for range 4 {
		all = append(all, op.Op{Kind: op.Arm, Task: task, Object: timer},
			op.Op{
				Kind: op.Block, Task: task, Want: op.Select, At: 50,
				Cases: []op.Case{{Object: timer}, {Object: done}},
			},
			op.Op{Kind: op.Send, Task: op.NoTask, Object: timer},
			op.Op{Kind: op.Recv, Task: task, Object: timer, InCase: true})
	}
	return all
}

// A goroutine that a timer wakes only to wait again hangs as others do, unless one of those that
// wait for ever may be what it waits for: then it is behind that.
func TestPollingBehind(t *testing.T) {
	const main, other, poller = 0, 1, 2
	starts := func(by op.Task) []op.Op {
		return []op.Op{
			{Kind: op.Main},
			{Kind: op.MakeChan, Object: 1},
			{Kind: op.Go, Other: other},
			{Kind: op.Lock, Task: other, Object: 8, At: 6}, // it runs
			{Kind: op.Go, Task: by, Other: poller},
		}
	}
	waits := func(task op.Task) op.Op { return op.Op{Kind: op.Block, Task: task, Object: 3, Want: op.Recv, At: 9} }
	sent := []op.Op{
		{Kind: op.Block, Task: poller, Object: 1, Want: op.Recv},
		{Kind: op.Handoff, Task: other, Object: 1, Other: poller},
	}
	end := op.Op{Kind: op.End, Task: other}
	locked := []op.Op{
		{Kind: op.Lock, Object: 11, At: 20}, {Kind: op.Lock, Task: other, Object: 12, At: 21},
		{Kind: op.Block, Object: 12, Want: op.Lock, At: 22},
		{Kind: op.Block, Task: other, Object: 11, Want: op.Lock, At: 23},
	}
	for name, c := range map[string]struct {
		run  []op.Op
		live string // what is found while the run goes on
		end  string // and behind it
	}{
		"main waits, which has started it": {
			slices.Concat(starts(main), poll(poller), []op.Op{end, waits(main), noCause(main)}), "0", "0; behind 2",
		},
		"main waits, which has started its starter": {
			slices.Concat(starts(other), poll(poller), []op.Op{end, waits(main), noCause(main)}), "0", "0; behind 2",
		},
		"another one waits": {
			slices.Concat(starts(main), poll(poller), []op.Op{waits(other), noCause(other), {Kind: op.Left}}),
			"2 1", "2 1",
		},
		"another one waits, which has sent before": {
			slices.Concat(starts(main), sent, poll(poller), []op.Op{waits(other), noCause(other), {Kind: op.Left}}),
			"1", "1; behind 2",
		},
		"main waits in a deadlock": {
			slices.Concat(starts(main), poll(poller), locked), "0 1", "0 1; behind 2",
		},
	} {
		checker, err := builtin.New(builtin.Deadlock, builtin.Stuck)
		if err != nil {
			t.Fatal(err)
		}
		checker.ReadSource(func(*builtin.Guess) builtin.Behind { return builtin.ComesBack })
		s := &stamp.Stamper{To: checker}
		for _, o := range c.run {
			s.Op(&o)
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		if got := partiesOf(checker.Standing(lines{}).ForEver); got != c.live {
			t.Errorf("%s: now %q, want %q", name, got, c.live)
		}
		if got := partiesOf(checker.Findings(lines{})); got != c.end {
			t.Errorf("%s: in the end %q, want %q", name, got, c.end)
		}
	}
}

// That a goroutine waits for its own lock is said once, not again for others that wait behind it.
func TestReasonsOfLock(t *testing.T) {
	s := watched(t, []op.Op{
		{Kind: op.Main}, {Kind: op.Go, Other: 1}, {Kind: op.Lock, Object: 4, At: 5},
		{Kind: op.Block, Object: 4, Want: op.Lock, At: 6}, {Kind: op.Block, Task: 1, Object: 4, Want: op.Lock, At: 7},
	}...).Standing(lines{})
	if len(s.ForEver) != 1 {
		t.Fatalf("they wait for ever: %+v", s.ForEver)
	}
	want := []string{"task 0 itself has locked chan 4 at a.go:5"}
	if got := s.ForEver[0].Notes; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// partiesOf are the tasks of findings, and those behind them.
func partiesOf(found []builtin.Finding) string {
	var all []string
	for i := range found {
		makers := len(found[i].Makers())
		for j, p := range found[i].Parties {
			if j == makers {
				all[len(all)-1] += ";"
				all = append(all, "behind")
			}
			all = append(all, fmt.Sprint(p.Task))
		}
	}
	return strings.Join(all, " ")
}

// linesInTest is lines of a program whose second task is in a test.
type linesInTest struct{ lines }

func (n linesInTest) Task(t op.Task) op.Origin {
	origin := n.lines.Task(t)
	if t == 2 {
		origin.Test = "TestB/part"
	}
	return origin
}

// places counts how often a place is looked up.
type places struct {
	lines
	calls *int
}

func (n places) Place(p op.Place) op.Location { *n.calls++; return n.lines.Place(p) }

// The time for the page grows with the number of goroutines, also if each waits for something of
// its own.
func TestStandingWriteMany(t *testing.T) {
	const tasks = 300
	run := []op.Op{{Kind: op.Main}}
	for i := range tasks {
		run = append(run, op.Op{Kind: op.MakeChan, Object: op.Object(i + 1)}, op.Op{Kind: op.Go, Other: op.Task(i + 1)},
			op.Op{Kind: op.Block, Task: op.Task(i + 1), Object: op.Object(i + 1), Want: op.Recv, At: 3})
	}
	dir := t.TempDir()
	source := []byte("package a\n\nfunc f() { <-results }\n")
	if err := os.WriteFile(filepath.Join(dir, "a.go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	calls, b := 0, strings.Builder{}
	page := report.Standing{Waits: watched(t, run...).Standing(lines{}).Waits(), Names: places{calls: &calls}}
	if err := page.Write(&b, report.Source{Dirs: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "waits to receive from results (chan ") {
		t.Errorf("the page is %q", b.String())
	}
	if most := 20 * tasks; calls > most {
		t.Errorf("%d places are looked up for %d goroutines, more than %d", calls, tasks, most)
	}
}

func TestStandingWrite(t *testing.T) {
	s := watched(t, append(leaks, noCause(1))...).Standing(lines{})
	page := report.Standing{
		ForEver: s.ForEver, Waits: s.Waits(), Names: linesInTest{},
		Others: []report.LastSeen{{Task: 0, At: 5}, {Task: 3}},
		Lasts:  func(*builtin.Wait) time.Duration { return 1234 * time.Millisecond }}
	var b strings.Builder
	if err := page.Write(&b, report.Source{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"antichain: goroutines wait for ever:\n    task 1 waits for ever at a.go:9 to receive from chan 1\n",
		"Where all goroutines are:\n    task 0 goes on, and was last seen in f, at a.go:5\n",
		"    task 1 waits for ever to receive from chan 1, for 1.2s so far, in f, at a.go:9\n",
		"    task 2, in TestB/part, waits to receive from chan 2, for 1.2s so far, in f, at a.go:8\n" +
			"    task 3 goes on\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
