package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/builtin/stuck"
	"github.com/antichain-go/antichain/tracer/op"
)

// testNames names what the numbers of made-up operations mean; places above 1000 are in the
// library.
type testNames struct{}

func (testNames) Task(t op.Task) op.Origin {
	if t == 0 {
		return op.Origin{Name: "main", By: op.NoTask}
	}
	return op.Origin{Name: fmt.Sprintf("main.%d", t)}
}

func (testNames) Object(o op.Object) string { return fmt.Sprintf("object %d", o) }

func (testNames) Place(p op.Place) op.Location {
	at := fmt.Sprintf("x.go:%d", p)
	return op.Location{At: at, Library: p > 1000, Called: p <= 1000 || p > 2000, Stack: []op.Frame{{Function: "f", At: at}}}
}

// fixedDetector is a detector that finds the same things in every run, and joins them as stuck
// does.
type fixedDetector []Finding

func (f fixedDetector) Op(*op.Op)                   {}
func (f fixedDetector) Findings(op.Names) []Finding { return f }
func (f fixedDetector) After([]Finding)             {}
func (f fixedDetector) Join(all []Finding) []Finding {
	return stuck.Rule.New().(rule.Dependent).Join(all)
}

func TestFindingsAreMergedAndSorted(t *testing.T) {
	at := func(p Property, h Certainty, task op.Task, places ...op.Place) Finding {
		f := Finding{Property: p, How: h, Text: fmt.Sprintln(p, h, task, places)}
		for i, place := range places {
			f.Parties = append(f.Parties, Party{Task: task + op.Task(i), Kind: op.Lock, At: place})
		}
		switch {
		case p == Race:
			f.Scope = rule.Everywhere
		case p == Stuck && h == Observed:
			f.Scope = rule.InCalls
		}
		return f
	}
	hidden := at(Race, Predicted, 1, 1007, 1008)
	hidden.Sectioned, hidden.Scope = true, rule.InCalls
	c := &Checker{rules: Rules, detectors: []rule.Detector{fixedDetector{
		hidden, // of the library
		at(Race, Predicted, 1, 5),
		at(Stuck, Observed, 5, 9),
		at(Deadlock, Reordered, 1, 4, 6), // three times the same places
		at(Deadlock, Observed, 3, 6, 4),
		at(Deadlock, Reordered, 5, 4, 6),
		at(Deadlock, Reordered, 3, 6, 4),       // which happened
		at(Deadlock, Reordered, 11, 6, 4, 6),   // a longer cycle
		at(Deadlock, Reordered, 11, 7, 7, 7),   // where the shortest is reported
		at(Deadlock, Reordered, 15, 7, 7),      //
		at(Deadlock, Reordered, 1, 1001, 1002), // of the library
		at(Deadlock, Reordered, 5, 9),          // it waits there for ever, which is reported
		at(Deadlock, Predicted, 1, 1001, 4),
		at(Stuck, Observed, 6, 1003),       // of the library
		at(Stuck, Observed, 6, 2003),       // called by the program
		at(Stuck, Predicted, 6, 2004),      // would be the library's fault
		at(Race, Predicted, 1, 1005, 1006), // as by the race detector
		at(Race, Predicted, 1, 2005, 1006), // called by the program
	}}}
	var got string
	for _, f := range c.Findings(testNames{}) {
		got += fmt.Sprintln(strings.TrimSpace(f.Text), f.Count)
	}
	want := `deadlock observed 3 [6 4] 4
deadlock predicted 1 [1001 4] 1
deadlock predicted, locks reordered 15 [7 7] 2
stuck observed 6 [2003] 1
stuck observed 5 [9] 1
race predicted 1 [1005 1006] 1
race predicted 1 [2005 1006] 1
race predicted 1 [5] 1
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Tasks that could go on if those of a deadlock did are reported with that, and no others.
func TestBehindDeadlock(t *testing.T) {
	const a, b, wg, c = 1, 2, 3, 4
	ops := []op.Op{{Kind: op.Main}, {Kind: op.Add, Object: wg, Arg: 2}}
	for task := op.Task(1); task <= 5; task++ {
		ops = append(ops, op.Op{Kind: op.Go, Other: task})
	}
	block := func(task op.Task, want op.Kind, object op.Object) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: want, Object: object}
	}
	ops = append(ops,
		op.Op{Kind: op.Lock, Task: 1, Object: a}, op.Op{Kind: op.Lock, Task: 2, Object: b},
		block(1, op.Lock, b), block(2, op.Lock, a),
		block(3, op.Lock, a),  // behind 1
		block(0, op.Wait, wg), // one of the others may be Done
		block(4, op.Recv, c),  // or send
		block(5, op.Recv, 0),  // for ever whatever happens
	)
	checker := checkerOf(Deadlock, Stuck)
	for i := range ops {
		o := ops[i]
		o.At, o.K = op.Place(i+1), int32(i+1)
		checker.Op(&o)
	}
	var got string
	for _, f := range checker.Findings(testNames{}) {
		got += fmt.Sprintln(f.Property, f.How, partyTasks(f.Parties))
	}
	if want := "deadlock observed [0 1 2 3 4]\nstuck observed [5]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A deadlock has the same key whoever waits behind it, and another one has another.
func TestKeyOfDeadlock(t *testing.T) {
	keys := map[Key]int{}
	for _, tt := range []struct {
		lock   op.Place // where the first task takes its second lock
		behind bool
	}{{3, false}, {3, true}, {7, false}} {
		checker := checkerOf(Deadlock, Stuck)
		for _, o := range []op.Op{
			{Kind: op.Main}, {Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2}, {Kind: op.Go, Other: 3},
			{Kind: op.Lock, Task: 1, Object: 1, At: 1, K: 1}, {Kind: op.Lock, Task: 2, Object: 2, At: 2, K: 1},
			{Kind: op.Block, Want: op.Lock, Task: 1, Object: 2, At: tt.lock, K: 2}, {Kind: op.Block, Want: op.Lock, Task: 2, Object: 1, At: 4, K: 2},
			{Kind: op.Block, Want: op.Lock, Task: 3, Object: 1, At: 5, K: 1},
		} {
			if o.Task != 3 || tt.behind {
				checker.Op(&o)
			}
		}
		found := checker.Findings(testNames{})
		i := slices.IndexFunc(found, func(f Finding) bool { return f.Property == Deadlock })
		if i < 0 || (len(found[i].Parties) == 3) != tt.behind {
			t.Fatalf("%+v: %+v", tt, found)
		}
		keys[found[i].Key(testNames{})]++
	}
	if len(keys) != 2 {
		t.Errorf("keys: %v", keys)
	}
}

func TestCheckerTellsWhatIsWanted(t *testing.T) {
	c := checkerOf()
	c.Op(&op.Op{Kind: op.Lock}) // no rule is interested
	if f := c.Findings(testNames{}); len(f) != 0 {
		t.Error(f)
	}
}

// A task that another one has freed from a deadlock, by unlocking what it waited for, may come to
// be in the next one at the same place.
func TestDeadlockAgain(t *testing.T) {
	const a, b, c = 1, 2, 3
	checker := checkerOf(Deadlock)
	k := map[op.Task]int32{}
	do := func(task op.Task, kind, want op.Kind, object op.Object, at op.Place) {
		k[task]++
		checker.Op(&op.Op{Kind: kind, Want: want, Task: task, K: k[task], Object: object, At: at, Other: op.NoTask})
	}
	certain := func(want string) {
		t.Helper()
		var got string
		for _, f := range checker.Certain(testNames{}) {
			got += fmt.Sprintln(f.How, partyTasks(f.Parties))
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	do(1, op.Lock, op.None, a, 10)
	do(2, op.Lock, op.None, b, 20)
	do(2, op.Block, op.Lock, a, 21)
	do(1, op.Block, op.Lock, b, 11)
	certain("observed [1 2]\n")
	certain("")
	do(3, op.Unlock, op.None, b, 30)
	do(1, op.Lock, op.None, b, 11)
	do(1, op.Unlock, op.None, b, 12)
	certain("")
	do(3, op.Lock, op.None, c, 31)
	do(3, op.Block, op.Lock, a, 32)
	do(1, op.Block, op.Lock, c, 11)
	certain("observed [1 3]\n")
	for _, f := range checker.Findings(testNames{}) {
		if f.How == Observed && !f.Told {
			t.Errorf("told twice: %s", f.Text)
		}
	}
}

// A task that waits behind a deadlock that was reported is reported with that again, at the end, and
// does not make it another violation.
func TestBehindToldDeadlock(t *testing.T) {
	const a, b = 1, 2
	for _, late := range []bool{false, true} {
		checker := checkerOf(Deadlock, Stuck)
		k := map[op.Task]int32{}
		do := func(task op.Task, kind, want op.Kind, object op.Object, at op.Place) {
			k[task]++
			checker.Op(&op.Op{Kind: kind, Want: want, Task: task, K: k[task], Object: object, At: at, Other: op.NoTask})
		}
		do(1, op.Lock, op.None, a, 10)
		do(2, op.Lock, op.None, b, 20)
		do(2, op.Block, op.Lock, a, 21)
		do(1, op.Block, op.Lock, b, 11)
		if found := checker.Certain(testNames{}); len(found) != 1 || found[0].How != Observed {
			t.Fatalf("certain: %v", found)
		}
		if late {
			do(3, op.Block, op.Lock, a, 31)
		}
		found := checker.Findings(testNames{})
		if len(found) != 1 || found[0].Property != Deadlock || found[0].Told == late ||
			slices.Contains(partyTasks(found[0].Parties), 3) != late {
			t.Errorf("late: %v, found %v", late, found)
		}
	}
}

// checkerOf returns a checker of properties that exist.
func checkerOf(properties ...Property) *Checker {
	c, err := New(properties...)
	if err != nil {
		panic(err)
	}
	return c
}

// A name with a typing mistake is no property without violations.
func TestUnknownProperty(t *testing.T) {
	if c, err := New(Race, "dedlock"); err == nil || err.Error() != `no built-in property "dedlock" (did you mean "deadlock"?)` {
		t.Errorf("%v, %v", c, err)
	}
	for _, p := range Properties {
		if got, err := Parse(string(p)); got != p || err != nil {
			t.Errorf("%s: %s, %v", p, got, err)
		}
	}
}

// The rules have the names of the properties, and say what they do.
func TestRules(t *testing.T) {
	want := []Property{Deadlock, Stuck, Closed, WaitGroup, Unlock, Panic, Copy, Race, Leak}
	if !slices.Equal(Properties, want) {
		t.Errorf("%v, want %v", Properties, want)
	}
	for _, r := range Rules {
		if !strings.HasPrefix(r.Doc, "reports ") || len(r.Kinds) == 0 {
			t.Errorf("%s: %q, %v", r.Name, r.Doc, r.Kinds)
		}
	}
}
