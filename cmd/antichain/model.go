package main

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// modelText is a program, a structure or a run, which open makes a system.
type modelText struct {
	name       string // for errors
	text       []byte
	program    bool            // otherwise it is a structure,
	run        *tracemodel.Run // unless this is set
	sets       *runSpace       // of a run with many states, once they are counted
	counted    bool            // whether sets is known
	parameters map[string]int64
}

// open returns the system of a model.
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
