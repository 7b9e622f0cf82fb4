package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// programModel is a finite-state program with its values of parameters.
type programModel struct {
	name   string
	file   *gcl.File
	system *gcl.System
}

// readProgram reads the program that a source names.
func readProgram(ctx context.Context, in io.Reader, source modelSource) (*programModel, error) {
	model, err := source.read(ctx, in)
	if err != nil {
		return nil, err
	}
	if !model.program {
		return nil, fmt.Errorf("%s is a structure in JSON, and not a program", model.name)
	}
	file, err := gcl.Parse(model.name, string(model.text))
	if err != nil {
		return nil, err
	}
	system, err := gcl.New(file, source.parameters)
	return &programModel{source.file, file, system}, err
}

// writeText writes the program with the labels that propositions use.
func (p *programModel) writeText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n", gcl.FormatNodes(p.file))
	return err
}

// flow draws the flow graphs of the processes.
func (p *programModel) flow() *diagram.Graph { return p.system.Flow() }

// firstStates draws up to most states, those that the fewest moves lead to.
func (p *programModel) firstStates(most int) (*diagram.Graph, error) {
	var states []kripke.State
	for s := 0; s < p.system.States() && s < most; s++ {
		if _, err := p.system.Moves(nil, kripke.State(s)); err != nil {
			return nil, err
		}
		states = append(states, kripke.State(s))
	}
	return kripke.Diagram(p.system, states)
}

// programSize is how many states and transitions a program has.
type programSize struct {
	program *programModel
	graph   *kripke.Graph
}

// size finds all states.
func (p *programModel) size(ctx context.Context) (*programSize, error) {
	graph, err := kripke.Explore(ctx, p.system)
	if err != nil {
		return nil, err
	}
	return &programSize{p, graph}, nil
}

// write writes the size as comments of a program.
func (s *programSize) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	system := s.program.system
	for _, p := range system.Parameters() {
		fmt.Fprintf(out, "// %s = %d\n", p.Name, p.Value)
	}
	fmt.Fprintf(out, "// processes: %s\n", strings.Join(system.Processes(), ", "))
	fmt.Fprintf(out, "// %s, %s\n", report.Plural(s.graph.States(), "state"), report.Plural(s.graph.Len(), "transition"))
	if ends := s.graph.DeadEnds(); len(ends) > 0 {
		fmt.Fprintf(out, "// %s without a successor; the first one is %s\n", report.Plural(len(ends), "state"), kripke.Text(s.graph, ends[0]))
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

// object returns the size in JSON.
func (s *programSize) object() *programObject {
	system := s.program.system
	parameters := map[string]int64{}
	for _, p := range system.Parameters() {
		parameters[p.Name] = p.Value
	}
	return &programObject{s.program.name, parameters, system.Processes(), s.graph.States(), s.graph.Len(), len(s.graph.DeadEnds())}
}
