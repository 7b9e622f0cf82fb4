package satisfiability

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// The drawings of an answer.
const (
	DrawModel     = "model"
	drawTableau   = "tableau"
	drawPruned    = "pruned"
	drawSkeletons = "skeletons"
)

// Drawings returns the possible drawings of a satisfiable formula, or of its program.
func Drawings(synthesize bool) []string {
	drawings := []string{DrawModel, drawTableau, drawPruned}
	if synthesize {
		drawings = append(drawings, drawSkeletons)
	}
	return drawings
}

// Form selects the form of an answer; the zero value is text.
type Form struct {
	JSON      bool
	DOT, SVG  bool   // a picture
	Drawing   string // kind of the picture, one of Drawings
	GoPackage string // name of a Go package of the program
	Output    string // directory for the package and its specification; "" prints the package
}

// write prints an answer.
func (f *Form) write(w io.Writer, found *skeleton.Synthesis) error {
	switch {
	case f.JSON:
		return report.WriteObject(w, newCTLAnswer(found))
	case (f.DOT || f.SVG) && (found.Model != nil || f.drawsTableau()):
		return f.writePicture(w, found)
	case found.Skeletons != nil && f.GoPackage != "":
		return f.writeGo(w, found)
	case found.Skeletons != nil:
		_, err := io.WriteString(w, found.Skeletons.Program())
		return err
	}
	return writeAnswer(w, found.Answer)
}

// writeGo prints the Go package, or writes it into a directory with its specification.
func (f *Form) writeGo(w io.Writer, found *skeleton.Synthesis) error {
	text, err := found.Skeletons.Go(f.GoPackage)
	if err != nil {
		return fmt.Errorf("--go: %w", err)
	}
	if f.Output == "" {
		_, err = io.WriteString(w, text)
		return err
	}
	if err := os.MkdirAll(f.Output, 0o777); err != nil {
		return err
	}
	file := filepath.Join(f.Output, f.GoPackage)
	if err := os.WriteFile(file+".go", []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(file+".tl", []byte(found.SliceSpec(f.GoPackage)), 0o666)
}

// drawsTableau reports whether the picture needs no model.
func (f *Form) drawsTableau() bool { return f.Drawing == drawTableau || f.Drawing == drawPruned }

// writePicture draws the model, its tableau, or its program.
func (f *Form) writePicture(w io.Writer, found *skeleton.Synthesis) error {
	var picture *diagram.Graph
	var err error
	switch {
	case f.drawsTableau():
		picture, err = found.Tableau(f.Drawing == drawPruned)
	case f.Drawing == drawSkeletons:
		picture = found.Skeletons.Diagram()
	default:
		picture, err = allStates(found.Model)
	}
	if err != nil {
		return err
	}
	return picture.Write(w, f.SVG)
}

// allStates draws all states of a model.
func allStates(m *tableau.Model) (*diagram.Graph, error) {
	states := make([]kripke.State, m.States())
	for i := range states {
		states[i] = kripke.State(i)
	}
	return kripke.Diagram(m, states)
}

// writeAnswer writes a model as text, or the reasons why there is none.
func writeAnswer(w io.Writer, o *tableau.Answer) error {
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
	fmt.Fprintf(&b, "satisfiable, by a model of %s:\n", wording.Plural(m.States(), "state"))
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
