package modelcheck

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
)

// stepsAnswer is the answer to a question.
type stepsAnswer struct {
	batch.Header
	Exists bool             `json:"exists"`
	Steps  [][]kripke.State `json:"steps"`
	Cycles []stepsCycle     `json:"cycles,omitempty"`
	// Described describes the states of a program, by number.
	Described map[kripke.State]string `json:"described,omitempty"`
}

// stepsCycle is a maximal step that can be continued for ever.
type stepsCycle struct {
	Stem []kripke.State `json:"stem"` // before the loop
	Loop []kripke.State `json:"loop"` // repeated for ever
}

// add adds a step to the answer.
func (a *stepsAnswer) add(m *stepsModel, step *steps.Step) error {
	a.Exists = true
	if step.Cycle < 0 {
		a.Steps = append(a.Steps, step.States)
	} else {
		a.Cycles = append(a.Cycles, stepsCycle{step.States[:step.Cycle], step.States[step.Cycle:]})
	}
	if !m.program {
		return nil
	}
	if a.Described == nil {
		a.Described = map[kripke.State]string{}
	}
	for _, s := range step.States {
		if a.Described[s] == "" {
			a.Described[s] = kripke.Text(m, s)
		}
	}
	return nil
}
