package models

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// Model is a program, a structure or a run, from which Open makes a system.
type Model struct {
	Name       string // for errors
	Text       []byte
	Program    bool            // otherwise it is a structure,
	Run        *tracemodel.Run // unless this is set
	Sets       *RunSpace       // of a run with many states, once they are counted
	counted    bool            // Sets is computed
	parameters map[string]int64
}

// Open returns the system of a model.
func (m *Model) Open() (kripke.System, error) {
	if m.Run != nil {
		return m.Run, nil
	}
	if !m.Program {
		if len(m.parameters) > 0 {
			return nil, fmt.Errorf("%s is a structure, which has no parameters: leave out --param", m.Name)
		}
		return kripke.ParseStructure(m.Name, m.Text)
	}
	return m.OpenProgram()
}

// OpenProgram returns the system of a program.
func (m *Model) OpenProgram() (*gcl.System, error) {
	f, err := gcl.Parse(m.Name, string(m.Text))
	if err != nil {
		return nil, err
	}
	return gcl.New(f, m.parameters)
}

// System opens a model. With stutter, states without successors stutter. The last state of a run
// always does.
func (m *Model) System(stutter bool) (kripke.System, error) {
	sys, err := m.Open()
	if err == nil && (stutter || m.Run != nil) {
		sys = kripke.Stutter(sys)
	}
	return sys, err
}

// Explore opens a model and explores all its states. If there are more than most, the error is
// kripke.ErrMany.
func (m *Model) Explore(ctx context.Context, stutter bool, most int) (*kripke.Graph, error) {
	sys, err := m.System(stutter)
	if err != nil {
		return nil, err
	}
	if most < kripke.MaxStates {
		sys = kripke.AtMost(sys, most)
	}
	return kripke.Explore(ctx, sys)
}
