// Package reports writes what a verb has found into files, for people and for other programs:
// --report FORMAT=FILE.
//
// A Collection takes the results while they are reported. When the verb ends, each Destination gets
// the whole collection in its format, or stays as it was.
package reports

import (
	"cmp"
	"debug/buildinfo"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/cmd/antichain/internal/view"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Contents say what reports show.
type Contents struct {
	All   bool // keep all results; else only those with known evidence, to count them
	Pages bool // a format is a page for people
	Draws bool // a format shows the order of runs, which are recorded in full
}

// Collection has the findings of a verb so far. A nil one ignores them.
type Collection struct {
	Contents
	Accounts []*report.Account
	Cut      bool               // not all was checked that was to be
	Tests    *testevents.Record `json:"-"` // of antichain test, if a format has them

	Page view.Document // of Pages
	Go   string        // the release of Go that has built what ran, "" if that is not known

	Drawings []*Drawing // of Draws
	drawn    *drawer    // of the last one
}

// formats are what --report can write.
var formats = map[string]format{
	"github":   {write: writeGitHub, stream: true},
	"html":     {write: writeHTML, draws: true, pages: true},
	"json":     {write: writeJSON},
	"junit":    {write: writeJUnit, tests: true},
	"markdown": {write: writeMarkdown},
	"perfetto": {write: writePerfetto, draws: true},
	"sarif":    {write: writeSARIF},
}

// Add takes a result of the run with the name trace.
func (c *Collection) Add(trace string, r *tlcheck.Assessment, style report.Style) error {
	if c == nil || !c.All && r.IsNews() {
		return nil
	}
	a, err := report.NewAccount(trace, r, style)
	if err != nil {
		return err
	}
	c.Accounts = append(c.Accounts, a)
	c.mark(trace, r.Result)
	c.show(trace, r, style)
	return nil
}

// Ran notes which executable has run.
func (c *Collection) Ran(binary string) {
	if c == nil {
		return
	}
	if info, err := buildinfo.ReadFile(binary); err == nil {
		c.Go = info.GoVersion
	}
}

// Include takes what another process has collected.
func (c *Collection) Include(other *Collection) {
	if c != nil && other != nil {
		c.Accounts = append(c.Accounts, other.Accounts...)
		c.Drawings = append(c.Drawings, other.Drawings...)
		c.Page.Findings = append(c.Page.Findings, other.Page.Findings...)
		c.Page.Runs = append(c.Page.Runs, other.Page.Runs...)
		c.Page.Notes = append(c.Page.Notes, other.Page.Notes...)
		c.Go = cmp.Or(c.Go, other.Go)
	}
}

// HasKnown reports whether some evidence is known, and so not reported as new.
func (c *Collection) HasKnown() bool {
	return c != nil && slices.ContainsFunc(c.Accounts, func(a *report.Account) bool { return a.Known != "" })
}

// writeJSON writes what --json prints.
func writeJSON(w io.Writer, c *Collection) error {
	for _, a := range c.Accounts {
		if _, err := fmt.Fprintf(w, "%s\n", a.Object); err != nil {
			return err
		}
	}
	return nil
}

// Case is an account in the form of a test case: as if a test had checked the property.
type Case struct {
	Account *report.Account
	Name    string // of the property, without spaces, and numbered where there are several
	Result  string // "pass", "fail", "skip" (does not count) or "error" (no verdict)
	Message string // why it does not pass, in a line
}

// Cases returns the accounts as cases.
func Cases(accounts []*report.Account) (all []Case) {
	seen := map[string]int{}
	for _, a := range accounts {
		c := Case{Account: a, Name: caseName(a)}
		if n := seen[c.Name]; n > 0 {
			seen[c.Name]++
			c.Name += fmt.Sprintf("#%02d", n)
		} else {
			seen[c.Name] = 1
		}
		c.Result, c.Message = resultOf(a)
		all = append(all, c)
	}
	return all
}

// resultOf returns the result that an account has as a test case, and why it does not pass.
func resultOf(a *report.Account) (result, message string) {
	switch {
	case a.Verdict == "holds":
		return "pass", ""
	case a.Verdict == "unknown":
		return "error", unknownOf(a)
	case a.Known != "":
		return "skip", "known: " + a.Known
	case a.Verdict == "possible":
		return "skip", "possible: " + sentenceOf(a)
	}
	return "fail", sentenceOf(a)
}

// unknownOf returns the reason why an account has no verdict.
func unknownOf(a *report.Account) string {
	return "unknown: " + cmp.Or(a.Covered, a.Sentence, "no reason is known")
}

// caseName names a property as tests are named: -e has no name but its formula.
func caseName(a *report.Account) string {
	name := a.Property
	if strings.HasPrefix(name, "-") {
		name = a.Formula
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '_'
		case r == '/': // of the parts of a test
			return '∕'
		}
		return r
	}, name)
}

// evidence returns the accounts of violations, possible ones and known ones, each with those that
// are reported together with it.
func (c *Collection) evidence() (all []*report.Account) {
	for _, a := range c.Accounts {
		if a.Fingerprint == "" || a.Verdict == "unknown" {
			continue
		}
		all = append(all, a)
		for i := range a.Also {
			all = append(all, &a.Also[i])
		}
	}
	return all
}

// unknown returns the accounts without a verdict.
func (c *Collection) unknown() (all []*report.Account) {
	for _, a := range c.Accounts {
		if a.Verdict == "unknown" {
			all = append(all, a)
		}
	}
	return all
}

// maxTests bounds the tests that a sentence names.
const maxTests = 5

// testsOf names the tests that evidence belongs to; "" if there are none, or they are not known.
func testsOf(a *report.Account) string {
	return wording.First(a.Tests, maxTests)
}

// sentenceOf returns a sentence: what is wrong, how it is known, and in which tests.
func sentenceOf(a *report.Account) string {
	text := a.Sentence
	if !a.Builtin {
		text = a.Property + " is violated: " + a.Sentence
	}
	text += " (" + a.How
	if a.Confirmation != "" {
		text += "; " + a.Confirmation
	}
	if tests := testsOf(a); tests != "" {
		text += "; in " + tests
	}
	return text + ")"
}
