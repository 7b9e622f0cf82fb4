package tlcheck_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

func check(t testing.TB, net *san.Net, formula string, opt tlcheck.Options) *tlcheck.Result {
	t.Helper()
	r, err := tlcheck.Check(t.Context(), net, property(t, formula), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A counter that runs 0, 1, 2, 1 beside a task that only waits for it to be 2.
const counter = `{"antichain":1,"tasks":["c","w"],"const":{"N":2}}
{"t":"c","global":{"x":0,"q.len":0}}
{"t":"c","global":{"x":1}}
{"t":"c","global":{"x":2,"q.len":1}}
{"t":"w","after":[["c",3]],"enter":"go"}
{"t":"c","global":{"x":1}}
`

func TestOperators(t *testing.T) {
	net := santest.Read(t, counter)
	tests := []struct {
		formula string
		witness string // of the first violation; empty if the property holds
	}{
		// The reflexive operators look at the present, the strict ones do not.
		{"initially: eventually t:(x == 2) if t == t", "c:0,w:0|t=w"},
		{"initially: exists t (eventually t:(x == 2))", ""},
		{"exists t (eventually t:(x == 2))", "c:4,w:0|"},
		{"exists t (sometime t:(x == 2))", "c:3,w:1|"},
		{"henceforth t:(x < 2)", "c:0,w:0|t=c"},
		{"initially: henceforth t:(x < 3)", ""},
		{"initially: always t:(x < 2)", "c:0,w:0|t=c"},
		{"henceforth t:(x >= 1) or t:(x <= 1)", ""},
		{"henceforth t:(x <= 1) or t:(x < 1)", "c:2,w:0|t=c"},
		{"always t:(x >= 1) or t:(x < 1)", ""},
		{"t:(x == 2) -> henceforth t:(x > 0)", ""},
		{"t:(x == 1) -> henceforth t:(x == 1)", "c:2,w:0|t=c"},
		{"exists u (u:(x == 1)) -> eventually exists u (u:(x == 1))", ""},

		// next counts actions of any task.
		{"t:(x == 0) -> next t:(x == 1)", ""},
		{"t:(x == 0) -> next^2 t:(x == 2)", ""},
		{"t:(x == 2) -> next t:(x == 1)", ""},
		{"t:(x == 2) -> all_next t:(x == 1)", "c:3,w:0|t=c"},
		{"t:(x == 0) -> all_next^1000000 t:(x == 7)", ""},
		{"t:(x == 0) -> next^1000000 t:(true)", "c:1,w:0|t=c"},

		// before, until, conditions, names.
		{"initially: t:(x == 2) before u:(in.go) if t != u", ""},
		{"initially: t:(x == 2) before u:(x >= 1)", "c:0,w:0|t=c,u=c"},
		{"initially: exists t (t:(x == 2) before forall u (u:(in.go)))", ""},
		{"initially: (exists t (t:(x == 0)) or not exists t (t:(x >= 0))) until exists t (t:(x == 1))", ""},
		{"t:(q.len <= 1 and q.len < N)", ""},
		{"t:(q.len < N - 1)", "c:3,w:0|t=c"},
		{"t:(x == 1) if t != caller(u)", "c:1,w:0|t=c,u=c"},
		{"t:(x == 1) if t == caller(u)", ""},
	}
	for _, test := range tests {
		r := check(t, net, test.formula, tlcheck.Options{})
		if got := witnessText(net, r.Witness); got != test.witness ||
			(test.witness == "") != (r.Verdict == tlcheck.Holds) {
			t.Errorf("%s: %v in %q, want %q", test.formula, r.Verdict, got, test.witness)
		}
	}
}

// initially restricts the slices to the first, not the operators.
func TestInitially(t *testing.T) {
	net := santest.Read(t, counter)
	for formula, want := range map[string]tlcheck.Verdict{
		"initially: t:(x == 1)": tlcheck.Holds, // undefined there
		"t:(x == 1)":            tlcheck.Violated,
		"initially: not exists t (sometime t:(x==1))": tlcheck.Violated,
	} {
		r := check(t, net, formula, tlcheck.Options{})
		if r.Verdict != want {
			t.Errorf("%s: %v", formula, r.Verdict)
		}
		if r.Witness != nil && strings.HasPrefix(formula, "initially") && r.Witness.Slice.Events() != 0 {
			t.Errorf("%s: witness %v", formula, r.Witness.Slice)
		}
	}
}

func TestWitness(t *testing.T) {
	net := santest.Read(t, faultyBuffer)
	r := check(t, net, "not (t1:(in.append) and t2:(in.append)) if t1 != t2", tlcheck.Options{})
	w := r.Witness
	if w == nil {
		t.Fatal("no violation")
	}
	want := []tlcheck.Binding{{TIV: "t1", Task: 0}, {TIV: "t2", Task: 1}}
	if d := cmp.Diff(want, w.TIVA); d != "" {
		t.Error(d)
	}
	if len(w.Schedule) != 3 || w.Happened {
		t.Errorf("schedule %v, happened %v; p left append before q entered it", w.Schedule, w.Happened)
	}
	at := map[san.Task]int32{}
	for _, a := range w.Schedule {
		if at[a.Task]++; at[a.Task] != a.K {
			t.Errorf("schedule %v is not in order", w.Schedule)
		}
	}
	// The recorded order itself violates this one.
	r = check(t, net, "not t:(term.remove)", tlcheck.Options{})
	if r.Witness == nil || r.Witness.Happened {
		t.Errorf("witness %+v: in the least such slice q has not moved", r.Witness)
	}
	r = check(t, net, "not (t:(term.remove) and u:(term.append) and v:(in.append)) if u != v", tlcheck.Options{})
	if r.Verdict != tlcheck.Violated {
		t.Errorf("verdict %v", r.Verdict)
	}
	r = check(t, net, "t:(b.last == 0)", tlcheck.Options{})
	if r.Witness == nil || !r.Witness.Happened || witnessText(net, r.Witness) != "g:0,p:3,q:0|t=p" {
		t.Errorf("witness %+v", r.Witness)
	}
}

// explanation prints an explanation, one line a part.
func explanation(net *san.Net, e *tlcheck.Explanation) []string {
	var lines []string
	var walk func(indent string, e *tlcheck.Explanation)
	walk = func(indent string, e *tlcheck.Explanation) {
		line := fmt.Sprintf("%s%s: %v in %s", indent, spec.Format(e.Source), e.Truth, key(net, e.Slice, e.TIVA))
		if e.Why != nil {
			line += fmt.Sprintf("; %s:%d", net.Name(e.Task), e.State)
			for _, l := range e.Why.Looked {
				line += fmt.Sprintf(" %s has %d value", l.Name, len(l.Values))
			}
		}
		lines = append(lines, line)
		for _, p := range e.Parts {
			walk(indent+"  ", p)
		}
		for _, p := range e.Here {
			walk(indent+"  here ", p)
		}
	}
	walk("", e)
	return lines
}

func TestExplanation(t *testing.T) {
	net := santest.Read(t, counter)
	tests := []struct {
		formula string
		want    []string
	}{
		{"t:(x == 1) -> henceforth t:(x == 1)", []string{
			"t:(x == 1) -> henceforth t:(x == 1): false in c:2,w:0|t=c",
			"  t:(x == 1): true in c:2,w:0|t=c; c:2 x has 1 value",
			"  henceforth t:(x == 1): false in c:2,w:0|t=c",
			"    t:(x == 1): false in c:3,w:0|t=c; c:3 x has 1 value",
			"    here t:(x == 1): true in c:2,w:0|t=c; c:2 x has 1 value",
		}},
		{"not (t:(x == 0) and next^2 exists u (u:(x == 2)))", []string{
			"not (t:(x == 0) and next^2 exists u (u:(x == 2))): false in c:1,w:0|t=c",
			"  t:(x == 0) and next^2 exists u (u:(x == 2)): true in c:1,w:0|t=c",
			"    t:(x == 0): true in c:1,w:0|t=c; c:1 x has 1 value",
			"    next^2 exists u (u:(x == 2)): true in c:1,w:0|",
			"      exists u (u:(x == 2)): true in c:3,w:0|",
			"        u:(x == 2): true in c:3,w:0|u=c; c:3 x has 1 value",
			"      here exists u (u:(x == 2)): false in c:1,w:0|",
			"      here   u:(x == 2): false in c:1,w:0|u=c; c:1 x has 1 value",
			"      here   u:(x == 2): undefined in c:1,w:0|u=w; w:0 x has 0 value",
		}},
		{"initially: not (t:(x < 2) until t:(x == 2))", []string{
			"not (t:(x < 2) until t:(x == 2)): false in c:0,w:0|t=c",
			"  t:(x < 2) until t:(x == 2): true in c:0,w:0|t=c",
			"    t:(x == 2): true in c:3,w:0|t=c; c:3 x has 1 value",
			"    here t:(x < 2): undefined in c:0,w:0|t=c; c:0 x has 0 value",
			"    here t:(x == 2): undefined in c:0,w:0|t=c; c:0 x has 0 value",
		}},
		// The way to x == 2 goes through x == 1, which is not < 1.
		{"initially: (t:(x < 1) until t:(x == 2)) if t != u", []string{
			"t:(x < 1) until t:(x == 2) if t != u: false in c:0,w:0|t=c,u=w",
			"  t:(x < 1) until t:(x == 2): false in c:0,w:0|t=c",
			"    t:(x == 2): true in c:3,w:0|t=c; c:3 x has 1 value",
			"    t:(x < 1): false in c:2,w:0|t=c; c:2 x has 1 value",
			"    here t:(x < 1): undefined in c:0,w:0|t=c; c:0 x has 0 value",
			"    here t:(x == 2): undefined in c:0,w:0|t=c; c:0 x has 0 value",
		}},
		{"not (t:(x == 0) and (t:(x == 1) before t:(x == 2)))", []string{
			"not (t:(x == 0) and t:(x == 1) before t:(x == 2)): false in c:1,w:0|t=c",
			"  t:(x == 0) and t:(x == 1) before t:(x == 2): true in c:1,w:0|t=c",
			"    t:(x == 0): true in c:1,w:0|t=c; c:1 x has 1 value",
			"    t:(x == 1) before t:(x == 2): true in c:1,w:0|t=c",
			"      t:(x == 2): true in c:3,w:0|t=c; c:3 x has 1 value",
			"      t:(x == 1): true in c:2,w:0|t=c; c:2 x has 1 value",
			"      here t:(x == 1): false in c:1,w:0|t=c; c:1 x has 1 value",
			"      here t:(x == 2): false in c:1,w:0|t=c; c:1 x has 1 value",
		}},
		{"initially: always t:(x < 2) if t != u", []string{
			"always t:(x < 2) if t != u: false in c:0,w:0|t=c,u=w",
			"  always t:(x < 2): false in c:0,w:0|t=c",
			"    t:(x < 2): false in c:3,w:0|t=c; c:3 x has 1 value",
			"    here t:(x < 2): undefined in c:0,w:0|t=c; c:0 x has 0 value",
		}},
		{"initially: exists t (sometime t:(x == 3))", []string{
			"exists t (sometime t:(x == 3)): false in c:0,w:0|",
			"  sometime t:(x == 3): false in c:0,w:0|t=c",
			"    here t:(x == 3): undefined in c:0,w:0|t=c; c:0 x has 0 value",
			"  sometime t:(x == 3): false in c:0,w:0|t=w",
			"    here t:(x == 3): undefined in c:0,w:0|t=w; w:0 x has 0 value",
		}},
		{"initially: all_next t:(x > 0)", []string{
			"all_next t:(x > 0): false in c:0,w:0|t=c",
			"  t:(x > 0): false in c:1,w:0|t=c; c:1 x has 1 value",
			"  here t:(x > 0): undefined in c:0,w:0|t=c; c:0 x has 0 value",
		}},
	}
	for _, test := range tests {
		r := check(t, net, test.formula, tlcheck.Options{})
		if r.Witness == nil {
			t.Errorf("%s: %v", test.formula, r.Verdict)
			continue
		}
		if d := cmp.Diff(test.want, explanation(net, r.Witness.Reason)); d != "" {
			t.Errorf("%s:\n%s", test.formula, d)
		}
	}
}

func TestTroubles(t *testing.T) {
	r := check(t, santest.Read(t, counter), "t:(1 / x >= 0)", tlcheck.Options{})
	want := []lsl.EvalError{{Pos: spec.Pos{Line: 1, Col: 6}, Expr: "1 / x", Reason: "divides by zero", Count: 1}}
	if d := cmp.Diff(want, r.EvalErrors); d != "" || r.Verdict != tlcheck.Holds {
		t.Errorf("%v\n%s", r.Verdict, d)
	}
}

func TestTraceThatSaysWhatItRecorded(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a","b"],"const":{"N":3},"shared":{"s":0},"instrumented":{"package":"example.com/ring","functions":["Queue.append","remove"],"variables":["b.last"],"steps":false}}
{"t":"a","enter":"Queue.append"}
{"t":"b","enter":"Queue.append"}
`)
	r := check(t, net, "not (t:(in.append) and u:(in.append and (s > N or b.last > 0))) if t != u", tlcheck.Options{})
	if r.Verdict != tlcheck.Holds {
		t.Errorf("b.last is never visible, so nothing is false: %v", r.Verdict)
	}
	r = check(t, net, `not (t:(in.append) and u:(in."(*Queue).append")) if t != u`, tlcheck.Options{})
	if r.Verdict != tlcheck.Violated || spec.FunctionsOf(r.Witness.Reason.Source)[0].Name != "Queue.append" {
		t.Errorf("%v", r.Verdict)
	}
	for formula, want := range map[string]string{
		"t:(in.put)":      "function put is not recorded in this trace",
		"t:(b.first > 0)": "variable b.first is not recorded in this trace",
	} {
		_, err := tlcheck.Check(t.Context(), net, property(t, formula), tlcheck.Options{})
		var e *spec.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

// wide is a trace of independent tasks that each count to n.
func wide(tasks, n int) string {
	var b strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["t0"`)
	for i := 1; i < tasks; i++ {
		fmt.Fprintf(&b, `,"t%d"`, i)
	}
	b.WriteString("]}\n")
	for k := range n {
		for i := range tasks {
			fmt.Fprintf(&b, `{"t":"t%d","global":{"x":%d,"even":%v}}`+"\n", i, k, (k+i)%2 == 0)
		}
	}
	return b.String()
}

func TestBudgets(t *testing.T) {
	net := santest.Read(t, wide(20, 50))
	const quantified = "exists t (sometime (t:(even) until exists u (u:(x > 20 and even))))"
	never, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("somebody had enough"))
	stopped, cancelPlain := context.WithCancel(t.Context())
	cancelPlain()
	tests := []struct {
		name, formula string
		ctx           context.Context
		options       tlcheck.Options
		want          string // what was covered
	}{
		{"time", "not next forall t (t:(even))", t.Context(), // 26^20 intervals
			tlcheck.Options{Time: 50 * time.Millisecond}, "the time ran out before the formula was decided"},
		{"time, quantifiers", quantified, t.Context(),
			tlcheck.Options{Time: 50 * time.Millisecond}, "the time ran out before the formula was decided"},
		{"time, TIVs", "not next (v:(even) and forall t (t:(even)))", t.Context(),
			tlcheck.Options{Time: 50 * time.Millisecond},
			"the time ran out after none of the 20 assignments of tasks to task variables"},
		{"memory", "not next forall t (t:(even))", t.Context(),
			tlcheck.Options{Memory: 1 << 20}, "the memory limit of 1 MiB was reached before the formula was decided"},
		{"intervals", quantified, t.Context(),
			tlcheck.Options{Intervals: 20},
			"the sets of slices outgrew the budget of intervals before the formula was decided"},
		{"cause", "t:(x < 3)", never, tlcheck.Options{},
			"somebody had enough after none of the 20 assignments of tasks to task variables"},
		{"no cause", "t:(x < 3)", stopped, tlcheck.Options{},
			"the check was stopped after none of the 20 assignments of tasks to task variables"},
		{"cases", "t:(x < 3) and u:(x < 4)", stopped, tlcheck.Options{},
			"the check was stopped after none of the 400 assignments of tasks to task variables (0 of 2 cases done)"},
	}
	for _, test := range tests {
		r, err := tlcheck.Check(test.ctx, net, property(t, test.formula), test.options)
		if err != nil || r.Verdict != tlcheck.Unknown || r.Covered != test.want || r.Stopped == nil {
			t.Errorf("%s: %v", test.name, err)
			t.Errorf("%v %q, stopped by %v, want %q", r.Verdict, r.Covered, r.Stopped, test.want)
		}
	}
}

// A check ends when the process comes to its limit of memory in the midst of a search.
func TestMemoryWhileSearching(t *testing.T) {
	net := santest.Read(t, wide(1000, 3))
	const limit = 256 << 20
	var kept [][]byte
	r := check(t, net, "not (next (t:(even) and u:(even)) and always v:(x < 0))", tlcheck.Options{
		Memory: limit,
		Progress: func(tlcheck.Progress) {
			if len(kept) < limit>>20 {
				kept = append(kept, bytes.Repeat([]byte{1}, 1<<20))
			}
		},
	})
	runtime.KeepAlive(kept)
	var reached *budget.MemoryError
	if !errors.As(r.Stopped, &reached) || reached.Limit != limit {
		t.Fatalf("%v %q, stopped by %v", r.Verdict, r.Covered, r.Stopped)
	}
	if want := "the memory limit of 256 MiB was reached after "; !strings.Contains(r.Covered, want) {
		t.Errorf("%v %q, want %q", r.Verdict, r.Covered, want)
	}
}

// Wherever a check is stopped, a violation that it has found counts.
func TestStoppedAnywhere(t *testing.T) {
	net := santest.Read(t, wide(6, 8))
	smallest := func(u string) string { return "not (t:(x == 5) and sometime (" + u + ":(even) until v:(x == 7)))" }
	verdicts := map[tlcheck.Verdict]int{}
	for at := 1; verdicts[tlcheck.Violated] < 3; at++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		r, err := tlcheck.Check(ctx, net, property(t, smallest("u")), tlcheck.Options{Progress: func(tlcheck.Progress) {
			if calls++; calls == at {
				cancel(errors.New("interrupted"))
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if calls < at {
			t.Fatalf("ended by itself after %d calls: %v", calls, verdicts)
		}
		verdicts[r.Verdict]++
		covered := "interrupted after "
		if r.Verdict == tlcheck.Violated {
			covered = "there may be a smaller witness: " + covered
		}
		if r.Verdict == tlcheck.Holds || !strings.HasPrefix(r.Covered, covered) {
			t.Errorf("stopped at call %d: %v %q", at, r.Verdict, r.Covered)
		}
	}
	if verdicts[tlcheck.Unknown] == 0 {
		t.Error("never stopped before the first violation")
	}
}

// Progress never falls, and comes to more than nothing before the end.
func TestProgress(t *testing.T) {
	net := santest.Read(t, wide(12, 20))
	for _, formula := range []string{
		"not (t:(x > 4 and even) and u:(x > 5 and even) and v:(x > 5 and not even)) if t != u",
		"t:(even) -> sometime (u:(even) and t:(x > 3))",
		"t:(x > 90) and u:(x < 90)",
	} {
		last, calls := tlcheck.Progress{}, 0
		check(t, net, formula, tlcheck.Options{Progress: func(p tlcheck.Progress) {
			if p.Share < last.Share || p.Share > 1 || p.Intervals < 0 {
				t.Errorf("%s: %v after %v", formula, p, last)
			}
			last = p
			calls++
		}})
		if calls == 0 || last.Share == 0 {
			t.Errorf("%s: %d calls, the last %v", formula, calls, last)
		}
	}
}

// Formulas nested as deep as the language allows are evaluated, not crashed on.
func TestDeepFormulas(t *testing.T) {
	net := santest.Read(t, counter)
	n := spec.MaxDepth - 2 // even for the nots; the comparison is a level, too
	if testing.Short() {   // the race detector makes it slow, and there is one goroutine
		n = n / 20 * 2
	}
	for formula, want := range map[string]tlcheck.Verdict{
		strings.Repeat("not ", n) + "t:(x < 2)":                                     tlcheck.Violated,
		strings.Repeat("next ", n) + "t:(x < 2)":                                    tlcheck.Violated,
		strings.Repeat("t:(x > 5) -> ", n) + "t:(x < 9)":                            tlcheck.Holds,
		"t:(" + strings.Repeat("not ", n) + "x > 2)":                                tlcheck.Violated,
		strings.Repeat("exists u (", n) + "t:(x < 5)" + strings.Repeat(")", n):      tlcheck.Violated,
		"t:(" + strings.Repeat("1 + (", n) + "x" + strings.Repeat(")", n) + " < 9)": tlcheck.Violated,
		strings.Repeat("t:(x < 5) and ", 3*n) + "t:(x < 2)":                         tlcheck.Violated,
		strings.Repeat("t:(x > 5) or ", 3*n) + "t:(x < 2)":                          tlcheck.Violated,
	} {
		if r := check(t, net, formula, tlcheck.Options{}); r.Verdict != want {
			t.Errorf("%.60s…: %v, want %v", formula, r.Verdict, want)
		}
	}
}
