package models

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Program is a finite-state program with values of its parameters.
type Program struct {
	name   string
	file   *gcl.File
	system *gcl.System
}

// ReadProgram reads the program of a source.
func ReadProgram(ctx context.Context, in io.Reader, source Source) (*Program, error) {
	model, err := source.Read(ctx, in)
	if err != nil {
		return nil, err
	}
	if !model.Program {
		return nil, fmt.Errorf("%s is a structure in JSON, not a program", model.Name)
	}
	file, err := gcl.Parse(model.Name, string(model.Text))
	if err != nil {
		return nil, err
	}
	system, err := gcl.New(file, source.Parameters)
	return &Program{source.File, file, system}, err
}

// WriteText writes the program with the labels that propositions use.
func (p *Program) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n", gcl.FormatNodes(p.file))
	return err
}

// Flow draws the flow graphs of the processes.
func (p *Program) Flow() *diagram.Graph { return p.system.Flow() }

// FirstStates draws at most this many states, those closest to the initial ones.
func (p *Program) FirstStates(most int) (*diagram.Graph, error) {
	var states []kripke.State
	for s := 0; s < p.system.States() && s < most; s++ {
		if _, err := p.system.Moves(nil, kripke.State(s)); err != nil {
			return nil, err
		}
		states = append(states, kripke.State(s))
	}
	return kripke.Diagram(p.system, states)
}

// ProgramSize is the number of states and transitions of a program.
type ProgramSize struct {
	program *Program
	size    *kripke.Size
}

// Size explores all states.
func (p *Program) Size(ctx context.Context) (*ProgramSize, error) {
	size, err := kripke.Count(ctx, p.system)
	if err != nil {
		return nil, err
	}
	return &ProgramSize{p, size}, nil
}

// Write writes the size as comments of a program.
func (s *ProgramSize) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	system := s.program.system
	for _, p := range system.Parameters() {
		fmt.Fprintf(out, "// %s = %d\n", p.Name, p.Value)
	}
	fmt.Fprintf(out, "// processes: %s\n", strings.Join(system.Processes(), ", "))
	fmt.Fprintf(out, "// %s, %s\n", wording.Plural(s.size.States, "state"), wording.Plural(s.size.Moves, "transition"))
	if ends := s.size.DeadEnds; ends > 0 {
		fmt.Fprintf(out, "// %s without a successor; the first one is %s\n", wording.Plural(ends, "state"),
			kripke.Text(system, s.size.DeadEnd))
	}
	return out.Flush()
}

// programObject is a program and its size in JSON.
type programObject struct {
	Program     string           `json:"program"`
	Parameters  map[string]int64 `json:"parameters"`
	Processes   []string         `json:"processes"`
	States      int              `json:"states"`
	Transitions int              `json:"transitions"`
	DeadEnds    int              `json:"dead_ends"` // states without a successor
}

// Object returns the size in JSON.
func (s *ProgramSize) Object() *programObject {
	system := s.program.system
	parameters := map[string]int64{}
	for _, p := range system.Parameters() {
		parameters[p.Name] = p.Value
	}
	return &programObject{s.program.name, parameters, system.Processes(), s.size.States, s.size.Moves, s.size.DeadEnds}
}
