package modelcheck

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// Models of the tests: a structure of two processes, one with a dead end, and a lock that is not
// fair.
const (
	race = `{"states":2,"start":0,"labels":[["a"],["b"]],"trans":{"1":[[0,0],[1,1]],"2":[[0,1]]}}`
	end  = `{"states":2,"start":0,"labels":[[],["a"]],"succ":[[1],[]]}`
	lock = `param n = 2;
declare y : [0..1];
initially y = 1;
for i in 1..n process P[i]
  L: if y = 1 { y := 0; goto C; }
  C: { y := 1; goto L; }
end
`
)

// model returns a structure or a program.
func model(t *testing.T, text string) *models.Model {
	t.Helper()
	m, err := (&models.Source{File: "-"}).Read(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// recorded returns the run of two goroutines. The first one sets n to 0.
func recorded(t *testing.T) *models.Model {
	t.Helper()
	b, err := san.NewBuilder(&event.Header{Tasks: []string{"t0", "t1"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(&event.Event{Task: "t0", Global: []event.Binding{{Name: "n", Value: event.IntValue(0)}}},
		""); err != nil {
		t.Fatal(err)
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return &models.Model{Name: "run", Run: tracemodel.New(net)}
}

// question is a single question or a batch, with the expected output.
type question struct {
	name    string
	checker *Checker
	formula string // a batch in JSON if it begins with a brace
	json    bool
	code    int
	out     string // what the output has
	said    string // what the error has, or standard error
}

func (q *question) ask(t *testing.T) {
	t.Helper()
	var out, said bytes.Buffer
	s := terminal.Streams{In: strings.NewReader(q.formula), Out: &out, Err: &said}
	var err error
	if strings.HasPrefix(q.formula, "{") {
		err = batch.Run(t.Context(), s, q.checker.Answer)
	} else {
		err = q.checker.Check(t.Context(), s, q.formula, q.json)
	}
	compare(t, err, q.code, out.String(), q.out, said.String(), q.said)
}

// compare compares the output and the exit code with the expected ones.
func compare(t *testing.T, err error, wantCode int, out, wantOut, said, wantSaid string) {
	t.Helper()
	code := exit.Code(exit.Holds)
	if err != nil && !errors.As(err, &code) {
		code = exit.Error
		said += err.Error()
	}
	if int(code) != wantCode {
		t.Errorf("exit code %d, want %d", code, wantCode)
	}
	if !strings.Contains(out, wantOut) {
		t.Errorf("the output lacks %q:\n%s", wantOut, out)
	}
	if !strings.Contains(said, wantSaid) || wantSaid == "" && said != "" {
		t.Errorf("the error lacks %q:\n%s", wantSaid, said)
	}
}

func TestCTL(t *testing.T) {
	of := func(text string) Options { return Options{Model: model(t, text)} }
	fair := of(race)
	fair.Fairness = kripke.Process
	stutter := of(end)
	stutter.Stutter = true
	brief := of(race)
	brief.Limits.Timeout = time.Nanosecond
	tests := []question{
		{"holds", NewCTL(of(race), MethodAuto), "AG (a -> EF b)", false, exit.Holds,
			"holds: it is true in 2 states of 2\n", ""},
		{"a path", NewCTL(of(race), MethodAuto), "AG !b", false, exit.Violated, "  2: 0 -> 1 => state 1", ""},
		{"a loop", NewCTL(of(race), MethodAuto), "AF b", false, exit.Violated, "and then for ever:\n", ""},
		{"in JSON", NewCTL(of(race), MethodAuto), "EX_2 b", true, exit.Holds,
			`{"holds":true,"states":[0],"witness":{"formula":"EX_2 b","state":0,"holds":true,"path":[0,1]`, ""},
		{"no fair path", NewCTL(fair, MethodAuto), "AF b", true, exit.Holds, `"no_fair_path":true`, ""},
		{"by graph", NewCTL(of(lock), methodGraph), "AG !(P1.at.C & P2.at.C)", false, exit.Holds,
			"holds: it is true in 3 states of 3", ""},
		{"by sets", NewCTL(of(lock), methodSets), "AG !(P1.at.C & P2.at.C)", true, exit.Holds,
			`"count":3,"of":3,"described":{"0":`, ""},
		{"sets of a structure", NewCTL(of(race), methodSets), "AF b", false, exit.Error, "",
			"--by sets needs a program or a run, but standard input is a structure"},
		{"a dead end", NewCTL(of(end), MethodAuto), "AF a", false, exit.Error, "", "has no successor"},
		{"stuttering", NewCTL(stutter, MethodAuto), "AF AG a", false, exit.Holds, "holds", ""},
		{"a run", NewCTL(Options{Model: recorded(t)}, MethodAuto), "AG t0:(true)", false, exit.Holds,
			"holds: it is true in 2 states of 2", ""},
		{"an undefined expression", NewCTL(Options{Model: recorded(t)}, MethodAuto), "AG !t0:(1/n > 0)", false,
			exit.Holds, "holds", "antichain: formula: 1 / n is undefined in 1 local state: divides by zero\n"},
		{"a mistake", NewCTL(of(race), MethodAuto), "AG (a", false, exit.Error, "", "formula:1:"},
		{"an unknown name", NewCTL(of(lock), MethodAuto), "AG z == 1", false, exit.Error, "", "formula:1:4: "},
		{"a budget", NewCTL(brief, MethodAuto), "AF b", true, exit.Unknown, `{"unknown":"the time ran out`,
			"; --timeout allows more\n"},
		{"a batch", NewCTL(of(race), MethodAuto), `{"id":1,"formula":"EF b"}` + "\n" +
			`{"id":2,"formula":"AF b","structure":` + end + `}`, false, exit.Error,
			`{"id":1,"holds":true,"states":[0,1],`, ""},
		{"a batch without a model", NewCTL(Options{}, MethodAuto), `{"formula":"EF b"}`, false, exit.Error,
			`{"error":"line 1: no model given: add the key`, ""},
		{"a batch without a formula", NewCTL(of(race), MethodAuto), `{"id":3}`, false, exit.Error,
			`{"id":3,"error":"line 1: the key \"formula\" is missing"}`, ""},
		{"a batch over its budget", NewCTL(brief, MethodAuto), `{"id":4,"formula":"EF b"}`, false, exit.Unknown,
			`{"id":4,"unknown":"the time ran out`, ""},
		{"a program with a parameter", NewCTL(Options{Parameters: map[string]int64{"n": 3}}, MethodAuto),
			`{"formula":"EF P3.at.C","program":"` + strings.ReplaceAll(lock, "\n", `\n`) + `"}`, false, exit.Holds,
			`{"holds":true,"states":[0,1,2,3],`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.ask(t) })
	}
}

func TestLTL(t *testing.T) {
	of := func(text string) Options { return Options{Model: model(t, text)} }
	fair := of(race)
	fair.Fairness = kripke.Process
	strong := of(lock)
	strong.Fairness = kripke.Strong
	brief := of(race)
	brief.Limits.Timeout = time.Nanosecond
	tests := []question{
		{"holds", NewLTL(of(lock), MethodProduct, false), "G !(P1.at.C & P2.at.C)", false, exit.Holds,
			"holds on all paths: 3 states were looked at\n", ""},
		{"a path", NewLTL(of(race), MethodProduct, false), "F b", false, exit.Violated,
			"does not hold on a path that begins in state 0: labels=a\n", ""},
		{"a path in JSON", NewLTL(of(race), MethodProduct, false), "F b", true, exit.Violated,
			`{"holds":false,"counterexample":{"stem":[],"loop":[0]}}`, ""},
		{"a picture", NewLTL(of(race), MethodProduct, true), "F b", false, exit.Violated, "digraph", ""},
		{"no picture", NewLTL(of(race), MethodProduct, true), "a", false, exit.Holds,
			"// holds on all paths: there is nothing to draw\n", ""},
		{"on fair paths", NewLTL(strong, MethodProduct, false), "G (P1.at.L -> F P1.at.C)", false, exit.Holds,
			"holds on all paths", ""},
		{"no fair path", NewLTL(fair, MethodProduct, false), "F b", false, exit.Holds,
			"holds on all fair paths: there is none, so everything does\n", ""},
		{"by satisfiability", NewLTL(of(lock), MethodSatisfiability, false), "G !(P1.at.C & P2.at.C)", false,
			exit.Holds, "nodes were looked at\n", ""},
		{"violated by satisfiability", NewLTL(of(lock), MethodSatisfiability, false), "F P1.at.C", true, exit.Violated,
			`{"holds":false,"counterexample":{"stem":[`, ""},
		{"satisfiability of a structure", NewLTL(of(race), MethodSatisfiability, false), "F b", false, exit.Error, "",
			"is a structure, but --by satisfiability needs a program"},
		{"satisfiability of a run", NewLTL(Options{Model: recorded(t)}, MethodSatisfiability, false), "true", false,
			exit.Error, "", "--by satisfiability is for programs, and without --stutter"},
		{"a run", NewLTL(Options{Model: recorded(t)}, MethodProduct, false), "G t0:(true)", false, exit.Holds,
			"holds on all paths: 2 states", ""},
		{"a mistake", NewLTL(of(race), MethodProduct, false), "N a", false, exit.Error, "", "formula:1:1: "},
		{"a budget", NewLTL(brief, MethodProduct, false), "F b", true, exit.Unknown, `{"unknown":"the time ran out`,
			"; --timeout allows more\n"},
		{"a batch", NewLTL(of(race), MethodProduct, false),
			`{"id":1,"formula":"a"}` + "\n" + `{"id":2,"formula":"F b"}`, false, exit.Holds,
			`{"id":1,"holds":true}` + "\n" +
				`{"id":2,"holds":false,"counterexample":{"stem":[],"loop":[0]}}` + "\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.ask(t) })
	}
}

// TestSets compares the verdicts on a run that is too large to visit with the known ones.
func TestSets(t *testing.T) {
	m := large(t)
	space, err := m.RunSpace(t.Context(), kripke.Unfair)
	if err != nil || space == nil {
		t.Fatalf("the run is visited state by state: %v", err)
	}
	tests := []question{
		{"CTL", NewCTL(Options{Model: m}, MethodAuto), "EF (t0:(in.f) & t1:(in.f))", false,
			exit.Holds, " states of ", ""},
		{"CTL in JSON", NewCTL(Options{Model: m}, MethodAuto), "AG !(t0:(in.f) & t1:(in.f))", true, exit.Violated,
			`"described":{"`, ""},
		{"LTL", NewLTL(Options{Model: m}, MethodProduct, false), "F t0:(term.f)", false, exit.Holds,
			"holds on all paths: sets of states were looked at\n", ""},
		{"LTL outside of the common fragment", NewLTL(Options{Model: m,
			Limits: limits.Limits{Timeout: 50 * time.Millisecond}}, MethodProduct, false),
			"F t0:(in.f) -> F (t1:(in.f) & X X t1:(in.f))", false, exit.Unknown, "",
			"are checked without visiting each state; --timeout allows more\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.ask(t) })
	}
}

// large returns a run of eight goroutines that do not wait for each other, each 20 times through f.
func large(t *testing.T) *models.Model {
	t.Helper()
	h := &event.Header{}
	for i := range 8 {
		h.Tasks = append(h.Tasks, "t"+string(rune('0'+i)))
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		for _, task := range h.Tasks {
			for _, e := range []*event.Event{{Task: task, Enter: "f"}, {Task: task, Exit: "f"}} {
				if err := b.Add(e, ""); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return &models.Model{Name: "run", Run: tracemodel.New(net)}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	err := NewCTL(Options{Model: model(t, race)}, MethodAuto).Check(ctx,
		terminal.Streams{Out: new(bytes.Buffer), Err: new(bytes.Buffer)}, "AF b", false)
	if !errors.Is(err, stopped) {
		t.Error(err)
	}
}
