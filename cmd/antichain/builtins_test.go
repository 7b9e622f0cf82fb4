package main

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/google/go-cmp/cmp"
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

// TestBuiltinPrograms runs the programs that explain the built-in properties, and compares what is reported
// with the comments in them. A report that is missing and one that is too many are errors.
func TestBuiltinPrograms(t *testing.T) {
	t.Parallel()
	programs := wantedPrograms(t)
	t.Run("usual", func(t *testing.T) {
		t.Parallel()
		usual := slices.DeleteFunc(slices.Clone(programs), func(w *annotatedProgram) bool {
			return slices.Contains(findings.Expensive, builtin.Property(strings.TrimSuffix(w.file, ".go")))
		})
		runs := 3
		if testing.Short() {
			runs = 1
		}
		comparePrograms(t, usual, findings.Usual(), runs)
	})
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		if testing.Short() {
			t.Skip("builds the standard library once more")
		}
		comparePrograms(t, programs, findings.Flag(findings.Known), 1)
	})
}

func comparePrograms(t *testing.T, programs []*annotatedProgram, on findings.Flag, runs int) {
	p, binary := buildPrograms(t, on)
	for _, program := range programs {
		t.Run(program.name, func(t *testing.T) {
			t.Parallel()
			for range runs {
				found, output := findingsOf(t, p, binary, program.name)
				program.compare(t, found, on)
				if t.Failed() {
					t.Fatalf("output of the program:\n%s", output)
				}
			}
			compareWithTrace(t, p, binary, program.name, on)
		})
	}
}

// buildPrograms builds the programs, and makes a plan for running them.
func buildPrograms(t *testing.T, on findings.Flag) (*execution.Plan, string) {
	t.Helper()
	dir := t.TempDir()
	f := new(traceFlags)
	f.flagSet("", true)
	f.builtins, f.json = on, true
	f.raceIn = []string{"container/list"}
	program, err := f.tracedBuild(nil, []string{"./internal/builtins/testdata"}, dir).Program(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "programs")
	if err := program.Build.Compile(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	return f.plan(program.Specification, program.Build, program.Package, report.Style{}), binary
}

// compareWithTrace runs one of the programs and compares what is reported on it with what check reports on its trace.
func compareWithTrace(t *testing.T, p *execution.Plan, binary, name string, on findings.Flag) {
	t.Helper()
	for _, file := range []string{"trace.bin", "trace.jsonl"} {
		recorded := *p
		recorded.Output = filepath.Join(t.TempDir(), file)
		recorded.Name = recorded.Output
		_, _, told := traced(t, &recorded, binary, name)
		var out, stderr bytes.Buffer
		verb := newCheck(terminal.Streams{Out: &out, Err: &stderr})
		args := []string{"--json", "--builtin", on.String(), recorded.Output}
		for _, spec := range p.Specification.Files {
			args = append(args, "--spec", spec)
		}
		verb.SilenceUsage, verb.SilenceErrors = true, true
		verb.SetArgs(args)
		if err := verb.ExecuteContext(t.Context()); err != nil && !errors.As(err, new(exit.Code)) {
			t.Fatal(err)
		}
		if d := cmp.Diff(told, out.String()); d != "" {
			t.Errorf("%s: the reports on the run (-) are not those on its trace (+):\n%s\n%s", file, d, stderr.String())
		}
		out.Reset()
		verb = newMonitor(terminal.Streams{Out: &out, Err: &stderr})
		verb.SilenceUsage, verb.SilenceErrors = true, true
		verb.SetArgs(append(args, "--until-eof", "--keep-going"))
		if err := verb.ExecuteContext(t.Context()); err != nil && !errors.As(err, new(exit.Code)) {
			t.Fatal(err)
		}
		if d := cmp.Diff(reportsIn(t, told), reportsIn(t, out.String())); d != "" {
			t.Errorf("%s: the reports on the run (-) are not those of a monitor (+):\n%s\n%s", file, d, stderr.String())
		}
		config := findings.Wanted{On: on, Named: true}.Config(specfile.FunctionsOf(p.Specification.Parsed))
		if d := cmp.Diff(reportsIn(t, told), reportsIn(t, sentAsRecords(t, recorded.Output, config))); d != "" {
			t.Errorf("%s: the reports on the run (-) are not those on its records in a topic (+):\n%s", file, d)
		}
	}
}

// builtinReport is a verdict on a built-in property, as JSON has it.
type builtinReport struct {
	ID, Run                        string // of a monitor
	Builtin, Verdict, How, Covered string
	Parties                        []struct {
		Op, At string
		Holds  []struct{ Op, At string }
	}
	Also []builtinReport
}

// key tells reports of a run apart.
func (r *builtinReport) key() string {
	var parties []string
	for _, p := range r.Parties {
		parties = append(parties, fmt.Sprint(p))
	}
	slices.Sort(parties)
	return fmt.Sprint(r.Builtin, " ", r.Verdict, " ", r.Covered, slices.Compact(parties))
}

// reportsIn returns the verdicts in the output, without what depends on when they were given: their order, how many findings are alike,
// and, if something has happened, that it was predicted before; and which are told together.
func reportsIn(t *testing.T, output string) []string {
	t.Helper()
	hows := map[string]string{}
	for line := range strings.Lines(output) {
		var r builtinReport
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		for _, r := range append(r.Also, r) {
			if hows[r.key()] != "observed" {
				hows[r.key()] = r.How
			}
		}
	}
	var all []string
	for report, how := range hows {
		all = append(all, report+" "+how)
	}
	slices.Sort(all)
	return all
}

// sentAsRecords returns the reports on a trace that is checked record by record, each by another checker that goes on from a snapshot.
func sentAsRecords(t *testing.T, path string, config builtins.Config) string {
	t.Helper()
	var out bytes.Buffer
	c := runs.Config{Builtins: config, Split: func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) { return nil, nil, nil }}
	to := runResults{t, path, &out}
	checked := runs.New(c, to)
	n := 0
	send := func(r *record.Record) error {
		if n++; n&(n-1) == 0 {
			w := snapshot.NewWriter()
			if err := checked.Snapshot(w); err != nil {
				return err
			}
			checked = runs.New(c, to)
			r := snapshot.NewReader(w.Bytes())
			if err := errors.Join(checked.Snapshot(r), r.End()); err != nil {
				return err
			}
		}
		checked.Take(r, time.Now())
		return nil
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	trace, err := event.Open(in, path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := trace.Header()
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.NewWriter("run", "source", h, record.Options{Text: strings.HasSuffix(path, ".jsonl"), Events: 40}, send)
	if err != nil {
		t.Fatal(err)
	}
	if err := input.EachEvent(trace, w.Write); err != nil {
		t.Fatal(err)
	}
	if err := w.End(record.EndRun); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// runResults writes down what is found in a run.
type runResults struct {
	t    *testing.T
	name string
	out  io.Writer
}

func (r runResults) Result(_ *runs.Run, result *tlcheck.Result) {
	if err := report.WriteJSON(r.out, r.name, result); err != nil {
		r.t.Error(err)
	}
}
func (r runResults) Over(*runs.Run, *san.Net, []*spec.Property, onthefly.Truncation) {}
func (r runResults) Failed(_ *runs.Run, err error)                                   { r.t.Error(err) }
func (r runResults) Rejected(_ *record.Record, err error)                            { r.t.Error(err) }

// findingsOf runs one of the programs and returns what is reported on it.
func findingsOf(t *testing.T, p *execution.Plan, binary, name string) (found []report.BuiltinObject, output string) {
	t.Helper()
	found, output, _ = traced(t, p, binary, name)
	return found, output
}

// traced runs one of the programs and returns what is found in it, what it has printed, and all reports.
func traced(t *testing.T, p *execution.Plan, binary, name string) (found []report.BuiltinObject, output, reports string) {
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
	if _, err := p.Trace(t.Context(), binary, []string{name}, terminal.Streams{In: in, Out: file, Err: file}, &told); err != nil {
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
			if one.isMetBy(w.file, &found[i]) {
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

// isMetBy reports whether a report is the one wanted, and names an operation in the line.
func (w *expectation) isMetBy(file string, o *report.BuiltinObject) bool {
	if o.Builtin != w.property || o.FindingObject == nil {
		return false
	}
	at := func(position string) bool { return strings.HasSuffix(position, fmt.Sprintf("%s:%d", file, w.line)) }
	text, named := "("+o.How+") "+o.Text, false
	for _, p := range o.Parties {
		text += "\n" + p.Does
		named = named || at(p.At) || slices.ContainsFunc(p.Holds, func(h report.PlacedObject) bool { return at(h.At) })
	}
	text += "\n" + strings.Join(o.Notes, "\n")
	return named && w.text.MatchString(text)
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
