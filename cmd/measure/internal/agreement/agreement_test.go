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
