package modelcheck

import (
	"math/big"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// ctlWitness is ctl.Evidence in JSON.
type ctlWitness struct {
	Formula string         `json:"formula"`
	State   kripke.State   `json:"state"`
	Holds   bool           `json:"holds"`
	Path    []kripke.State `json:"path,omitempty"` // from State on
	Stem    []kripke.State `json:"stem,omitempty"` // before the loop
	Loop    []kripke.State `json:"loop,omitempty"` // repeated for ever
	Looked  *big.Int       `json:"looked,omitempty"`
	Because []*ctlWitness  `json:"because,omitempty"`
	// the evidence stands elsewhere, or is too large
	Omitted bool `json:"omitted,omitempty"`
}

// Limits for the bytes of a formula in a witness, since each part of a long one is shown again.
const (
	maxFormula     = 200 // in text
	maxFormulaJSON = 4096
)

// shortFormula writes the beginning of a formula.
func shortFormula(f *temporal.Formula, most int) string {
	text := f.String()
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func witnessObject(e *ctl.Evidence) *ctlWitness {
	w := &ctlWitness{Formula: shortFormula(e.Formula, maxFormulaJSON), State: e.State, Holds: e.Holds, Looked: e.Looked,
		Omitted: e.Omitted}
	states := []kripke.State{e.State}
	for _, s := range e.Path {
		states = append(states, s.To)
	}
	switch {
	case e.Loop >= 0:
		w.Stem, w.Loop = states[:e.Loop], states[e.Loop:len(states)-1]
	case len(e.Path) > 0:
		w.Path = states
	}
	for _, b := range e.Because {
		w.Because = append(w.Because, witnessObject(b))
	}
	return w
}
