//go:build unix

package versions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestExecute(t *testing.T) {
	r, err := execute(t.Context(), nil, t.TempDir(), "/bin/sh", "-c", "echo out; echo err >&2; exit 3")
	if err != nil || r.code != 3 || r.out != "out\n" || r.err != "err\n" || r.aborted != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := "+ /bin/sh -c echo out; echo err >&2; exit 3\nout\nerr\n(exit code 3)\n"; r.details() != want {
		t.Errorf("details\n%s", r.details())
	}
	if _, err := execute(t.Context(), nil, ".", "/there/is/none"); err == nil {
		t.Error("no error without a program")
	}
	// What it has started is killed, too: it would keep the pipe open.
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err = execute(ctx, os.Environ(), ".", "/bin/sh", "-c", "sleep 1000 & wait")
	if err != nil || !errors.Is(r.aborted, context.DeadlineExceeded) || time.Since(start) > 9*time.Second {
		t.Errorf("%+v, %v after %v", r, err, time.Since(start))
	}
}

func TestExcerpt(t *testing.T) {
	if got := excerpt(" \n"); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	got := excerpt("begin\n" + strings.Repeat("a\n", 45) + "end")
	if !strings.HasPrefix(got, "begin\na\n") || !strings.HasSuffix(got, "\nend\n") || !strings.Contains(got, "\n… 7 lines\n") || strings.Count(got, "\n") != 41 {
		t.Errorf("%q", got)
	}
}

func TestCheckOutcome(t *testing.T) {
	r := &commandResult{line: "x", code: 2}
	for _, tt := range []struct {
		differs []string
		ok      bool
		says    string
	}{
		{nil, false, "nothing was checked"},
		{[]string{""}, true, "ok"},
		{[]string{"", ""}, true, "2 ok"},
		{[]string{"exit code"}, false, "differs"},
		{[]string{"", "a", "b"}, false, "2 of 3 differ"},
	} {
		c := new(check)
		for _, differs := range tt.differs {
			c.expect("part", r, differs)
		}
		if o := c.outcome(); o.OK != tt.ok || o.Says != tt.says {
			t.Errorf("%q: %+v", tt.differs, o)
		}
	}
	c := new(check)
	c.expect("part", &commandResult{aborted: context.DeadlineExceeded}, "")
	if o := c.outcome(); o.OK || !strings.Contains(o.Details, "part: killed") {
		t.Errorf("killed: %+v", o)
	}
}

func TestDiffersFromReadme(t *testing.T) {
	const report = "exclusive_append: holds\nsame_element: violated\n    not (t1…)\n"
	for _, tt := range []struct {
		code      int
		err, want string
	}{
		{1, report, ""},
		{0, report, "exit code 0, want 1"},
		{1, "exclusive_append: holds\n", `nothing says "same_element: violated"`},
		{1, "same_element: violated\n", `nothing says "exclusive_append: holds"`},
		{1, report + "unlock: unknown: traced without atomic operations\n", "unlock: unknown: traced without atomic operations"},
		{1, report + "built-in properties: unknown: 3 records are missing (deadlock)\n", "built-in properties: unknown: 3 records are missing (deadlock)"},
	} {
		if got := differsFromReadme(&commandResult{code: tt.code, err: tt.err}); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	verdicts, err := verdictsOf(`what the program prints
{"trace":"x","builtin":"deadlock","verdict":"holds"}
{"trace":"x","builtin":"deadlock","verdict":"violated","how":"observed"}
{"trace":"x","builtin":"stuck","verdict":"unknown"}
{"trace":"x","property":"p","verdict":"holds"}
`)
	if err != nil || len(verdicts) != 3 || verdicts["deadlock"].How != "observed" {
		t.Fatal(verdicts, err)
	}
	if got := notHolding(verdicts); got != "deadlock stuck unknown" {
		t.Errorf("got %q", got)
	}
	if _, err := verdictsOf(`{"trace":` + "\n"); err == nil {
		t.Error("no error")
	}
}

func TestSeedsDiffer(t *testing.T) {
	run := func(verdicts, events string, observed bool) *steeredRun {
		return &steeredRun{commandResult: &commandResult{}, verdicts: verdicts, events: events, observed: observed}
	}
	for _, tt := range []struct {
		first, second *steeredRun
		want          string
	}{
		{run("deadlock", "a\nb\n", true), run("deadlock", "a\nb\n", true), ""},
		{run("deadlock", "a\nb\n", true), run("deadlock", "a\nc\n", true), "another schedule: line 2 is c, and was b"},
		{run("deadlock", "a", true), run("deadlock", "a\nc", true), "another schedule: 2 lines, and were 1"},
		{run("deadlock", "a", true), run("deadlock", "a", false), `violated: "deadlock" (happened: false), and "deadlock" (true) at first`},
		{run("deadlock", "a", true), run("", "a", true), `violated: "", want the deadlock`},
		{run("deadlock", "", true), run("deadlock", "a", true), "there is no trace"},
	} {
		if got := tt.second.differsFrom(tt.first); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

const testOutput = `=== RUN   TestA
=== RUN   TestA/one
=== PAUSE TestA/one
=== RUN   TestA/two
    a_test.go:3: what two says
        and more
=== CONT  TestA/one
    a_test.go:9: what one says
--- FAIL: TestA (0.01s)
    --- PASS: TestA/one (0.00s)
    --- FAIL: TestA/two (0.00s)
=== RUN   TestB
--- PASS: TestB (0.00s)
=== RUN   TestC
--- SKIP: TestC (0.00s)
FAIL
`

func TestParseTests(t *testing.T) {
	passed, failed := parseTests(testOutput)
	if diff := cmp.Diff([][]string{{"TestA/one", "TestB"}, {"TestA/two"}}, [][]string{passed, failed}); diff != "" {
		t.Error(diff)
	}
	said := saidBy(testOutput, failed[0])
	if !strings.Contains(said, "what two says\n        and more") || strings.Contains(said, "what one says") {
		t.Errorf("said\n%s", said)
	}
	// A test can fail with subtests that pass.
	_, failed = parseTests("--- FAIL: TestA (0.01s)\n    --- PASS: TestA/one (0.00s)\n")
	if diff := cmp.Diff([]string{"TestA"}, failed); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		tally testTally
		ok    bool
		says  string
	}{
		{testTally{passed: 2}, true, "2 pass"},
		{testTally{passed: 2, failed: []part{{"C", "\n"}}}, false, "1 of 3 fail"},
		{testTally{}, false, "no test ran"},
	} {
		if o := tt.tally.outcome(); o.OK != tt.ok || o.Says != tt.says || len(o.Failing) != len(tt.tally.failed) {
			t.Errorf("%+v: %+v", tt.tally, o)
		}
	}
}

func TestWriteParts(t *testing.T) {
	var parts []part
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		parts = append(parts, part{name, "\nsaid\n"})
	}
	var b strings.Builder
	writeParts(&b, parts)
	if want := "a: \nsaid\nb: \nsaid\nc: \nsaid\nd: \nsaid\nand also: e f\n"; b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestParseDoctor(t *testing.T) {
	const all = `{"go":{"version":"go1.27.4","root":"/go"},"capabilities":[{"name":"atomics","ok":true,"why":""},{"name":"steering","ok":true}]}`
	report, err := parseDoctor(all)
	if err != nil {
		t.Fatal(err)
	}
	if o := report.outcome(); !o.OK || o.Says != "all 2" {
		t.Errorf("%+v", o)
	}
	report, err = parseDoctor(strings.Replace(all, `true,"why":""`, `false,"why":"no patch fits proc.go"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if o := report.outcome(); o.OK || o.Says != "without atomics" || o.Details != "go1.27.4 (/go): no atomics: no patch fits proc.go\n" {
		t.Errorf("%+v", o)
	}
	for _, text := range []string{"", "{}", "antichain: unknown flag"} {
		if _, err := parseDoctor(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestSuiteOutcome(t *testing.T) {
	const out = `| suite | run | tests | seconds | / plain | CPU seconds | / plain | MiB | MiB, antichain | reports | true | meant | false | not judged |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| std/sync | plain | 59 | 5.79 | 1.00 | 0.39 | 1.00 | 8.99 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 |
|  | antichain | 58 | 10.75 | 1.86 | 5.38 | 13.79 | 17.5 | 99.2 | 3.00 | 0.00 | 0.00 | 0.00 | 0.00 |
`
	for _, tt := range []struct {
		out  string
		code int
		says string
	}{
		{out, 0, "58 tests, 3 reported"},
		{out, 1, "58 tests, differs, 3 reported"},
		{strings.Replace(out, "3.00", "0.00", 1), 0, "58 tests"},
		{"", 0, "no result"},
	} {
		o := suiteOutcome(&commandResult{out: tt.out, code: tt.code}, "")
		if o.Says != tt.says || o.OK != (tt.code == 0 && tt.out != "") {
			t.Errorf("%+v, want %q", o, tt.says)
		}
	}
}

func TestAllows(t *testing.T) {
	for asked, want := range map[string]bool{"": true, "1.17": true, "1.25.0": true, "1.26.0": false, "1.27rc1": false, "?": false} {
		if got := allows(25, asked); got != want {
			t.Errorf("1.25 and go %s: %v", asked, got)
		}
	}
}

func TestGokerOutcome(t *testing.T) {
	const scores = `{"board":"single","program":"B","runs":10,"named":4,"profiled":1,"extras":null,"failures":null}
{"board":"single","program":"A","runs":10,"named":9,"profiled":0,"extras":[{"property":"closed","places":"a.go:1","judged":"true"}]}
{"board":"single","program":"C","runs":10,"named":0,"profiled":3}
`
	outcomeOf := func(board, text string) *outcome {
		all, err := parseScores(text)
		if err != nil {
			t.Fatal(err)
		}
		return gokerOutcome(board, all)
	}
	o := outcomeOf("single", scores)
	if !o.OK || o.Says != "1.3 of 3, profile 2" || o.Mean != 1.3 || strings.Join(o.Named, " ") != "A B" {
		t.Errorf("%+v", o)
	}
	o = outcomeOf("asis", strings.NewReplacer(`"runs":10`, `"runs":1`, `"profiled":1`, `"profiled":null`, `"profiled":0`, `"profiled":null`,
		`"profiled":3`, `"profiled":null`, `"true"`, `""`).Replace(scores))
	if o.OK || o.Says != "2 of 3, profile -, differs" || o.Details != "A: closed at a.go:1 is reported, which is not judged\n" {
		t.Errorf("%+v", o)
	}
	o = outcomeOf("fixed", strings.Replace(scores, `"failures":null`, `"failures":["run 1: unlock is unknown"]`, 1))
	if o.OK || o.Says != "3 programs, differs" || o.Details != "B: run 1: unlock is unknown\n" {
		t.Errorf("%+v", o)
	}
	if o := outcomeOf("fixed", ""); o.OK || o.Says != "no scores" {
		t.Errorf("%+v", o)
	}
	if _, err := parseScores("panic: x\n"); err == nil {
		t.Error("no error")
	}
}

func TestFeatureDiffers(t *testing.T) {
	f := &feature{code: 1, wants: []string{"^x", "(?m)^y$"}, never: "unknown"}
	for _, tt := range []struct {
		r    commandResult
		want string
	}{
		{commandResult{code: 1, out: "x\n", err: "y\n"}, ""},
		{commandResult{code: 0, out: "x\n", err: "y\n"}, "exit code 0, want 1"},
		{commandResult{code: 1, out: "x\n"}, "nothing matches (?m)^y$"},
		{commandResult{code: 1, out: "x\n", err: "y\nunknown"}, "unknown"},
	} {
		if got := f.differs(&tt.r); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestWriteModule(t *testing.T) {
	for _, f := range features {
		dir := t.TempDir()
		if err := writeModule(dir, f.files, 25); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"go.mod", "vendor/modules.txt", "go.work"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil && !strings.Contains(string(text), "go 1.25\n") {
				t.Errorf("%s: %s is\n%s", f.name, name, text)
			}
		}
	}
}

// A release that the repository does not allow has a copy with a go.mod that does.
func TestCopy(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "a/main.go", ".git/HEAD", ".ci/suites.txt", ".ci/run"} {
		if err := copyFile(os.DirFS("."), "workspace.go", filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := (&workspace{root: root}).copyTo(dir, 25); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if minor, err := asks(string(mod)); minor != 25 || err != nil {
		t.Errorf("asks for 1.%d, %v", minor, err)
	}
	for name, want := range map[string]bool{"go.sum": false, "a/main.go": true, ".git": false, ".ci/suites.txt": true, ".ci/run": false} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParse(t *testing.T) {
	s, err := parse([]string{"-releases", "1.26.0", "-cells", "^seeds$", "-kept", "x", "-retry"})
	if err != nil || s.releases != "1.26.0" || s.kept != "x" || !s.retry || len(s.chosenCells()) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, args := range [][]string{{"-cells", "("}, {"all"}, {"-none"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	if s, err = parse([]string{"-quick"}); err != nil || len(s.chosenCells()) != len(quick) {
		t.Errorf("quick: %d cells, %v", len(s.chosenCells()), err)
	}
	if s, err = parse(nil); err != nil || len(s.chosenCells()) != len(cells())-2 {
		t.Errorf("all: %d cells, %v", len(s.chosenCells()), err)
	}
}
