// Package satisfiability decides formulas of temporal logic without a model, and prints the answers
// as text, JSON and pictures.
//
// An LTLSolver solves the problems of linear time: whether a formula is satisfiable or valid,
// whether one implies another or is equivalent to it, and whether a word satisfies it. A word
// proves the answer. A CTLSolver looks for a structure that satisfies a formula of branching time,
// and makes a program of it. Both take single questions and those of a batch. A question that
// exhausts its budget gets the answer unknown.
package satisfiability

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// LTLQuestion has the formulas of a problem, and its word if the problem has one.
type LTLQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	Formula2 *string         `json:"formula2"`
	Word     *ltl.Word       `json:"word"`
}

// LTLSolver solves instances of a problem.
type LTLSolver struct {
	Problem *LTLProblem
	Finite  bool          // over finite words
	Limits  limits.Limits // for each question
}

// Answer answers a line of a batch.
func (p *LTLSolver) Answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q LTLQuestion
	if err := batch.Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	a, err := p.decide(ctx, &q)
	return a, q.ID, err
}

// Solve prints the answer to a question.
func (p *LTLSolver) Solve(ctx context.Context, s terminal.Streams, q *LTLQuestion, asJSON bool) error {
	a, err := p.decide(ctx, q)
	if err == nil {
		err = p.print(s.Out, a, asJSON)
	}
	if batch.OverBudget(err) {
		return batch.WriteUnknown(s, asJSON, err)
	}
	return err
}

// maxAutomaton limits the states of an automaton in a picture.
const maxAutomaton = 300

// Draw draws the automaton of a formula over finite words. It fails if no word satisfies the
// formula.
func (p *LTLSolver) Draw(ctx context.Context, s terminal.Streams, q *LTLQuestion, svg bool) error {
	a, err := p.decide(ctx, q)
	if err == nil {
		err = p.automaton(ctx, s.Out, *q.Formula, svg)
	}
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, false, err)
	case err == nil && !*a.verdict():
		err = exit.Code(exit.Violated)
	}
	return err
}

// automaton draws the automaton of a formula.
func (p *LTLSolver) automaton(ctx context.Context, w io.Writer, text string, svg bool) error {
	formula, err := temporal.Parse("formula", text, temporal.FiniteLTL)
	if err != nil {
		return err
	}
	ctx, stop := p.Limits.Bound(ctx)
	defer stop()
	picture, err := ltl.Diagram(ctx, formula, maxAutomaton)
	if err != nil {
		return err
	}
	return picture.Write(w, svg)
}

// decide parses the formulas of a question and decides it, within the budget.
func (p *LTLSolver) decide(ctx context.Context, q *LTLQuestion) (*ltlAnswer, error) {
	instance := &ltlInstance{finite: p.Finite || p.Problem.Word}
	logic := temporal.InfiniteLTL
	if instance.finite {
		logic = temporal.FiniteLTL
	}
	for i, key := range []string{"formula", "formula2"}[:p.Problem.Formulas] {
		src := []*string{q.Formula, q.Formula2}[i]
		if src == nil {
			return nil, fmt.Errorf("the key %q is missing", key)
		}
		formula, err := temporal.Parse(key, *src, logic)
		if err != nil {
			return nil, err
		}
		instance.formulas = append(instance.formulas, formula)
	}
	if p.Problem.Word {
		if q.Word == nil {
			return nil, errors.New(`the key "word" is missing`)
		}
		instance.word = *q.Word
	}
	ctx, stop := p.Limits.Bound(ctx)
	defer stop()
	a, err := p.Problem.decide(instance, ctx)
	if err != nil {
		return nil, err
	}
	a.ID = q.ID
	return a, nil
}

// print writes an answer. It returns an error if that is no.
func (p *LTLSolver) print(w io.Writer, a *ltlAnswer, asJSON bool) error {
	yes := *a.verdict()
	write := func() error { return a.write(w, p.Problem) }
	if asJSON {
		write = func() error { return report.WriteObject(w, a) }
	}
	if err := write(); err != nil {
		return err
	}
	if !yes {
		return exit.Code(exit.Violated)
	}
	return nil
}

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

// ltlInstance has the parsed formulas of a question, and its word if it has one.
type ltlInstance struct {
	finite   bool // over finite words
	formulas []*temporal.Formula
	word     ltl.Word
}

// satisfyingWord returns a word that satisfies f, or the reason why there is none.
func (p *ltlInstance) satisfyingWord(ctx context.Context, f *temporal.Formula) (ltlWord, *tableau.Reason, error) {
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
	word, reason, err := p.satisfyingWord(ctx, p.formulas[0])
	sat := word != nil
	a := &ltlAnswer{Sat: &sat, Model: word}
	if reason != nil {
		a.Reason = newLTLReason(reason)
	}
	return a, err
}

// counterexample reports whether all words satisfy a formula, and returns a word that does not.
func (p *ltlInstance) counterexample(ctx context.Context,
	f *temporal.Formula) (counterexample ltlWord, valid *bool, err error) {
	word, _, err := p.satisfyingWord(ctx, &temporal.Formula{Op: temporal.Not, X: f})
	none := word == nil
	return word, &none, err
}

func (p *ltlInstance) valid(ctx context.Context) (*ltlAnswer, error) {
	word, valid, err := p.counterexample(ctx, p.formulas[0])
	return &ltlAnswer{Valid: valid, Counterexample: word}, err
}

func (p *ltlInstance) implies(ctx context.Context) (*ltlAnswer, error) {
	implication := &temporal.Formula{Op: temporal.Implies, X: p.formulas[0], Y: p.formulas[1]}
	word, holds, err := p.counterexample(ctx, implication)
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func (p *ltlInstance) equiv(ctx context.Context) (*ltlAnswer, error) {
	word, holds, err := p.counterexample(ctx, &temporal.Formula{Op: temporal.Iff, X: p.formulas[0], Y: p.formulas[1]})
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func (p *ltlInstance) eval(ctx context.Context) (*ltlAnswer, error) {
	holds, err := ltl.Holds(ctx, p.formulas[0], p.word)
	return &ltlAnswer{Holds: &holds}, err
}
