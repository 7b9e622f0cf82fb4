package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// Both tasks may be in f at once, and only a is ever in g.
const trace = `{"antichain":1,"tasks":["a","b"]}
{"t":"a","enter":"f"}
{"t":"b","enter":"f"}
{"t":"a","exit":"f"}
{"t":"a","enter":"g"}
{"t":"a","set":{"s":"text"}}
`

// checker returns a checker of formulas, which are the properties p1, p2 and so on.
func checker(t *testing.T, formulas ...string) (c *Checker, out, mistakes *bytes.Buffer) {
	t.Helper()
	out, mistakes = new(bytes.Buffer), new(bytes.Buffer)
	c = &Checker{Stdout: out, Stderr: mistakes}
	var text strings.Builder
	for i, f := range formulas {
		text.WriteString("property p" + string(rune('1'+i)) + ": " + f + "\n")
	}
	file, err := spec.Parse("p.tl", text.String())
	if err != nil {
		t.Fatal(err)
	}
	c.Properties = file.Properties
	return c, out, mistakes
}

const (
	exclusive = "not (x:(in.f) and y:(in.f)) if x != y"
	one       = "not (x:(in.g) and y:(in.g)) if x != y"
)

func TestCheckNet(t *testing.T) {
	net := santest.Read(t, trace)
	for _, test := range []struct {
		formulas []string
		want     exit.Outcomes
		verdicts []string // how lines begin
	}{
		{[]string{one}, exit.Outcomes{}, []string{"p1: holds"}},
		{[]string{exclusive, one}, exit.Outcomes{Violated: true}, []string{"p1: violated", "p2: holds"}},
	} {
		c, out, mistakes := checker(t, test.formulas...)
		c.CheckNet(t.Context(), "trace", net)
		var verdicts []string
		for line := range strings.Lines(out.String()) {
			if name, verdict, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(name, "p") && len(name) == 2 {
				verdicts = append(verdicts, name+": "+strings.TrimRight(strings.Fields(verdict)[0], ".,;"))
			}
		}
		if c.Outcomes != test.want || !slices.Equal(verdicts, test.verdicts) || mistakes.Len() > 0 {
			t.Errorf("%q: %+v, %q, %s", test.formulas, c.Outcomes, out, mistakes)
		}
	}
}

// Where expressions cannot be evaluated is told beside the verdict.
func TestUndefined(t *testing.T) {
	c, _, mistakes := checker(t, "x:(s > 1)")
	c.Prefix = "trace: "
	c.CheckNet(t.Context(), "trace", santest.Read(t, trace))
	got := mistakes.String()
	if !strings.HasPrefix(got, "antichain: trace: p.tl:1:") || !strings.Contains(got, "in p1, s > 1 is undefined in 1 local state: compares a string with an integer\n") {
		t.Error(got)
	}
}

func TestCounting(t *testing.T) {
	net := santest.Read(t, trace)
	for _, test := range []struct {
		formula string
		ViolationFlags
		min, max int64 // -1 is not counted
		grouped  bool
	}{
		{exclusive, ViolationFlags{}, -1, -1, false},
		{exclusive, ViolationFlags{Count: true}, 4, 4, false}, // in two local states of a and one of b, and either is x
		{exclusive, ViolationFlags{All: true}, 4, 4, true},
		{one, ViolationFlags{}, -1, -1, false},
		{one, ViolationFlags{Count: true}, 0, 0, false},
		{one, ViolationFlags{All: true}, 0, 0, true},
	} {
		c, _, _ := checker(t, test.formula)
		c.ViolationFlags = test.ViolationFlags
		result, err := tlcheck.Check(t.Context(), net, c.Properties[0], c.Options)
		if err != nil {
			t.Fatal(err)
		}
		r := result.Assessment()
		if r.Violations, err = c.CountViolations(t.Context(), result, 0); err != nil {
			t.Fatal(err)
		}
		if err := c.Report("trace", r); err != nil {
			t.Fatal(err)
		}
		got := r.Violations
		if (got == nil) != (test.min < 0) || got != nil && (got.Number.Min.Int64() != test.min || got.Number.Max.Int64() != test.max || got.Grouped != test.grouped) {
			t.Errorf("%s, %q: %+v", test.formula, test.Words(), got)
		}
	}
}

// Where counting ends early, also since the check has left no time for it, there is at least the
// violation that is known.
func TestCountingEndsEarly(t *testing.T) {
	c, _, _ := checker(t, exclusive)
	c.Count = true
	r, err := tlcheck.Check(t.Context(), santest.Read(t, trace), c.Properties[0], c.Options)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx   context.Context
		limit time.Duration
		took  time.Duration
		ends  bool
	}{
		{ended, 0, 0, true},
		{t.Context(), time.Hour, time.Hour, true},
		{t.Context(), time.Hour, 2 * time.Hour, true},
		{t.Context(), 2 * time.Hour, time.Hour, false},
		{t.Context(), 0, time.Hour, false},
	} {
		c.Options.Time = tt.limit
		v, err := c.CountViolations(tt.ctx, r, tt.took)
		if err != nil {
			t.Fatal(err)
		}
		if tt.ends && (v.Stopped == nil || v.Number.Min.Int64() != 1) || !tt.ends && !v.Number.Exact() {
			t.Errorf("%v after %v: %+v", tt.limit, tt.took, v)
		}
	}
}

// Of a property without a verdict the violations have no upper bound.
func TestCountingUnknown(t *testing.T) {
	c, out, _ := checker(t, one)
	c.Count = true
	r := (&tlcheck.Result{Property: c.Properties[0], Covered: "no time"}).Assessment()
	if err := c.Report("trace", r); err != nil {
		t.Fatal(err)
	}
	if n := r.Violations.Number; n.Min.Sign() != 0 || n.Max != nil || !c.Unknown || !strings.Contains(out.String(), "no time") {
		t.Errorf("%v, %s", n, out)
	}
}

func TestCheckReading(t *testing.T) {
	net := santest.Read(t, trace)
	for _, test := range []struct {
		name         string
		reading      input.Reading
		want         exit.Outcomes
		out, mistake string // parts of them
	}{
		{"a net", input.Reading{Net: net}, exit.Outcomes{}, "p1: holds", ""},
		{"useless", input.Reading{Net: net, Useless: "records are missing"}, exit.Outcomes{Unknown: true}, "records are missing", ""},
		{"the budget ran out", input.Reading{Net: net, Err: &limits.ReadStoppedError{Events: 3, Cause: tlcheck.ErrTime}}, exit.Outcomes{Unknown: true}, "after 3 events of the trace", ""},
		{"a mistake", input.Reading{Err: errors.New("no trace")}, exit.Outcomes{Failed: true, Unknown: true}, "p1: unknown: no trace\n", "antichain: no trace\n"},
		{"a mistake behind a part", input.Reading{Net: net, Err: errors.New("cut")}, exit.Outcomes{Failed: true, Unknown: true}, "p1: unknown: the run was cut off; the property holds in what came before", "antichain: cut\n"},
		{"cut off", input.Reading{Err: &event.Error{Pos: "trace:3", Reason: "truncated", Remedy: event.RemedyCut}}, exit.Outcomes{Failed: true, Unknown: true}, "p1: unknown: trace:3: truncated", "can be checked with --partial"},
		{"a mistake with another remedy", input.Reading{Err: &event.Error{Pos: "trace:3", Reason: "wrong", Remedy: "write it"}}, exit.Outcomes{Failed: true, Unknown: true}, "p1: unknown: trace:3: wrong", "write it"},
	} {
		c, out, mistakes := checker(t, one)
		c.CheckReading(t.Context(), &test.reading, nil)
		if c.Outcomes != test.want || !strings.Contains(out.String(), test.out) || (out.Len() > 0) != (test.out != "") {
			t.Errorf("%s: %+v, %q", test.name, c.Outcomes, out)
		}
		if got := mistakes.String(); !strings.Contains(got, test.mistake) || (got != "") != (test.mistake != "") || strings.Contains(got, "--partial") != strings.Contains(test.mistake, "--partial") {
			t.Errorf("%s: %q, want %q", test.name, got, test.mistake)
		}
	}
}

// Of other orders of critical sections there is no verdict without their net, unless the order of
// the run has one.
func TestCheckOrders(t *testing.T) {
	const sections = `{"antichain":1,"tasks":["a","b"]}
{"t":"a","op":"lock","obj":"m"}
{"t":"a","op":"unlock","obj":"m"}
{"t":"a","enter":"f"}
{"t":"a","exit":"f"}
{"t":"a","op":"lock","obj":"m"}
{"t":"a","op":"unlock","obj":"m"}
{"t":"b","op":"lock","obj":"m"%s}
{"t":"b","op":"unlock","obj":"m"}
{"t":"b","enter":"f"}
`
	run, free := santest.Read(t, fmt.Sprintf(sections, `,"after":[["a",6]]`)), santest.Read(t, fmt.Sprintf(sections, ""))
	missing := errors.New("no operations")
	const both, single, temporal = "not (x:(in.f) and y:(in.f)) if x != y", "not x:(in.f)", "not (x:(start.f) and sometime x:(start.f))"
	for _, test := range []struct {
		formula string
		free    *san.Net
		want    exit.Outcomes
		out     string
	}{
		{both, free, exit.Outcomes{Violated: true}, "p1: violated\n"},
		{both, nil, exit.Outcomes{Unknown: true}, "p1: unknown: it holds in all orders in which critical sections come as in the run, and others are not known: no operations\n"},
		{temporal, free, exit.Outcomes{}, "p1: holds: in all orders in which critical sections come as in the run: a temporal operator"},
		{temporal, nil, exit.Outcomes{}, "p1: holds: in all orders in which critical sections come as in the run: a temporal operator"},
		{single, nil, exit.Outcomes{Violated: true}, "p1: violated\n"},
		{single, free, exit.Outcomes{Violated: true}, "p1: violated\n"},
	} {
		c, out, mistakes := checker(t, test.formula)
		c.CheckOrders(t.Context(), "trace", Orders{Run: run, Free: test.free, Missing: missing})
		if c.Outcomes != test.want || !strings.HasPrefix(out.String(), test.out) || mistakes.Len() > 0 {
			t.Errorf("%s: %+v, %s%s", test.formula, c.Outcomes, out, mistakes)
		}
	}
}

// A state that the order of the run leads to counts even if the other nets lack it, as they do
// where they have events come after what these have seen.
func TestOrdersHaveThatOfRun(t *testing.T) {
	const events = `{"antichain":1,"tasks":["a","b"]%s}
{"t":"a","enter":"f"}
{"t":"a","exit":"f"}
{"t":"a"}
{"t":"b","enter":"f"%s}
`
	const after = `,"after":[["a",3]]`
	both := "not (x:(in.f) and y:(in.f)) if x != y"
	together, apart := santest.Read(t, fmt.Sprintf(events, "", "")), santest.Read(t, fmt.Sprintf(events, "", after))
	sparse := santest.Read(t, fmt.Sprintf(events, `,"sparse":true`, after))
	for _, test := range []struct {
		name            string
		run, data, free *san.Net
		formula         string
		opt             tlcheck.Options
		want            tlcheck.Verdict
		net             *san.Net
	}{
		{"run alone", together, nil, apart, both, tlcheck.Options{}, tlcheck.Violated, together},
		{"run, not the others", together, apart, apart, both, tlcheck.Options{}, tlcheck.Violated, together},
		{"all", together, together, together, both, tlcheck.Options{}, tlcheck.Violated, together},
		{"what is certain", apart, together, together, both, tlcheck.Options{}, tlcheck.Violated, together},
		{"free alone", apart, apart, together, both, tlcheck.Options{}, tlcheck.Violated, together},
		{"none", apart, apart, apart, both, tlcheck.Options{}, tlcheck.Holds, apart},
		{"run not decided", together, nil, apart, both, tlcheck.Options{Time: 1}, tlcheck.Unknown, together},
		{"run shows too little", sparse, nil, together, "x:(in.f)", tlcheck.Options{}, tlcheck.Violated, together},
	} {
		c, _, _ := checker(t, test.formula)
		o := Orders{Run: test.run, Data: test.data, Free: test.free, Open: "something"}
		r, err := o.check(t.Context(), c.Properties[0], test.opt)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if r.Verdict != test.want || r.Net != test.net || r.Property != c.Properties[0] {
			t.Errorf("%s: %v", test.name, r.Verdict)
		}
	}
}

// A state that only another net has is a violation if it happens.
func TestLeads(t *testing.T) {
	const both, single, temporal = "not (x:(in.f) and y:(in.f)) if x != y", "not x:(in.f)", "not (x:(start.f) and sometime x:(start.f))"
	const sections = `{"antichain":1,"tasks":["a","b"]}
{"t":"a","enter":"f"}
{"t":"a","exit":"f"}
{"t":"a"}
{"t":"b","enter":"f"%s}
`
	free, leads := santest.Read(t, fmt.Sprintf(sections, `,"after":[["a",3]]`)), santest.Read(t, fmt.Sprintf(sections, ""))
	failed := errors.New("the program is gone")
	for _, test := range []struct {
		formula string
		leads   *san.Net
		outcome tlcheck.ConfirmationOutcome
		err     error
		tried   int
		want    exit.Outcomes
		out     string
	}{
		{both, leads, tlcheck.Confirmed, nil, 1, exit.Outcomes{Violated: true}, "p1: violated\n"},
		{both, leads, tlcheck.NotFollowed, nil, 1, exit.Outcomes{}, "p1: holds\n"},
		{both, leads, tlcheck.NotTried, failed, 1, exit.Outcomes{Failed: true}, "p1: holds\n"},
		{both, nil, tlcheck.Confirmed, nil, 0, exit.Outcomes{}, "p1: holds\n"},
		{both, free, tlcheck.Confirmed, nil, 0, exit.Outcomes{}, "p1: holds\n"},
		{temporal, leads, tlcheck.Confirmed, nil, 0, exit.Outcomes{}, "p1: holds: in all orders"},
		{single, leads, tlcheck.NotFollowed, nil, 1, exit.Outcomes{Violated: true}, "p1: violated\n"}, // that of free
	} {
		c, out, mistakes := checker(t, test.formula)
		tried := 0
		c.Confirm = func(_ context.Context, r *tlcheck.Result) (*tlcheck.Confirmation, error) {
			if r.Verdict != tlcheck.Violated {
				return nil, nil
			}
			tried++
			return &tlcheck.Confirmation{Outcome: test.outcome, Attempts: 1}, test.err
		}
		c.CheckOrders(t.Context(), "trace", Orders{Run: free, Free: free, Leads: test.leads})
		if c.Outcomes != test.want || tried != test.tried || !strings.HasPrefix(out.String(), test.out) || (mistakes.Len() > 0) != (test.err != nil) {
			t.Errorf("%s, %s: %+v, tried %d times, %s%s", test.formula, test.outcome, c.Outcomes, tried, out, mistakes)
		}
	}
}

// A sparse trace lacks goroutines: it is enough where these cannot matter and nothing is counted.
func TestSparse(t *testing.T) {
	h := &event.Header{Version: 1, Tasks: []string{"a"}}
	for _, test := range []struct {
		formulas []string
		ViolationFlags
		want bool
	}{
		{[]string{one}, ViolationFlags{}, true},
		{[]string{one}, ViolationFlags{Count: true}, false},
		{[]string{one, "x:(in.f)"}, ViolationFlags{}, false},
	} {
		c, _, _ := checker(t, test.formulas...)
		c.ViolationFlags = test.ViolationFlags
		if got := c.SparseSuffices(h); got != test.want {
			t.Errorf("%q, %q: %v, want %v", test.formulas, test.Words(), got, test.want)
		}
	}
}

// A report that cannot be written is a mistake.
func TestUnwritten(t *testing.T) {
	for _, json := range []bool{false, true} {
		c, _, mistakes := checker(t, one)
		r, w := io.Pipe()
		r.Close()
		c.Stdout, c.JSON, c.Prefix = w, json, "trace: "
		c.CheckNet(t.Context(), "trace", santest.Read(t, trace))
		if !c.Failed || !strings.Contains(mistakes.String(), io.ErrClosedPipe.Error()) {
			t.Errorf("JSON %v: %+v, %s", json, c.Outcomes, mistakes)
		}
	}
}

// What was asked for can be asked for again.
func TestWords(t *testing.T) {
	for _, words := range [][]string{nil, {"--all"}, {"--count"}, {"--all", "--count"}} {
		var c ViolationFlags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.Register(flags)
		if err := flags.Parse(words); err != nil || !slices.Equal(c.Words(), words) || c.Given() != (words != nil) {
			t.Errorf("%q: %v, %q, given %v", words, err, c.Words(), c.Given())
		}
	}
}
