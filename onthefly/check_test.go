package onthefly_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// The results at the end of a trace are the verdicts of its check.
func TestCheckOfTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t),
			santest.Config{Steps: 9, Shared: []string{"unused"}}).Shuffle(santest.Rapid(t))
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		var props []*spec.Property
		for range rapid.IntRange(1, 3).Draw(t, "properties") {
			props = append(props, &spec.Property{Formula: accepted(t, logic, nil)})
		}
		run := onthefly.Check(t.Context(), props, logic, reader(t, trace))
		reports := 0
		for range run.Violations() {
			reports++
		}
		results, err := run.Wait()
		if err != nil {
			t.Fatal(err)
		}
		net := prefix(t, trace, len(trace.Events))
		for i, o := range results {
			r, err := tlcheck.Check(t.Context(), net, props[i], tlcheck.Options{Logic: logic})
			if err != nil {
				t.Fatal(err)
			}
			if o.Property != props[i] || o.Verdict != r.Verdict || o.Covered != "" ||
				(o.Witness != nil) != (r.Verdict == tlcheck.Violated) {
				t.Fatalf("%v %s: %+v, check %v\n%v", logic, spec.Format(props[i].Formula), o, r.Verdict, trace)
			}
			if o.Witness != nil {
				reports--
				leadsThere(t, net, o)
			}
		}
		if reports != 0 {
			t.Fatalf("%d more reports than violations", reports)
		}
	})
}

// leadsThere reports that the events of a result's schedule, with the other sides of joint actions,
// are those of its slice.
func leadsThere(t *rapid.T, net *san.Net, r *tlcheck.Result) {
	w := report.NewObject("", r).Witness
	over := map[string]int64{}
	for task := range san.Task(net.Tasks()) {
		if _, created := w.Slice[net.Name(task)]; created {
			over[net.Name(task)] = 0
		}
	}
	for _, e := range w.Schedule {
		task, _ := net.Lookup(e.Task)
		action := san.Action{Task: task, K: int32(e.K)}
		for _, s := range net.Sides(action) {
			if over[net.Name(s.Task)]++; over[net.Name(s.Task)] != int64(s.K) {
				t.Fatalf("%v is no order of the events", w.Schedule)
			}
		}
	}
	if d := cmp.Diff(over, w.Slice); d != "" {
		t.Fatalf("%v does not lead to the slice: %s", w.Schedule, d)
	}
	line := report.Line(r, report.Style{})
	for tiv, task := range w.TIVA {
		where := "not created"
		if k, created := w.Slice[task]; created && k == 0 {
			where = "before its first event"
		} else if created {
			where = fmt.Sprintf("after its event %d", k)
		}
		if !strings.Contains(line, tiv+" is "+task+", "+where) {
			t.Fatalf("%s: %v in %v", line, w.TIVA, w.Slice)
		}
	}
}

// reader returns the trace as its text form is read.
func reader(t *rapid.T, trace santest.Trace) event.Reader {
	text, err := trace.Text()
	if err != nil {
		t.Fatal(err)
	}
	r, err := event.Open(strings.NewReader(text), "trace")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func properties(t *testing.T, formulas ...string) []*spec.Property {
	t.Helper()
	var props []*spec.Property
	for _, f := range formulas {
		p, err := spec.ParseFormula(f)
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, p)
	}
	return props
}

// open returns a trace that is written by and by.
func open(t *testing.T, text string) (event.Reader, *io.PipeWriter) {
	t.Helper()
	in, out := io.Pipe()
	t.Cleanup(func() { in.Close() })
	go func() { _, _ = io.WriteString(out, text) }()
	r, err := event.OpenStream(in, "trace")
	if err != nil {
		t.Fatal(err)
	}
	return r, out
}

const calls = `{"antichain":1,"tasks":["a","b"]}
{"t":"a","enter":"f","at":"main.go:7"}
{"t":"b","enter":"h"}
`

// A violation arrives while the source is open, and the end of the context is that of the run.
func TestCheckWhileOpen(t *testing.T) {
	source, _ := open(t, calls)
	ctx, cancel := context.WithCancelCause(t.Context())
	props := properties(t, "not (t1:(in.f) and t2:(in.h))", "t:(not in.g)")
	run := onthefly.Check(ctx, props, lsl.L3, source)
	const want = "not (t1:(in.f) and t2:(in.h)): violated: t1 is a, after its event 1, at main.go:7, " +
		"t2 is b, after its event 1; the run came through this state"
	if got := report.Line(<-run.Violations(), report.Style{}); got != want {
		t.Errorf("reported %s\nwant     %s", got, want)
	}
	enough := errors.New("enough")
	cancel(enough)
	results, err := run.Wait()
	if err != enough || results[0].Verdict != tlcheck.Violated || results[1].Verdict != tlcheck.Unknown ||
		results[1].Covered != "enough" {
		t.Errorf("%v, %+v", err, results)
	}
	if _, ok := <-run.Violations(); ok {
		t.Error("the channel is open")
	}
}

// What is wrong with a source ends the run, and leaves unknown what rests on what is missing.
func TestCheckErrors(t *testing.T) {
	const (
		later = "t:(start.f) -> next t:(in.g)"
		never = "t:(not in.g)"
		cut   = "the run was cut off, and the verdict rests on what would have come next"
		soFar = "the run was cut off; the property holds in what came before, and what would have come next may violate it"
	)
	for name, tt := range map[string]struct {
		trace, err string
		results    [2]string // of later and never
	}{
		"whole":     {calls, "", [2]string{"violated", "holds"}},
		"no header": {"", "trace:1: missing header: the trace is empty", [2]string{}},
		"garbage": {calls + "garbage\n", "trace:4:1: bad JSON: 'g' where '{' should be",
			[2]string{"unknown " + cut, "unknown " + soFar}},
		"wrong event": {calls + `{"t":"a","exit":"g"}` + "\n", `trace:4: task "a", event 2: exit of "g", but`,
			[2]string{"unknown " + cut, "unknown " + soFar}},
		"never came": {calls + `{"t":"a","after":[["b",2]]}`, `trace:4:`,
			[2]string{"unknown " + cut, "unknown there are events that wait for others, which did not come"}},
		"untraced": {strings.Replace(calls, "]}",
			`],"instrumented":{"package":"m","functions":["f","g"],"variables":[],"steps":false,"untraced":["timers"]}}`, 1), "the program was traced without timers, so no property can be decided", [2]string{}},
		"sparse": {strings.Replace(calls, "]}", `],"sparse":true}`, 1),
			"without the goroutines that its specification cannot see", [2]string{}},
		"not recorded": {strings.Replace(calls, "]}",
			`],"instrumented":{"package":"m","functions":["f"],"variables":[],"steps":false}}`, 1), "in.g",
			[2]string{}},
	} {
		source, err := event.Open(strings.NewReader(tt.trace), "trace")
		if err != nil {
			t.Fatal(err)
		}
		results, err := onthefly.Check(t.Context(), properties(t, later, never), lsl.L3, source).Wait()
		if err == nil && tt.err != "" || err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: error %v, want %q", name, err, tt.err)
		}
		for i, want := range tt.results {
			if want == "" { // nothing was checked
				want = "unknown " + err.Error()
			}
			if got := strings.TrimSpace(results[i].Verdict.String() + " " + results[i].Covered); got != want {
				t.Errorf("%s: outcome %d is %s, want %s", name, i, got, want)
			}
		}
	}
}

// A property that cannot be checked on-the-fly is refused.
func TestCheckRefuses(t *testing.T) {
	source, _ := open(t, calls)
	results, err := onthefly.Check(t.Context(), properties(t, "t:(in.f) -> sometime t:(in.g)"), lsl.L3, source).Wait()
	var refused *tlcheck.UnsupportedError
	if !errors.As(err, &refused) || results[0].Covered != err.Error() {
		t.Errorf("%v, %+v", err, results)
	}
}

// The same property twice has two results.
func TestCheckTwice(t *testing.T) {
	source, err := event.Open(strings.NewReader(calls), "trace")
	if err != nil {
		t.Fatal(err)
	}
	p := properties(t, "t:(not in.f)")[0]
	results, err := onthefly.Check(t.Context(), []*spec.Property{p, p}, lsl.L3, source).Wait()
	if err != nil || results[0].Witness == nil || results[1].Witness == nil {
		t.Errorf("%v, %+v", err, results)
	}
}

// TestReportHappened checks what reports say about whether the run passed through a state.
func TestReportHappened(t *testing.T) {
	const events = `{"t":"a","enter":"f"}
{"t":"a","exit":"f"}
{"t":"b","enter":"g"}
`
	for _, tt := range []struct{ header, formula, want string }{
		{`{"antichain":1,"tasks":["a","b"]}`, "not (t1:(term.f) and t2:(in.g))", "the run came through this state"},
		{`{"antichain":1,"tasks":["a","b"]}`, "not (t1:(in.f) and t2:(in.g))",
			"it did not happen in this run, but the same events can come in an order that leads there"},
		{`{"antichain":1,"tasks":["a","b"],"unordered":true}`, "not (t1:(in.f) and t2:(in.g))",
			"the events can come in an order that leads there, and in which one they came is not known"},
		{`{"antichain":1,"tasks":["a","b"],"unordered":true}`, "not (t1:(term.f) and t2:(in.g))",
			"the events can come in an order that leads there, and in which one they came is not known"},
	} {
		p, err := spec.ParseFormula(tt.formula)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := event.OpenStream(strings.NewReader(tt.header+"\n"+events), "trace")
		if err != nil {
			t.Fatal(err)
		}
		run := onthefly.Check(t.Context(), []*spec.Property{p}, lsl.L3, trace)
		found := <-run.Violations()
		if found == nil || !strings.HasSuffix(report.Line(found, report.Style{}), "; "+tt.want) {
			t.Errorf("%s, %s: %v, not %s", tt.header, tt.formula, found, tt.want)
		}
		if _, err := run.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// A result is about the run as it was, and can be printed while that goes on and its beginning is
// forgotten.
func TestResultStays(t *testing.T) {
	source, out := open(t, calls)
	run := onthefly.Check(t.Context(), properties(t, "not (t1:(in.f) and t2:(in.h))", "t:(not in.g)"), lsl.L3, source)
	found := <-run.Violations()
	text := func() string {
		var b strings.Builder
		if err := errors.Join(report.WriteText(&b, found, report.Style{}),
			report.WriteJSON(&b, "trace", found, report.Source{})); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	was := text()
	if !strings.Contains(was, "It happened in this run, in this order:") {
		t.Errorf("no order:\n%s", was)
	}
	length := 40_000 // so many that the beginning is forgotten
	if testing.Short() {
		length = 10_000
	}
	written := make(chan error)
	go func() {
		for k := range length {
			_, _ = fmt.Fprintf(out, `{"t":"a","after":[["b",%d]]}`+"\n"+`{"t":"b","after":[["a",%d]]}`+"\n", k+1, k+2)
		}
		written <- out.Close()
	}()
	for going := true; going; {
		select {
		case err := <-written:
			if err != nil {
				t.Fatal(err)
			}
			going = false
		default:
			if is := text(); is != was {
				t.Fatalf("%s\nwas\n%s", is, was)
			}
		}
	}
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	if is := text(); is != was {
		t.Errorf("%s\nwas\n%s", is, was)
	}
}

// TestCheckPositions has properties of two files that share an expression which cannot be
// evaluated.
func TestCheckPositions(t *testing.T) {
	var props []*spec.Property
	for _, text := range []string{"property a: t:(1/x == 1)", "\n\n   property b: t:(1/x == 1)"} {
		f, err := spec.Parse("s.tl", text)
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, f.Properties...)
	}
	const trace = `{"antichain":1,"tasks":["m"]}
{"t":"m","set":{"x":0}}
{"t":"m","set":{"x":5}}
`
	source, err := event.Open(strings.NewReader(trace), "trace")
	if err != nil {
		t.Fatal(err)
	}
	results, err := onthefly.Check(t.Context(), props, lsl.L3, source).Wait()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range []int{1, 3} {
		r := results[i]
		if r.Verdict != tlcheck.Violated || len(r.EvalErrors) != 1 || r.EvalErrors[0].Pos.Line != line {
			t.Errorf("%s: %v, %v", r.Name(), r.Verdict, r.EvalErrors)
		}
	}
}

// TestCheckEvalErrors has properties that hold, and some share an expression that cannot be
// evaluated. A check of the complete run says the same of each.
func TestCheckEvalErrors(t *testing.T) {
	var props []*spec.Property
	for _, text := range []string{
		"property a: t:(1/x >= 0) or u:(x >= 0)",
		"\n  property b: t:(1/x >= 0) -> (u:(1/x >= 0) or t:(x%x == 0 and 1/x >= 0))",
		"\n\nproperty c: t:(x >= 0)",
		"\n\nproperty d: t:(x < 1/y)",
		"\n\n\n\n\n\nproperty e: t:(not (false and 1/x > 0))",
		// evaluated at the place in e, which is behind
		"property f: not (t:(x%x == 1) and t:(not (false and 1/x > 0)))",
	} {
		f, err := spec.Parse("s.tl", text)
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, f.Properties...)
	}
	net := santest.Read(t, undefinedTrace)
	source, err := event.Open(strings.NewReader(undefinedTrace), "trace")
	if err != nil {
		t.Fatal(err)
	}
	results, err := onthefly.Check(t.Context(), props, lsl.L3, source).Wait()
	if err != nil {
		t.Fatal(err)
	}
	for i, count := range []int{1, 3, 0, 0, 1, 2} {
		want, err := tlcheck.Check(t.Context(), net, props[i], tlcheck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := results[i]
		if d := cmp.Diff(want.EvalErrors, r.EvalErrors, cmpopts.EquateEmpty()); d != "" || len(r.EvalErrors) != count ||
			r.Verdict != tlcheck.Holds {
			t.Errorf("%s: %v, %v\n%s", r.Name(), r.Verdict, r.EvalErrors, d)
		}
	}
}

const undefinedTrace = `{"antichain":1,"tasks":["m"]}
{"t":"m","set":{"x":0}}
{"t":"m","set":{"x":5}}
{"t":"m","set":{"x":0}}
`
