//go:build unix

package nonblocking

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/antichain-go/antichain/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestCorpus reads the corpus: every place that a report must name is there, every property is in a specification, and
// every program has a twin.
func TestCorpus(t *testing.T) {
	corpus, err := fs.Sub(testdata, "testdata")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := load(corpus, expectedText)
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := fs.ReadDir(corpus, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) != len(dirs) {
		t.Errorf("%d programs in testdata, %d in expected.txt", len(dirs), len(programs))
	}
	for _, p := range programs {
		if _, err := fs.Stat(corpus, p.name+"/fixed/main.go"); err != nil {
			t.Error(err)
		}
		properties := propertiesOf(t, corpus, p)
		for _, a := range p.alternatives {
			if a.builtin == "" && !properties[a.property] {
				t.Errorf("%s: the specification has no property %s", p.name, a.property)
			}
		}
	}
}

// propertiesOf are the names of the properties of a program's specification.
func propertiesOf(t *testing.T, corpus fs.FS, p *program) map[string]bool {
	names := make(map[string]bool)
	if p.spec == "" {
		return names
	}
	text, err := fs.ReadFile(corpus, p.spec)
	if err != nil {
		t.Fatal(err)
	}
	file, err := spec.Parse(p.spec, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, property := range file.Properties {
		names[property.Name] = true
	}
	return names
}

const madeProgram = `package main

type t struct{ n int }

func (t *t) add() {
	t.n++
	t.n++
}

func get(t *t) int { return t.n }
`

// made is a corpus of one program.
func made() fs.FS {
	return fstest.MapFS{
		"made/bug/main.go": {Data: []byte(madeProgram)},
		"made/made.tl":     {Data: []byte("property p: t:(true)")},
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

func TestIsBug(t *testing.T) {
	programs, err := load(made(), "== class\nmade race: (*t).add `t.n++` + get `t.n`\nmade copy: get `t.n` + *\n")
	if err != nil {
		t.Fatal(err)
	}
	inCall := finding("race", "made/bug/main.go:7", "lib/map.go:10")
	inCall.Parties[1].Stack = []report.FrameObject{{Function: "get", At: "made/bug/main.go:10"}}
	for _, c := range []struct {
		name string
		f    *report.BuiltinObject
		want bool
	}{
		{"both places", finding("race", "made/bug/main.go:6", "made/bug/main.go:10"), true},
		{"in the other order", finding("race", "made/bug/main.go:10", "made/bug/main.go:7"), true},
		{"in a call", inCall, true},
		{"one place twice", finding("race", "made/bug/main.go:6", "made/bug/main.go:7"), false},
		{"a line elsewhere", finding("race", "made/bug/main.go:6", "made/bug/main.go:3"), false},
		{"another file", finding("race", "made/bug/main.go:6", "other.go:10"), false},
		{"another property", finding("closed", "made/bug/main.go:6", "made/bug/main.go:10"), false},
		{"one goroutine", finding("race", "made/bug/main.go:6"), false},
		{"any other place", finding("copy", "made/bug/main.go:10", "x.go:1"), true},
		{"only other places", finding("copy", "y.go:10", "x.go:1"), false},
	} {
		if got := programs[0].isBug(c.f); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}

func TestExpectedWrong(t *testing.T) {
	for _, text := range []string{
		"missing race: get `t.n`", "made race", "made race: get t.n", "made race: get `nothing`", "made race: set `t.n`",
	} {
		if _, err := load(made(), text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	without := fstest.MapFS{"made/bug/main.go": {Data: []byte(madeProgram)}}
	if _, err := load(without, "made property p"); err == nil {
		t.Error("a property without a specification: no error")
	}
}

// TestBoard scores three runs: the first one names nothing, the second one the bug, the third one is not checked. The
// twin has a report once.
func TestBoard(t *testing.T) {
	programs, err := load(made(), "== class\nmade race: (*t).add `t.n++` + get `t.n`\nmade property p\n")
	if err != nil {
		t.Fatal(err)
	}
	bug, extra := finding("race", "made/bug/main.go:6", "made/bug/main.go:10"), finding("closed", "made/bug/main.go:3")
	s := newScore(programs[0], 3)
	s.add(1, &reported.Reports{Findings: []*report.BuiltinObject{extra}, Properties: []*report.Object{{Property: "q"}}})
	s.add(2, &reported.Reports{Findings: []*report.BuiltinObject{bug, extra}, Properties: []*report.Object{{Property: "p", Happened: true}}})
	s.failed("run", 3, errors.New("no build"))
	s.failed("run", 2, nil)
	s.add(3, nil)
	s.addTwin(&reported.Reports{Findings: []*report.BuiltinObject{extra}})
	s.addTwin(nil)
	var b strings.Builder
	write(&b, []*score{s})
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
