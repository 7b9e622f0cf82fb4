package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

// fields are those of a message, numbers and texts, by their numbers.
type fields map[protowire.Number][]any

// decode reads a message.
func decode(t rapid.TB, text []byte) fields {
	t.Helper()
	all := fields{}
	for len(text) > 0 {
		number, kind, n := protowire.ConsumeTag(text)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		text = text[n:]
		var value any
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(text)
		case protowire.Fixed64Type:
			value, n = protowire.ConsumeFixed64(text)
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(text)
		default:
			t.Fatalf("kind %d", kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		text = text[n:]
		all[number] = append(all[number], value)
	}
	return all
}

func (f fields) number(n protowire.Number) uint64 {
	if len(f[n]) == 0 {
		return 0
	}
	return f[n][0].(uint64)
}

func (f fields) message(t rapid.TB, n protowire.Number) fields {
	if len(f[n]) == 0 {
		return nil
	}
	return decode(t, f[n][0].([]byte))
}

func (f fields) text(n protowire.Number) string {
	if len(f[n]) == 0 {
		return ""
	}
	return string(f[n][0].([]byte))
}

// shown is what Perfetto shows of a slice or instant.
type shown struct {
	Track, Name, Category, At string
	Begin, End                uint64
	flows, ends               []any
}

// read reads a file of Perfetto, as its documentation says how: an error of the file fails the
// test.
func read(t rapid.TB, text []byte) (all []*shown) {
	t.Helper()
	tracks := map[uint64]string{}
	interned := map[string]string{} // by sequence, field and number
	open := map[uint64][]*shown{}
	begun := map[uint64]bool{}
	for _, p := range decode(t, text)[1] {
		packet := decode(t, p.([]byte))
		sequence := packet.number(10)
		switch flags := packet.number(13); {
		case sequence == 0 || flags != 1 && flags != 2 || begun[sequence] == (flags == 1):
			t.Fatalf("sequence %d, flags %d", sequence, flags)
		}
		begun[sequence] = true
		for field, messages := range packet.message(t, 12) {
			for _, m := range messages {
				one := decode(t, m.([]byte))
				key, what := fmt.Sprint(sequence, " ", field, " ", one.number(1)), one.text(2)
				if field == 4 {
					what += fmt.Sprint(":", one.number(4))
				}
				if interned[key] != "" {
					t.Fatalf("%s is %s and %s", key, interned[key], what)
				}
				interned[key] = what
			}
		}
		if track := packet.message(t, 60); track != nil {
			parent, known := tracks[track.number(5)]
			if track[3] == nil && !known || tracks[track.number(1)] != "" {
				t.Fatalf("track %v", track)
			}
			tracks[track.number(1)] = parent + "/" + track.text(2)
			continue
		}
		e := packet.message(t, 11)
		id, at := e.number(11), packet.number(8)
		find := func(field, n int) string { return interned[fmt.Sprint(sequence, " ", field, " ", n)] }
		s := &shown{Track: tracks[id], Name: find(2, int(e.number(10))), Category: find(1, int(e.number(3))), At: find(4, int(e.number(34))), Begin: at, flows: e[47], ends: e[48]}
		if s.Track == "" {
			t.Fatalf("no track %d", id)
		}
		switch kind := e.number(9); kind {
		case 1, 3:
			if n := len(open[id]); kind == 1 && n > 0 && open[id][n-1].Begin > at {
				t.Fatalf("%+v begins before the slice that it is in", s)
			}
			if s.Name == "" || s.Category == "" {
				t.Fatalf("%+v", s)
			}
			all = append(all, s)
			if kind == 1 {
				open[id] = append(open[id], s)
			}
		case 2:
			n := len(open[id])
			if n == 0 || open[id][n-1].Begin >= at {
				t.Fatalf("nothing ends at %d in %s", at, s.Track)
			}
			open[id][n-1].End = at
			open[id] = open[id][:n-1]
		default:
			t.Fatalf("kind %d", kind)
		}
	}
	for id, left := range open {
		if len(left) > 0 {
			t.Fatalf("%d slices of %s do not end", len(left), tracks[id])
		}
	}
	return all
}

// arrows are the pairs of slices that flows connect, by their indices.
func arrows(t rapid.TB, all []*shown) (pairs [][2]int) {
	t.Helper()
	from := map[any]int{}
	for i, s := range all {
		for _, id := range s.flows {
			if _, ok := from[id]; ok {
				t.Fatalf("the flow %v begins twice", id)
			}
			from[id] = i
		}
	}
	for i, s := range all {
		for _, id := range s.ends {
			begin, ok := from[id]
			if !ok || all[begin].Begin > s.Begin {
				t.Fatalf("the flow %v ends before it begins", id)
			}
			delete(from, id)
			pairs = append(pairs, [2]int{begin, i})
		}
	}
	if len(from) > 0 {
		t.Fatalf("flows without end: %v", from)
	}
	return pairs
}

// draw draws a net and reads the file.
func draw(t rapid.TB, net *san.Net) []*shown {
	t.Helper()
	c := &Collection{Contents: Contents{All: true, Draws: true}}
	c.Draw("run", net, report.Source{})
	var file bytes.Buffer
	if err := writePerfetto(&file, c); err != nil {
		t.Fatal(err)
	}
	return read(t, file.Bytes())
}

// TestPerfettoOrder compares the arrows of random runs with what the net says of causality: an
// action comes before another one if and only if arrows and the order in the tracks lead from it to
// that.
func TestPerfettoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 16}).MustBuild()
		all := draw(t, net)
		events := slices.DeleteFunc(slices.Clone(all), func(s *shown) bool { return s.Category != "event" })
		if len(events) != net.Events() {
			t.Fatalf("%d events, want %d", len(events), net.Events())
		}
		count := make([]int32, net.Tasks())
		var actions []san.Action // by slot
		slotOf := map[san.Action]int{}
		for i, task := range net.Recorded(0) {
			count[task]++
			a := san.Action{Task: task, K: count[task]}
			if want := "/run/" + net.Name(task); events[i].Track != want {
				t.Fatalf("event %d: track %s, want %s", i, events[i].Track, want)
			}
			slotOf[a] = int(events[i].Begin / slot)
			if slotOf[a] == len(actions) {
				actions = append(actions, net.Canonical(a))
			}
			if got := actions[slotOf[a]]; got != net.Canonical(a) {
				t.Fatalf("%v is drawn with %v", a, got)
			}
		}
		direct := map[[2]int]bool{}
		for a, slot := range slotOf {
			if next, ok := slotOf[san.Action{Task: a.Task, K: a.K + 1}]; ok {
				direct[[2]int{slot, next}] = true
			}
		}
		for _, pair := range arrows(t, all) {
			direct[[2]int{int(all[pair[0]].Begin / slot), int(all[pair[1]].Begin / slot)}] = true
		}
		before := santest.Closure(len(actions), func(i, j int) bool { return direct[[2]int{i, j}] })
		for i, a := range actions {
			for j, b := range actions {
				if i != j && before[i][j] != net.Precedes(a, b) {
					t.Fatalf("%v before %v: %v, want %v", a, b, before[i][j], net.Precedes(a, b))
				}
			}
		}
	})
}

const drawnTrace = `{"antichain":1,"tasks":["main"]}
{"t":"main","enter":"f","at":"a.go:1"}
{"t":"main","spawn":"main.1","at":"a.go:2"}
{"t":"main.1","enter":"g","at":"a.go:3"}
{"t":"main.1","op":"lock","obj":"mutex 1","at":"a.go:4"}
{"t":"main","exit":"f","at":"a.go:5"}
`

func TestPerfettoFunctions(t *testing.T) {
	var got []shown
	for _, s := range draw(t, santest.Read(t, drawnTrace)) {
		s.flows, s.ends = nil, nil
		got = append(got, *s)
	}
	want := []shown{
		{"/run/main", "f", "function", "a.go:1", 0, 4900, nil, nil},
		{"/run/main", "enter f", "event", "a.go:1", 100, 800, nil, nil},
		{"/run/main", "go main.1", "event", "a.go:2", 1100, 1800, nil, nil},
		{"/run/main.1", "g", "function", "a.go:3", 2000, 5000, nil, nil},
		{"/run/main.1", "enter g", "event", "a.go:3", 2100, 2800, nil, nil},
		{"/run/main.1", "lock mutex 1", "event", "a.go:4", 3100, 3800, nil, nil},
		{"/run/main", "leave f", "event", "a.go:5", 4100, 4800, nil, nil},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(shown{})); diff != "" {
		t.Error(diff)
	}
}

// TestPerfettoMarks looks for the marks of evidence, also behind an exchange between processes.
func TestPerfettoMarks(t *testing.T) {
	p, err := spec.ParseFormula("not (t1:(in.f) and t2:(in.g))")
	if err != nil {
		t.Fatal(err)
	}
	p.Name = "apart"
	net := santest.Read(t, drawnTrace)
	r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &Collection{Contents: Contents{All: true, Draws: true}}
	c.Draw("run", net, report.Source{})
	if err := c.Add("run", r.Assessment(), report.Style{}); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	received, all := new(Collection), new(Collection)
	if err := json.Unmarshal(sent, received); err != nil {
		t.Fatal(err)
	}
	all.Include(received)
	var file bytes.Buffer
	if err := writePerfetto(&file, all); err != nil {
		t.Fatal(err)
	}
	var marks []string
	for _, s := range read(t, file.Bytes()) {
		if s.Category == "finding" {
			marks = append(marks, fmt.Sprint(s.Track, " ", s.Begin, " ", s.Name))
		}
	}
	order := "/apart, run: an order of operations. It happened in this run, in this order."
	want := []string{"/run/main 1850 apart: violated, t1", "/run/main.1 2850 apart: violated, t2", order + "/finding 3000 apart: violated"}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Error(diff)
	}
}

// drawnNames are those of a run that was drawn.
type drawnNames struct{}

func (drawnNames) Task(t op.Task) op.Origin {
	return op.Origin{Name: [...]string{"main", "main.1", "main.9"}[t]}
}
func (drawnNames) Object(op.Object) string      { return "mutex 1" }
func (drawnNames) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprint("a.go:", p)} }

// TestPerfettoFindingMarks looks for those who take part in a finding: where they are at that line,
// or at their end.
func TestPerfettoFindingMarks(t *testing.T) {
	c := &Collection{Contents: Contents{All: true, Draws: true}}
	c.Draw("run", santest.Read(t, drawnTrace), report.Source{})
	r := &tlcheck.Result{Builtin: builtin.Deadlock, Verdict: tlcheck.Violated, Names: drawnNames{}, Finding: &builtin.Finding{
		Property: builtin.Deadlock, Text: "all wait", Parties: []builtin.Party{
			{Task: 0, At: 2, Does: "waits"}, {Task: 1, At: 77, Does: "waits"}, {Task: op.NoTask, Does: "sends"}, {Task: 2, At: 1, Does: "is not drawn"},
		},
	}}
	if err := c.Add("run", r.Assessment(), report.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := c.Add("other run", r.Assessment(), report.Style{}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := writePerfetto(&file, c); err != nil {
		t.Fatal(err)
	}
	var marks []string
	for _, s := range read(t, file.Bytes()) {
		if s.Category == "finding" {
			marks = append(marks, fmt.Sprint(s.Track, " ", s.Begin, " ", s.Name))
		}
	}
	if diff := cmp.Diff([]string{"/run/main 1850 deadlock: violated, waits", "/run/main.1 3850 deadlock: violated, waits"}, marks); diff != "" {
		t.Error(diff)
	}
}

// TestPerfettoSteps looks at orders alone, with names of all kinds.
func TestPerfettoSteps(t *testing.T) {
	c := sample()
	c.Accounts[0].Steps[1].After, c.Accounts[0].Steps[2].After = []int{0}, []int{0, 1}
	var file bytes.Buffer
	if err := writePerfetto(&file, c); err != nil {
		t.Fatal(err)
	}
	all := read(t, file.Bytes())
	if diff := cmp.Diff([][2]int{{0, 1}, {0, 2}, {1, 2}}, arrows(t, all)); diff != "" {
		t.Error(diff)
	}
	var got []string
	for _, s := range all {
		got = append(got, s.Name+" @ "+s.At)
	}
	want := []string{
		"go main.1 @ bank/main.go:32", "lock from.mu @ bank/main.go:21", "lock from.mu @ bank/main.go:21", "waits for to.mu @ ", "deadlock: violated @ ",
		hostile + " @ " + event.Printable(hostile) + ":8", "race: violated @ ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
