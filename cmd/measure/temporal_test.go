//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func TestSpinFormula(t *testing.T) {
	for _, tt := range []struct {
		row  linearRow
		want string
	}{
		{linearRow{program: "X1", n: 3, property: safety},
			"[] (!(at(1, L3) && at(2, L3)) && !(at(1, L3) && at(3, L3)) && !(at(2, L3) && at(3, L3)))"},
		{linearRow{program: "X2", n: 2, property: communal},
			"[] (at(1, L1) || at(1, L2) -> <> (at(1, L3) || at(2, L3)))"},
		{linearRow{program: "Peterson", n: 2, property: safety}, "[] (!(at(1, L3) && at(2, M3)))"},
		{linearRow{program: "Peterson", n: 2, property: unfair}, "[] (at(1, L1) || at(1, L2) -> <> at(1, L3))"},
	} {
		if _, err := temporal.Parse("formula", tt.row.formula(), temporal.InfiniteLTL); err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(tt.want, spinFormula(tt.row.formula())); d != "" {
			t.Errorf("%s: %s", tt.row.name(), d)
		}
	}
	const compared = "F G (x1 == x2 -> !Receiver.at.wrong) | x2 <= k & P1.at.crit"
	if d := cmp.Diff("<> [] ((x1 == x2) -> !Receiver@wrong) || (x2 <= k) && at(1, crit)", spinFormula(compared)); d != "" {
		t.Error(d)
	}
}

func TestPan(t *testing.T) {
	const found = `pan:1: acceptance cycle (at depth 208)
State-vector 52 byte, depth reached 1019, errors: 1
      279 states, stored (848 visited)
     2163 transitions (= visited+matched)
`
	for _, tt := range []struct {
		out  string
		want spinResult
	}{
		{found, spinResult{depth: 1019, states: 279, transitions: 2163}},
		{strings.Replace(found, "errors: 1", "errors: 0", 1), spinResult{holds: true, depth: 1019, states: 279, transitions: 2163}},
		{"error: max search depth too small\n" + strings.Replace(found, "errors: 1", "errors: 0", 1),
			spinResult{holds: true, truncated: true, depth: 1019, states: 279, transitions: 2163}},
	} {
		var got spinResult
		if err := got.read(tt.out); err != nil {
			t.Error(err)
		}
		if got != tt.want {
			t.Errorf("%+v, want %+v", got, tt.want)
		}
	}
	for _, out := range []string{"", "pan: out of memory\n", strings.Replace(found, "errors: 1", "", 1)} {
		if err := new(spinResult).read(out); err == nil {
			t.Errorf("no error of %q", out)
		}
	}
}

// needs skips a test of what is measured beside programs that need not be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%v; it is measured, and tested, by .ci/long temporal and .ci/long models, which install it", err)
		}
	}
}

// TestTemporal measures small rows.
func TestTemporal(t *testing.T) {
	needs(t, "time")
	b, err := newCommandBench()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	_, missing := spinVersion()
	t.Run("twins", func(t *testing.T) {
		testTwins(t, &twinBench{bench: b, count: 1, spin: missing == nil, known: map[string]int{}})
	})
	t.Run("no twins", func(t *testing.T) { testNoTwins(t, b) })
	t.Run("efforts", func(t *testing.T) { testEfforts(t, b) })
}

// testTwins has the verdicts and the numbers of states of small programs, which SPIN must have,
// too.
func testTwins(t *testing.T, b *twinBench) {
	want := map[string]measuredTwin{
		"Peterson, n=2: liveness":                   {holds: true, states: 20},
		"Peterson, n=2: liveness, without fairness": {holds: false, states: 20},
		"X1, n=4: liveness":                         {holds: false, states: 297},
		"X1, n=4: communal liveness":                {holds: true, states: 297},
		"Philosophers, n=6: safety":                 {holds: true, states: 728},
	}
	seen := map[string]bool{}
	for _, r := range twinRows() {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
		expected, ok := want[r.name()]
		if !ok {
			continue
		}
		got, err := b.row(r)
		if err != nil {
			t.Fatalf("%s: %v", r.name(), err)
		}
		if got.holds != expected.holds || got.states != expected.states || got.own.seconds <= 0 || got.own.mib <= 0 {
			t.Errorf("%s: %+v", r.name(), got)
		}
		if len(got.cells()) != len(twinTable) {
			t.Errorf("%q", got.cells())
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("no row %s", name)
		}
	}
}

// testNoTwins has programs that differ: there are no numbers then.
func testNoTwins(t *testing.T, real *bench) {
	needs(t, "spin", "cc")
	b := &twinBench{bench: &bench{root: t.TempDir(), dir: real.dir}, count: 1, spin: true, known: map[string]int{}}
	r := twin{linearRow: linearRow{program: "X1", n: 2, property: safety}}
	write := func(path, from, old, new string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(real.root, from))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), old) {
			t.Fatalf("there is no %q in %s", old, from)
		}
		path = filepath.Join(b.root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), old, new)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const program, peer = "examples/programs/x1.gcl", "cmd/measure/testdata/x1.pml"
	write(program, program, "param n = 2", "param n = 2")
	write(peer, peer, "byte y = 1;", "byte y = 0;")
	if _, err := b.row(r); err == nil || !strings.Contains(err.Error(), "is no twin") {
		t.Errorf("another program: %v", err)
	}
	b.known["X1, n=2"] = 1 // as if they had been found equal
	write(peer, peer, "goto L1", "goto L3")
	if _, err := b.row(r); err == nil || !strings.Contains(err.Error(), "antichain says true, SPIN says false") {
		t.Errorf("another verdict: %v", err)
	}
}

func TestTwinTargets(t *testing.T) {
	own, spin := commandOutcome{seconds: 1, mib: 20}, commandOutcome{seconds: 2, mib: 10}
	for _, tt := range []struct {
		row  twin
		peer bool
		want string
	}{
		{twin{}, true, ""},
		{twin{quicker: true}, true, "yes"},
		{twin{quicker: true}, false, ""},
		{twin{smaller: true}, true, "no"},
		{twin{quicker: true, seconds: 1}, true, "no"},
		{twin{quicker: true, seconds: 1}, false, "no"},
		{twin{seconds: 1.1}, false, "yes"},
	} {
		m := measuredTwin{twin: tt.row, own: own, spin: spin, peer: tt.peer}
		if got := m.met(); got != tt.want {
			t.Errorf("%q, there %v: met %q, want %q", tt.row.wanted(), tt.peer, got, tt.want)
		}
	}
}

func TestTimed(t *testing.T) {
	needs(t, "time", "sh")
	got, err := timed("", strings.NewReader("in"), "sh", "-c", "cat; exit 1")
	if err != nil || got.out != "in" || got.code != 1 || got.seconds <= 0 || got.mib <= 0 || got.mib > 100 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := timed("", nil, "sh", "-c", "echo why >&2; exit 2"); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("exit code 2: %v", err)
	}
}

// TestContestAnswers has answers that are wrong, missing or too many.
func TestContestAnswers(t *testing.T) {
	c := contest{answers: map[string]bool{"a": true, "b": false}}
	right := `{"id":"a","holds":true}` + "\n" + `{"id":"b","holds":false}` + "\n"
	if err := c.compare(right, 2); err != nil {
		t.Error(err)
	}
	for _, out := range []string{"", right + right, strings.Replace(right, "true", "false", 1), strings.Replace(right, `"b"`, `"c"`, 1), `{"id":"a","unknown":"x"}` + "\n" + right} {
		if err := c.compare(out, 2); err == nil {
			t.Errorf("no error of %q", out)
		}
	}
}

// TestContestFiles has the whole collection.
func TestContestFiles(t *testing.T) {
	b, err := newDir()
	if err != nil {
		t.Fatal(err)
	}
	defer b.remove()
	c, err := b.contest()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.models) != 24 || len(c.answers) != 2*768 {
		t.Errorf("%d models, %d formulas", len(c.models), len(c.answers))
	}
}

// A formula that is known to be unsatisfiable is an error, not a number, where it comes out
// otherwise.
func TestDecideAll(t *testing.T) {
	formulas := []publicFormula{{ID: "a", Formula: "G a & F !a"}, {ID: "b", Formula: "G F a", Sat: true}}
	d, err := decideAll(formulas, 1)
	if err != nil || len(d.seconds) != 2 || d.missing != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if cells := d.cells(1); len(cells) != len(satTable) || cells[len(cells)-1] != "yes" {
		t.Errorf("%q", cells)
	}
	if cells := (&procedureResult{seconds: []float64{1, 2}, missing: 3}).cells(1); !slices.Equal(cells[1:3], []string{"2", "10000"}) || cells[len(cells)-1] != "no" {
		t.Errorf("%q", cells)
	}
	formulas[0].Sat = true
	if _, err := decideAll(formulas, 1); err == nil || !strings.Contains(err.Error(), "a: satisfiable false") {
		t.Errorf("%v", err)
	}
}

// testEfforts has every row, and measures the small ones.
func testEfforts(t *testing.T, b *bench) {
	seen := map[string]bool{}
	for _, e := range b.allEfforts() {
		if seen[e.name] {
			t.Errorf("%s stands twice", e.name)
		}
		seen[e.name] = true
		if !strings.HasPrefix(e.name, "X1, n=4") && e.name != "synthesis: mutual exclusion of 2" {
			continue
		}
		if err := e.prepare(); err != nil {
			t.Fatal(err)
		}
		if got, err := several(1, e.once); err != nil || got.seconds <= 0 || got.mib <= 0 {
			t.Errorf("%s: %+v, %v", e.name, got, err)
		}
	}
	if !seen["768 formulas of LTL on 24 models of the contest"] || !seen["X1, n=6: liveness, by satisfiability"] {
		t.Errorf("rows are missing: %v", seen)
	}
}
