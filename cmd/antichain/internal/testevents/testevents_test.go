package testevents

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"gotest.tools/gotestsum/testjson"
)

// module has tests of all kinds.
const module = `
-- go.mod --
module example.com/m

go 1.26
-- fails/fails_test.go --
package fails

import (
	"fmt"
	"os"
	"testing"
)

func TestFirst(t *testing.T) {
	t.Log("of a test that passes")
	fmt.Println("printed by a test that passes")
	t.Run("part", func(t *testing.T) { fmt.Println("printed by a part") })
}

func TestFails(t *testing.T) {
	fmt.Println("printed by a test that fails")
	t.Log("a log")
	t.Run("part/of", func(t *testing.T) { t.Run("deep", func(t *testing.T) { t.Error("deep\ndown") }); t.Log("up") })
	t.Run("good", func(t *testing.T) { t.Log("of a part that passes") })
	t.Error("at the end")
}

func TestSkips(t *testing.T) { t.Skip("not now") }

func TestParallel(t *testing.T) {
	for i := range 1 {
		t.Run(fmt.Sprint(i), func(t *testing.T) { t.Parallel(); t.Errorf("parallel %d", i) })
	}
}

func TestMain(m *testing.M) {
	fmt.Println("first")
	code := m.Run()
	fmt.Println("last")
	os.Exit(code)
}
-- good/good.go --
package good

func Covered() int { return 1 }

func Other() int { return 2 }
-- good/good_test.go --
package good

import (
	"fmt"
	"testing"
)

func TestGood(t *testing.T) {
	fmt.Println("not shown")
	t.Log("nor this", Covered())
}

func BenchmarkGood(b *testing.B) {
	for b.Loop() {
		Covered()
	}
}
-- nobuild/nobuild_test.go --
package nobuild

import "testing"

func TestNever(t *testing.T) { undefined() }
-- none/none.go --
package none
-- panics/panics_test.go --
package panics

import "testing"

func TestPanics(t *testing.T) {
	t.Log("before")
	panic("now")
}

func TestNever(t *testing.T) {}
-- runs/runs_test.go --
package runs

import (
	"os"
	"testing"
)

func TestExits(t *testing.T) {
	t.Log("before")
	os.Exit(3)
}
`

// goTest runs the tests of the module.
func goTest(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test", "-count=1", "-vet=off", "-p=1"}, args...)...)
	cmd.Dir = dir
	var out, err strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &err
	if failed := cmd.Run(); failed != nil {
		if _, ok := failed.(*exec.ExitError); !ok {
			t.Fatal(failed)
		}
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// unpack writes the module into a directory.
func unpack(t *testing.T) string {
	t.Helper()
	dir := commandtest.Directory(t)
	for _, f := range txtar.Parse([]byte(module)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var (
	duration = regexp.MustCompile(`\s+[0-9.]+ ns/op|[0-9]+\.[0-9]+s\b|\b0x[0-9a-f]+|\+0x[0-9a-f]+|goroutine [0-9]+`)
)

// constant is a text without what differs from run to run.
func constant(text string) string { return duration.ReplaceAllString(text, "N") }

// TestPrintedAsGoTest compares what is printed of the events with what go test prints.
func TestPrintedAsGoTest(t *testing.T) {
	t.Parallel()
	dir := unpack(t)
	for _, flags := range [][]string{
		{"./..."}, {"-v", "./..."}, {"-cover", "./good"}, {"-run=None", "./good", "./fails"}, {"-v", "-count=2", "-short", "./fails"},
		{"-list=.", "./good", "./fails"}, {"-run=None", "-bench=.", "-benchtime=1x", "./good"},
	} {
		name := fmt.Sprint(flags)
		want, wantErr, code := goTest(t, dir, flags...)
		events, rest, jsonCode := goTest(t, dir, append([]string{"-json"}, flags...)...)
		var out, err strings.Builder
		s := Print(&out, &err, flags[0] == "-v", slices.Contains(flags, "-bench=.") || slices.Contains(flags, "-list=."))
		for part := range strings.SplitAfterSeq(events, `"Pack`) { // lines come in pieces
			if _, err := s.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.End(jsonCode); err != nil {
			t.Fatal(err)
		}
		if code != jsonCode {
			t.Errorf("%s: exit code %d, with -json %d", name, code, jsonCode)
		}
		// the events have the one, and not the other
		want = strings.Replace(want, "exit status 3\n", "    runs_test.go:9: before\n", 1)
		if diff := cmp.Diff(constant(want), constant(out.String())); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(constant(wantErr), constant(err.String()+rest)); diff != "" {
			t.Errorf("%s: standard error: %s", name, diff)
		}
	}
}

// TestRecord compares what is recorded with what gotestsum reads.
func TestRecord(t *testing.T) {
	t.Parallel()
	events, _, _ := goTest(t, unpack(t), "-json", "./...")
	s := PassOn(new(bytes.Buffer), func(string) []Finding { return nil })
	if _, err := s.Write([]byte(events)); err != nil {
		t.Fatal(err)
	}
	read := scan(t, events)
	tests := 0
	for _, p := range s.Record.Packages {
		other := read.Package(p.Name)
		if other == nil {
			t.Errorf("gotestsum has no package %s", p.Name)
			continue
		}
		if string(other.Result()) != p.Result && p.Result != "skip" { // which it does not tell
			t.Errorf("%s: %s, gotestsum: %s", p.Name, p.Result, other.Result())
		}
		results := map[string][]testjson.TestCase{"pass": other.Passed, "fail": other.Failed, "skip": other.Skipped}
		for result, cases := range results {
			for _, c := range cases {
				if c.Test.Name() == "" {
					continue
				}
				tests++
				if got := p.test(c.Test.Name()); got == nil || got.Result != result && !(result == "fail" && got.Result == "") {
					t.Errorf("%s: %s: %+v, gotestsum: %s", p.Name, c.Test.Name(), got, result)
				} else if result == "fail" && string(got.Output) != strings.Join(other.OutputLines(c), "") {
					t.Errorf("%s: %s: %s", p.Name, c.Test.Name(), cmp.Diff(string(got.Output), strings.Join(other.OutputLines(c), "")))
				}
			}
		}
		tests -= len(p.Tests)
	}
	if tests != 0 {
		t.Errorf("gotestsum reads %d tests more", tests)
	}
}

func (p *Package) test(name string) *Test {
	for _, t := range p.Tests {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// scan has gotestsum read events.
func scan(t *testing.T, events string) *testjson.Execution {
	t.Helper()
	read, err := testjson.ScanTestOutput(testjson.ScanConfig{Stdout: strings.NewReader(events), Handler: strict{t}})
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// strict fails for what is no event.
type strict struct{ t *testing.T }

func (strict) Event(testjson.TestEvent, *testjson.Execution) error { return nil }

func (s strict) Err(text string) error {
	s.t.Errorf("gotestsum: %s", text)
	return nil
}

// TestPassOn has gotestsum read events with findings among them.
func TestPassOn(t *testing.T) {
	t.Parallel()
	events, _, _ := goTest(t, unpack(t), "-json", "./...")
	found := map[string][]Finding{
		"example.com/m/good":  {{Name: "deadlock", Result: "fail", Text: "deadlock: \"violated\"\n    x <- y\n"}, {Name: "stuck", Result: "skip", Text: "known"}},
		"example.com/m/fails": {{Name: "closed", Result: "fail", Text: "closed\n"}},
	}
	var out bytes.Buffer
	s := PassOn(&out, func(pkg string) []Finding { return found[pkg] })
	if _, err := s.Write([]byte(events)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(events) {
		if !strings.Contains(out.String(), line) && !strings.Contains(line, `"Action":"pass","Package":"example.com/m/good","Elapsed"`) {
			t.Errorf("not passed on: %s", line)
		}
	}
	before, read := scan(t, events), scan(t, out.String())
	good := read.Package("example.com/m/good")
	if len(good.Failed) != 2 || good.Result() != testjson.ActionFail || len(good.Skipped) != 1 {
		t.Fatalf("%+v", good)
	}
	want := "=== RUN   antichain/deadlock\n    deadlock: \"violated\"\n        x <- y\n--- FAIL: antichain/deadlock (0.00s)\n"
	if diff := cmp.Diff(want, strings.Join(good.OutputLines(good.Failed[0]), "")); diff != "" {
		t.Error(diff)
	}
	if got := read.Total() - before.Total(); got != 5 {
		t.Errorf("%d tests more, want 3 and 2 that they are parts of", got)
	}
	fails := read.Package("example.com/m/fails")
	if len(fails.Failed) != len(before.Package("example.com/m/fails").Failed)+2 {
		t.Errorf("%+v", fails.Failed)
	}
}

// TestOtherLines passes through what is no event.
func TestOtherLines(t *testing.T) {
	var out bytes.Buffer
	s := Print(&out, &out, false, false)
	text := "go: warning\n{\"no\": \"event\"}\n{\nrest"
	if _, err := s.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := s.End(0); err != nil || out.String() != text {
		t.Errorf("%v: %q", err, out.String())
	}
}
