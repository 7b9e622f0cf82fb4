package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/ltl"
	"github.com/antichain-go/antichain/tlcheck/temporal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ltlQuestion is what a verb is asked, by its arguments or in a line of a batch.
type ltlQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	Formula2 *string         `json:"formula2"`
	Word     *ltl.Word       `json:"word"`
}

// ltlAnswer is the answer to a question: one of Sat, Valid and Holds.
type ltlAnswer struct {
	answerHead
	Sat            *bool    `json:"sat,omitempty"`
	Valid          *bool    `json:"valid,omitempty"`
	Holds          *bool    `json:"holds,omitempty"`
	Model          ltl.Word `json:"model,omitempty"`
	Counterexample ltl.Word `json:"counterexample,omitempty"`
}

// ltlVerb is a verb that answers questions about formulas.
type ltlVerb struct {
	name, args, short, long string
	formulas                int  // how many it is asked about
	finite                  bool // asks whether words are finite; without this they are
	decide                  func(context.Context, []*temporal.Formula, ltl.Word) (*ltlAnswer, error)
	yes, no                 string // what it says of a single question
}

var ltlVerbs = []ltlVerb{
	{
		name: "sat", args: "FORMULA", formulas: 1, finite: true, decide: ltlSat,
		short: "find a shortest word that satisfies a formula",
		long: `sat says whether a word of at least one letter satisfies the formula, and prints a shortest one. Atoms that are
not listed in a letter are false in it.

Of a batch the key is "formula", the answer "sat" and "model", a list of lists of the atoms that are true.`,
		yes: "satisfiable", no: "not satisfiable",
	},
	{
		name: "valid", args: "FORMULA", formulas: 1, finite: true, decide: ltlValid,
		short: "say whether every word satisfies a formula",
		long: `valid says whether every word of at least one letter satisfies the formula, and prints a shortest one that does not.

Of a batch the key is "formula", the answer "valid" and "counterexample", a list of lists of the atoms that are true.`,
		yes: "valid", no: "not valid",
	},
	{
		name: "implies", args: "FORMULA FORMULA", formulas: 2, finite: true, decide: ltlImplies,
		short: "say whether one formula implies another",
		long: `implies says whether every word of at least one letter that satisfies the first formula satisfies the second one, and
prints a shortest one that does not.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
		yes: "the first implies the second", no: "the first does not imply the second",
	},
	{
		name: "equiv", args: "FORMULA FORMULA", formulas: 2, finite: true, decide: ltlEquiv,
		short: "say whether two formulas say the same",
		long: `equiv says whether the same words of at least one letter satisfy both formulas, and prints a shortest one that satisfies
only one of them.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
		yes: "equivalent", no: "not equivalent",
	},
	{
		name: "eval", args: "--word WORD FORMULA", formulas: 1, decide: ltlEval,
		short: "say whether a finite word satisfies a formula",
		long: `eval says whether a finite word satisfies the formula. A word is a JSON list of letters, a letter the list of the
atoms that are true: [["a"],[],["a","b"]]. It may be empty: [].

Of a batch the keys are "formula" and "word", the answer is "holds".`,
		yes: "satisfied", no: "not satisfied",
	},
}

func newLTL(s streams) *cobra.Command {
	cmd := newGroup(s, &cobra.Command{
		Use:   "ltl",
		Short: "decide formulas of linear temporal logic",
		Long: `ltl decides formulas of linear temporal logic by themselves, without a program or a trace.

    true false a P0.at.m8 turn==1    atoms: names, comparisons of variables and integers
    !f  f & g  f | g  f -> g  f <-> g
    X f       there is a next state, and f there
    N f       if there is a next state, f there (finite words only)
    F f       f some time, now or later
    G f       f always from now on
    f U g     g some time, and f until then
    f R g     g for ever, or up to where f is, inclusively; also f V g
    f W g     f U g, or f for ever
    f M g     f R g, and f some time

! and the letters bind most tightly, then U R W M, then &, |, -> and <->. The words next, weaknext, eventually,
always, until, release, not, and, or say the same.

Over finite words N false says that this is the last state, and X true that it is not.`,
	})
	for _, v := range ltlVerbs {
		cmd.AddCommand(newLTLVerb(s, v))
	}
	return cmd
}

// ltlFlags are the flags of the verbs of ltl.
type ltlFlags struct {
	budgetFlags
	finite, json, batch bool
	word                string // --word
}

func newLTLVerb(s streams, v ltlVerb) *cobra.Command {
	var flags ltlFlags
	finite := ""
	if v.finite {
		finite = "--finite "
	}
	cmd := &cobra.Command{
		Use:   fmt.Sprintf("%s %s[--json] {%s | --batch}", v.name, finite, v.args),
		Short: v.short,
		Long: v.long + `

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The answer to a line that cannot be read is an object with
"error", and where a budget ran out one with "unknown".

Exit codes: 0 yes, 1 no, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, v, args)
		},
	}
	f := cmd.Flags()
	if v.finite {
		f.BoolVar(&flags.finite, "finite", false, "over finite words")
	} else {
		f.StringVar(&flags.word, "word", "", "the `WORD`, a JSON list of lists of atoms")
	}
	f.BoolVar(&flags.json, "json", false, "print a JSON object")
	f.BoolVar(&flags.batch, "batch", false, "answer questions from standard input")
	flags.budgetFlags.register(f, time.Minute, "each question")
	return cmd
}

func (f *ltlFlags) run(ctx context.Context, s streams, v ltlVerb, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	if v.finite && !f.finite {
		return fmt.Errorf("ltl %s decides formulas over finite words only: give --finite", v.name)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	if f.batch {
		if len(args) > 0 || f.word != "" {
			return errors.New("with --batch the questions come from standard input: leave out the others")
		}
		b := &batch{s: s, answer: func(ctx context.Context, line []byte) (any, json.RawMessage, error) {
			var q ltlQuestion
			if err := parseQuestion(line, &q); err != nil {
				return nil, q.ID, err
			}
			a, err := f.answer(ctx, v, &q)
			return a, q.ID, err
		}}
		return b.run(ctx)
	}
	q, err := f.question(v, args)
	if err != nil {
		return err
	}
	a, err := f.answer(ctx, v, q)
	switch {
	case ranOut(err):
		return gaveUp(s, f.json, err)
	case err != nil:
		return err
	}
	return f.print(s.out, v, a)
}

// question makes one of the arguments.
func (f *ltlFlags) question(v ltlVerb, args []string) (*ltlQuestion, error) {
	if len(args) != v.formulas {
		return nil, fmt.Errorf("%s given: ltl %s takes %s, in quotes", report.Plural(len(args), "argument"), v.name, report.Plural(v.formulas, "formula"))
	}
	q := &ltlQuestion{Formula: &args[0]}
	if v.formulas == 2 {
		q.Formula2 = &args[1]
	}
	if !v.finite {
		if f.word == "" {
			return nil, errors.New(`no word given: add --word, such as --word '[["a"],[]]'`)
		}
		if err := json.Unmarshal([]byte(f.word), &q.Word); err != nil || q.Word == nil {
			return nil, fmt.Errorf(`--word %s is no JSON list of lists of atoms, such as [["a"],[]]`, event.Printable(f.word))
		}
	}
	return q, nil
}

// answer reads the formulas of a question and decides it.
func (f *ltlFlags) answer(ctx context.Context, v ltlVerb, q *ltlQuestion) (*ltlAnswer, error) {
	var formulas []*temporal.Formula
	for i, key := range []string{"formula", "formula2"}[:v.formulas] {
		src := []*string{q.Formula, q.Formula2}[i]
		if src == nil {
			return nil, fmt.Errorf("the key %q is missing", key)
		}
		formula, err := temporal.Parse(key, *src, temporal.FiniteLTL)
		if err != nil {
			return nil, err
		}
		formulas = append(formulas, formula)
	}
	var word ltl.Word
	if !v.finite {
		if q.Word == nil {
			return nil, errors.New(`the key "word" is missing`)
		}
		word = *q.Word
	}
	ctx, stop := f.bound(ctx)
	defer stop()
	a, err := v.decide(ctx, formulas, word)
	if err != nil {
		return nil, err
	}
	a.ID = q.ID
	return a, nil
}

// print writes the answer to a single question.
func (f *ltlFlags) print(w io.Writer, v ltlVerb, a *ltlAnswer) error {
	yes := *a.verdict()
	text := v.yes
	if !yes {
		text = v.no
	}
	write := func() error { return writeWord(w, text, append(a.Model, a.Counterexample...)) }
	if f.json {
		write = func() error { return report.WriteJSON(w, a) }
	}
	if err := write(); err != nil {
		return err
	}
	if !yes {
		return exitCode(exitViolated)
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

// writeWord writes a verdict with the word that shows it, if there is one, a letter a line.
func writeWord(w io.Writer, verdict string, word ltl.Word) error {
	var b strings.Builder
	b.WriteString(verdict)
	if len(word) > 0 {
		fmt.Fprintf(&b, ", shown by a word of %s:", report.Plural(len(word), "letter"))
	}
	b.WriteString("\n")
	for i, letter := range word {
		fmt.Fprintf(&b, "%5d  {%s}\n", i+1, event.Printable(strings.Join(letter, ", ")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func ltlSat(ctx context.Context, f []*temporal.Formula, _ ltl.Word) (*ltlAnswer, error) {
	word, sat, err := ltl.Sat(ctx, f[0])
	return &ltlAnswer{Sat: &sat, Model: word}, err
}

func ltlValid(ctx context.Context, f []*temporal.Formula, _ ltl.Word) (*ltlAnswer, error) {
	word, valid, err := ltl.Valid(ctx, f[0])
	return &ltlAnswer{Valid: &valid, Counterexample: word}, err
}

func ltlImplies(ctx context.Context, f []*temporal.Formula, _ ltl.Word) (*ltlAnswer, error) {
	word, holds, err := ltl.Valid(ctx, &temporal.Formula{Op: temporal.Implies, X: f[0], Y: f[1]})
	return &ltlAnswer{Holds: &holds, Counterexample: word}, err
}

func ltlEquiv(ctx context.Context, f []*temporal.Formula, _ ltl.Word) (*ltlAnswer, error) {
	word, holds, err := ltl.Valid(ctx, &temporal.Formula{Op: temporal.Iff, X: f[0], Y: f[1]})
	return &ltlAnswer{Holds: &holds, Counterexample: word}, err
}

func ltlEval(ctx context.Context, f []*temporal.Formula, word ltl.Word) (*ltlAnswer, error) {
	holds, err := ltl.Holds(ctx, f[0], word)
	return &ltlAnswer{Holds: &holds}, err
}
