package reports

import (
	"bytes"
	"encoding/xml"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/google/go-cmp/cmp"
)

// readJUnit writes a collection and reads it again.
func readJUnit(t *testing.T, c *Collection) (suites junitSuites) {
	t.Helper()
	var text bytes.Buffer
	if err := writeJUnit(&text, c); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(text.Bytes()) {
		t.Error("not UTF-8")
	}
	if err := xml.Unmarshal(text.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	return suites
}

// outline tells suites in short.
func outline(t *testing.T, suites *junitSuites) (lines []string) {
	t.Helper()
	all := junitSuites{}
	for _, s := range suites.Suites {
		lines = append(lines, s.Name)
		var n junitSuite
		for _, c := range s.Cases {
			n.Tests++
			line := "  " + c.Name
			switch {
			case c.Class != s.Name || c.Time == "":
				t.Errorf("%s: %+v", s.Name, c)
			case c.Failure != nil:
				n.Failures++
				line += " FAIL " + c.Failure.Type + ": " + c.Failure.Message
			case c.Skipped != nil:
				n.Skipped++
				line += " SKIP " + c.Skipped.Message
			case c.Error != nil:
				n.Errors++
				line += " ERROR " + c.Error.Message
			}
			lines = append(lines, line)
		}
		if n.Tests != s.Tests || n.Failures != s.Failures || n.Skipped != s.Skipped || n.Errors != s.Errors {
			t.Errorf("%s: counts %+v, want %+v", s.Name, s, n)
		}
		all.Tests, all.Failures, all.Errors = all.Tests+n.Tests, all.Failures+n.Failures, all.Errors+n.Errors
	}
	if all.Tests != suites.Tests || all.Failures != suites.Failures || all.Errors != suites.Errors {
		t.Errorf("counts %+v, want %+v", suites, all)
	}
	return lines
}

func TestJUnitOfTraces(t *testing.T) {
	c := sample()
	c.Accounts = append(c.Accounts, c.Accounts[0])
	suites := readJUnit(t, c)
	want := []string{
		"example.com/bank",
		"  deadlock FAIL deadlock: main.1 waits at bank/main.go:23 for to.mu, which main.2 holds (observed; confirmed: it happened in attempt 1)",
		"  stuck SKIP possible: main closes c, which is closed (predicted)",
		"  closed SKIP known: ignored at bank/main.go:50: it is closed once only",
		"  unlock SKIP known: goes away with issue 12",
		"  panic",
		"  waitgroup ERROR unknown: the trace was not read to its end",
		"  deadlock#01 FAIL deadlock: main.1 waits at bank/main.go:23 for to.mu, which main.2 holds (observed; confirmed: it happened in attempt 1)",
		hostile + "��� ",
		"  race FAIL race: " + hostile + " (predicted)",
		"ring.trace",
		"  same_element FAIL same_element: same_element is violated: t1 is main, at ring.go:7 (predicted)",
		"  not_t:(in.a) FAIL -e: -e is violated: t1 is main, at ring.go:7 (predicted)",
		"  not_t:(in.b) FAIL -e: -e is violated: t1 is main, at ring.go:7 (predicted)",
		"  calm",
		"  slow ERROR unknown: the time was over",
	}
	got := outline(t, &suites)
	for i, line := range got {
		got[i] = strings.ReplaceAll(line, "\n", " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if suites.Suites[0].Properties != nil {
		t.Error("nothing is known of Go, and there are properties")
	}
	if got := suites.Suites[0].Cases[0].Failure.Text; got != c.Accounts[0].Text {
		t.Errorf("%q", got)
	}
}

func TestJUnitOfTests(t *testing.T) {
	c := sample()
	c.Accounts = c.Accounts[:6]
	for _, a := range c.Accounts {
		a.Package, a.Trace = "example.com/bank", "bank.trace"
	}
	c.Tests = &testevents.Record{Packages: []*testevents.Package{
		{Name: "example.com/bank", Result: "pass", Seconds: 1.5, Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Tests: []*testevents.Test{
			{Name: "TestGood", Result: "pass", Seconds: 0.25}, {Name: "TestSkips", Result: "skip", Output: []byte("not now\n")},
			{Name: "BenchmarkGood", Output: []byte("1 ns/op\n")},
		}},
		{Name: "example.com/none", Result: "skip", Output: []byte("?\n")},
		{Name: "example.com/dies", Result: "fail", Output: []byte("exit status 3\n"), Tests: []*testevents.Test{{Name: "TestDies", Output: []byte("dies\n")}}},
		{Name: "example.com/nobuild", Result: "fail", Build: "x.go:1: undefined\n", Output: []byte("FAIL\n")},
	}}
	c.Ran(os.Args[0])
	suites := readJUnit(t, c)
	want := []string{
		"example.com/bank", "  TestGood", "  TestSkips SKIP not now", "  BenchmarkGood",
		"  antichain/deadlock FAIL deadlock: main.1 waits at bank/main.go:23 for to.mu, which main.2 holds (observed; confirmed: it happened in attempt 1)",
		"  antichain/stuck SKIP possible: main closes c, which is closed (predicted)",
		"  antichain/closed SKIP known: ignored at bank/main.go:50: it is closed once only",
		"  antichain/unlock SKIP known: goes away with issue 12",
		"  antichain/race FAIL race: " + hostile + " (predicted)",
		"example.com/dies", "  TestDies FAIL : Failed",
		"example.com/nobuild", "  TestMain FAIL : Failed",
	}
	if diff := cmp.Diff(want, outline(t, &suites)); diff != "" {
		t.Error(diff)
	}
	bank := suites.Suites[0]
	if bank.Time != "1.500000" || suites.Time != "1.500000" || bank.Timestamp != "2026-01-02T03:04:05Z" || bank.Cases[0].Time != "0.250000" {
		t.Errorf("%+v", bank)
	}
	if p := bank.Properties; len(p) != 1 || p[0] != (junitProperty{"go.version", runtime.Version()}) {
		t.Errorf("properties %+v", p)
	}
	if got := suites.Suites[2].Cases[0].Failure.Text; got != "x.go:1: undefined\nFAIL\n" {
		t.Errorf("%q", got)
	}
}

// A finding stands at each of its tests, unless it is known or of none of them.
func TestJUnitByTest(t *testing.T) {
	c := sample()
	c.Accounts = c.Accounts[:5]
	tests := [][]string{{"TestGood/part", "TestFails"}, {"TestGood"}, {"TestGood"}, nil, {"TestMain"}}
	for i, a := range c.Accounts {
		a.Package, a.Trace, a.Tests = "example.com/bank", "bank.trace", tests[i]
		a.Sentence, a.Confirmation = "it waits", ""
	}
	c.Tests = &testevents.Record{Packages: []*testevents.Package{{
		Name: "example.com/bank", Result: "fail", Output: []byte("fails\n"), Tests: []*testevents.Test{
			{Name: "TestGood", Result: "pass"}, {Name: "TestGood/part", Result: "skip", Output: []byte("not now\n")},
			{Name: "TestFails", Result: "fail", Output: []byte("no\n")},
		},
	}}}
	suites := readJUnit(t, c)
	want := []string{
		"example.com/bank", "  TestGood",
		"  TestGood/part FAIL deadlock: it waits (observed; in TestGood/part and TestFails)",
		"  TestFails FAIL : Failed",
		"  antichain/stuck SKIP possible: it waits (predicted; in TestGood)",
		"  antichain/closed SKIP known: ignored at bank/main.go:50: it is closed once only",
		"  antichain/unlock SKIP known: goes away with issue 12",
		"  antichain/race FAIL race: it waits (predicted; in TestMain)",
	}
	if diff := cmp.Diff(want, outline(t, &suites)); diff != "" {
		t.Error(diff)
	}
	if got, want := suites.Suites[0].Cases[2].Failure.Text, "no\n"+c.Accounts[0].Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTestsOf(t *testing.T) {
	all := []string{"TestA", "TestB", "TestC", "TestD", "TestE", "TestF", "TestG"}
	for n, want := range map[int]string{
		0: "", 1: "TestA", 6: "TestA, TestB, TestC, TestD, TestE and TestF",
		7: "TestA, TestB, TestC, TestD, TestE and 2 more",
	} {
		if got := testsOf(&report.Account{Tests: all[:n]}); got != want {
			t.Errorf("%q", got)
		}
	}
}
