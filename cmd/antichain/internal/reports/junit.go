package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// writeJUnit writes XML as gotestsum does: a suite for each package with its tests and what was
// found in it, or for each trace with the properties.
func writeJUnit(w io.Writer, c *Collection) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitOf(c)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`

	seconds float64
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`

	seconds float64
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Error   *junitFailure `xml:"error,omitempty"` // there is no verdict
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junitOf returns the suites of what a verb has found.
func junitOf(c *Collection) *junitSuites {
	all := &junitSuites{Name: "antichain", Time: junitTime(0)}
	if c.Tests != nil {
		for _, p := range c.Tests.Packages {
			if s := junitPackage(p, c.accountsOf(p.Name), c.Go); len(s.Cases) > 0 {
				all.add(s)
			}
		}
	}
	for _, name := range c.otherSuites() {
		s := newJUnitSuite(name, 0, c.Go)
		s.addCases(Cases(c.accountsOf(name)), "")
		all.add(s)
	}
	return all
}

// suiteOf returns the name of the suite of an account: the package or the trace.
func suiteOf(a *report.Account) string {
	if a.Package != "" {
		return a.Package
	}
	return a.Trace
}

func (c *Collection) accountsOf(suite string) (all []*report.Account) {
	for _, a := range c.Accounts {
		if suiteOf(a) == suite {
			all = append(all, a)
		}
	}
	return all
}

// otherSuites returns the names of suites for accounts outside the packages that were tested.
func (c *Collection) otherSuites() (names []string) {
	for _, a := range c.Accounts {
		name := suiteOf(a)
		isTested := c.Tests != nil && slices.ContainsFunc(c.Tests.Packages, func(p *testevents.Package) bool { return p.Name == name })
		if !isTested && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// newJUnitSuite returns a suite with the version of Go as its property, unless that is empty.
func newJUnitSuite(name string, seconds float64, version string) *junitSuite {
	s := &junitSuite{Name: name, Time: junitTime(seconds), seconds: seconds}
	if version != "" {
		s.Properties = []junitProperty{{"go.version", version}}
	}
	return s
}

// junitTime writes seconds.
func junitTime(seconds float64) string { return fmt.Sprintf("%.6f", seconds) }

func (all *junitSuites) add(s *junitSuite) {
	all.Suites = append(all.Suites, *s)
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.seconds += s.seconds
	all.Time = junitTime(all.seconds)
}

// junitPackage returns the suite of a package: its tests, what was found in it, and what it fails
// for if no test does.
func junitPackage(p *testevents.Package, found []*report.Account, version string) *junitSuite {
	s := newJUnitSuite(p.Name, p.Seconds, version)
	if !p.Began.IsZero() {
		s.Timestamp = p.Began.UTC().Format(time.RFC3339)
	}
	byTest, others := ofTests(p.Tests, slices.DeleteFunc(Cases(found), isQuiet))
	failed := false
	for _, t := range p.Tests {
		failed = failed || hasFailed(p, t)
		s.addTest(t, hasFailed(p, t), byTest[t.Name])
	}
	if p.Result == "fail" && !failed {
		s.add(junitCase{Name: "TestMain", Failure: &junitFailure{Message: "Failed", Text: p.Build + string(p.Output)}})
	}
	s.addCases(others, testevents.Parent+"/")
	return s
}

// ofTests returns what fails, by the tests that it belongs to, and the cases that stand alone: they
// do not fail, or belong to none of these tests.
func ofTests(tests []*testevents.Test, cases []Case) (byTest map[string][]Case, others []Case) {
	byTest = map[string][]Case{}
	for _, t := range tests {
		byTest[t.Name] = nil
	}
	for _, c := range cases {
		stands := false
		for _, test := range c.Account.Tests {
			if _, ok := byTest[test]; ok && c.Result == "fail" {
				byTest[test] = append(byTest[test], c)
				stands = true
			}
		}
		if !stands {
			others = append(others, c)
		}
	}
	return byTest, others
}

// hasFailed reports whether go test says so, or the test did not come to its end. Of benchmarks the
// end is not known, but that of the package.
func hasFailed(p *testevents.Package, t *testevents.Test) bool {
	return t.Result == "fail" || t.Result == "" && p.Result != "pass"
}

// isQuiet reports whether there is nothing to say beside tests: a built-in property holds.
func isQuiet(c Case) bool { return c.Result == "pass" && c.Account.Builtin }

func (s *junitSuite) add(c junitCase) {
	c.Class = s.Name
	if c.Time == "" {
		c.Time = junitTime(0)
	}
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// addTest adds a test with what was found in it, which makes it fail.
func (s *junitSuite) addTest(t *testevents.Test, failed bool, found []Case) {
	c := junitCase{Name: t.Name, Time: junitTime(t.Seconds)}
	switch {
	case failed:
		c.Failure = &junitFailure{Message: "Failed", Text: string(t.Output)}
	case len(found) > 0:
		c.Failure = &junitFailure{Message: found[0].Message, Type: found[0].Account.Property}
	case t.Result == "skip":
		c.Skipped = &junitSkipped{strings.TrimSpace(string(t.Output))}
	}
	for _, f := range found {
		c.Failure.Text += f.Account.Text
	}
	s.add(c)
}

// addCases adds what was found.
func (s *junitSuite) addCases(cases []Case, prefix string) {
	for _, found := range cases {
		c := junitCase{Name: prefix + found.Name}
		switch found.Result {
		case "skip":
			c.Skipped = &junitSkipped{found.Message}
		case "fail":
			c.Failure = &junitFailure{Message: found.Message, Type: found.Account.Property, Text: found.Account.Text}
		case "error":
			c.Error = &junitFailure{Message: found.Message, Type: found.Account.Property, Text: found.Account.Text}
		}
		s.add(c)
	}
}
