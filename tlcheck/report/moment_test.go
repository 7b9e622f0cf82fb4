package report

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
)

// summary describes moments in short, with those that come before each.
func summary(all []Moment) (lines []string) {
	for _, m := range all {
		line := m.Task + " " + m.Does
		if len(m.After) > 0 {
			line += fmt.Sprint(" ", m.After)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestMomentsOfFinding(t *testing.T) {
	r := transfers()
	want := []string{
		"main go main.1", "main go main.2", "main.1 lock mutex 1 [0]", `main.1 recv chan 1 [4]`,
		"main.2 send chan 1 [1]",
		`main.1 waits for mutex\x1b[2J 2`, "main the program ends",
	}
	if diff := cmp.Diff(want, summary(findingOf(r.Assessment(), Source{}).moments())); diff != "" {
		t.Error(diff)
	}
	r.Finding.Schedule = []op.Step{
		{Task: 1, Kind: op.Lock, Object: 1}, {Task: 1, Kind: op.Unlock, Object: 1}, {Task: 2, Kind: op.Lock, Object: 1},
		{Task: 2, Kind: op.Lock, Object: 2},
		{Task: 1, Kind: op.Send, Object: 3}, {Task: 1, Kind: op.Send, Object: 3}, {Task: 2, Kind: op.Recv, Object: 3},
		{Task: 0, Kind: op.Recv, Object: 3},
		{Task: 1, Kind: op.Close, Object: 3}, {Task: 2, Kind: op.RecvClosed, Object: 3},
		{Task: 1, Kind: op.Lock, Object: 1},
	}
	want = []string{
		"main.1 lock mutex 1", "main.1 unlock mutex 1", "main.2 lock mutex 1 [1]", `main.2 lock mutex\x1b[2J 2`,
		"main.1 send chan 1", "main.1 send chan 1", "main.2 recv chan 1 [4]", "main recv chan 1 [5]",
		"main.1 close chan 1", "main.2 recv chan 1 [8]", "main.1 lock mutex 1",
	}
	if diff := cmp.Diff(want, summary(findingOf(r.Assessment(), Source{}).moments())); diff != "" {
		t.Error(diff)
	}
}

func TestAccountHolds(t *testing.T) {
	a, err := NewAccount("trace", transfers(), Style{})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]Moment
	for _, p := range a.Participants {
		got = append(got, p.Holds)
	}
	want := [][]Moment{
		{{Task: "main.1", Does: "holds mutex 1", At: "bank/bank.go:4"}},
		{{Task: "main.2", Does: `holds mutex\x1b[2J 2 for reading`}, {Task: "main.2", Does: "holds mutex 1"}},
		nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An account says of its order what the report says.
func TestAccountLead(t *testing.T) {
	for want, f := range map[string]builtin.Finding{
		"It happened in this run.":                           {How: builtin.Observed},
		"It happened in this run, but may do no harm.":       {Property: builtin.Unlock, How: builtin.Possible, AtEnd: true},
		"This order is as possible as the order of the run.": {Property: builtin.Race, How: builtin.Predicted},
		"It did not happen in this run: another order of the same operations leads to it.": {
			Property: builtin.Closed, How: builtin.Predicted},
	} {
		r := &tlcheck.Result{Builtin: f.Property, Verdict: tlcheck.Violated, Finding: &f, Names: transfers().Names}
		a, err := NewAccount("trace", r, Style{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Lead != want {
			t.Errorf("%q, want %q", a.Lead, want)
		}
	}
}

func TestMomentsOfWitness(t *testing.T) {
	p, err := spec.ParseFormula("not (t1:(x == 2) and t2:(y == 1))")
	if err != nil {
		t.Fatal(err)
	}
	net := santest.Read(t, `{"antichain":1,"tasks":["main"]}
{"t":"main","spawn":"main.1"}
{"t":"main.1","op":"lock","obj":"mutex 1"}
{"t":"main.1","set":{"y":1}}
{"t":"main.1","op":"unlock","obj":"mutex 1"}
{"t":"main","op":"lock","obj":"mutex 1","after":[["main.1",3]]}
{"t":"main","set":{"x":2}}
`)
	r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAccount("trace", r, Style{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"main go main.1", "main.1 y = 1 [0]", "main.1 unlock mutex 1", "main lock mutex 1 [2]",
		"main x = 2"}
	got := summary(a.Steps)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := "It happened in this run, in this order."; a.Lead != want {
		t.Errorf("%q, want %q", a.Lead, want)
	}
}
