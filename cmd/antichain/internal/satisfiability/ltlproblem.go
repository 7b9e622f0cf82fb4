package satisfiability

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// LTLProblem is a yes-or-no question about formulas.
type LTLProblem struct {
	Formulas int    // number of formulas
	Word     bool   // there is a finite word, too
	yes, no  string // the answers as text
	decide   func(*ltlInstance, context.Context) (*ltlAnswer, error)
}

// The problems of LTL.
var (
	LTLSat     = &LTLProblem{Formulas: 1, yes: "satisfiable", no: "not satisfiable", decide: (*ltlInstance).sat}
	LTLValid   = &LTLProblem{Formulas: 1, yes: "valid", no: "not valid", decide: (*ltlInstance).valid}
	LTLImplies = &LTLProblem{Formulas: 2, yes: "the first implies the second",
		no: "the first does not imply the second", decide: (*ltlInstance).implies}
	LTLEquiv = &LTLProblem{Formulas: 2, yes: "equivalent", no: "not equivalent", decide: (*ltlInstance).equiv}
	LTLEval  = &LTLProblem{Formulas: 1, Word: true, yes: "satisfied", no: "not satisfied",
		decide: (*ltlInstance).eval}
)

// ltlInstance is a problem with its formulas.
type ltlInstance struct {
	finite   bool // over finite words
	formulas []*temporal.Formula
	word     ltl.Word
}

// satisfied returns a word that satisfies f, or the reason why there is none.
func (p *ltlInstance) satisfied(ctx context.Context, f *temporal.Formula) (ltlWord, *tableau.Reason, error) {
	if p.finite {
		word, sat, err := ltl.Sat(ctx, f)
		if !sat {
			return nil, nil, err
		}
		return finiteWord(word), nil, err
	}
	a, err := tableau.Sat(ctx, f)
	switch {
	case err != nil:
		return nil, nil, err
	case a.Model == nil:
		return nil, a.Reason, nil
	}
	return (*infiniteWord)(a.Model), nil, nil
}

func (p *ltlInstance) sat(ctx context.Context) (*ltlAnswer, error) {
	word, reason, err := p.satisfied(ctx, p.formulas[0])
	sat := word != nil
	a := &ltlAnswer{Sat: &sat, Model: word}
	if reason != nil {
		a.Reason = newLTLReason(reason)
	}
	return a, err
}

// refuted reports whether all words satisfy a formula, and returns a word that does not.
func (p *ltlInstance) refuted(ctx context.Context,
	f *temporal.Formula) (counterexample ltlWord, valid *bool, err error) {
	word, _, err := p.satisfied(ctx, &temporal.Formula{Op: temporal.Not, X: f})
	none := word == nil
	return word, &none, err
}

func (p *ltlInstance) valid(ctx context.Context) (*ltlAnswer, error) {
	word, valid, err := p.refuted(ctx, p.formulas[0])
	return &ltlAnswer{Valid: valid, Counterexample: word}, err
}

func (p *ltlInstance) implies(ctx context.Context) (*ltlAnswer, error) {
	word, holds, err := p.refuted(ctx, &temporal.Formula{Op: temporal.Implies, X: p.formulas[0], Y: p.formulas[1]})
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func (p *ltlInstance) equiv(ctx context.Context) (*ltlAnswer, error) {
	word, holds, err := p.refuted(ctx, &temporal.Formula{Op: temporal.Iff, X: p.formulas[0], Y: p.formulas[1]})
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func (p *ltlInstance) eval(ctx context.Context) (*ltlAnswer, error) {
	holds, err := ltl.Holds(ctx, p.formulas[0], p.word)
	return &ltlAnswer{Holds: &holds}, err
}
