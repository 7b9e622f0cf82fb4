package findings

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
)

// TestPattern returns a pattern for go test -run: the tests of findings, and of those that are
// reported together with them. It is "" if the tests of one of them are unknown, or if -run does
// not choose one.
func TestPattern(found []*tlcheck.Assessment) string {
	var all []string
	for _, r := range found {
		if r.Finding == nil {
			return ""
		}
		tests := testsOf(r.Finding, r.Names)
		if len(tests) == 0 {
			return ""
		}
		all = append(all, tests...)
		for _, like := range r.Finding.Alike {
			if test := report.TestOf(&like.Party, r.Names); test != "" && test != op.OutsideTests {
				all = append(all, test)
			}
		}
	}
	return pattern(all)
}

// PatternOfOne is TestPattern for one finding without those like it.
func PatternOfOne(r *tlcheck.Result) string {
	if r.Finding == nil {
		return ""
	}
	return pattern(testsOf(r.Finding, r.Names))
}

// maxInPattern bounds the number of tests that a pattern chooses.
const maxInPattern = 20

// pattern returns a pattern for go test -run of tests, "" if there are none, or if it does not
// choose one of them, or if they are too many for a command line. A test runs with all of its
// parts: these may have other names in the next run, or need what those before them have done.
func pattern(all []string) string {
	if slices.ContainsFunc(all, isBenchmark) {
		return ""
	}
	for i, test := range all {
		all[i], _, _ = strings.Cut(test, "/")
	}
	slices.Sort(all)
	all = slices.Compact(all)
	switch n := len(all); {
	case n == 0 || n > maxInPattern:
		return ""
	case n == 1:
		return "^" + all[0] + "$"
	}
	return "^(" + strings.Join(all, "|") + ")$"
}

// isBenchmark reports whether go test -run does not choose a test.
func isBenchmark(test string) bool { return strings.HasPrefix(test, "Benchmark") }

// testsOf returns the tests that the parties of a finding belong to, as far as that is known.
func testsOf(f *builtin.Finding, names op.Names) []string {
	var tests []string
	for _, p := range f.Parties {
		if test := report.TestOf(&p, names); test != "" && test != op.OutsideTests {
			tests = append(tests, test)
		}
	}
	return tests
}
