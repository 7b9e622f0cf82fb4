package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tracer/event"
)

// ltlAnswer is the answer to a question: one of Sat, Valid and Holds.
type ltlAnswer struct {
	batch.Header
	Sat            *bool      `json:"sat,omitempty"`
	Valid          *bool      `json:"valid,omitempty"`
	Holds          *bool      `json:"holds,omitempty"`
	Model          ltlWord    `json:"model,omitempty"`
	Counterexample ltlWord    `json:"counterexample,omitempty"`
	Reason         *ltlReason `json:"reason,omitempty"` // why a formula is not satisfiable
}

// ltlWord is a word that shows a verdict.
type ltlWord interface {
	// write writes what follows the verdict.
	write(*strings.Builder)
}

type finiteWord ltl.Word

type infiniteWord tableau.Lasso

func (w finiteWord) write(b *strings.Builder) {
	fmt.Fprintf(b, ", shown by a word of %s:\n", report.Plural(len(w), "letter"))
	for i, letter := range w {
		writeLetter(b, i, letter)
	}
}

func (w *infiniteWord) write(b *strings.Builder) {
	b.WriteString(", shown by an infinite word:\n")
	for i, letter := range w.Stem {
		writeLetter(b, i, letter)
	}
	b.WriteString("and then for ever:\n")
	for i, letter := range w.Loop {
		writeLetter(b, len(w.Stem)+i, letter)
	}
}

func writeLetter(b *strings.Builder, i int, letter []string) {
	fmt.Fprintf(b, "%5d  {%s}\n", i+1, event.Printable(strings.Join(letter, ", ")))
}

// ltlReason is tableau.Reason in JSON.
type ltlReason struct {
	Nodes   int          `json:"nodes"`
	Removed []ltlRemoved `json:"removed,omitempty"`
}

type ltlRemoved struct {
	Formulas    []string `json:"formulas"`
	Unfulfilled []string `json:"unfulfilled,omitempty"`
}

func newLTLReason(r *tableau.Reason) *ltlReason {
	texts := func(formulas []*temporal.Formula) (texts []string) {
		for _, f := range formulas {
			texts = append(texts, f.String())
		}
		return texts
	}
	reason := &ltlReason{Nodes: r.Nodes}
	for _, removed := range r.Removed {
		reason.Removed = append(reason.Removed, ltlRemoved{texts(removed.Formulas), texts(removed.Unfulfilled)})
	}
	return reason
}

// write writes what follows the verdict.
func (r *ltlReason) write(b *strings.Builder) {
	if r.Nodes == 0 {
		b.WriteString(": it is false by its connectives alone\n")
		return
	}
	fmt.Fprintf(b, ": %s of the tableau had to be removed\n", report.Plural(r.Nodes, "node"))
	for _, removed := range r.Removed {
		why := "contradict each other"
		if removed.Unfulfilled != nil {
			why = "postpone for ever " + strings.Join(removed.Unfulfilled, ", ")
		}
		fmt.Fprintf(b, "    {%s} %s\n", event.Printable(strings.Join(removed.Formulas, ", ")), event.Printable(why))
	}
}

// print writes the answer to a single question.
func (f *ltlFlags) print(w io.Writer, v ltlVerb, a *ltlAnswer) error {
	yes := *a.verdict()
	write := func() error { return a.write(w, v) }
	if f.json {
		write = func() error { return report.WriteJSON(w, a) }
	}
	if err := write(); err != nil {
		return err
	}
	if !yes {
		return exit.Code(exit.Violated)
	}
	return nil
}

// verdict returns the yes or no.
func (a *ltlAnswer) verdict() *bool {
	for _, v := range []*bool{a.Sat, a.Valid, a.Holds} {
		if v != nil {
			return v
		}
	}
	panic("an answer without a verdict")
}

// write writes the verdict for people, with what shows it, if there is something.
func (a *ltlAnswer) write(w io.Writer, v ltlVerb) error {
	var b strings.Builder
	b.WriteString(v.no)
	if *a.verdict() {
		b.Reset()
		b.WriteString(v.yes)
	}
	switch {
	case a.Model != nil:
		a.Model.write(&b)
	case a.Counterexample != nil:
		a.Counterexample.write(&b)
	case a.Reason != nil:
		a.Reason.write(&b)
	default:
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// satisfied returns a word that satisfies f, or why there is none.
func (q *ltlAsked) satisfied(ctx context.Context, f *temporal.Formula) (ltlWord, *tableau.Reason, error) {
	if q.finite {
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

func ltlSat(ctx context.Context, q *ltlAsked) (*ltlAnswer, error) {
	word, reason, err := q.satisfied(ctx, q.formulas[0])
	sat := word != nil
	a := &ltlAnswer{Sat: &sat, Model: word}
	if reason != nil {
		a.Reason = newLTLReason(reason)
	}
	return a, err
}

// refuted returns whether a formula is true of all words, and one of which it is not.
func (q *ltlAsked) refuted(ctx context.Context, f *temporal.Formula) (counterexample ltlWord, valid *bool, err error) {
	word, _, err := q.satisfied(ctx, &temporal.Formula{Op: temporal.Not, X: f})
	none := word == nil
	return word, &none, err
}

func ltlValid(ctx context.Context, q *ltlAsked) (*ltlAnswer, error) {
	word, valid, err := q.refuted(ctx, q.formulas[0])
	return &ltlAnswer{Valid: valid, Counterexample: word}, err
}

func ltlImplies(ctx context.Context, q *ltlAsked) (*ltlAnswer, error) {
	word, holds, err := q.refuted(ctx, &temporal.Formula{Op: temporal.Implies, X: q.formulas[0], Y: q.formulas[1]})
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func ltlEquiv(ctx context.Context, q *ltlAsked) (*ltlAnswer, error) {
	word, holds, err := q.refuted(ctx, &temporal.Formula{Op: temporal.Iff, X: q.formulas[0], Y: q.formulas[1]})
	return &ltlAnswer{Holds: holds, Counterexample: word}, err
}

func ltlEval(ctx context.Context, q *ltlAsked) (*ltlAnswer, error) {
	holds, err := ltl.Holds(ctx, q.formulas[0], q.word)
	return &ltlAnswer{Holds: &holds}, err
}
