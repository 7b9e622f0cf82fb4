//go:build unix

package versions

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
)

// longTests are tests of goroot that the short run leaves out. They take longest, and TestSeeds,
// TestConflicts and TestPrepare come close to what they test.
const longTests = "^(TestSeedsFindBugs|TestInstrumentedSync|TestOtherArchitecture)$"

func selfTestsShort(ctx context.Context, s *site) (*outcome, error) {
	return goroot(ctx, s, "-test.skip="+longTests)
}

func selfTestsOfGoroot(ctx context.Context, s *site) (*outcome, error) { return goroot(ctx, s) }

// goroot runs the tests of the hooks in the runtime.
func goroot(ctx context.Context, s *site, args ...string) (*outcome, error) {
	return testsOf(ctx, s, "./internal/tracer/instrument/goroot", args...)
}

// selfTestsOfInstrument runs the tests of the packages around it.
func selfTestsOfInstrument(ctx context.Context, s *site) (*outcome, error) {
	list, err := goOutput(ctx, s.workspace.env, s.workspace.root, "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./internal/tracer/instrument/...")
	if err != nil {
		return nil, err
	}
	t := new(testTally)
	for _, path := range strings.Fields(list) {
		pkg := "." + strings.TrimPrefix(path, checkout.Module)
		if pkg == "./internal/tracer/instrument/goroot" {
			continue
		}
		if err := t.run(ctx, s, pkg); err != nil {
			return nil, err
		}
	}
	return t.outcome(), nil
}

// examples runs every example with every specification, and with all built-in properties.
func examples(ctx context.Context, s *site) (*outcome, error) {
	return testsOf(ctx, s, "./cmd/antichain", "-test.run=^(TestExamples|TestExampleFindings|TestCheckout)$")
}

// builtInPrograms runs all the programs that explain the built-in properties.
func builtInPrograms(ctx context.Context, s *site) (*outcome, error) {
	return testsOf(ctx, s, "./cmd/antichain", "-test.run=^TestBuiltinPrograms$")
}

// somePrograms runs some of them once: those of the properties that are checked by default.
func somePrograms(ctx context.Context, s *site) (*outcome, error) {
	return testsOf(ctx, s, "./cmd/antichain", "-test.short", "-test.run=^TestBuiltinPrograms$/^usual$")
}

// lease tests the example that has the checker compiled into its tests, by the release's own go.
func lease(ctx context.Context, s *site) (*outcome, error) {
	r, err := execute(ctx, s.env, s.root, "go", "test", "-count=1", "./examples/lease")
	if err != nil {
		return nil, err
	}
	c := new(check)
	differs := ""
	if r.code != 0 {
		differs = "the test fails"
	}
	c.expect("examples/lease", r, differs)
	return c.outcome(), nil
}

// testsOf runs tests of one package that the local go has built: the programs in them are built by
// the release.
func testsOf(ctx context.Context, s *site, pkg string, args ...string) (*outcome, error) {
	t := new(testTally)
	if err := t.run(ctx, s, pkg, args...); err != nil {
		return nil, err
	}
	return t.outcome(), nil
}

// A testTally is what the tests of packages showed.
type testTally struct {
	passed int    // without the parents of subtests
	failed []part // tests, or packages whose tests ended early
}

// run runs the tests of a package in its directory in the checkout.
func (t *testTally) run(ctx context.Context, s *site, pkg string, args ...string) error {
	binary, err := s.tests(ctx, pkg)
	if err != nil {
		return err
	}
	args = append([]string{"-test.v", "-test.timeout=0"}, args...)
	r, err := execute(ctx, s.linked, filepath.Join(s.root, pkg), binary, args...)
	if err != nil {
		return err
	}
	passed, failed := parseTests(r.out)
	t.passed += len(passed)
	for _, name := range failed {
		t.failed = append(t.failed, part{name, "\n" + excerpt(saidBy(r.out, name))})
	}
	if r.code != 0 && len(failed) == 0 || r.aborted != nil {
		t.failed = append(t.failed, part{pkg, "\n" + r.details()})
	}
	return nil
}

// outcome says how many tests pass.
func (t *testTally) outcome() *outcome {
	var details strings.Builder
	writeParts(&details, t.failed)
	o := &outcome{Details: details.String(), Failing: t.failed}
	switch {
	case len(t.failed) > 0:
		o.Says = fmt.Sprintf("%d of %d fail", len(t.failed), len(t.failed)+t.passed)
	case t.passed == 0:
		o.Says = "no test ran"
	default:
		o.OK, o.Says = true, fmt.Sprintf("%d pass", t.passed)
	}
	return o
}

// testResult is the line of a test that has ended.
var testResult = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL): (\S+) \(`)

// parseTests reads the tests that pass and fail from what go test -v prints. A test with subtests
// is not counted itself.
func parseTests(out string) (passed, failed []string) {
	names := make(map[string]string)
	parents := make(map[string]bool)
	var order []string
	for _, m := range testResult.FindAllStringSubmatch(out, -1) {
		names[m[2]] = m[1]
		order = append(order, m[2])
		if i := strings.LastIndexByte(m[2], '/'); i >= 0 {
			parents[m[2][:i]] = true
		}
	}
	slices.Sort(order)
	for _, name := range slices.Compact(order) {
		switch {
		case parents[name]:
		case names[name] == "PASS":
			passed = append(passed, name)
		default:
			failed = append(failed, name)
		}
	}
	if len(failed) == 0 { // a test fails although all its subtests pass
		for name := range parents {
			if names[name] == "FAIL" {
				failed = append(failed, name)
			}
		}
		slices.Sort(failed)
	}
	return passed, failed
}

// saidBy are the lines that a test has written, in parts of the output that begin with its name.
func saidBy(out, name string) string {
	var lines []string
	in := false
	for line := range strings.Lines(out) {
		if m := testPart.FindStringSubmatch(line); m != nil {
			in = m[1] == name
		}
		if in && !strings.HasPrefix(line, "=== ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

// testPart is a line after which lines are those of a test.
var testPart = regexp.MustCompile(`^(?:=== (?:RUN|CONT|NAME|PAUSE) +| *--- (?:FAIL|PASS|SKIP): )(\S+)`)
