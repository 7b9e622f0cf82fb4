package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tracer/event"
)

// The drawings of an answer.
const (
	drawModel     = "model"
	drawTableau   = "tableau"
	drawPruned    = "pruned"
	drawSkeletons = "skeletons"
)

// answerForm says how an answer is printed; as text if no field is set.
type answerForm struct {
	json      bool
	dot, svg  bool   // a picture
	drawing   string // that the picture shows
	goPackage string // the name of a Go package of the program
	output    string // the directory for the package and its specification; "" prints the package
}

// write prints an answer.
func (f *answerForm) write(w io.Writer, found *skeleton.Synthesis) error {
	switch {
	case f.json:
		return report.WriteJSON(w, newCTLAnswer(found))
	case (f.dot || f.svg) && (found.Model != nil || f.drawsTableau()):
		return f.writePicture(w, found)
	case found.Skeletons != nil && f.goPackage != "":
		return f.writeGo(w, found)
	case found.Skeletons != nil:
		_, err := io.WriteString(w, found.Skeletons.Program())
		return err
	}
	return writeOutcome(w, found.Outcome)
}

// writeGo prints the Go package, or writes it into a directory with its specification.
func (f *answerForm) writeGo(w io.Writer, found *skeleton.Synthesis) error {
	text, err := found.Skeletons.Go(f.goPackage)
	if err != nil {
		return fmt.Errorf("--go: %w", err)
	}
	if f.output == "" {
		_, err = io.WriteString(w, text)
		return err
	}
	if err := os.MkdirAll(f.output, 0o777); err != nil {
		return err
	}
	file := filepath.Join(f.output, f.goPackage)
	if err := os.WriteFile(file+".go", []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(file+".tl", []byte(found.SliceSpec(f.goPackage)), 0o666)
}

// drawsTableau reports whether there is something to draw without a model.
func (f *answerForm) drawsTableau() bool { return f.drawing == drawTableau || f.drawing == drawPruned }

// writePicture draws the model, the tableau that it comes from, or the program that was made of it.
func (f *answerForm) writePicture(w io.Writer, found *skeleton.Synthesis) error {
	var picture *diagram.Graph
	var err error
	switch {
	case f.drawsTableau():
		picture, err = found.Tableau(f.drawing == drawPruned)
	case f.drawing == drawSkeletons:
		picture = found.Skeletons.Diagram()
	default:
		picture, err = allStates(found.Model)
	}
	if err != nil {
		return err
	}
	return report.WritePicture(w, picture, f.svg)
}

// allStates draws all states of a model.
func allStates(m *tableau.Model) (*diagram.Graph, error) {
	states := make([]kripke.State, m.States())
	for i := range states {
		states[i] = kripke.State(i)
	}
	return kripke.Diagram(m, states)
}

// writeOutcome writes a model, or why there is none, for people.
func writeOutcome(w io.Writer, o *tableau.Outcome) error {
	var b strings.Builder
	if o.Model == nil {
		b.WriteString("not satisfiable\n")
		for _, line := range o.Why {
			b.WriteString(event.Printable(line) + "\n")
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	m := o.Model
	fmt.Fprintf(&b, "satisfiable, by a model of %s:\n", report.Plural(m.States(), "state"))
	for s := range kripke.State(m.States()) {
		fmt.Fprintf(&b, "%d: {%s}\n", s, event.Printable(strings.Join(m.Atoms(s), ", ")))
		moves, err := m.Moves(nil, s)
		if err != nil {
			return err
		}
		for _, move := range moves {
			fmt.Fprintf(&b, "    %s -> %d\n", event.Printable(m.Processes()[move.Process]), move.To)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
