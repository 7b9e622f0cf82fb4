package prompt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// run is a run of a pool of workers whose results are closed too early: not in this order of its
// events, but in another one.
const run = `{"antichain":1,"tasks":["main"]}
{"t":"main","op":"go","obj":"main.work","spawn":"main.1","at":"main.go:50"}
{"t":"main","op":"go","obj":"main.shutdown","spawn":"main.2","at":"main.go:52"}
{"t":"main.1","enter":"work","at":"main.go:23"}
{"t":"main.1","op":"done","obj":"waitgroup 1","at":"main.go:26","global":{"p.done":1}}
{"t":"main.1","enter":"deliver","at":"main.go:32","set":{"result":16}}
{"t":"main.1","exit":"deliver","at":"main.go:34"}
{"t":"main.2","op":"wait","obj":"waitgroup 1","at":"main.go:38","after":[["main.1",2]]}
{"t":"main.2","enter":"finish","at":"main.go:43"}
{"t":"main.1","op":"send","obj":"chan 2","at":"main.go:60","with":[["main",3]]}
{"t":"main","op":"recv","obj":"chan 2","at":"main.go:61","with":[["main.1",5]]}
{"t":"main.1","op":"end"}
`

const properties = `property none_late: not (t1:(in.deliver) and t2:(in.finish))
property after: t1:(in.finish) -> not sometime t2:(start.deliver)
`

// netOf returns the net of a run as it grows. It forgets the slice base, if that is given.
func netOf(t *testing.T, text string, base []int32) *san.Net {
	t.Helper()
	r, err := event.Open(strings.NewReader(text), "run")
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	b.RequireMutual()
	for {
		var e event.Event
		if err := r.Next(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := b.AddFrom(&e, r); err != nil {
			t.Fatal(err)
		}
	}
	if base != nil {
		b.Forget(base, func(san.Task) bool { return true })
	}
	return b.Net()
}

// halted is the run, halted because its first property is violated. What is in base is forgotten.
func halted(t *testing.T, base ...int32) *HaltedProgram {
	t.Helper()
	net := netOf(t, run, base)
	file, err := spec.Parse("workers.tl", properties)
	if err != nil {
		t.Fatal(err)
	}
	p := file.Properties[0]
	result, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
	if err != nil || result.Verdict != tlcheck.Violated {
		t.Fatal(result, err)
	}
	return &HaltedProgram{
		Program: &program{values: map[string]event.Value{"p.done": event.IntValue(1), "name": event.StringValue("anna")}},
		Root:    "/src", Package: "m", TaskName: func(ctx uint64) string { return [...]string{1: "main", 2: "main.1", 3: "main.2", 4: ""}[ctx] },
		DisplayName: func(ctx uint64) string { return [...]string{1: "main", 2: "work", 3: "shutdown", 4: ""}[ctx] },
		Net:         net, Properties: file.Properties, Violations: []*tlcheck.Result{result},
		Load: func(name string) ([]*spec.Property, error) {
			switch name {
			case "empty.tl":
				return nil, nil
			case "good.tl":
				return file.Properties[1:], nil
			}
			return nil, fmt.Errorf("open %s: no such file or directory", name)
		},
	}
}

// program is a halted program that exists in the test only.
type program struct {
	values map[string]event.Value
	ended  bool
}

func (p *program) PID() int { return 4711 }

func (p *program) Tasks() ([]control.Task, error) {
	if p.ended {
		return nil, control.ErrEnded
	}
	frame := func(f, file string, line int) control.Frame { return control.Frame{Func: f, File: file, Line: line} }
	return []control.Task{
		{Ctx: 1, State: control.Waiting, Reason: "chan receive", Stack: []control.Frame{frame("main.main", "/src/main.go", 61)}},
		{Ctx: 3, State: control.Stopped, Stack: []control.Frame{
			frame("runtime.chansend1", "/go/runtime/chan.go", 161), frame("main.deliver", "/src/main.go", 33), frame("main.work", "/src/main.go", 27),
		}},
		{Ctx: 4, State: control.Outside, Stack: nil},
	}, nil
}

func (p *program) Variables() ([]control.Variable, error) {
	if p.ended {
		return nil, control.ErrEnded
	}
	return []control.Variable{{Package: "m", Path: "name", Type: "string"}, {Package: "m", Path: "p.done", Type: "int"}, {Package: "other", Path: "x", Type: "int"}}, nil
}

func (p *program) Get(pkg, path string) (control.Value, error) {
	v, ok := p.values[path]
	if pkg != "m" || !ok {
		return control.Value{}, &control.RefusalError{Reason: path + ": the specification names no such package variable"}
	}
	return control.Value{Type: map[event.Kind]string{event.Int: "int", event.String: "string"}[v.Kind()], Value: v}, nil
}

func (p *program) Set(pkg, path string, v event.Value) (control.Value, error) {
	old, err := p.Get(pkg, path)
	if err != nil {
		return old, err
	}
	if old.Kind() != v.Kind() {
		return old, &control.RefusalError{Reason: path + ": its type is " + old.Type}
	}
	p.values[path] = v
	return p.Get(pkg, path)
}

// script is a console where everything to be typed is known before. What it shows is a
// transcript.
type script struct {
	bytes.Buffer
	lines []string
	run   []string // commands
}

// The keys in a transcript.
const (
	ctrlCKey = "^C"
	ctrlDKey = "^D"
)

func (s *script) ReadLine(prompt string, _ func(string) []string) (string, error) {
	if len(s.lines) == 0 {
		return "", errors.New("nothing more is typed")
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	fmt.Fprintln(s, prompt+line)
	switch line {
	case ctrlCKey:
		return "", console.ErrInterrupted
	case ctrlDKey:
		return "", io.EOF
	}
	return line, nil
}

func (s *script) Run(cmd *exec.Cmd) error {
	s.run = append(s.run, filepath.Base(cmd.Path)+" "+strings.Join(cmd.Args[1:], " "))
	return nil
}

// typed returns what is typed in a transcript: what stands behind prompts.
func typed(transcript string) []string {
	var lines []string
	for line := range strings.Lines(transcript) {
		for _, prompt := range []string{"(antichain) ", "End the program? (y or n) "} {
			if rest, ok := strings.CutPrefix(line, prompt); ok {
				lines = append(lines, strings.TrimSuffix(rest, "\n"))
			}
		}
	}
	return lines
}

// TestTranscripts types what the transcripts in testdata have behind their prompts, and compares
// what is shown. UPDATE_SCRIPTS=1 writes them anew.
func TestTranscripts(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			h := halted(t)
			switch filepath.Base(name) {
			case "interrupted.txt":
				h.Violations, h.Attached = nil, true
			case "forgotten.txt":
				h = halted(t, 2, 2, 0)
			}
			s := &script{lines: typed(string(want))}
			d, err := Run(t.Context(), h, s, report.Style{})
			fmt.Fprintf(s, "[%v, %d properties, %v]\n", d.Action, len(d.Properties), err)
			if len(s.lines) > 0 {
				t.Errorf("not typed: %q", s.lines)
			}
			if os.Getenv("UPDATE_SCRIPTS") != "" {
				if err := os.WriteFile(name, s.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(want), s.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Without input, and when the context ends, the program is left alone.
func TestNoAnswer(t *testing.T) {
	d, err := Run(context.Background(), halted(t), new(script), report.Style{})
	if err == nil || d.Action != Detach {
		t.Errorf("%v, %v", d, err)
	}
}

// A program that ends does not end the dialogue, in which the run can still be looked at.
func TestProgramEnds(t *testing.T) {
	h := halted(t)
	h.Program.(*program).ended = true
	s := &script{lines: []string{"goroutines", "variables", "slice", "detach"}}
	if d, err := Run(t.Context(), h, s, report.Style{}); err != nil || d.Action != Detach {
		t.Errorf("%v, %v", d, err)
	}
	if got := strings.Count(s.String(), control.ErrEnded.Error()); got != 2 || !strings.Contains(s.String(), "Slice after") {
		t.Error(s.String())
	}
}

func TestCutName(t *testing.T) {
	for line, want := range map[string][2]string{
		"n 7":                        {"n", "7"},
		"n=7":                        {"n", "7"},
		"n  =  7":                    {"n", "7"},
		"n =7":                       {"n", "7"},
		"n \"a = b\"":                {"n", "\"a = b\""},
		"ages[\"anna b\"].x \"c d\"": {"ages[\"anna b\"].x", "\"c d\""},
		"ages[\"a=b\"]=1":            {"ages[\"a=b\"]", "1"},
		"n":                          {"n", ""},
		"n =":                        {"n", ""},
	} {
		if name, value := cutName(line); name != want[0] || value != want[1] {
			t.Errorf("%s: %q, %q, want %q", line, name, value, want)
		}
	}
}

// Delve gets the process, if it is installed.
func TestDelve(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	s := &script{lines: []string{"dlv", "detach"}}
	if _, err := Run(t.Context(), halted(t), s, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "no dlv in PATH: install it with go install github.com/go-delve/delve/cmd/dlv@latest"; !strings.Contains(s.String(), want) {
		t.Errorf("%s\nwant %s", s, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "dlv"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s = &script{lines: []string{"dlv", "detach"}}
	if _, err := Run(t.Context(), halted(t), s, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"dlv attach 4711"}, s.run); d != "" {
		t.Error(d)
	}
}

func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.tl", "b.tl", ".hidden"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("apart", 0o700); err != nil {
		t.Fatal(err)
	}
	h := halted(t)
	d := &dialogue{HaltedProgram: h}
	d.lookAt(h.Violations[0])
	for line, want := range map[string]string{
		"":                       strings.Join(commands.Names(), " "),
		"ta":                     "task",
		"s":                      "slice stack set",
		"x":                      "",
		"x ":                     "",
		"next ":                  "main main.1 main.2",
		"n main.":                "main.1 main.2",
		"next main ":             "",
		"print n":                "name",
		"set ":                   "name p.done",
		"set name ":              "",
		"formula ":               "none_late after",
		"formula after t1=main.": "t1=main.1 t1=main.2",
		"formula none ":          "",
		"help v":                 "violation variables",
		"replace ":               "a.tl apart/ b.tl",
		"replace a":              "a.tl apart/",
		"replace apart/":         "",
		"replace nowhere/":       "",
		"slice ":                 "",
	} {
		if got := strings.Join(d.complete(line), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
