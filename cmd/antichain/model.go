package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// modelFlags say what formulas are checked on.
type modelFlags struct {
	file       string           // --model
	parameters map[string]int64 // --param
	stutter    bool             // --stutter
}

func (f *modelFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "model", "", "the `FILE` of a structure (JSON) or of a program, told by its content; - is standard input")
	f.parameter(flags)
	flags.BoolVar(&f.stutter, "stutter", false, "let what has no successor stay where it is, for ever")
}

// parameter is for the parameters of programs.
func (f *modelFlags) parameter(flags *pflag.FlagSet) {
	flags.StringToInt64Var(&f.parameters, "param", nil, "a parameter of the program, as `NAME=VALUE`; may be repeated")
	flags.Lookup("param").DefValue = "" // not []
}

// arguments finds mistakes in what was given beside the flags: a formula about a model, or a batch.
func (f *modelFlags) arguments(verb string, args []string, batch bool) error {
	switch {
	case batch && len(args) > 0:
		return errors.New("with --batch the formulas come from standard input: leave the others out")
	case batch && f.file == "-":
		return errors.New("with --batch the questions come from standard input: give --model another FILE")
	case !batch && len(args) != 1:
		return fmt.Errorf("%s given: %s takes one formula, in quotes", report.Plural(len(args), "argument"), verb)
	case !batch && f.file == "":
		return errors.New("no model given: add --model FILE")
	}
	return nil
}

// read reads the file, if one was given. An interrupt ends that, too: who writes into a pipe may take any time.
func (f *modelFlags) read(ctx context.Context, s terminal.Streams) (*modelText, error) {
	if f.file == "" {
		return nil, nil
	}
	name := "standard input"
	if f.file != "-" {
		name = event.Printable(f.file)
	}
	var text []byte
	var err error
	if !interrupt.Do(ctx, func() { text, err = f.content(s) }) {
		return nil, context.Cause(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxModel:
		return nil, fmt.Errorf("%s is longer than the limit of %s for models", name, budget.Format(maxModel))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	structure := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	return &modelText{name: name, text: text, program: !structure, parameters: f.parameters}, nil
}

// content returns what is in the file, or enough of it to see that it is too long.
func (f *modelFlags) content(s terminal.Streams) ([]byte, error) {
	in := s.In
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	return io.ReadAll(io.LimitReader(in, maxModel+1))
}

// isModel reports whether a file has a program or a structure and no trace. A trace in text form begins with its header, in other
// forms it is no text. What can be read but once, as a pipe, is taken for a model.
func isModel(path string) (bool, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return true, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	head = bytes.TrimLeft(head[:n], " \t\r\n\ufeff")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := utf8.Valid(line) && bytes.IndexByte(line, 0) < 0
	return text && !bytes.HasPrefix(head, []byte(`{"antichain"`)) && len(head) > 0, nil
}

// readAny reads a file like read, or a trace, whose model is that of its global states. What it is, is told by its content.
func (f *modelFlags) readAny(ctx context.Context, s terminal.Streams, budgets *budgetFlags) (*modelText, error) {
	if f.file == "" || f.file == "-" {
		return f.read(ctx, s)
	}
	model, err := isModel(f.file)
	switch {
	case err != nil:
		return nil, err
	case model:
		return f.read(ctx, s)
	case len(f.parameters) > 0:
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave --param out", event.Printable(f.file))
	}
	net, err := input.ReadOne(ctx, &budgets.Limits, f.file, s, &input.Flags{Single: true})
	if err != nil {
		return nil, err
	}
	return &modelText{name: event.Printable(f.file), run: tracemodel.New(net)}, nil
}

// maxModel is the length in bytes of the longest model: a file can be endless.
const maxModel = 256 << 20

// modelKeys are the keys of a model in a question.
type modelKeys struct {
	Structure json.RawMessage `json:"structure"`
	Program   *string         `json:"program"`
}

// text returns the model of a question; nil if it has none.
func (k *modelKeys) text() (*modelText, error) {
	structure := len(k.Structure) > 0 && !bytes.Equal(k.Structure, []byte("null"))
	switch {
	case structure && k.Program != nil:
		return nil, errors.New(`there are both "structure" and "program": leave one of them out`)
	case structure:
		return &modelText{name: "structure", text: k.Structure}, nil
	case k.Program != nil:
		return &modelText{name: "program", text: []byte(*k.Program), program: true}, nil
	}
	return nil, nil
}

// of returns the model of a question, else that of the flags, which may be nil.
func (f *modelFlags) of(question *modelKeys, given *modelText) (*modelText, error) {
	m, err := question.text()
	switch {
	case err != nil:
		return nil, err
	case m != nil:
		m.parameters = f.parameters
		return m, nil
	case given == nil:
		return nil, errors.New(`there is no model: give the key "structure" or "program", or the flag --model`)
	}
	return given, nil
}

// modelText is a model that has not been opened.
type modelText struct {
	name       string // for errors
	text       []byte
	program    bool // otherwise it is a structure, or
	run        *tracemodel.Run
	space      *runSets // of the run, if it has not few states and they have been counted
	counted    bool
	parameters map[string]int64
}

// open returns the system of a model. All ways to models lead here.
func (m *modelText) open() (kripke.System, error) {
	if m.run != nil {
		return m.run, nil
	}
	if !m.program {
		if len(m.parameters) > 0 {
			return nil, fmt.Errorf("%s is a structure, which has no parameters: leave --param out", m.name)
		}
		return kripke.ParseStructure(m.name, m.text)
	}
	return m.openProgram()
}

// openProgram returns the system of a program.
func (m *modelText) openProgram() (*gcl.System, error) {
	f, err := gcl.Parse(m.name, string(m.text))
	if err != nil {
		return nil, err
	}
	return gcl.New(f, m.parameters)
}

// explore opens a model and finds all its states; if there are more than most, the error is kripke.ErrMany. The last state of a run stutters.
func (m *modelText) explore(ctx context.Context, stutter bool, most int) (*kripke.Graph, error) {
	sys, err := m.open()
	if err != nil {
		return nil, err
	}
	if most < kripke.MaxStates {
		sys = kripke.AtMost(sys, most)
	}
	if stutter || m.run != nil {
		sys = kripke.Stutter(sys)
	}
	return kripke.Explore(ctx, sys)
}
