package satisfiability

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
)

// compare compares the output and the exit code with the expected ones.
func compare(t *testing.T, err error, wantCode int, out, wantOut, said, wantSaid string) {
	t.Helper()
	code := exit.Code(exit.Holds)
	if err != nil && !errors.As(err, &code) {
		code = exit.Error
		said += err.Error()
	}
	if int(code) != wantCode {
		t.Errorf("exit code %d, want %d", code, wantCode)
	}
	if !strings.Contains(out, wantOut) {
		t.Errorf("the output lacks %q:\n%s", wantOut, out)
	}
	if !strings.Contains(said, wantSaid) || wantSaid == "" && said != "" {
		t.Errorf("the error lacks %q:\n%s", wantSaid, said)
	}
}

func TestLTLSolve(t *testing.T) {
	brief := limits.Limits{Timeout: time.Nanosecond}
	tests := []struct {
		name      string
		solver    LTLSolver
		question  []string // one or two formulas
		word      ltl.Word
		json      bool
		code      int
		out, said string
	}{
		{"satisfiable", LTLSolver{Problem: LTLSat}, []string{"a & X G b"}, nil, false, exit.Holds,
			"satisfiable, shown by an infinite word:\n    1  {a", ""},
		{"satisfiable in JSON", LTLSolver{Problem: LTLSat}, []string{"G a"}, nil, true, exit.Holds,
			`{"sat":true,"model":{"stem":[],"loop":[["a"]]}}`, ""},
		{"satisfiable by a finite word", LTLSolver{Problem: LTLSat, Finite: true}, []string{"!a & X a"}, nil, false,
			exit.Holds, "satisfiable, shown by a word of 2 letters:\n    1  {}\n    2  {a}\n", ""},
		{"finite in JSON", LTLSolver{Problem: LTLSat, Finite: true}, []string{"!a & X a"}, nil, true, exit.Holds,
			`{"sat":true,"model":[[],["a"]]}`, ""},
		{"contradictory", LTLSolver{Problem: LTLSat}, []string{"F a & G !a"}, nil, false, exit.Violated,
			"not satisfiable: ", ""},
		{"contradictory in JSON", LTLSolver{Problem: LTLSat}, []string{"F a & G !a"}, nil, true, exit.Violated,
			`{"sat":false,"reason":{"nodes":`, ""},
		{"false by its connectives", LTLSolver{Problem: LTLSat}, []string{"false"}, nil, false, exit.Violated,
			"not satisfiable: it is false by its connectives alone\n", ""},
		{"contradictory for finite words", LTLSolver{Problem: LTLSat, Finite: true}, []string{"X false"}, nil, false,
			exit.Violated, "not satisfiable\n", ""},
		{"valid", LTLSolver{Problem: LTLValid}, []string{"G a -> F a"}, nil, true, exit.Holds, `{"valid":true}`, ""},
		{"not valid", LTLSolver{Problem: LTLValid}, []string{"F a -> G a"}, nil, true, exit.Violated,
			`{"valid":false,"counterexample":{"stem":`, ""},
		{"implied", LTLSolver{Problem: LTLImplies}, []string{"a U b", "F b"}, nil, false, exit.Holds,
			"the first implies the second\n", ""},
		{"not implied", LTLSolver{Problem: LTLImplies}, []string{"F b", "a U b"}, nil, true, exit.Violated,
			`{"holds":false,"counterexample":`, ""},
		{"equivalent", LTLSolver{Problem: LTLEquiv}, []string{"!F a", "G !a"}, nil, false, exit.Holds,
			"equivalent\n", ""},
		{"not equivalent", LTLSolver{Problem: LTLEquiv, Finite: true}, []string{"X a", "N a"}, nil, true, exit.Violated,
			`{"holds":false,"counterexample":[`, ""},
		{"satisfied", LTLSolver{Problem: LTLEval}, []string{"F b"}, ltl.Word{{"a"}, {"b"}}, false, exit.Holds,
			"satisfied\n", ""},
		{"not satisfied", LTLSolver{Problem: LTLEval}, []string{"G a"}, ltl.Word{{"a"}, {"b"}}, true, exit.Violated,
			`{"holds":false}`, ""},
		{"a mistake", LTLSolver{Problem: LTLSat}, []string{"a U"}, nil, false, exit.Error, "", "formula:1:4: "},
		{"a mistake in the second", LTLSolver{Problem: LTLEquiv}, []string{"a", "("}, nil, false, exit.Error, "",
			"formula2:1:2: "},
		{"no word", LTLSolver{Problem: LTLEval}, []string{"a"}, nil, false, exit.Error, "",
			`the key "word" is missing`},
		{"a budget", LTLSolver{Problem: LTLSat, Limits: brief}, []string{"F a & G b"}, nil, true, exit.Unknown,
			`{"unknown":"the time ran out`, "; --timeout allows more\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := &LTLQuestion{Formula: &test.question[0]}
			if len(test.question) > 1 {
				q.Formula2 = &test.question[1]
			}
			if test.word != nil {
				q.Word = &test.word
			}
			var out, said bytes.Buffer
			err := test.solver.Solve(t.Context(), terminal.Streams{Out: &out, Err: &said}, q, test.json)
			compare(t, err, test.code, out.String(), test.out, said.String(), test.said)
		})
	}
}

func TestLTLDraw(t *testing.T) {
	tests := []struct {
		formula   string
		svg       bool
		code      int
		out, said string
	}{
		{"a U b", false, exit.Holds, "digraph", ""},
		{"a U b", true, exit.Holds, "<svg", ""},
		{"a & !a", false, exit.Violated, "digraph", ""},
		{"a U", false, exit.Error, "", "formula:1:"},
	}
	for _, test := range tests {
		var out, said bytes.Buffer
		solver := LTLSolver{Problem: LTLSat, Finite: true}
		err := solver.Draw(t.Context(), terminal.Streams{Out: &out, Err: &said},
			&LTLQuestion{Formula: &test.formula}, test.svg)
		compare(t, err, test.code, out.String(), test.out, said.String(), test.said)
	}
}

func TestCTLSolve(t *testing.T) {
	const mutex = "AG !(c1 & c2) & EF c1 & EF c2"
	brief := limits.Limits{Timeout: time.Nanosecond}
	tests := []struct {
		name      string
		solver    CTLSolver
		formula   string
		form      Form
		code      int
		out, said string
	}{
		{"satisfiable", CTLSolver{}, "EF p & EF !p", Form{}, exit.Holds, "satisfiable, by a model of ", ""},
		{"in JSON", CTLSolver{}, "p & AG p", Form{JSON: true}, exit.Holds,
			`{"sat":true,"model":{"states":1,"start":0,"labels":[["p"]],"trans":{"1":[[0,0]]}}}`, ""},
		{"contradictory", CTLSolver{}, "p & AG !p", Form{}, exit.Violated, "not satisfiable\n", ""},
		{"contradictory in JSON", CTLSolver{}, "AX_1 false & AX_2 false", Form{JSON: true}, exit.Violated,
			`{"sat":false,"reason":["contradictory: AX_1 false & AX_2 false"]}`, ""},
		{"with another process", CTLSolver{Options: tableau.Options{Processes: 3}}, "AX_1 false & AX_2 false", Form{},
			exit.Holds, "satisfiable", ""},
		{"a picture", CTLSolver{}, "EF p", Form{DOT: true, Drawing: DrawModel}, exit.Holds, "digraph", ""},
		{"a picture of the tableau", CTLSolver{}, "p & !p", Form{SVG: true, Drawing: drawTableau},
			exit.Violated, "<svg", ""},
		{"no picture", CTLSolver{}, "p & !p", Form{SVG: true, Drawing: DrawModel}, exit.Violated,
			"not satisfiable\n", ""},
		{"a program", CTLSolver{Synthesize: true}, mutex, Form{}, exit.Holds, "process", ""},
		{"a program in JSON", CTLSolver{Synthesize: true}, mutex, Form{JSON: true}, exit.Holds,
			`"skeletons":[{"process":`, ""},
		{"skeletons", CTLSolver{Synthesize: true}, mutex, Form{DOT: true, Drawing: drawSkeletons},
			exit.Holds, "digraph", ""},
		{"a package", CTLSolver{Synthesize: true}, mutex, Form{GoPackage: "mutex"}, exit.Holds, "package mutex\n", ""},
		{"no name of a package", CTLSolver{Synthesize: true}, mutex, Form{GoPackage: "no name"},
			exit.Error, "", "--go: "},
		{"no program", CTLSolver{Synthesize: true}, "p & !p", Form{}, exit.Violated, "not satisfiable\n", ""},
		{"a mistake", CTLSolver{}, "AF", Form{}, exit.Error, "", "formula:1:3: found the end of the formula"},
		{"too few processes", CTLSolver{Options: tableau.Options{Processes: 1}}, "EX_1 p & EX_2 q", Form{}, exit.Error,
			"", `the formula names the processes ["1" "2"], more than 1`},
		{"a budget", CTLSolver{Limits: brief}, "AF p", Form{JSON: true}, exit.Unknown,
			`{"unknown":"the time ran out; --timeout allows more"}`,
			"antichain: the time ran out; --timeout allows more\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out, said bytes.Buffer
			err := test.solver.Solve(t.Context(), terminal.Streams{Out: &out, Err: &said},
				&CTLQuestion{Formula: &test.formula}, &test.form)
			compare(t, err, test.code, out.String(), test.out, said.String(), test.said)
		})
	}
}

// TestCTLPackage writes a Go package with its specification.
func TestCTLPackage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "mutex")
	formula := "AG !(c1 & c2) & EF c1 & EF c2"
	solver := CTLSolver{Synthesize: true}
	var out bytes.Buffer
	if err := solver.Solve(t.Context(), terminal.Streams{Out: &out}, &CTLQuestion{Formula: &formula},
		&Form{GoPackage: "mutex", Output: dir}); err != nil || out.Len() > 0 {
		t.Fatalf("%v\n%s", err, &out)
	}
	for file, want := range map[string]string{"mutex.go": "package mutex\n", "mutex.tl": "c1"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q: %v\n%s", file, want, err, text)
		}
	}
}

func TestCTLBatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "formula.ctl")
	if err := os.WriteFile(file, []byte("p // always\n& !p"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := `{"id":1,"formula":"p & AG p"}
{"id":2,"file":"` + filepath.ToSlash(file) + `"}
{"id":3,"formula":"p","file":"x"}
{"id":4}
{"id":5,"formula":"p","processes":1001}
`
	want := `{"id":1,"sat":true,"model":{"states":1,"start":0,"labels":[["p"]],"trans":{"1":[[0,0]]}}}
{"id":2,"sat":false,"reason":["contradictory: p & !p"]}
{"id":3,"error":"line 3: both a formula and a file given: leave one of them out"}
{"id":4,"error":"line 4: the key \"formula\" is missing"}
{"id":5,"error":"line 5: key \"processes\": 1001: must be from 0 to 1000"}
`
	var out bytes.Buffer
	solver := CTLSolver{}
	err := batch.Run(t.Context(), terminal.Streams{In: strings.NewReader(in), Out: &out}, solver.Answer)
	compare(t, err, exit.Error, out.String(), want, "", "")
}
