package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/google/go-cmp/cmp"
)

// verdictComment is how an example's specification says what comes out.
var verdictComment = regexp.MustCompile(`^// Verdict: (holds|violated)\.$`)

// TestExamples runs every example with every specification below it and compares the verdicts
// with the comment "// Verdict: …" above each property.
func TestExamples(t *testing.T) {
	t.Parallel()
	eachExample(t, runExample)
}

// TestPredictOnTraces runs every example over other orders of critical sections, and compares the
// report with that on its trace.
func TestPredictOnTraces(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, path string) {
		trace := filepath.Join(t.TempDir(), "run.trace")
		ran, _, want := runVerb(t, "run", "--predict", "locks", "-o", trace, "--spec", path, examplePackage(path))
		checked, got, _ := runVerb(t, "check", "--predict", "locks", "--spec", path, trace)
		if verdict := regexp.MustCompile(`(?m)^\w+: (violated|holds|unknown)`).FindStringIndex(want); verdict != nil {
			if strings.Contains(want[:verdict[0]], "panic: ") { // a trace does not say so
				got = strings.ReplaceAll(got, ", panic; off", "; off")
				want = strings.ReplaceAll(want, "; left out: panic, since the program itself has crashed", "")
			}
			want = want[verdict[0]:]
		}
		commands := regexp.MustCompile(`(?m)^ *antichain.*\n`)
		want, got = commands.ReplaceAllString(want, ""), commands.ReplaceAllString(got, "")
		if diff := cmp.Diff(want, got); diff != "" || ran != checked || ran > exit.Violated {
			t.Errorf("exit codes %d, %d; -run +check:\n%s", ran, checked, diff)
		}
	})
}

// eachExample calls a function with each specification below the examples, in a test of its own.
func eachExample(t *testing.T, f func(t *testing.T, path string)) {
	t.Helper()
	specs := 0
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "checkout" {
			return fs.SkipDir // its specification is about what the program prints: TestCheckout
		}
		if err != nil || filepath.Ext(path) != ".tl" {
			return err
		}
		specs++
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), "../../examples/"), func(t *testing.T) {
			t.Parallel()
			f(t, path)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if specs == 0 {
		t.Fatal("no specification below examples")
	}
}

func runExample(t *testing.T, path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := spec.Parse(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := runVerb(t, "run", "--json", "--spec", path, examplePackage(path))
	type verdict struct{ Property, Verdict string }
	got := map[string]verdict{}
	for l := range strings.Lines(errs) {
		var o verdict
		if strings.HasPrefix(l, "{") {
			if err := json.Unmarshal([]byte(l), &o); err != nil {
				t.Fatalf("%v in %s", err, l)
			}
			got[o.Property] = o
		}
	}
	lines := strings.Split(string(src), "\n")
	wantCode := exit.Holds
	for _, p := range file.Properties {
		m := verdictComment.FindStringSubmatch(lines[p.Pos.Line-2])
		if m == nil {
			t.Errorf("%s:%d: no comment \"// Verdict: …\" above property %s", path, p.Pos.Line, p.Name)
			continue
		}
		if m[1] == "violated" {
			wantCode = exit.Violated
		}
		if got[p.Name].Verdict != m[1] {
			t.Errorf("%s: %q, want %s", p.Name, got[p.Name].Verdict, m[1])
		}
	}
	if code != wantCode {
		t.Errorf("exit code %d, want %d", code, wantCode)
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", out, errs)
	}
}

// examplePackage returns the package of the example that a specification is about.
func examplePackage(path string) string {
	program := filepath.Dir(path)
	if _, err := os.Stat(filepath.Join(program, "main.go")); err != nil {
		program = filepath.Dir(program) // a specification of the program above
	}
	return "./" + filepath.ToSlash(program)
}

// runVerb runs antichain in this process, with files as a traced program needs them.
func runVerb(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	content := func(f *os.File) string {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	in, out, errs := file("in"), file("out"), file("err")
	defer in.Close()
	code = mainerr(args, terminal.Streams{In: in, Out: out, Err: errs})
	return code, content(out), content(errs)
}

// TestExampleFindings runs every example with all built-in properties: nothing but these is
// reported.
func TestExampleFindings(t *testing.T) {
	t.Parallel()
	want := map[string]string{"bank": "deadlock", "ringbuffer": "race", "workers": "closed race"}
	for _, name := range []string{"bank", "mergesort", "peterson", "ringbuffer", "ringbuffer/fixed", "workers"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A specification that says nothing stands in for those beside the program.
			var out, errs string
			for ok := false; !ok; ok = name != "workers" || strings.Contains(out, "sum of squares: 14\n") {
				// Else the bug has happened, and main was faster than the worker that would have
				// shown it: nothing was sent that could come too late.
				_, out, errs = runVerb(t, "run", "--json", "--builtin", "all", "-e", "t:(true)", "./../../examples/"+name)
			}
			var got []string
			for l := range strings.Lines(errs) {
				var o struct{ Builtin, Verdict string }
				if strings.HasPrefix(l, "{") && json.Unmarshal([]byte(l), &o) == nil && o.Builtin != "" && o.Verdict != "holds" {
					got = append(got, o.Builtin)
				}
			}
			slices.Sort(got)
			if found := strings.Join(slices.Compact(got), " "); found != want[name] {
				t.Errorf("found %q, want %q\n%s", found, want[name], errs)
			}
		})
	}
}
