package tableau_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func sat(t rapid.TB, f *temporal.Formula, o tableau.Options) *tableau.Answer {
	t.Helper()
	answer, err := tableau.Sat(context.Background(), f, o)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return answer
}

func TestSat(t *testing.T) {
	tests := []struct {
		formula   string
		processes int
		want      bool
	}{
		{"EF p & EF !p", 0, true}, // figure 5.1
		{"p & !p", 0, false},
		{"AF p & EG !p", 0, false},
		{"AF p & EG !p & AG EX p", 0, false}, // some node with p can be reached from everywhere
		{"AF p & AG EX !p", 0, true},
		{"AG EX p & AG EX !p", 0, true},
		{"AX_1 false & AX_2 false", 0, false},
		{"AX_1 false & AX_2 false", 3, true},
		{"AX false", 0, false},
		{"EX true", 0, true},
		{"AG (p -> AX !p) & AG (!p -> AX p) & EG p", 0, false},
		{"AG EF p & AG EF !p & EG p", 0, true},
		{"AG (EF p & EF q) & AG !(p & q)", 0, true},
		{"AG (EF p & EF q & EF r) & AG !(p & q) & AG !(q & r) & AG !(p & r) & AG (p -> AX AX !q)", 0, true},
		{"AG (EF p & EF q & EF r) & AG (p -> AG !q) & AG !(q & r)", 0, false},
		{"EG AX AF p", 0, true}, // what puts AF p off is there for another reason
		{"EG EX_1 EF p & EG EX_2 EF !p", 2, true},
		{"EGF p & EGF !p & AFG q", 0, true},
		{"!EGF p & AG EF p & AF AG p", 0, false},
		{"(EGF p <-> AFG q) & AG !q & AG p", 0, false},
		{"EGF p -> AFG p", 0, true},
		{"AG EF p & !EGF p", 0, false},
		{"EGF p & AG EF !p & AFG !p", 0, false},
		{"EGF p & AFG !p", 0, false},
		{"AFG p & EG EF !p", 0, true}, // AF AG p is false then
		{"AFG p & EG EX (!p & EX (p & EX !p))", 0, true},
		{"AFG p & AG EF !p", 0, false},
		{"AFG p & AG AX (p -> EX !p)", 0, false},
		{"AFG p & AFG q & EF (!p & EF (!q & EF (!p & EF !q)))", 0, true},
		{"AFG p & AFG !p", 0, false},
		{"AFG (p & EF !p)", 0, false},
		{"AFG (p & EX !p)", 0, false},
		{"AFG EGF p & AFG (p -> AX !p) & EGF AFG !p", 0, false},
		{"AFG EGF p & AFG (p -> AX !p)", 0, true},
		{"EF (p & AFG !p) & AG (p -> AX !p) & EGF p", 0, true},
		{"EGF (p & AFG !p)", 0, false},
		{"EGF_p <-> EF (p & EX EGF_p)", 0, true}, // an atom
		{"!(EGF p <-> EF (p & EX EGF p))", 0, false},
		{"!(AFG p <-> AG (p | AX AFG p))", 0, false},
		{"A[p U q] & E[!q U !p & !q]", 0, false},
		{"A[p U q] & !A[p W q]", 0, false},
		{"E[p R q] & !E[q W p & q]", 0, false},
		{"EX_a p & AX_b !p & AX_a AF q & EX_b EG !q", 0, true},
	}
	for _, test := range tests {
		o := sat(t, parse(t, test.formula), tableau.Options{Processes: test.processes})
		if (o.Model != nil) != test.want {
			t.Errorf("%s for %d processes: satisfiable %v", test.formula, test.processes, o.Model != nil)
		}
		if (len(o.Why) == 0) != test.want {
			t.Errorf("%s: reason %q", test.formula, o.Why)
		}
	}
}

// TestSatIsRight compares with the reference. Models are checked by Sat itself.
func TestSatIsRight(t *testing.T) {
	formula := temporaltest.Formula(temporal.CTL, temporaltest.Atoms("a", "b"), 3)
	satisfiable, not, infinitary, skipped := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := formula.Draw(t, "formula")
		// most formulas are satisfiable, but not most pairs
		if f.Op == temporal.And || rapid.Bool().Draw(t, "two") {
			another := formula.Draw(t, "another")
			if op := rapid.SampledFrom([]temporal.Op{temporal.True, temporal.EGF, temporal.AFG}).Draw(t,
				"op"); op != temporal.True {
				another = &temporal.Formula{Op: op, X: another}
			}
			f = &temporal.Formula{Op: temporal.And, X: f, Y: another}
		}
		processes := []string{"1", "P0"}
		if rapid.Bool().Draw(t, "one process") { // the reference can take larger formulas then
			processes = processes[:1]
			f = ofAll(f)
		}
		first := rapid.SampledFrom([]int{1, 2, 64}).Draw(t, "blocks")
		o, err := tableau.Satisfy(context.Background(), f,
			tableau.Options{Processes: len(processes), Concurrent: rapid.Bool().Draw(t, "concurrent")}, first)
		if err != nil {
			t.Fatal(err)
		}
		b := basic(f)
		r := newReference(b, processes)
		if r == nil {
			skipped++
			return
		}
		want := r.satisfiable(b)
		if hasInfinitary(f) {
			infinitary++
		}
		if want {
			satisfiable++
		} else {
			not++
		}
		if (o.Model != nil) != want {
			t.Fatalf("%s: satisfiable %v, want %v", f, o.Model != nil, want)
		}
	})
	t.Logf("%d satisfiable, %d not; %d of these with EGF or AFG; %d not compared", satisfiable, not,
		infinitary, skipped)
	if n := satisfiable + not; skipped > 3*n || n >= 50 && min(satisfiable, not, infinitary) < 4 {
		t.Error("the formulas are too much alike, or too large for the reference")
	}
}

// ofAll returns f with EX and AX of all processes.
func ofAll(f *temporal.Formula) *temporal.Formula {
	if f == nil {
		return nil
	}
	r := *f
	r.Process, r.X, r.Y = "", ofAll(f.X), ofAll(f.Y)
	return &r
}

func hasInfinitary(f *temporal.Formula) bool {
	return f != nil && (f.Op == temporal.EGF || f.Op == temporal.AFG || hasInfinitary(f.X) || hasInfinitary(f.Y))
}

func TestWhy(t *testing.T) {
	tests := []struct {
		formula string
		want    []string
	}{
		{"p & !p", []string{"contradictory: p & !p"}},
		{"AG (p -> AX !p) & AG (!p -> AX p) & EG p", []string{
			"in no state: AG (!p | AX_1 !p) & AG (p | AX_1 p) & EG p",
			"  a state with p, AX_1 !p, EX_1 EG p needs a next one for EX_1 EG p",
			"    contradictory: !p, EG p",
		}},
		{"AF p & AG (q & !p)", []string{
			"in no state: AF p & AG (q & !p)",
			"  a state with q, !p, AX_1 AF p puts AF p off for ever",
		}},
	}
	for _, test := range tests {
		o := sat(t, parse(t, test.formula), tableau.Options{})
		if d := cmp.Diff(test.want, o.Why); d != "" {
			t.Errorf("%s\n%s", test.formula, d)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		formula   string
		processes int
		want      string
	}{
		{"EX_1 p & AX_b q", 1, `the formula names the processes ["1" "b"], more than 1`},
	}
	for _, test := range tests {
		_, err := tableau.Sat(context.Background(), parse(t, test.formula), tableau.Options{Processes: test.processes})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v", test.formula, err)
		}
	}
}

// TestSatEnds has a formula with far too many blocks, and one with a long reason.
func TestSatEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	var wide []string
	for i := range 60 {
		wide = append(wide, fmt.Sprintf("(a%d | b%[1]d)", i))
	}
	many := strings.Join(wide, " & ")
	if sat(t, parse(t, many), tableau.Options{}).Model == nil {
		t.Error("no model where nearly everything is one")
	}
	go cancel(enough)
	if _, err := tableau.Sat(ctx, parse(t, "AF z & AG !z & "+many), tableau.Options{}); err != enough {
		t.Errorf("error %v", err)
	}
	deep := "a"
	for i := range 40 {
		deep = fmt.Sprintf("(%s <-> b%d)", deep, i)
	}
	for _, line := range sat(t, parse(t, "a & !a & "+deep), tableau.Options{}).Why {
		if len(line) > 10_000 {
			t.Errorf("a reason of %d bytes", len(line))
		}
	}
}
