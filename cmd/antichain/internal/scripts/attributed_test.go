package scripts

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/rogpeppe/go-internal/testscript"
)

// attributed is the script command "attributed FOUND.json FILE.go": the findings are those of the
// comments in the file, and each comment names the tests of the goroutine that stands there.
func attributed(ts *testscript.TestScript, neg bool, args []string) {
	want := wantedTests(ts, neg, args)
	found := map[string]bool{}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var result report.BuiltinObject
		ts.Check(json.Unmarshal([]byte(line), &result))
		for _, f := range result.Findings() {
			if f.FindingObject == nil || f.Verdict == "holds" {
				continue
			}
			at := filepath.Base(f.Parties[0].At)
			slices.Sort(f.Tests)
			if isPossible := f.Verdict == "possible"; isPossible != want[at].possible {
				ts.Fatalf("%s is %s", at, f.Verdict)
			}
			if !slices.Equal(f.Tests, want[at].tests) || !slices.Contains(f.Tests, f.Parties[0].Test) {
				ts.Fatalf("%s is in %q, of %q, not %q", at, f.Parties[0].Test, f.Tests, want[at].tests)
			}
			found[at] = true
		}
	}
	for at, w := range want {
		if !found[at] {
			ts.Fatalf("nothing is found at %s, in %q", at, w.tests)
		}
	}
}

// fails is the script command "fails FOUND.xml FILE.go": just the tests fail that the comments
// name. Findings of no test stand below antichain.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	want := map[string]bool{}
	for _, w := range wantedTests(ts, neg, args) {
		for _, test := range w.tests {
			want[test] = want[test] || !w.possible
		}
	}
	var suites struct {
		Cases []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	ts.Check(xml.Unmarshal([]byte(ts.ReadFile(args[0])), &suites))
	got := 0
	for _, c := range suites.Cases {
		if strings.HasPrefix(c.Name, "antichain/") {
			continue
		}
		if failed := c.Failure != nil; failed != want[c.Name] {
			ts.Fatalf("%s fails: %v", c.Name, failed)
		} else if failed {
			got++
		}
	}
	if got < 30 {
		ts.Fatalf("%d tests fail", got)
	}
}

// wanted is what a comment wants.
type wanted struct {
	possible bool
	tests    []string
}

// wantedTests returns what the comments of a file want, by their places.
func wantedTests(ts *testscript.TestScript, neg bool, args []string) map[string]wanted {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: attributed FOUND.json FILE.go, fails FOUND.xml FILE.go")
	}
	all, line := map[string]wanted{}, 0
	for text := range strings.Lines(ts.ReadFile(args[1])) {
		line++
		if m := testComment.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			all[fmt.Sprintf("%s:%d", args[1], line)] = wanted{m[1] != "", strings.Fields(m[2])}
		}
	}
	if len(all) < 15 {
		ts.Fatalf("%d comments", len(all))
	}
	return all
}

var testComment = regexp.MustCompile(`// (possibly )?in ((?:Test|Fuzz|Example|Benchmark).*)$`)
