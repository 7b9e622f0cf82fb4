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
// reported together with them. It is "" if the tests of one of them are unknown.
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
			if test := report.TestOf(&like.Party, r.Names); test != "" {
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

// pattern returns a pattern for go test -run of tests, "" if there are none.
func pattern(all []string) string {
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 1 {
		return "^" + all[0] + "$"
	}
	return "^(" + strings.Join(all, "|") + ")$"
}

// testsOf returns the tests that the parties of a finding belong to, as far as that is known.
func testsOf(f *builtin.Finding, names op.Names) []string {
	var tests []string
	for _, p := range f.Parties {
		if test := report.TestOf(&p, names); test != "" {
			tests = append(tests, test)
		}
	}
	return tests
}
