//go:build unix

package found

import (
	"errors"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestPrograms builds all programs. Every place that a report must name is there, every property is
// in a specification, and every program has a twin.
func TestPrograms(t *testing.T) {
	files, programs, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) < 42 {
		t.Errorf("%d programs", len(programs))
	}
	if testing.Short() {
		t.Skip("builds many programs")
	}
	dir := t.TempDir()
	if err := corpus.WriteModule(dir, files); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", "-unusedresult", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBoard has two programs. The bug of one is named in the second run of the first way, and once
// reported of its twin. That of the other one is not named.
func TestBoard(t *testing.T) {
	main := &fstest.MapFile{Data: []byte("package main\n\nfunc f() {\n\tprintln(1)\n}\n")}
	files := fstest.MapFS{}
	for _, name := range []string{"one", "two"} {
		files[name+"/bug/main.go"], files[name+"/fixed/main.go"] = main, main
	}
	b := &board{ways: []way{{name: "default"}, {name: "all"}}, rows: rowsOf(t, files)}
	stuck := &reported.Reports{Findings: []*report.BuiltinObject{{
		Builtin: "stuck",
		FindingObject: &report.FindingObject{How: "observed", Text: "it waits",
			Parties: []report.PartyObject{{PlacedObject: report.PlacedObject{At: "main.go:4"}}}},
	}}}
	b.rows[0][0].Runs = 2
	b.rows[0][0].Add(2, stuck)
	b.rows[0][0].AddTwin(stuck)
	b.rows[1][1].Fail("run", 1, errors.New("no build"))
	var text strings.Builder
	b.write(&text)
	const want = `program class default twin all twin
one class 1 stuck observed, run 2 1 - -
two class - - - -

named in one of the ways: 1 of 2
default: named: 1 of 2; twins with reports: 1; runs not checked in full: 0; not named: two
all: named: 0 of 2; twins with reports: 0; runs not checked in full: 1; not named: one, two

default: one, twin: 1 × stuck main.go:4 (observed)
 it waits
all: two: run 1: no build
`
	if got := regexp.MustCompile(` +`).ReplaceAllString(text.String(), " "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// rowsOf has two scores for each of the programs.
func rowsOf(t *testing.T, files fs.FS) (rows []row) {
	t.Helper()
	programs, err := corpus.Load(files, "== class\none stuck: f `println`\ntwo stuck: f `println`\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		rows = append(rows, row{corpus.NewScore(p, 1), corpus.NewScore(p, 1)})
	}
	return rows
}
