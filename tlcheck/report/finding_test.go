package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
)

// bank is a program in which two transfers lock two accounts.
type bank struct{}

func (bank) Task(t op.Task) op.Origin {
	return []op.Origin{
		{Name: "main", By: op.NoTask},
		{Name: "main.1", Function: "example.com/bank.transfer", By: 0, At: 1},
		{Name: "main.2", Function: "sync.(*WaitGroup).Go.func1", By: 0, At: 2},
	}[t]
}

func (bank) Object(o op.Object) string { return []string{"", "mutex 1", "mutex\x1b[2J 2", "chan 1"}[o] }

func (bank) Place(p op.Place) op.Location {
	return []op.Location{
		{},
		{At: "bank/bank.go:1"},
		{At: "bank/bank.go:2"},
		{At: "bank/bank.go:3", Stack: []op.Frame{
			{Function: "example.com/bank.(*account).lock", At: "bank/bank.go:3"},
			{Function: "example.com/bank.transfer", At: "bank/bank.go:9"},
			{Function: "example.com/bank.main.gowrap1", At: "bank/bank.go:1"},
		}},
		{At: "bank/bank.go:4", Stack: []op.Frame{
			{Function: "net/http.(*Transport).roundTrip", At: "net/http/transport.go:600"},
			{Function: "net/http.(*Client).do", At: "net/http/client.go:600"},
			{Function: "example.com/bank.transfer", At: "bank/bank.go:4"},
		}},
		{Stack: []op.Frame{{Function: "time.goFunc", At: "time/sleep.go:215"}}},
		{}, // an unknown place
	}[p]
}

func transfers() *tlcheck.Result {
	return &tlcheck.Result{Builtin: builtin.Deadlock, Verdict: tlcheck.Violated, Names: bank{},
		Finding: &builtin.Finding{
			Property: builtin.Deadlock, How: builtin.Reordered, Count: 3,
			Text: "main.1 waits for mutex\x1b[2J 2, main.2 for mutex 1",
			Parties: []builtin.Party{
				{Task: 1, Kind: op.Lock, Object: 2, At: 3, Does: "waits for mutex\x1b[2J 2",
					Holds: []builtin.HeldLock{{Object: 1, Kind: op.Lock, At: 4}}},
				{Task: 2, Kind: op.Lock, Object: 1, At: 5, Does: "waits for mutex 1",
					Holds: []builtin.HeldLock{{Object: 2, Kind: op.RLock}, {Object: 1, Kind: op.Lock, At: 6}}},
				{Task: op.NoTask, Kind: op.Send, Object: 3, Does: "sends"},
			},
			Schedule: []op.Step{
				{Task: 0, Kind: op.Go, Other: 1, At: 1},
				{Task: 0, Kind: op.Go, Other: 2, At: 2},
				{Task: 1, Kind: op.Lock, Object: 1, At: 4},
				{Task: 2, Kind: op.Handoff, Other: 1, Object: 3, At: 3},
				{Task: 1, Kind: op.Block, Object: 2, At: 3},
				{Task: 0, Kind: op.Left},
			},
			Notes: []string{"a note on mutex\x1b[2J 2", "main.1 stays as it is"},
			Guess: &builtin.Guess{Text: "after the other case no goroutine returns to the channel", Select: 4},
		}}
}

func TestWriteFinding(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bank"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bank", "bank.go"), []byte("1\n2\n\tthe third line\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteText(&b, transfers(), Style{Source: Source{Dirs: []string{dir}}}); err != nil {
		t.Fatal(err)
	}
	want := `deadlock: violated (predicted, locks reordered)
    main.1 waits for mutex\x1b[2J 2, main.2 for mutex 1

main.1, running bank.transfer, started by main at bank/bank.go:1
    waits for mutex\x1b[2J 2 in bank.account.lock, at bank/bank.go:3
    │ the third line
    called by bank.transfer, at bank/bank.go:9
    holds mutex 1, taken in bank.transfer, at bank/bank.go:4, inside of http.Transport.roundTrip

main.2, running a function given to WaitGroup.Go, started by main at bank/bank.go:2
    waits for mutex 1 in time.goFunc, at time/sleep.go:215
    holds mutex\x1b[2J 2 for reading
    holds mutex 1

the runtime
    sends

It did not happen in this run: it can if locks are taken in another order.
The data that they guard may then differ, so this may need confirming:

    main                  main.1                               main.2
    ────                  ──────                               ──────
    go main.1  bank.go:1
    go main.2  bank.go:2
                          lock mutex 1  bank.go:4
                          recv chan 1                          send chan 1  bank.go:3
                          waits for mutex\x1b[2J 2  bank.go:3
    the program ends

A note on mutex\x1b[2J 2
main.1 stays as it is
Found 3 times, with other goroutines or objects; this is the first.

`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// crossing is a program in which one lock has two names, another one has a name of its own, and
// memory is written.
type crossing struct{ bank }

const crossingSource = `package main

func cross() {
	from.mu.Lock()
	to.mu.Lock()
	log.Lock()
	counts[word]++
	_ = counts[word]
	total++
	log.Lock(); from.mu.Lock()
}
`

func (crossing) Object(o op.Object) string { return []string{"", "mutex 1", "mutex 11", "mutex 3"}[o] }

func (crossing) Place(p op.Place) op.Location {
	at := fmt.Sprintf("main.go:%d", p)
	l := op.Location{At: at, Stack: []op.Frame{{Function: "main.cross", At: at}}}
	if p > 20 { // a library that works for line p - 20
		l.At = fmt.Sprintf("main.go:%d", p-20)
		l.Stack = []op.Frame{{Function: "log.Print", At: "log/log.go:9"}, {Function: "main.cross", At: l.At}}
	}
	return l
}

func crossed(t *testing.T, f *builtin.Finding) string {
	t.Helper()
	r, source := crossingResult(t, f)
	var b strings.Builder
	if err := WriteText(&b, r, Style{Source: source}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func crossingResult(t *testing.T, f *builtin.Finding) (*tlcheck.Result, Source) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(crossingSource), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &tlcheck.Result{Builtin: f.Property, Verdict: tlcheck.Violated, Names: crossing{}, Finding: f}
	return r, Source{Dirs: []string{dir}}
}

// Objects have the names that the source has for them, with a number where these do not say which
// one it is.
func TestNamesOfObjects(t *testing.T) {
	got := crossed(t, crossedLocks())
	for _, want := range []string{
		"\n    main.1 waits for to.mu (mutex 11), main.2 for to.mu (mutex 1), log is free\n",
		"\n    waits for to.mu (mutex 11) in cross, at main.go:5\n",
		"\n    holds from.mu (mutex 1), taken in",
		"\n    holds log, taken in",
		"lock from.mu (mutex 1)  main.go:4\n",
		"lock log  main.go:6\n",
		"lock log  main.go:10\n",
		"waits for to.mu (mutex 11)  main.go:5\n",
		"\nA note on log and mutex 111\n",
		"\nmain.1 has locked from.mu (mutex 1) at main.go:4, and to.mu (mutex 1) at main.go:40\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// crossedLocks is a finding about the locks of crossing.
func crossedLocks() *builtin.Finding {
	return &builtin.Finding{
		Property: builtin.Deadlock, How: builtin.Predicted, Count: 1,
		Text: "main.1 waits for mutex 11, main.2 for mutex 1, mutex 3 is free",
		Parties: []builtin.Party{
			{Task: 1, Kind: op.Lock, Object: 2, At: 5, Does: "waits for mutex 11",
				Holds: []builtin.HeldLock{{Object: 1, Kind: op.Lock, At: 4}}},
			{Task: 2, Kind: op.Lock, Object: 1, At: 5, Does: "waits for mutex 1",
				Holds: []builtin.HeldLock{{Object: 3, Kind: op.Lock, At: 6}}},
		},
		Schedule: []op.Step{
			{Task: 1, Kind: op.Lock, Object: 1, At: 4},
			{Task: 2, Kind: op.Lock, Object: 3, At: 6},
			{Task: 2, Kind: op.Lock, Object: 3, At: 26},
			{Task: 2, Kind: op.Lock, Object: 3, At: 10},
			{Task: 1, Kind: op.Block, Object: 2, At: 5},
		},
		Notes: []string{
			"a note on mutex 3 and mutex 111",
			"main.1 has locked mutex 1 at main.go:4, and mutex 1 at main.go:40",
		},
	}
}

// JSON names them like that, beside their numbers.
func TestNamesOfObjectsInJSON(t *testing.T) {
	r, source := crossingResult(t, crossedLocks())
	o := NewBuiltinObject("x", r, source)
	if want := "main.1 waits for to.mu (mutex 11), main.2 for to.mu (mutex 1), log is free"; o.Text != want {
		t.Errorf("text %q, want %q", o.Text, want)
	}
	if p := o.Parties[0]; p.Object != "mutex 11" || p.InSource != "to.mu" || p.Does != "waits for to.mu (mutex 11)" {
		t.Errorf("party %+v", p)
	}
	if h := o.Parties[0].Holds[0]; h.Object != "mutex 1" || h.InSource != "from.mu" {
		t.Errorf("holds %+v", h)
	}
	if s := o.Schedule[1]; s.Object != "mutex 3" || s.InSource != "log" {
		t.Errorf("step %+v", s)
	}
	plain := NewBuiltinObject("x", r, Source{})
	if o.Notes[0] != "a note on log and mutex 111" || plain.Notes[0] != "a note on mutex 3 and mutex 111" {
		t.Errorf("notes %q, %q", o.Notes, plain.Notes)
	}
}

// So does memory, if the write names it.
func TestNamesOfMemory(t *testing.T) {
	for _, test := range []struct {
		first, second builtin.Party
		want          string
	}{
		{
			builtin.Party{Task: 1, Kind: op.Read, At: 8, Does: "reads"},
			builtin.Party{Task: 2, Kind: op.Write, At: 7, Does: "writes"},
			"main.1 reads at main.go:8 counts, which main.2 writes at main.go:7, and nothing orders the two",
		},
		{
			builtin.Party{Task: 1, Kind: op.Write, At: 7, Does: "writes"},
			builtin.Party{Task: 2, Kind: op.Write, At: 9, Does: "writes"},
			"main.1 writes at main.go:7 the memory that main.2 writes at main.go:9, and nothing orders the two",
		},
		{
			builtin.Party{Task: 1, Kind: op.Read, At: 8, Does: "reads"},
			builtin.Party{Task: 2, Kind: op.Write, At: 27, Does: "writes"},
			"main.1 reads at main.go:8 the memory that main.2 writes at main.go:7, and nothing orders the two",
		},
	} {
		f := &builtin.Finding{Property: builtin.Race, How: builtin.Predicted, Count: 1, Parties: []builtin.Party{test.first, test.second}}
		f.Text = race.Text(f, crossing{}, "the memory that")
		got := crossed(t, f)
		if !strings.Contains(got, "\n    "+test.want+"\n") {
			t.Errorf("no %q in\n%s", test.want, got)
		}
		if writes := "\n    writes counts in cross, at main.go:7"; test.second.At != 27 &&
			!strings.Contains(got, writes) {
			t.Errorf("no %q in\n%s", writes, got)
		}
	}
}

// An observed finding of a run with missing records is reported, but not as a violation.
func TestUnsureFinding(t *testing.T) {
	r := &tlcheck.Result{Builtin: builtin.Stuck, Covered: "records are missing",
		Finding: &builtin.Finding{Property: builtin.Stuck, Text: "main waits"}, Names: bank{}}
	var b bytes.Buffer
	if err := WriteText(&b, r, Style{}); err != nil {
		t.Fatal(err)
	}
	want := "stuck: unknown (observed)\n    main waits\n    records are missing\n\nIt happened in this run.\n\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if o := NewBuiltinObject("x", r, Source{}); o.Verdict != "unknown" || o.Covered != "records are missing" {
		t.Errorf("%+v", o)
	}
}

// A lock that a goroutine has kept is so in this run, also if it may do no harm.
func TestKeptLock(t *testing.T) {
	kept := &builtin.Finding{Property: builtin.Unlock, How: builtin.Possible, AtEnd: true}
	f := finding{Finding: kept}
	if got, want := f.happenedText(), "It happened in this run, but may do no harm"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFindingObject(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, "x.trace", transfers(), Source{}); err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	decoded := new(BuiltinObject)
	if err := json.Unmarshal(b.Bytes(), decoded); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(NewBuiltinObject("x.trace", transfers(), Source{}), decoded); diff != "" {
		t.Errorf("decoded, -want +got:\n%s", diff)
	}
	err := json.Unmarshal([]byte(`{
		"trace": "x.trace", "builtin": "deadlock", "verdict": "violated", "how": "predicted, locks reordered", "count": 3,
		"text": "main.1 waits for mutex\u001b[2J 2, main.2 for mutex 1",
		"parties": [
			{"task": "main.1", "name": "main.1", "function": "example.com/bank.transfer",
				"started": {"by": "main", "at": "bank/bank.go:1"},
			 "does": "waits for mutex\u001b[2J 2", "op": "lock", "object": "mutex\u001b[2J 2", "at": "bank/bank.go:3",
			 "stack": [{"function": "example.com/bank.(*account).lock", "at": "bank/bank.go:3"}, {"function": "example.com/bank.transfer", "at": "bank/bank.go:9"}, {"function": "example.com/bank.main.gowrap1", "at": "bank/bank.go:1"}],
			 "holds": [{"op": "lock", "object": "mutex 1", "at": "bank/bank.go:4",
				"stack": [{"function": "net/http.(*Transport).roundTrip", "at": "net/http/transport.go:600"}, {"function": "net/http.(*Client).do", "at": "net/http/client.go:600"}, {"function": "example.com/bank.transfer", "at": "bank/bank.go:4"}]}]},
			{"task": "main.2", "name": "main.2", "function": "sync.(*WaitGroup).Go.func1",
				"started": {"by": "main", "at": "bank/bank.go:2"},
			 "does": "waits for mutex 1", "op": "lock", "object": "mutex 1", "at": "time/sleep.go:215", "stack": [{"function": "time.goFunc", "at": "time/sleep.go:215"}],
			 "holds": [{"op": "rlock", "object": "mutex\u001b[2J 2"}, {"op": "lock", "object": "mutex 1"}]},
			{"task": "", "does": "sends", "op": "send", "object": "chan 1"}
		],
		"schedule": [
			{"task": "main", "op": "go", "other": "main.1", "at": "bank/bank.go:1"},
			{"task": "main", "op": "go", "other": "main.2", "at": "bank/bank.go:2"},
			{"task": "main.1", "op": "lock", "object": "mutex 1", "at": "bank/bank.go:4"},
			{"task": "main.2", "op": "send", "other": "main.1", "object": "chan 1", "at": "bank/bank.go:3"},
			{"task": "main.1", "op": "block", "object": "mutex\u001b[2J 2", "at": "bank/bank.go:3"},
			{"task": "main", "op": "left"}
		],
		"happened": false, "notes": ["a note on mutex\u001b[2J 2", "main.1 stays as it is"],
		"assumes": {"text": "after the other case no goroutine returns to the channel", "select": "bank/bank.go:4"}}`), &want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// named is a program whose tasks reports call by what they run.
type named struct{ bank }

func (n named) Task(t op.Task) op.Origin {
	origin := n.bank.Task(t)
	origin.Display = []string{"", "bank.transfer", "bank.transfer #2"}[t]
	return origin
}

// Tasks are called by what they run. The precise name stands once behind that.
func TestNamesOfTasks(t *testing.T) {
	r := transfers()
	r.Names = named{}
	var text, object strings.Builder
	if err := WriteText(&text, r, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nbank.transfer (main.1), started by main at bank/bank.go:1\n",
		"\nbank.transfer #2 (main.2), started by main at bank/bank.go:2\n",
		"    go bank.transfer  bank.go:1\n    go bank.transfer #2  bank.go:2\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if err := WriteJSON(&object, "", r, Source{}); err != nil {
		t.Fatal(err)
	}
	if want := `{"task":"main.2","name":"bank.transfer #2",`; !strings.Contains(object.String(), want) {
		t.Errorf("no %q in\n%s", want, object.String())
	}
	order := OrderOf(r, Source{})
	want := OrderTask{Name: "bank.transfer", Origin: "main.1, started by main at bank/bank.go:1"}
	if got := order.Tasks[2]; got.Name != want.Name || got.Origin != want.Origin {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// inTests is a program with tests, whose second task is in one.
type inTests struct{ bank }

func (n inTests) Task(t op.Task) op.Origin {
	origin := n.bank.Task(t)
	origin.Test = []string{op.OutsideTests, "TestTransfer/to_itself", ""}[t]
	return origin
}

// manyTests has more tests.
type manyTests struct{ inTests }

func (n manyTests) Task(t op.Task) op.Origin {
	if t > 2 {
		return op.Origin{Test: fmt.Sprint("Test", t)}
	}
	return n.inTests.Task(t)
}

// A party is followed by its test, and a finding in a line by all of them.
func TestFindingInTests(t *testing.T) {
	r := transfers()
	r.Names = inTests{}
	r.Finding.Alike = []builtin.Like{{Party: builtin.Party{Task: 0}, How: builtin.Reordered}}
	var text, object strings.Builder
	if err := WriteText(&text, r, Style{}); err != nil {
		t.Fatal(err)
	}
	want := "\nmain.1, running bank.transfer, started by main at bank/bank.go:1, in TestTransfer/to_itself\n"
	if !strings.Contains(text.String(), want) {
		t.Error(text.String())
	}
	line := findingOf(r.Assessment(), Source{}).line(Style{})
	if !strings.HasSuffix(line, " (found 3 times, in TestTransfer/to_itself and TestMain)") {
		t.Error(line)
	}
	var many manyTests
	for i := range maxTestsShown + 2 {
		r.Finding.Alike = append(r.Finding.Alike, builtin.Like{Party: builtin.Party{Task: op.Task(i + 3)},
			How: r.Finding.How})
	}
	r.Names = many
	line = findingOf(r.Assessment(), Source{}).line(Style{})
	if !strings.Contains(line, ", Test20 and 4 more") {
		t.Error(line)
	}
	r.Names, r.Finding.Count, r.Finding.Alike = inTests{}, 1, nil
	line = findingOf(r.Assessment(), Source{}).line(Style{})
	if !strings.HasSuffix(line, " (in TestTransfer/to_itself)") {
		t.Error(line)
	}
	if err := WriteJSON(&object, "", r, Source{}); err != nil {
		t.Fatal(err)
	}
	if got := object.String(); !strings.Contains(got, `"test":"TestTransfer/to_itself"`) ||
		!strings.Contains(got, `"tests":["TestTransfer/to_itself"]`) {
		t.Error(got)
	}
}

// TestReordered has what is said of a finding that needs another order of locks: it is open whether
// it can happen, unless it has.
func TestReordered(t *testing.T) {
	const open = "The data that they guard may then differ"
	for _, tt := range []struct {
		outcome *tlcheck.Confirmation
		want    string
	}{
		{nil, open + ", so this may need confirming:\n"},
		{&tlcheck.Confirmation{Outcome: tlcheck.NotTried}, open + ", so this may need confirming:\n"},
		{&tlcheck.Confirmation{Outcome: tlcheck.NotFollowed}, open + ", so antichain tried it; see below:\n"},
		{&tlcheck.Confirmation{Outcome: tlcheck.Confirmed}, ""},
	} {
		a := transfers().Assessment()
		a.Confirmation = tt.outcome
		var b strings.Builder
		if err := WriteText(&b, a, Style{}); err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(b.String(), open)
		got := ""
		if after != "" {
			got = open + after[:strings.IndexByte(after, '\n')+1]
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.outcome, got, tt.want)
		}
	}
}

// The wrapper that the compiler makes for a go statement of a library's function is not named.
func TestRunningText(t *testing.T) {
	wrapper := op.Frame{Function: "example.com/bank.main.gowrap2"}
	for _, test := range []struct {
		want  string
		calls []op.Frame
	}{
		{"", nil},
		{"", []op.Frame{{}}},
		{"bank.transfer", []op.Frame{{Function: "sync.(*Mutex).Lock"}, {Function: "example.com/bank.transfer"}}},
		{"http.Serve", []op.Frame{{Function: "net.accept"}, {Function: "net/http.Serve"}, wrapper}},
		{"bank.main.gowrap2", []op.Frame{wrapper}},
	} {
		if got := runningText(test.calls); got != test.want {
			t.Errorf("%v: %q, want %q", test.calls, got, test.want)
		}
	}
}
