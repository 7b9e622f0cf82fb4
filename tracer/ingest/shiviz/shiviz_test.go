package shiviz

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// read returns the trace of a log.
func read(text string, o Options) (santest.Trace, error) {
	r, err := NewReader(strings.NewReader(text), "log", o)
	if err != nil {
		return santest.Trace{}, err
	}
	return santest.Collect(r)
}

// TestLayouts reads one run in several layouts; only the positions differ.
func TestLayouts(t *testing.T) {
	first := "\na {\"a\":1}\nstart\na {\"a\":2,\"b\":0}\nsent\nb {\"b\":1}\n\nb\t{\"b\" : 2, \"a\":2}\ngot it"
	second := "start\na {\"a\":1}\n\nsent\na {\"a\":2,\"b\":0}\n\nb {\"b\":1}\ngot it\nb  {\"b\" : 2, \"a\":2}\n\n"
	single := "#1\n[a] start {\"a\":1}\n[a] sent {\"a\":2}\n#2\n[b]  {\"b\":1}\n[b] got it {\"b\":2,\"a\":2}\n"
	for _, tt := range []struct {
		name, log, expression string
		at                    string
	}{
		{"clock first", first, "", "2 4 6 8"},
		{"text first", second, "", "2 5 7 9"},
		{"carriage returns", strings.ReplaceAll(second, "\n", "\r\n"), "", "2 5 7 9"},
		{"expression of ShiViz", second, `(?<event>.*)\n(?<host>\S*)\s+(?<clock>{.*})`, "2 5 7 9"},
		{"expression of two lines", second, "(?P<event>.*)\n(?P<host>\\S*)\\s+(?P<clock>{.*})", "2 5 7 9"},
		{"expression in the log", `(?<host>\S*)\s(?<clock>{.*})\n(?<event>.*)` + "\n" + first, "", "3 5 7 9"},
		{"lines to be skipped", single, `^\[(?<host>.*?)\] (?<event>.*) (?<clock>{.*})|^#.*`, "2 3 5 6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := read(tt.log, Options{Expression: tt.expression})
			if err != nil {
				t.Fatal(err)
			}
			var got, at []string
			for _, e := range tr.Events {
				at = append(at, strings.TrimPrefix(e.At, "log:"))
				got = append(got, fmt.Sprintf("%s %s %v", e.Task, e.Set[0].Value, e.After))
			}
			want := []string{`a "start" []`, `a "sent" []`, `b "" []`, `b "got it" [{a 2}]`}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.at, strings.Join(at, " ")); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]string{"a", "b"}, tr.Header.Tasks); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestOtherGroups: what else an expression names is a variable.
func TestOtherGroups(t *testing.T) {
	tr, err := read("7 hello\na {\"a\":1}\n",
		Options{Expression: `(?<time>\d+) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})`})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(tr.Events[0].Set); got != `[{event "hello"} {time "7"}]` {
		t.Error(got)
	}
}

func TestWrong(t *testing.T) {
	const a1, b1 = "x\na {\"a\":1}\n", "x\nb {\"b\":1}\n"
	for _, tt := range []struct{ name, log, want string }{
		{"nothing", "", "log: neither of the first two lines"},
		{"no clock", "one\ntwo\n", "log: neither of the first two lines"},
		{"cut off", a1 + "x\na {\"a\":2", "log:4: bad clock"},
		{"no text", a1 + "y\n", `log:3: "y" is not part of an event`},
		{"between", "a {\"a\":1}\nx\nwhat\na {\"a\":2}\ny", `log:3: "what" is not part of an event`},
		{"not an object", "x\na {\"a\":1}\nx\na {}}\n", "log:4: bad clock"},
		{"key twice", "x\na {\"a\":1,\"a\":1}\n", "log:2: bad clock"},
		{"fraction", "x\na {\"a\":1.5}\n", `log:2: bad clock: the entry of host "a"`},
		{"negative", "x\na {\"a\":1,\"b\":-1}\n", `log:2: bad clock: the entry of host "b"`},
		{"large", "x\na {\"a\":1,\"b\":4294967297}\n", `log:2: bad clock: the entry of host "b"`},
		{"without itself", b1 + "x\na {\"b\":1}\n", `log:4: the clock of host "a" does not count the event itself`},
		{"not from 1", "x\na {\"a\":2}\n",
			`log:2: the clock of host "a" counts 2 for itself, but there is no event that counts 1`},
		{"gap", a1 + "x\na {\"a\":3}\n",
			`log:4: the clock of host "a" counts 3 for itself, but there is no event that counts 2`},
		{"twice", a1 + b1 + a1, `log:6: the clock of host "a" counts 1 for itself, as the one in line 2 does`},
		{"more than there are", b1 + "x\na {\"a\":1,\"b\":2}\n",
			`log:4: inconsistent clock: the clock of host "a" counts 2 events of host "b", which has only 1`},
		{"host without events", "x\na {\"a\":1,\"b\":2}\n",
			`log:2: inconsistent clock: the clock of host "a" counts 2 events of host "b", which has only 0`},
		{"forgets", b1 + "x\na {\"a\":1,\"b\":1}\nx\na {\"a\":2}\n",
			`log:6: inconsistent clock: the clock of host "a" counts 0 events of host "b", but before it counted 1`},
		{"not what that knows", a1 + "x\nb {\"b\":1,\"a\":1}\nx\nc {\"c\":1,\"b\":1}\n",
			`log:6: inconsistent clock: the clock of host "c" counts event 1 of host "b", but of host "a" only 0 of the 1`},
		{"each other", "x\na {\"a\":1,\"b\":1}\nx\nb {\"b\":1,\"a\":1}\n",
			`log:2: inconsistent clock: the clock of host "a" counts event 1 of host "b", whose clock counts this`},
		{"bad expression in the log", "(?<host>a)(?<clock>b)(?<event>c)(?=d)\nx", "log:1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(tt.log, Options{})
			var e *event.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) || e.Remedy == "" {
				t.Errorf("%v, not %s", err, tt.want)
			}
		})
	}
}

func TestWrongOptions(t *testing.T) {
	for _, expression := range []string{`(?<event>.*)\n(?<host>\S*)`, `(`, `(?<host>a)(?<clock>b)(?<event>c)(?!d)`} {
		if _, err := read("", Options{Expression: expression}); err == nil {
			t.Errorf("%s is accepted", expression)
		}
	}
	if _, err := read("x\na {\"a\":1}\n", Options{Size: 11}); err == nil ||
		!strings.Contains(err.Error(), "more than 11 bytes") {
		t.Error(err)
	}
	if _, err := read("x\na {\"a\":1}\n", Options{Size: 12}); err != nil {
		t.Error(err)
	}
}

// TestClocks writes random runs as logs. Reading them gives the same order, and no redundant cause.
func TestClocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		tr := santest.Generate(src, santest.Config{
			Tasks: 5, Spawns: -1, Steps: 25, Causes: 50, Joints: -1, Frames: -1, Values: -1, Ends: -1,
			Shared: []string{},
		})
		want := tr.MustBuild()
		again, err := read(logOf(want, src), Options{})
		if want.Events() == 0 {
			if err == nil {
				t.Fatal("an empty log is accepted")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got := again.MustBuild()
		for a := range want.Order() {
			for b := range want.Order() {
				if want.Precedes(a, b) != got.Precedes(renamed(want, got, a), renamed(want, got, b)) {
					t.Fatalf("order of %v and %v", a, b)
				}
			}
		}
		needed(t, got)
	})
}

// renamed is the action of one net in another, where tasks have other numbers.
func renamed(from, to *san.Net, a san.Action) san.Action {
	task, _ := to.Lookup(from.Name(a.Task))
	return san.Action{Task: task, K: a.K}
}

// needed checks that no cause of an event comes before what its task did before or another cause.
func needed(t *rapid.T, net *san.Net) {
	for b := range net.Order() {
		direct := net.Causes(b)
		if b.K > 1 {
			direct = append(direct, san.Action{Task: b.Task, K: b.K - 1})
		}
		for _, x := range direct {
			for _, y := range direct {
				if net.Precedes(x, y) && x.Task != b.Task {
					t.Fatalf("%v is a cause of %v beside %v", x, b, y)
				}
			}
		}
	}
}

// logOf writes the events with the clocks of the net, in any order.
func logOf(net *san.Net, src santest.Source) string {
	var events []string
	clockFirst := src.Intn(2) == 0
	for a := range net.Order() {
		var entries []string
		for u := range san.Task(net.Tasks()) {
			if k := net.Known(a, u); k > 0 || src.Intn(2) == 0 {
				entries = append(entries, fmt.Sprintf("%q:%d", net.Name(u), k))
			}
		}
		clock := fmt.Sprintf("%s {%s}\n", net.Name(a.Task), strings.Join(entries, ", "))
		if clockFirst {
			events = append(events, clock+"something\n")
		} else {
			events = append(events, "something\n"+clock)
		}
	}
	for i := len(events) - 1; i > 0; i-- {
		j := src.Intn(i + 1)
		events[i], events[j] = events[j], events[i]
	}
	return strings.Join(events, "")
}

// logs are real ones.
func logs(t testing.TB) map[string]string {
	all := make(map[string]string)
	for _, name := range []string{"chord.log", "facebook.log"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

func TestReal(t *testing.T) {
	events := map[string]int{"chord.log": 1235, "facebook.log": 47}
	for name, text := range logs(t) {
		tr, err := read(text, Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		if n := tr.MustBuild().Events(); n != events[name] {
			t.Errorf("%s: %d events, not %d", name, n, events[name])
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text := logs(b)["chord.log"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := read(text, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
