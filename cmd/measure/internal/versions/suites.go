//go:build unix

package versions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// suiteNames are the suites of the list of suites that are run.
var suiteNames = []string{"std/sync", "std/context", "std/time", "std/net/http", "x/sync"}

// xSync is the module of the suite x/sync: each of its versions asks for some version of Go.
const xSync = "golang.org/x/sync"

// suite runs a test suite plain and under antichain test, as measure suites does, which fails where
// a result differs, a report is not judged, or a verdict is unknown.
func suite(name string) func(context.Context, *site) (*outcome, error) {
	return func(ctx context.Context, s *site) (*outcome, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		reports := s.path("reports", fileName(s.name))
		args := []string{"suites", "-n", "1", "-antichain", s.executable, "-ways", "^antichain$", "-run", "^" + regexp.QuoteMeta(name) + "$", "-reports", reports}
		if name == "x/sync" {
			version, err := s.versionOf(ctx, xSync)
			if err != nil {
				return nil, err
			}
			args = append(args, "-module", xSync+"@"+version)
		}
		r, err := execute(ctx, s.linked, s.root, self, args...)
		if err != nil {
			return nil, err
		}
		return suiteOutcome(r, readReport(reports, name)), nil
	}
}

// readReport is what antichain said of a suite, "" if it said nothing.
func readReport(dir, name string) string {
	text, _ := os.ReadFile(filepath.Join(dir, fileName(name)+"antichain.txt"))
	return string(text)
}

// suiteRow is the row of a suite under antichain: how many tests there were, and how many reports.
var suiteRow = regexp.MustCompile(`(?m)^\|[^|]*\| antichain \| (\d+) \|(?:[^|]*\|){6} ([\d.]+) \|`)

// suiteOutcome reads what measure suites did.
func suiteOutcome(r *commandResult, report string) *outcome {
	o := &outcome{OK: r.code == 0 && r.aborted == nil}
	m := suiteRow.FindStringSubmatch(r.out)
	switch {
	case m == nil:
		o.OK, o.Says = false, "no result"
	case o.OK:
		o.Says = m[1] + " tests"
	default:
		o.Says = m[1] + " tests, differs"
	}
	if m != nil {
		if n, err := strconv.ParseFloat(m[2], 64); err == nil && n > 0 {
			o.Says += fmt.Sprintf(", %.0f reported", n)
		}
	}
	if !o.OK {
		o.Details = r.details() + excerpt(report)
	}
	return o
}

// versionOf is the newest version of a module that this release allows.
func (s *site) versionOf(ctx context.Context, module string) (string, error) {
	list, err := goOutput(ctx, s.workspace.env, s.workspace.dir, "list", "-m", "-versions", module)
	if err != nil {
		return "", err
	}
	versions := strings.Fields(list)[1:]
	for _, v := range slices.Backward(versions) {
		asked, err := goOutput(ctx, s.workspace.env, s.workspace.dir, "list", "-m", "-f", "{{.GoVersion}}", module+"@"+v)
		if err != nil {
			return "", err
		}
		if allows(s.minor, asked) {
			return v, nil
		}
	}
	return "", errors.New("every version of " + module + " asks for a newer version of Go")
}

// allows reports whether a minor version is what the go line of a module asks for, or later.
func allows(minor int, asked string) bool {
	if asked == "" {
		return true // written before there was such a line
	}
	m, err := minorOf("go" + asked)
	return err == nil && m <= minor
}
