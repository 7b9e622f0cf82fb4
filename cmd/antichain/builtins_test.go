package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// expectation is a comment of a program that says what is reported about a line.
type expectation struct {
	line     int
	property string
	text     *regexp.Regexp
}

// annotatedProgram is a program with what is to be reported on it.
type annotatedProgram struct {
	file, name string
	wants      []expectation
}

// TestBuiltinPrograms runs the programs that explain the built-in properties, and compares what is
// reported with the comments in them. A report that is missing and one that is too many are errors.
func TestBuiltinPrograms(t *testing.T) {
	t.Parallel()
	programs := wantedPrograms(t)
	t.Run("usual", func(t *testing.T) {
		t.Parallel()
		usual := slices.DeleteFunc(slices.Clone(programs), func(w *annotatedProgram) bool {
			return slices.Contains(findings.Expensive, builtin.Property(strings.TrimSuffix(w.file, ".go")))
		})
		comparePrograms(t, usual, findings.Usual(), "trace.bin", "trace.jsonl")
	})
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		if testing.Short() {
			t.Skip("builds the standard library once more")
		}
		comparePrograms(t, programs, findings.Flag(findings.Known), "trace.jsonl", "trace.bin")
	})
}

// comparePrograms runs each program twice: without a trace, and with one in a file whose
// name depends on the length of the name of the program.
func comparePrograms(t *testing.T, programs []*annotatedProgram, on findings.Flag, even, odd string) {
	p, binary := buildPrograms(t, on)
	for _, program := range programs {
		t.Run(program.name, func(t *testing.T) {
			t.Parallel()
			program.compareRun(t, p, binary, on)
			recorded, trace := *p, even
			if len(program.name)%2 == 1 {
				trace = odd
			}
			recorded.Record.Path = filepath.Join(t.TempDir(), trace)
			recorded.Name = recorded.Record.Path
			told := program.compareRun(t, &recorded, binary, on)
			compareReports(t, told, recorded.Record.Path, on, &p.Specification)
		})
	}
}

// compareRun runs the program, compares what is reported with what is wanted, and returns it. Where
// the machine was too busy for what the program does in time, it runs again, with longer pauses.
func (w *annotatedProgram) compareRun(t *testing.T, p *exploration.Plan, binary string, on findings.Flag) string {
	t.Helper()
	const slowest = 8
	for pace := 1; ; pace *= 2 {
		found, output, told := traced(t, p, binary, w.name, strconv.Itoa(pace))
		if pace < slowest && lateLine.MatchString(output) {
			continue
		}
		w.compare(t, found, on)
		if t.Failed() {
			t.Fatalf("output of the program:\n%s", output)
		}
		return told
	}
}

// lateLine is how a program says that a pause was too long, or too short.
var lateLine = regexp.MustCompile(`(?m)^late$`)

// buildPrograms builds the programs, and makes a plan for running them.
func buildPrograms(t *testing.T, on findings.Flag) (*exploration.Plan, string) {
	t.Helper()
	dir := t.TempDir()
	f := new(traceFlags)
	f.flagSet("", true)
	f.builtins, f.json = on, true
	program, err := f.tracedBuild(nil, []string{"./internal/builtins/testdata"}, dir).Program(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "programs")
	if err := program.Build.CompileAgain(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	return f.plan(program.Specification, program.Build, program.Package, report.Style{}), binary
}

// traced runs one of the programs and returns what is found in it, what it has printed, and all
// reports.
func traced(t *testing.T, p *exploration.Plan, binary string, args ...string) (found []report.BuiltinObject, output, reports string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var told bytes.Buffer
	if _, err := p.Trace(t.Context(), binary, args, terminal.Streams{In: in, Out: file, Err: file}, &told); err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(told.Bytes()) {
		var o report.BuiltinObject
		if err := json.Unmarshal(l, &o); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		for _, o := range o.Findings() {
			if o.Verdict != "holds" {
				found = append(found, *o)
			}
		}
	}
	said, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return found, string(said), told.String()
}

// compare complains about reports that are missing and those that are too many.
func (w *annotatedProgram) compare(t *testing.T, found []report.BuiltinObject, on findings.Flag) {
	t.Helper()
	explained := make([]bool, len(found))
	for _, one := range w.wants {
		met := !slices.Contains(on, builtin.Property(one.property))
		for i := range found {
			if one.isMetBy(w.file, &found[i], on) {
				met, explained[i] = true, true
			}
		}
		if !met {
			t.Errorf("%s:%d: no report on %s that matches %q", w.file, one.line, one.property, one.text)
		}
	}
	for i, o := range found {
		text, err := json.MarshalIndent(o, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !explained[i]:
			t.Errorf("a report that nobody wants: %s", text)
		case t.Failed():
			t.Logf("reported: %s", text)
		}
	}
}

// isMetBy reports whether a report is the one wanted, and names an operation in the line. Where
// accesses to memory are recorded, a deadlock may be known for certain that is wanted as one that
// needs confirming.
func (w *expectation) isMetBy(file string, o *report.BuiltinObject, on findings.Flag) bool {
	if o.Builtin != w.property || o.FindingObject == nil {
		return false
	}
	at := func(position string) bool { return strings.HasSuffix(position, fmt.Sprintf("%s:%d", file, w.line)) }
	text, named := o.Text, false
	for _, p := range o.Parties {
		text += "\n" + p.Does
		named = named || at(p.At) || slices.ContainsFunc(p.Holds, func(h report.PlacedObject) bool { return at(h.At) })
	}
	text += "\n" + strings.Join(o.Notes, "\n")
	certain := o.Builtin == string(builtin.Deadlock) && o.How == builtin.Predicted.String() && slices.Contains(on, builtin.Race)
	return named && (w.text.MatchString("("+o.How+") "+text) || certain && w.text.MatchString("("+builtin.Reordered.String()+") "+text))
}

// wantedPrograms reads the programs and what they say is to be reported.
func wantedPrograms(t *testing.T) []*annotatedProgram {
	t.Helper()
	names, err := filepath.Glob("internal/builtins/testdata/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []*annotatedProgram
	for _, name := range names {
		if filepath.Base(name) == "main.go" {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				all = append(all, programOf(t, files, file, f))
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("there are no programs")
	}
	return all
}

var (
	wantComment = regexp.MustCompile(`^// want (.*)$`)
	wantPart    = regexp.MustCompile(`^(\w+) ("(?:[^"\\]|\\.)*")\s*`)
)

func programOf(t *testing.T, files *token.FileSet, file *ast.File, f *ast.FuncDecl) *annotatedProgram {
	t.Helper()
	w := &annotatedProgram{file: filepath.Base(files.Position(f.Pos()).Filename), name: f.Name.Name}
	none := false
	for _, group := range file.Comments {
		for _, c := range group.List {
			m := wantComment.FindStringSubmatch(c.Text)
			if m == nil || c.Pos() < f.Doc.Pos() || c.Pos() > f.End() {
				continue
			}
			if c.Pos() < f.Pos() {
				none = m[1] == "none"
				continue
			}
			w.wants = append(w.wants, wantsIn(t, files.Position(c.Pos()).Line, m[1])...)
		}
	}
	if none != (len(w.wants) == 0) {
		t.Fatalf("%s: %s must say what is wanted, or \"want none\"", w.file, w.name)
	}
	return w
}

// wantsIn takes a comment apart: want PROPERTY "REGEXP" PROPERTY "REGEXP" ….
func wantsIn(t *testing.T, line int, text string) []expectation {
	t.Helper()
	var wants []expectation
	for text != "" {
		m := wantPart.FindStringSubmatch(text)
		if m == nil || !slices.Contains(findings.Known, builtin.Property(m[1])) {
			t.Fatalf("line %d: want what? %s", line, text)
		}
		quoted, err := strconv.Unquote(m[2])
		if err != nil {
			t.Fatal(err)
		}
		wants = append(wants, expectation{line, m[1], regexp.MustCompile(quoted)})
		text = text[len(m[0]):]
	}
	return wants
}
