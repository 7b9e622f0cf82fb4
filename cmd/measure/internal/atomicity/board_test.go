//go:build unix

package atomicity

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

// TestBoard has two programs. The bug of one is found in the second way, in one of two runs, and
// once reported of its twin. Of the other one another property is violated, and a run is not
// checked.
func TestBoard(t *testing.T) {
	main := &fstest.MapFile{Data: []byte("package main\n")}
	files := fstest.MapFS{}
	for _, name := range []string{"one", "two"} {
		files[name+"/bug/main.go"], files[name+"/fixed/main.go"] = main, main
		files[name+"/"+name+".tl"] = &fstest.MapFile{Data: []byte("property p: t:(true)")}
	}
	programs, err := corpus.Load(files, "== class\none property p\ntwo property p\n")
	if err != nil {
		t.Fatal(err)
	}
	b := &board{ways: []way{predict("run", "none"), predict("locks", "race")}}
	for _, p := range programs {
		b.rows = append(b.rows, row{corpus.NewScore(p, 2), corpus.NewScore(p, 2)})
	}
	violated := func(property string) *reported.Reports {
		return &reported.Reports{Properties: []*report.Object{{Property: property, How: "predicted, locks reordered"}}}
	}
	b.rows[0][1].Add(2, violated("p"))
	b.rows[0][1].AddTwin(violated("p"))
	b.rows[1][1].Add(1, violated("q"))
	b.rows[1][0].Fail("run", 2, errors.New("no build"))
	var text strings.Builder
	b.write(&text)
	const want = `program class run twin locks+race twin
one class - - 1/2 1/2
two class - - - -

run: found in one of the runs: 0 of 2, in all: 0; twins with reports: 0; runs not checked in full: 1; not found: one, two
locks+race: found in one of the runs: 1 of 2, in all: 0; twins with reports: 1; runs not checked in full: 0; not found: two

run: two: run 2: no build
locks+race: one, twin: 1 × p
 specification predicted, locks reordered
locks+race: two: 1 × q
 specification predicted, locks reordered
`
	if got := regexp.MustCompile(` +`).ReplaceAllString(text.String(), " "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
