package report_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

const (
	steps = `{"antichain":1,"tasks":["a","b"]}
{"t":"a","set":{"x":1},"at":"m.go:3"}
{"t":"b","set":{"x":2}}
`
	unseen = `{"antichain":1,"tasks":["a","b"],"unordered":true,"caveat":"clocks may be wrong"}
{"t":"a","set":{"x":1}}
`
)

// printed is a result as text, as a line and as JSON.
func printed(t testing.TB, r report.Subject) (text, line, object string) {
	t.Helper()
	var words, coded strings.Builder
	if err := report.WriteText(&words, r, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteJSON(&coded, "run", r, report.Source{}); err != nil {
		t.Fatal(err)
	}
	return words.String(), report.Line(r, report.Style{}), coded.String()
}

// Results of all kinds of judgements are printed by the same calls.
func TestPrinted(t *testing.T) {
	property := func(name, formula string) *spec.Property {
		p, err := spec.ParseFormula(formula)
		if err != nil {
			t.Fatal(err)
		}
		p.Name = name
		return p
	}
	checked := func(trace string, p *spec.Property, opt tlcheck.Options) *tlcheck.Result {
		r, err := tlcheck.Check(t.Context(), santest.Read(t, trace), p, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	followed := func(trace string, p *spec.Property) *tlcheck.Result {
		source, err := event.Open(strings.NewReader(trace), "trace")
		if err != nil {
			t.Fatal(err)
		}
		results, err := onthefly.Check(t.Context(), []*spec.Property{p}, lsl.L3, source).Wait()
		if err != nil {
			t.Fatal(err)
		}
		return results[0]
	}
	counted := checked(steps, property("", "t:(not x == 1)"), tlcheck.Options{}).Assessment()
	var err error
	if counted.Violations, err = tlcheck.Count(t.Context(), counted.Net, counted.Property,
		tlcheck.Options{}); err != nil {
		t.Fatal(err)
	}
	closed, err := builtin.New(builtin.Closed, builtin.Race)
	if err != nil {
		t.Fatal(err)
	}
	closed.Op(&op.Op{Kind: op.Misuse, K: 1, At: 1, Arg: int64(op.CloseNil)})
	found := closed.Findings(oneTask{})
	builtins := tlcheck.BuiltinResults([]builtin.Property{builtin.Closed, builtin.Race}, found, oneTask{}, nil)
	unsure := tlcheck.BuiltinResults([]builtin.Property{builtin.Closed}, found, oneTask{},
		map[builtin.Property]string{builtin.Closed: "records are missing"})
	for _, tt := range []struct {
		name               string
		result             report.Subject
		text, line, object string // how they begin
	}{
		{"holds", checked(steps, property("p", "t:(x < 3)"), tlcheck.Options{}), "p: holds\n", "p: holds",
			`{"trace":"run","property":"p","formula":"t:(x < 3)","verdict":"holds","witness":null,"happened":false}`},
		{"happened, without a name, counted", counted,
			"t:(not x == 1): violated\n    t:(not x == 1)\n\nt is a\n    at m.go:3\n    not x == 1: false, where x = 1\n\nIt happened in this run",
			"t:(not x == 1): violated: t is a, after its event 1, at m.go:3; the run came through this state",
			`{"trace":"run","property":"","formula":"t:(not x == 1)","verdict":"violated","witness":{"tiva":{"t":"a"},"slice":{"a":1,"b":0},"schedule":[["a",1]],"places":{"t":"m.go:3"}},"happened":true,"reason":`},
		{"predicted", checked(steps, property("p", "not (a:(not x == 1) and b:(x == 2))"), tlcheck.Options{}),
			"p: violated\n    not (a:(not x == 1) and b:(x == 2))\n\na, b are all b\n",
			"p: violated: a is b, after its event 1, b is b, after its event 1; it did not happen in this run, but the same events can come in an order that leads there",
			`{"trace":"run","property":"p","formula":"not (a:(not x == 1) and b:(x == 2))","verdict":"violated","witness":`},
		{"on-the-fly", followed(steps, property("p", "not (a:(x == 1) and b:(x == 2))")),
			"p: violated\n    not (a:(x == 1) and b:(x == 2))\n\na is a\n    at m.go:3\n",
			"p: violated: a is a, after its event 1, at m.go:3, b is b, after its event 1; the run came through this state",
			`{"trace":"run","property":"p","formula":"not (a:(x == 1) and b:(x == 2))","verdict":"violated","witness":{"tiva":{"a":"a","b":"b"},`},
		{"holds on-the-fly", followed(steps, property("p", "t:(x < 3)")), "p: holds\n", "p: holds",
			`{"trace":"run","property":"p","formula":"t:(x < 3)","verdict":"holds","witness":null,`},
		{"order unseen", followed(unseen, property("p", "t:(not x == 1)")),
			"p: violated\n    Mind: clocks may be wrong.\n",
			"p: violated: t is a, after its event 1; the events can come in an order that leads there, and in which one they came is not known",
			`{"trace":"run","property":"p","formula":"t:(not x == 1)","verdict":"violated","caveat":"clocks may be wrong",`},
		{"unknown", &tlcheck.Result{Property: property("p", "t:(x < 3)"), Covered: "nothing\x1b was read"},
			`p: unknown: nothing\x1b was read` + "\n", `p: unknown: nothing\x1b was read`,
			`{"trace":"run","property":"p","formula":"t:(x < 3)","verdict":"unknown","covered":"nothing\u001b was read","witness":null,"happened":false}`},
		{"a finding", builtins[0], "closed: violated (observed)\n    main at main.go:1 closes a nil channel\n\nmain\n",
			"closed: violated (observed): main at main.go:1 closes a nil channel",
			`{"trace":"run","builtin":"closed","verdict":"violated","how":"observed","text":"main at main.go:1 closes a nil channel","count":1,"parties":[{"task":"main",`},
		{"no finding", builtins[1], "race: holds\n", "race: holds",
			`{"trace":"run","builtin":"race","verdict":"holds"}`},
		{"a finding without a verdict", unsure[0],
			"closed: unknown (observed)\n    main at main.go:1 closes a nil channel\n    records are missing\n",
			"closed: unknown (observed): main at main.go:1 closes a nil channel",
			`{"trace":"run","builtin":"closed","verdict":"unknown","covered":"records are missing","how":"observed",`},
		{"no verdict", unsure[1], "closed: unknown: records are missing\n", "closed: unknown: records are missing",
			`{"trace":"run","builtin":"closed","verdict":"unknown","covered":"records are missing"}`},
	} {
		text, line, object := printed(t, tt.result)
		if !strings.HasPrefix(text, tt.text) || line != tt.line || !strings.HasPrefix(object, tt.object) {
			t.Errorf("%s:\n%s%s\n%swant\n%s%s\n%s", tt.name, text, line, object, tt.text, tt.line, tt.object)
		}
	}
	if text, _, object := printed(t, counted); !strings.HasSuffix(text,
		"\n2 violations in all, each a global state with tasks for t.\n\n") ||
		!strings.HasSuffix(object, `,"count":2}`+"\n") {
		t.Errorf("no count:\n%s%s", text, object)
	}
	if n, m := len(builtins), len(unsure); n != 2 || m != 2 {
		t.Errorf("%d and %d results", n, m)
	}
}

// oneTask are the names of a program with one goroutine.
type oneTask struct{}

func (oneTask) Task(op.Task) op.Origin     { return op.Origin{Name: "main", By: op.NoTask} }
func (oneTask) Object(op.Object) string    { return "chan 1" }
func (oneTask) Place(op.Place) op.Location { return op.Location{At: "main.go:1"} }

// What is decoded is what was encoded.
func TestDecode(t *testing.T) {
	words := spectest.Words{TIVs: []string{"t", "u"}, Functions: []string{"f", "g"},
		Variables: [][]string{{"x"}, {"y"}}, Depth: 3}
	verdicts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 6}).MustBuild()
		p := &spec.Property{Name: "p", Formula: spectest.Formula(words).Draw(t, "formula")}
		judged, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := judged.Assessment()
		find := rapid.SampledFrom([]func() (*tlcheck.Violations, error){
			func() (*tlcheck.Violations, error) { return nil, nil },
			func() (*tlcheck.Violations, error) { return tlcheck.Count(t.Context(), net, p, tlcheck.Options{}) },
			func() (*tlcheck.Violations, error) { return tlcheck.All(t.Context(), net, p, tlcheck.Options{}) },
		}).Draw(t, "violations")
		if r.Violations, err = find(); err != nil {
			t.Fatal(err)
		}
		verdicts[r.Verdict.String()]++
		decoded(t, report.NewObject("run", r))
	})
	t.Log(verdicts)
	if verdicts["violated"] == 0 {
		t.Error("no violation")
	}
}

// decoded compares an object to what is decoded of its JSON.
func decoded[T any](t rapid.TB, object *T) {
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	again := new(T)
	if err := json.Unmarshal(data, again); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	equal := cmp.Options{cmp.Comparer(func(a, b *big.Int) bool {
		return a == b || a != nil && b != nil && a.Cmp(b) == 0
	}), cmp.Comparer(event.Value.Equal)}
	if d := cmp.Diff(object, again, equal); d != "" {
		t.Errorf("%s: %s", data, d)
	}
	if twice, err := json.Marshal(again); err != nil || !bytes.Equal(data, twice) {
		t.Errorf("%s\nis decoded to %s, %v", data, twice, err)
	}
}

// An event is a list of two.
func TestDecodeRef(t *testing.T) {
	for text, want := range map[string]string{
		`["a",3]`: "", `["a"]`: "this list has 1 element", `["a",3,4]`: "this list has 3 elements",
		`[3,"a"]`: "cannot unmarshal", `{"a":3}`: "cannot unmarshal", `["a",3.5]`: "cannot unmarshal",
	} {
		var r report.Ref
		err := json.Unmarshal([]byte(text), &r)
		if want == "" && (err != nil || r != report.Ref{Task: "a", K: 3}) || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
}
