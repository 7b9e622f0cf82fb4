package modelcheck

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tracer/event"
)

// evidencePrinter writes evidence as indented lines.
type evidencePrinter struct {
	system kripke.System
	text   strings.Builder
	shown  map[kripke.State]bool // states whose fields follow from the text written so far
}

func (p *evidencePrinter) evidence(indent string, e *ctl.Evidence) {
	formula := event.Printable(wording.Beginning(e.Formula.String(), maxFormula))
	fmt.Fprintf(&p.text, "%s%s is %v in %s", indent, formula, e.Holds, p.state(e.State))
	switch {
	case e.Omitted:
		p.text.WriteString(" (the reasons are above, or too many)")
	case e.AllPaths && e.Formula.Op != temporal.EX && e.Formula.Op != temporal.AX:
		p.text.WriteString(": all paths were looked at")
		if e.Looked != nil {
			fmt.Fprintf(&p.text, ", in %s", pluralStates(e.Looked))
		}
	}
	p.text.WriteString("\n")
	p.path(indent+"  ", e.State, e.Path, e.Loop)
	for _, b := range e.Because {
		p.evidence(indent+"  ", b)
	}
}

// path writes the steps of a path. Those from loop on repeat.
func (p *evidencePrinter) path(indent string, s kripke.State, steps []ctl.Step, loop int) {
	for i, step := range steps {
		if i == loop {
			fmt.Fprintf(&p.text, "%sand then for ever:\n", indent)
		}
		fmt.Fprintf(&p.text, "%s%s => %s\n", indent, p.move(s, step), p.changed(s, step.To))
		s = step.To
	}
}

// state writes a state, the first time with all its fields.
func (p *evidencePrinter) state(s kripke.State) string {
	if p.shown[s] {
		return fmt.Sprintf("state %d", s)
	}
	p.shown[s] = true
	return event.Printable(kripke.Text(p.system, s))
}

// changed writes the fields of a state that differ from the state before.
func (p *evidencePrinter) changed(from, to kripke.State) string {
	p.shown[to] = true
	return changedText(p.system, from, to)
}

// changedText returns a state with the fields that differ from the state before.
func changedText(system kripke.System, from, to kripke.State) string {
	text := fmt.Sprintf("state %d", to)
	sep := ": "
	for _, f := range kripke.Changed(system, from, to) {
		text += sep + kripke.FieldText(system, f)
		sep = " "
	}
	return event.Printable(text)
}

// moveText returns the process and the action of a move.
func moveText(system kripke.System, from kripke.State, m kripke.Move) string {
	label := system.Label(from, m)
	if m.Process != kripke.NoProcess {
		label = system.Processes()[m.Process] + ": " + label
	}
	return event.Printable(label)
}

// move writes the process and the action of a step.
func (p *evidencePrinter) move(from kripke.State, step ctl.Step) string {
	moves, err := p.system.Moves(nil, from)
	if err != nil {
		panic(err) // its moves were computed before
	}
	for _, m := range moves {
		if m.To == step.To && m.Process == step.Process {
			return moveText(p.system, from, m)
		}
	}
	panic("a path has a step that is no move")
}

// pluralStates writes a number of states, which may be larger than any int.
func pluralStates(n *big.Int) string {
	if n.IsInt64() && n.Int64() <= math.MaxInt {
		return wording.Plural(int(n.Int64()), "state")
	}
	return wording.Digits(n) + " states"
}
