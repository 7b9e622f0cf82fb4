package ndjson

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// read reads the runs of a log.
func read(mapping, text string, o Options) ([]*Run, error) {
	m, err := ParseMapping("mapping", []byte(mapping))
	if err != nil {
		return nil, err
	}
	return Read(strings.NewReader(text), "log", m, o)
}

func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestShop reads two runs with everything that a mapping can say.
func TestShop(t *testing.T) {
	runs, err := read(file(t, "shop.json"), file(t, "shop.log"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, r := range runs {
		tr, err := santest.Collect(r)
		if err != nil {
			t.Fatal(err)
		}
		tr.MustBuild()
		text, err := tr.Text()
		if err != nil {
			t.Fatal(err)
		}
		got += text
	}
	if d := cmp.Diff(file(t, "shop.jsonl"), got); d != "" {
		t.Error(d)
	}
}

func TestWrongMappings(t *testing.T) {
	for _, tt := range []struct{ mapping, want string }{
		{`{`, "the mapping is not JSON"},
		{`{"task":"t","task":"u"}`, "the mapping is not JSON"},
		{`[]`, "the mapping is not an object"},
		{`{}`, `"task" is missing`},
		{`{"task":1}`, `"task": 1 is not a path of a field`},
		{`{"task":"a..b"}`, `"task": "a..b" is not a path`},
		{`{"task":"t","tsk":"u"}`, `unknown field "tsk" (did you mean "task"?): the fields are task, event, `},
		{`{"task":"t","variables":"u"}`, `unknown field "variables": the fields are`},
		{`{"task":"t","enter":{"a":"f"}}`, `"enter" and "exit" are about values of the field that "event" names`},
		{`{"task":"t","event":"e","enter":{"a":"f"},"exit":{"a":"f"}}`, `"a" is in "enter" and in "exit"`},
		{`{"task":"t","event":"e","enter":"a"}`, `"enter": must be an object of events and functions`},
		{`{"task":"t","event":"e","exit":{"a":1}}`, `"exit": the function for "a" is not a string`},
		{`{"task":"t","event":"e","exit":{"a":""}}`, `"exit": the name of a function is empty`},
		{`{"task":"t","event":"e","exit":{"a":"{b"}}`, `"exit": "{b" has a { without a }`},
		{`{"task":"t","event":"e","exit":{"a":"{}"}}`, `"exit": "" is not a path`},
		{`{"task":"t","send":1}`, `"send": must be the path of a field, a list of such paths, or like`},
		{`{"task":"t","send":{"if":{}}}`, `"send": "key" is missing`},
		{`{"task":"t","send":{"key":"a","when":{}}}`, `"send": unknown field "when": the fields are key, if`},
		{`{"task":"t","receive":{"key":"a","if":1}}`, `"receive": a condition must be an object`},
		{`{"task":"t","unmatched":"ignore"}`, `"unmatched": must be "accept" or "error", not "ignore"`},
		{`{"task":"t","set":"*"}`, `"set": must be an object of fields`},
		{`{"task":"t","set":{"a":1}}`, `"set": the name of the variable for "a" is not a string`},
		{`{"task":"t","set":{"*":"x"}}`, `"set": only "*": "*" takes all fields`},
		{`{"task":"t","if":{"a.":1}}`, `"if": "a." is not a path`},
	} {
		_, err := ParseMapping("file", []byte(tt.mapping))
		if err == nil || !strings.HasPrefix(err.Error(), "file: "+tt.want) {
			t.Errorf("%s: %v, not %s", tt.mapping, err, tt.want)
		}
	}
}

func TestWrongLogs(t *testing.T) {
	const mapping = `{"task":"t","event":"e","enter":{"in":"{f}"},"send":"s","receive":"r","run":"run","if":{"ok":[true,null]}}`
	const rest = `,"run":"a","ok":true}` + "\n"
	for _, tt := range []struct{ name, log, want string }{
		{"nothing", "\n", "log: no event in the log"},
		{"nothing left", `{"t":"x","run":"a","ok":false}`, "log: no event in the log"},
		{"no JSON", `{"t":"x"` + rest + "\n{\"t\":", "log:3:6: bad JSON"},
		{"no object", "[1]", "log:1: [1] is no JSON object"},
		{"no task", `{"u":1` + rest, "log:1: no field t, which names the task"},
		{"task", `{"t":{}` + rest, "log:1: the field t, which names the task, is neither a string nor a number: {}"},
		{"no run", `{"t":"x","ok":null}`, "log:1: no field run, which names the run"},
		{"no function", `{"t":"x","e":"in"` + rest, "log:1: no field f, which names a function"},
		{"key", `{"t":"x","s":true` + rest,
			"log:1: the field s, which has the key of a message, is no string, number or object: true"},
		{"keys", `{"t":"x","s":["a",[]]` + rest, "log:1: the field s, which has the key"},
		{"second send", `{"t":"x","s":1` + rest + `{"t":"y","s":"1"` + rest,
			`log:2: a second send of the key "1", which line 1 sends`},
		{"no send", `{"t":"x","r":1` + rest, `log:1: no line sends the key "1", which this one receives`},
		{"itself", `{"t":"x","r":1,"s":1` + rest, `log:1: this line receives what line 1 sends, which comes after it`},
		{"own future", `{"t":"y","s":2` + rest + `{"t":"x","r":1` + rest + `{"t":"x","s":1` + rest,
			`log:2: this line receives what line 3 sends, which comes after it`},
		{"cycle", `{"t":"x","r":1` + rest + `{"t":"x","s":2` + rest + `{"t":"y","r":2` + rest + `{"t":"y","s":1` + rest,
			`log:1: this line receives what line 4 sends`},
		{"long", strings.Repeat(" ", 1000), "log:1: a line of more than 300 bytes"},
		{"large", strings.Repeat("\n", 1001), "log:1001: a log of more than 1000 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs, err := read(mapping, tt.log, Options{Size: 1000, Line: 300})
			for _, r := range runs {
				_, err = santest.Collect(r)
			}
			var e *event.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%v, not %s", err, tt.want)
			}
		})
	}
}

// One run that is broken leaves the others alone.
func TestBrokenRun(t *testing.T) {
	runs, err := read(`{"task":"t","receive":"r","run":"run"}`, `{"t":1,"r":1,"run":1}`+"\n"+`{"t":1,"run":2}`,
		Options{})
	if err != nil || len(runs) != 2 {
		t.Fatal(runs, err)
	}
	if _, err := santest.Collect(runs[0]); err == nil {
		t.Error("no error")
	}
	if tr, err := santest.Collect(runs[1]); err != nil || len(tr.Events) != 1 {
		t.Error(tr, err)
	}
}

func TestUnmatched(t *testing.T) {
	runs, err := read(`{"task":"t","receive":"r","unmatched":"accept"}`, `{"t":1,"r":1}`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tr, err := santest.Collect(runs[0]); err != nil || len(tr.Events[0].After) > 0 ||
		!strings.HasPrefix(tr.Header.Caveat, "of 1 of the messages") {
		t.Error(tr, err)
	}
}

// line is a line of a random log.
type line struct {
	Task           int
	Sends, Accepts []int
}

func (l line) String() string {
	list := func(ns []int) string { return strings.ReplaceAll(fmt.Sprint(ns), " ", ",") }
	return fmt.Sprintf(`{"task":%d,"to":%s,"from":%s}`, l.Task, list(l.Sends), list(l.Accepts))
}

// drawLog draws the lines of tasks that send to each other, in any order that keeps those of each
// task. The messages go anywhere, so some logs are of no run.
func drawLog(t *rapid.T) []line {
	src := santest.Rapid(t)
	lines := make([]line, 1+src.Intn(15))
	for i := range lines {
		lines[i].Task = src.Intn(4)
	}
	for key := range src.Intn(8) {
		from := &lines[src.Intn(len(lines))]
		from.Sends = append(from.Sends, key)
		for range src.Intn(3) {
			to := &lines[src.Intn(len(lines))]
			to.Accepts = append(to.Accepts, key)
		}
	}
	return lines
}

// closure is the order of the lines by its definition. It is no order if a line precedes itself.
func closure(lines []line) [][]bool {
	before := make([][]bool, len(lines))
	for i, a := range lines {
		before[i] = make([]bool, len(lines))
		for j, b := range lines {
			before[i][j] = i < j && a.Task == b.Task
			for _, key := range a.Sends {
				for _, other := range b.Accepts {
					before[i][j] = before[i][j] || key == other
				}
			}
		}
	}
	for via := range lines {
		for i := range lines {
			for j := range lines {
				before[i][j] = before[i][j] || before[i][via] && before[via][j]
			}
		}
	}
	return before
}

// TestOrder compares the order of random logs with its definition.
func TestOrder(t *testing.T) {
	orders, cycles := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLog(t)
		var text strings.Builder
		for _, l := range lines {
			fmt.Fprintln(&text, l)
		}
		runs, err := read(`{"task":"task","send":"to","receive":"from"}`, text.String(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := closure(lines)
		cyclic := false
		for i := range want {
			cyclic = cyclic || want[i][i]
		}
		tr, err := santest.Collect(runs[0])
		if (err != nil) != cyclic {
			t.Fatalf("%v, cycle: %v\n%s", err, cyclic, text.String())
		}
		if cyclic {
			cycles++
			return
		}
		orders++
		causesFirst(t, tr)
		net := tr.MustBuild()
		actions := actionsOf(net, lines)
		for i, row := range want {
			for j, before := range row {
				if net.Precedes(actions[i], actions[j]) != before {
					t.Fatalf("line %d before line %d: not %v\n%s", i+1, j+1, before, text.String())
				}
			}
		}
	})
	if !testing.Short() && (orders == 0 || cycles == 0) {
		t.Errorf("%d orders, %d cycles", orders, cycles)
	}
}

// causesFirst checks that no event waits for a later one.
func causesFirst(t *rapid.T, tr santest.Trace) {
	events := map[string]int{}
	for _, e := range tr.Events {
		for _, ref := range e.After {
			if events[ref.Task] < ref.K {
				t.Fatalf("%v before %v", e, ref)
			}
		}
		events[e.Task]++
	}
}

// actionsOf returns the actions of the lines.
func actionsOf(net *san.Net, lines []line) []san.Action {
	events := map[int]int32{}
	var actions []san.Action
	for _, l := range lines {
		events[l.Task]++
		task, _ := net.Lookup(fmt.Sprint(l.Task))
		actions = append(actions, san.Action{Task: task, K: events[l.Task]})
	}
	return actions
}

// FuzzRead feeds arbitrary mappings and logs: what is accepted are traces, if the frames fit.
func FuzzRead(f *testing.F) {
	f.Add(file(f, "shop.json"), file(f, "shop.log"))
	f.Add(`{"task":"t","set":{"*":"*","a.b":"c"}}`, `{"t":1,"a":{"b":null}}`)
	f.Add(`{"task":"a.b","send":"s","receive":"r"}`, `{"a.b":1,"r":[1]}`+"\n"+`{"a":{"b":2},"s":1}`)
	f.Add("{\"task\":\"t\x7f\"}", `{"t":1}`)
	f.Add(plain, logOf("a start b", "a rlock m", "a runlock m", "b lock m", "b unlock m", "a add g", "a done g",
		"b wait g", "b end -", "a join b"))
	f.Add(plain, logOf("a send c 1", "b receive c", "a close c", "b receive c", "a send d 0", "b receive d",
		"a write x", "b read x", "b locking m", "a receiving e -1"))
	f.Fuzz(func(t *testing.T, mapping, text string) {
		printable := func(err error) {
			var e *event.Error
			if errors.As(err, &e) && event.Printable(e.Reason) != e.Reason || err.Error() == "" {
				t.Fatalf("%q", err)
			}
		}
		runs, err := read(mapping, text, Options{})
		if err != nil {
			printable(err)
			return
		}
		for _, r := range runs {
			tr, err := santest.Collect(r)
			if err != nil {
				printable(err)
				continue
			}
			if _, err := tr.Build(); err != nil && !strings.Contains(err.Error(), "exit") {
				t.Fatalf("not a trace: %v", err)
			}
			makeSense(t, tr)
		}
	})
}

// makeSense checks that operations are ones that can be judged.
func makeSense(t *testing.T, tr santest.Trace) {
	ops := process.NewOperations(tr.Header, ignored{})
	if ops == nil {
		return
	}
	for _, e := range tr.Events {
		ops.Add(e)
	}
	if ops.Finish(); ops.Wrong() != "" {
		t.Fatal(ops.Wrong())
	}
}

// ignored is a watcher that takes no notice.
type ignored struct{}

func (ignored) Op(*op.Op) {}
