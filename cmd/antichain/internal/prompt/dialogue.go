// Package prompt is the dialogue with a person about a halted program.
//
// A program is halted at a violation or because the person asked for it. The dialogue offers what
// Frey and Schlingloff 1998, §4.7, list: to inspect variables, locations and slices, to change
// variables, to continue the program with the same specification and history or with another
// specification and no history, and to end it.
//
// The dialogue is about two things. One is a slice, a global state that some order of the run's
// events passes through. The person steps from slice to slice, which does not affect the program.
// The other is the present state of the program, whose goroutines and package variables can be
// inspected.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// HaltedProgram is a program that stands still, and its run so far.
type HaltedProgram struct {
	Program  Program
	Root     string                  // directory that positions are relative to
	Package  string                  // of the specification, in which its names are looked up
	TaskName func(ctx uint64) string // the task that a goroutine is; "" if it is none
	// what reports call a goroutine
	DisplayName func(ctx uint64) string

	Net        *san.Net          // nothing is added to it during the dialogue
	Properties []*spec.Property  // that are being checked
	Violations []*tlcheck.Result // why the program was halted; none if the person wanted it
	Options    tlcheck.Options   // how formulas are evaluated

	// Load reads a specification that can be checked from here on.
	Load func(file string) ([]*spec.Property, error)

	// Attached says that the program is not ours to end: a person who leaves lets it go on.
	Attached bool
}

// Program is a halted program that can be examined: a *control.Session.
type Program interface {
	PID() int
	Tasks() ([]control.Task, error)
	Variables() ([]control.Variable, error)
	Get(pkg, path string) (control.Value, error)
	Set(pkg, path string, v event.Value) (control.Value, error)
}

// Decision is the end of a dialogue: what happens to the program.
type Decision struct {
	Action     Action
	Properties []*spec.Property // of Replace
}

// Action is the kind of a decision.
type Action uint8

// The decisions. Resume is the zero Action.
const (
	Resume  Action = iota // with the same specification and history
	Replace               // with another specification, and the history purged
	Detach                // the program goes on and is not watched any more
	End                   // the program ends
)

// Run asks until a decision is made. It prints a violation only on request, since its caller has
// reported it. Without an answer (ctx ended, no input any more) the decision is Detach, and the
// error says why.
func Run(ctx context.Context, h *HaltedProgram, c console.Console, style report.Style) (Decision, error) {
	d := &dialogue{HaltedProgram: h, Console: c, ctx: ctx, style: style, lattice: slices.NewLattice(h.Net)}
	d.slice = d.lattice.Top()
	if len(h.Violations) > 0 {
		d.lookAt(h.Violations[0])
	}
	for d.decision == nil {
		line, err := d.read("(antichain) ")
		if err != nil {
			return Decision{Action: Detach}, err
		}
		if err := d.obey(line); err != nil {
			fmt.Fprintln(c, err)
		}
		if d.broken != nil {
			return Decision{Action: Detach}, d.broken
		}
	}
	return *d.decision, nil
}

// dialogue is the state of a dialogue.
type dialogue struct {
	*HaltedProgram
	console.Console
	ctx     context.Context
	style   report.Style
	lattice *slices.Lattice

	slice    slices.Ideal      // that is looked at
	property *spec.Property    // whose value is shown there; nil if there is none
	tiva     []tlcheck.Binding // for it
	again    string            // what an empty line repeats

	decision *Decision
	broken   error // of the console
}

// lookAt looks at a violation. That of a built-in property is where the program stands.
func (d *dialogue) lookAt(v *tlcheck.Result) {
	if v.Witness == nil {
		d.slice, d.property, d.tiva = d.lattice.Top(), nil, nil
		return
	}
	d.slice, d.property, d.tiva = v.Witness.Slice, v.Property, v.Witness.TIVA
}

// shownSlice returns the slice that the user looks at.
func (d *dialogue) shownSlice() *report.Slice {
	return &report.Slice{Net: d.Net, Ideal: d.slice, Happened: d.lattice.Happened(d.slice), TIVA: d.tiva}
}

// read reads a command; ctrl-C begins a new line, ctrl-D says farewell.
func (d *dialogue) read(prompt string) (string, error) {
	for {
		line, err := d.ReadLine(prompt, d.complete)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF):
			return quit.Name, nil
		case !errors.Is(err, console.ErrInterrupted):
			return "", err
		}
	}
}

// obey carries out a command.
func (d *dialogue) obey(line string) (err error) {
	if strings.TrimSpace(line) == "" {
		line = d.again
	}
	d.again, err = commands.Obey(d, line)
	return err
}

// complete returns what the last word of a line can be.
func (d *dialogue) complete(line string) []string { return commands.Complete(d, line) }
