package modelcheck

import (
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tracer/event"
)

// stepPrinter writes steps as text, as they are found.
type stepPrinter struct {
	out     io.Writer
	written int
}

// write writes a step: its first state in full, and then each move and its effect.
func (w *stepPrinter) write(m *stepsModel, step *steps.Step) error {
	var b strings.Builder
	if w.written++; w.written > 1 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "step %d, %s", w.written, wording.Plural(len(step.States), "state"))
	if step.Cycle >= 0 {
		b.WriteString(", can grow for ever")
	}
	b.WriteString("\n")
	for i, s := range step.States {
		if i == step.Cycle {
			b.WriteString("    and then for ever:\n")
		}
		b.WriteString("    ")
		if i == 0 {
			b.WriteString(event.Printable(kripke.Text(m, s)))
		} else if err := writeMove(&b, m, step.States[i-1], s); err != nil {
			return err
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w.out, b.String())
	return err
}

// writeMove writes the process and the action of a move, and the fields it changes.
func writeMove(b *strings.Builder, m *stepsModel, from, to kripke.State) error {
	moves, err := m.Moves(nil, from)
	if err != nil {
		return err
	}
	for _, move := range moves {
		if move.To != to {
			continue
		}
		if m.program {
			label := m.Label(from, move)
			if move.Process != kripke.NoProcess {
				label = m.Processes()[move.Process] + ": " + label
			}
			b.WriteString(event.Printable(label) + " => ")
		}
		break
	}
	fmt.Fprintf(b, "state %d", to)
	sep := ": "
	for _, f := range kripke.Changed(m, from, to) {
		b.WriteString(sep + event.Printable(kripke.FieldText(m, f)))
		sep = " "
	}
	return nil
}
