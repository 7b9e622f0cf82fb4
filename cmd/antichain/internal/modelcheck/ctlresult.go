package modelcheck

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

type ctlAnswer struct {
	batch.Header
	Holds  bool           `json:"holds"`
	States []kripke.State `json:"states,omitzero"` // nil if there are too many to list

	// NoFairPath reports that no fair path begins in the witness: every E is false there, and every
	// A is true.
	NoFairPath bool        `json:"no_fair_path,omitempty"`
	Witness    *ctlWitness `json:"witness,omitempty"`

	// For sets of states:
	Count *big.Int `json:"count,omitempty"` // length of States; nil if unknown
	Of    *big.Int `json:"of,omitempty"`    // number of all states
	// Described has a text for each state of the witness. It is nil for a graph, whose states have
	// numbers in the input.
	Described map[kripke.State]string `json:"described,omitempty"`
}

// ctlResult is the result of checking a formula of CTL.
type ctlResult struct {
	*ctl.Result
	system   kripke.System
	evidence *ctl.Evidence // for the witness
}

func newCTLResult(ctx context.Context, checker ctl.Checker, f *temporal.Formula) (*ctlResult, error) {
	r, err := checker.Check(ctx, f)
	if err != nil {
		return nil, err
	}
	e, err := r.Evidence(ctx, r.Witness)
	return &ctlResult{r, checker.System(), e}, err
}

func (r *ctlResult) verdict() tlcheck.Verdict {
	if r.Holds {
		return tlcheck.Holds
	}
	return tlcheck.Violated
}

func (r *ctlResult) answer(id json.RawMessage) any {
	a := &ctlAnswer{Header: batch.Header{ID: id}, Holds: r.Holds, NoFairPath: !r.Fair,
		Witness: witnessObject(r.evidence)}
	_, graph := r.system.(*kripke.Graph)
	if graph || r.Count != nil && r.Count.Cmp(big.NewInt(models.SmallRun)) <= 0 {
		a.States = []kripke.State{}
		for s, err := range r.All() {
			if err != nil {
				return batch.Failure(id, err)
			}
			a.States = append(a.States, s)
		}
	}
	if !graph {
		a.Count, a.Of, a.Described = r.Count, r.States, map[kripke.State]string{}
		r.describe(r.evidence, a.Described)
	}
	return a
}

// describe adds the states of evidence.
func (r *ctlResult) describe(e *ctl.Evidence, states map[kripke.State]string) {
	states[e.State] = kripke.Text(r.system, e.State)
	for _, s := range e.Path {
		states[s.To] = kripke.Text(r.system, s.To)
	}
	for _, b := range e.Because {
		r.describe(b, states)
	}
}

// write writes the verdict and the evidence as text.
func (r *ctlResult) write(w io.Writer) error {
	verdict := "holds"
	if !r.Holds {
		verdict = "does not hold"
	}
	p := &evidencePrinter{system: r.system, shown: map[kripke.State]bool{}}
	if r.Count != nil {
		fmt.Fprintf(&p.text, "%s: it is true in %s of %s\n", verdict, pluralStates(r.Count), wording.Digits(r.States))
	} else {
		fmt.Fprintf(&p.text, "%s: there are too many states to be counted\n", verdict)
	}
	if !r.Fair {
		fmt.Fprintf(&p.text, "no fair path begins in state %d: all that E claims there is false, all that A claims is true\n", r.Witness)
	}
	p.evidence("", r.evidence)
	_, err := io.WriteString(w, p.text.String())
	return err
}

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

func witnessObject(e *ctl.Evidence) *ctlWitness {
	w := &ctlWitness{Formula: wording.Beginning(e.Formula.String(), maxFormulaJSON), State: e.State, Holds: e.Holds, Looked: e.Looked,
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
