//go:build unix

package agreement

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/findingset"
)

// TestAgreement is a short form of .ci/long compare.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program for two processes")
	}
	t.Chdir("../../../..")
	var out strings.Builder
	if err := Run([]string{"-kafka", "", "-run", "^built-in (deadlock (abbaNow|gate)|closed closeTwice)$"}, &out); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
	if want := "3 programs with 2 findings, each by 4 other ways: 0 differences; not checked: 0\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%s, want %s", &out, want)
	}
}

// What differs is shown, and is an error.
func TestDifferences(t *testing.T) {
	parse := func(texts ...string) []*findingset.Report {
		all, err := findingset.Parse([]byte(strings.Join(texts, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	const (
		holds    = `{"trace":"x","builtin":"race","verdict":"holds"}`
		violated = `{"trace":"x","builtin":"race","verdict":"violated","how":"observed","parties":[{"op":"w","at":"a.go:1"}]}`
		noted    = `{"trace":"x","builtin":"race","verdict":"violated","how":"observed","parties":[{"op":"w","at":"a.go:1"}],"notes":["n"]}`
	)
	for _, test := range []struct {
		run, check, pipe, row string
		failed                bool
	}{
		{violated, violated, noted, "1 same same", false},
		{violated, noted, violated, "1 differs same", true}, // every word counts
		{violated, violated, holds, "1 same differs", true},
		{holds, holds, "", "0 same differs", true},
	} {
		r := &run{program: &program{name: "p"}, found: parse(test.run), by: map[string][]*findingset.Report{wayCheck: parse(test.check), wayPipe: parse(test.pipe)}}
		table := &table{columns: []string{wayCheck, wayPipe}}
		table.add(&group{name: "g"}, []*run{r})
		if got := strings.Join(table.rows[0][2:], " "); got != test.row {
			t.Errorf("%q, want %q", got, test.row)
		}
		if err := table.err(); (err != nil) != test.failed || len(table.details) > 0 != test.failed {
			t.Errorf("%s: %v, %q", test.row, err, table.details)
		}
	}
}

// Reports are compared to the last word, but for the name of the run.
func TestWords(t *testing.T) {
	parsed := func(text string) []*findingset.Report {
		all, err := findingset.Parse([]byte(text + "\n"))
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all
	}
	const one = `{"trace":"a","builtin":"race","verdict":"violated","how":"observed","text":"t","count":1,` +
		`"parties":[],"schedule":[],"happened":true,"notes":["n"]}`
	same, other := strings.Replace(one, `"a"`, `"b"`, 1), strings.Replace(one, `"n"`, `"m"`, 1)
	if d := differences(wordsOf(parsed(one)), wordsOf(parsed(same))); len(d) > 0 {
		t.Errorf("%q", d)
	}
	if d := differences(wordsOf(parsed(one)), wordsOf(parsed(other))); len(d) != 2 {
		t.Errorf("%q", d)
	}
}

// A verdict that is repeated has its id again.
func TestRenamed(t *testing.T) {
	finding := func(id, how, parties string) string {
		return `{"id":"` + id + `","run":"a","builtin":"deadlock","how":"` + how + `","parties":[` + parties + `]}`
	}
	const one, two = `{"op":"lock","at":"1"}`, `{"op":"lock","at":"1"},{"op":"lock","at":"1"}`
	for _, test := range []struct {
		first, second string
		want          int
	}{
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`, 0},
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"2","run":"b","builtin":"race","verdict":"holds"}`, 0},
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"2","run":"a","builtin":"race","verdict":"holds"}`, 1},
		{`{"id":"1","run":"a","error":"broken"}`, `{"id":"2","run":"a","error":"broken"}`, 1},
		{finding("1", "observed", one), finding("1", "observed", one), 0},
		{finding("1", "observed", one), finding("2", "observed", one), 1},
		{finding("1", "predicted", one), finding("2", "observed", one), 0},
		{finding("1", "observed", one), finding("2", "observed", two), 0},
	} {
		text := test.first + "\n" + test.second
		all, err := findingset.Parse([]byte(text))
		if err != nil || len(all) != 2 {
			t.Fatalf("%v, %v", all, err)
		}
		if got := renamed(all); len(got) != test.want {
			t.Errorf("%s: %q, want %d", text, got, test.want)
		}
	}
}
