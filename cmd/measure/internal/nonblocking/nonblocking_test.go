//go:build unix

package nonblocking

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestCorpus reads the corpus: every place that a report must name is there, every property is in a
// specification, and every program has a twin.
func TestCorpus(t *testing.T) {
	if _, _, err := load(); err != nil {
		t.Error(err)
	}
}

// finding is a report on goroutines that are at these places.
func finding(builtin string, places ...string) *report.BuiltinObject {
	f := &report.BuiltinObject{Builtin: builtin, FindingObject: &report.FindingObject{How: "predicted", Text: "told"}}
	for _, at := range places {
		f.Parties = append(f.Parties, report.PartyObject{PlacedObject: report.PlacedObject{At: at}})
	}
	return f
}

// TestBoard scores three runs: the first one names nothing, the second one the bug, the third one
// is not checked. The twin has a report once.
func TestBoard(t *testing.T) {
	const program = "package main\n\nfunc f() {\n\tn++\n\tprintln(n)\n}\n"
	files := fstest.MapFS{
		"made/bug/main.go":   {Data: []byte(program)},
		"made/fixed/main.go": {Data: []byte(program)},
		"made/made.tl":       {Data: []byte("property p: t:(true)")},
	}
	programs, err := corpus.Load(files, "== class\nmade race: f `n++` + f `println`\nmade property p\n")
	if err != nil {
		t.Fatal(err)
	}
	bug, extra := finding("race", "made/bug/main.go:4", "made/bug/main.go:5"), finding("closed", "made/bug/main.go:3")
	s := corpus.NewScore(programs[0], 3)
	s.Add(1, &reported.Reports{Findings: []*report.BuiltinObject{extra}, Properties: []*report.Object{{Property: "q"}}})
	s.Add(2, &reported.Reports{Findings: []*report.BuiltinObject{bug, extra}, Properties: []*report.Object{{Property: "p", Happened: true}}})
	s.Fail("run", 3, errors.New("no build"))
	s.Fail("run", 2, nil)
	s.Add(3, nil)
	s.AddTwin(&reported.Reports{Findings: []*report.BuiltinObject{extra}})
	s.AddTwin(nil)
	var b strings.Builder
	write(&b, []*corpus.Score{s})
	const want = `program class bug named in runs first other reports twin how
made class yes 1/3 no 2 1 1 race predicted, 1 specification observed

1 programs; bug named in the first run: 0, in one of the runs: 1, in all: 0; with other reports: 1; twins with reports: 1; runs not checked in full: 1

made: 2 × closed main.go:3 (predicted)
 told
made: 1 × q
 specification predicted
made, twin: 1 × closed main.go:3 (predicted)
 told
made: run 3: no build
`
	if got := regexp.MustCompile(` +`).ReplaceAllString(b.String(), " "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
