//go:build unix

package corpus

import (
	"io"
	"testing"
	"testing/fstest"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Without -run all programs are selected.
func TestAllAreSelected(t *testing.T) {
	c := NewCommand("made", 1)
	if err := c.Parse(nil); err != nil || !c.only.MatchString("made") {
		t.Error(err)
	}
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
func made() fstest.MapFS {
	return fstest.MapFS{
		"made/bug/main.go":   {Data: []byte(madeProgram)},
		"made/fixed/main.go": {Data: []byte(madeProgram)},
		"made/made.tl":       {Data: []byte("property p: t:(true)")},
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
	const text = "== class\nmade race: (*t).add `t.n++` + get `t.n`\n" +
		"made copy: get `t.n` + *\nmade stuck: get `t.n` + ...\n"
	programs, err := Load(made(), text)
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
		{"no further goroutine", finding("stuck", "made/bug/main.go:10"), true},
		{"further goroutines", finding("stuck", "x.go:1", "made/bug/main.go:10", "x.go:2"), true},
		{"only further goroutines", finding("stuck", "x.go:1"), false},
	} {
		if got := programs[0].bug.has(c.f); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}

// A panic is the bug if its text is the one that is expected. A report that is true of the twin,
// too, does not count there.
func TestPanicAndTwin(t *testing.T) {
	programs, err := Load(made(), "made panics: out of range\nmade twin race: get `t.n`\n")
	if err != nil {
		t.Fatal(err)
	}
	s := NewScore(programs[0], 2)
	s.Add(1, &reported.Reports{Panics: []string{"nil map"}})
	s.Add(2, &reported.Reports{Panics: []string{"index out of range [1]"}})
	if s.Named != 1 || s.First || s.How() != "1 panic" {
		t.Errorf("%d named, %t, %s", s.Named, s.First, s.How())
	}
	s.AddTwin(&reported.Reports{Findings: []*report.BuiltinObject{finding("race", "made/fixed/main.go:10")}})
	if s.TwinRuns != 0 || len(s.Twin) != 0 {
		t.Errorf("what is true of the twin counts: %v", s.Twin)
	}
	s.AddTwin(&reported.Reports{Findings: []*report.BuiltinObject{finding("race", "made/fixed/main.go:6")}})
	s.AddTwin(&reported.Reports{Panics: []string{"index out of range [1]"}})
	if s.TwinRuns != 2 || len(s.Twin) != 2 {
		t.Errorf("%d runs of the twin with reports, %v", s.TwinRuns, s.Twin)
	}
}

func TestExpectedWrong(t *testing.T) {
	for _, text := range []string{
		"", "made twin race: get `t.n`",
		"missing race: get `t.n`", "made property q", "made race", "made race: get t.n",
		"made race: get `nothing`", "made race: set `t.n`",
	} {
		if _, err := Load(made(), text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	without := made()
	delete(without, "made/made.tl")
	if _, err := Load(without, "made property p"); err == nil {
		t.Error("a property without a specification: no error")
	}
	ofBug := made()
	ofBug["made/bug/made.tl"] = ofBug["made/made.tl"]
	delete(ofBug, "made/made.tl")
	programs, err := Load(ofBug, "made property p")
	if err != nil || programs[0].bug.spec == "" || programs[0].twin.spec != "" {
		t.Errorf("a specification of the bug alone: %v", err)
	}
	alone := made()
	delete(alone, "made/fixed/main.go")
	if _, err := Load(alone, "made property p"); err == nil {
		t.Error("a program without a twin: no error")
	}
}

func TestCommand(t *testing.T) {
	c := NewCommand("corpus", 4)
	if err := c.Parse([]string{"-run", "^bank$"}); err != nil {
		t.Fatal(err)
	}
	if c.Runs != 4 || !c.only.MatchString("bank") || c.only.MatchString("banks") {
		t.Errorf("got %d runs of %v", c.Runs, c.only)
	}
	for _, wrong := range [][]string{{"-n", "0"}, {"bank"}, {"-run", "("}} {
		c := NewCommand("corpus", 4)
		c.SetOutput(io.Discard)
		if err := c.Parse(wrong); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}

// TestFunctions names bugs by functions of modules, and by a program that hangs.
func TestFunctions(t *testing.T) {
	programs, err := Load(made(), "== class\nmade stuck: in (*Pool).submit\n")
	if err != nil {
		t.Fatal(err)
	}
	p := programs[0]
	in := func(functions ...string) *report.BuiltinObject {
		f := finding("stuck", "lib/pool.go:1")
		for _, function := range functions {
			f.Parties[0].Stack = append(f.Parties[0].Stack, report.FrameObject{Function: function, At: "lib/pool.go:1"})
		}
		return f
	}
	for _, c := range []struct {
		f    *report.BuiltinObject
		want bool
	}{
		{in("pond.(*Pool).submit"), true},
		{in("main.f", "example.com/pond/v2.(*Pool).submit", "main.main"), true},
		{in("pond.(*Pool).submit.func1"), true},
		{in("pond.(*Pool).submitAll"), false},
		{in("pond.(*Other).submit"), false},
		{in(), false},
	} {
		if got := p.bug.has(c.f); got != c.want {
			t.Errorf("%+v: %v", c.f.Parties[0].Stack, got)
		}
	}
	hangs := Outcome{Reports: &reported.Reports{Hangs: true}}
	s := p.Judge(Runs{Bug: []Outcome{hangs, {Failure: "no build"}}, Twin: []Outcome{hangs}})
	if s.Named != 1 || s.TwinRuns != 1 || s.How() != "1 hang" || len(s.Failures) != 1 {
		t.Errorf("named %d, twin %d, %q, %q", s.Named, s.TwinRuns, s.How(), s.Failures)
	}
}
