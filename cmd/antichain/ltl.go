package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
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

// ltlVerb is a verb that answers questions about formulas.
type ltlVerb struct {
	name, args, short, long string
	formulas                int // how many it is asked about
	decide                  func(context.Context, *ltlAsked) (*ltlAnswer, error)
	word                    bool   // it is asked about a word, which is finite
	draws                   bool   // it can draw the automaton
	yes, no                 string // what it says of a single question
}

// ltlAsked is a question that has been read.
type ltlAsked struct {
	finite   bool // over finite words
	formulas []*temporal.Formula
	word     ltl.Word
}

var ltlVerbs = []ltlVerb{
	{
		name: "sat", args: "FORMULA", formulas: 1, decide: ltlSat,
		short: "find a word that satisfies a formula",
		long: `sat says whether a word satisfies the formula, and prints one. Atoms that are not listed in a letter are false
in it. If there is none, it prints formulas that cannot hold together, or that would be postponed for ever.

With --finite, --dot and --svg print a picture instead, of the automaton of the formula: in a state stands what the rest of the word
must satisfy, at an edge which letters lead along it. It begins in the bold state, and may end where the frame is double.

Of a batch the key is "formula", the answer "sat", "model" and "reason". The latter has the number of "nodes" that were
removed from the tableau, and the first of them: "removed" is a list of objects with "formulas" and "unfulfilled".`,
		yes: "satisfiable", no: "not satisfiable", draws: true,
	},
	{
		name: "valid", args: "FORMULA", formulas: 1, decide: ltlValid,
		short: "say whether every word satisfies a formula",
		long: `valid says whether every word satisfies the formula, and prints one that does not.

Of a batch the key is "formula", the answer "valid" and "counterexample".`,
		yes: "valid", no: "not valid",
	},
	{
		name: "implies", args: "FORMULA FORMULA", formulas: 2, decide: ltlImplies,
		short: "say whether one formula implies another",
		long: `implies says whether every word that satisfies the first formula satisfies the second one, and prints one that
does not.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
		yes: "the first implies the second", no: "the first does not imply the second",
	},
	{
		name: "equiv", args: "FORMULA FORMULA", formulas: 2, decide: ltlEquiv,
		short: "say whether two formulas say the same",
		long: `equiv says whether the same words satisfy both formulas, and prints one that satisfies only one of them.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
		yes: "equivalent", no: "not equivalent",
	},
	{
		name: "eval", args: "--word WORD FORMULA", formulas: 1, decide: ltlEval, word: true,
		short: "say whether a finite word satisfies a formula",
		long: `eval says whether a finite word satisfies the formula. A word is a JSON list of letters, a letter the list of the
atoms that are true: [["a"],[],["a","b"]]. It may be empty: [].

Of a batch the keys are "formula" and "word", the answer is "holds".`,
		yes: "satisfied", no: "not satisfied",
	},
}

func newLTL(s terminal.Streams) *cobra.Command {
	cmd := newGroup(s, &cobra.Command{
		Use:   "ltl",
		Short: "decide formulas of linear temporal logic",
		Long: `ltl decides formulas of linear temporal logic, by themselves, or with check on the paths of a program or a trace.

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
	cmd.AddCommand(newLTLCheck(s))
	return cmd
}

// ltlFlags are the flags of the verbs of ltl.
type ltlFlags struct {
	budgetFlags
	finite, json, batch bool
	dot, svg            bool
	word                string // --word
}

func newLTLVerb(s terminal.Streams, v ltlVerb) *cobra.Command {
	var flags ltlFlags
	finite := ""
	about := ""
	if !v.word {
		finite = "[--finite] "
		if v.draws {
			finite = "[--finite [--dot|--svg]] "
		}
		about = `

Words are infinite: a stem, and a loop that is repeated for ever, in JSON {"stem":[["a"]],"loop":[[],["b"]]}. With --finite they
have an end and at least one letter, the one that is printed is a shortest one, and in JSON it is a list of letters.`
	}
	cmd := &cobra.Command{
		Use:   fmt.Sprintf("%s %s[--json] {%s | --batch}", v.name, finite, v.args),
		Short: v.short,
		Long: v.long + about + `

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The answer to a line that cannot be read is an object with
"error", and where a budget ran out one with "unknown".

Exit codes: 0 yes, 1 no, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, v, args)
		},
	}
	f := cmd.Flags()
	if !v.word {
		f.BoolVar(&flags.finite, "finite", false, "over finite words")
	} else {
		f.StringVar(&flags.word, "word", "", "the `WORD`, a JSON list of lists of atoms")
	}
	if v.draws {
		f.BoolVar(&flags.dot, "dot", false, "with --finite, print a picture of the automaton for Graphviz")
		f.BoolVar(&flags.svg, "svg", false, "with --finite, print a picture of the automaton as SVG")
	}
	f.BoolVar(&flags.json, "json", false, "print a JSON object")
	f.BoolVar(&flags.batch, "batch", false, "answer questions from standard input")
	flags.budgetFlags.register(f, time.Minute, "each question")
	return cmd
}

func (f *ltlFlags) run(ctx context.Context, s terminal.Streams, v ltlVerb, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if f.batch {
		if len(args) > 0 || f.word != "" {
			return errors.New("with --batch the questions come from standard input: leave out the others")
		}
		return batch.Run(ctx, s, func(ctx context.Context, line []byte) (any, json.RawMessage, error) {
			var q ltlQuestion
			if err := batch.Parse(line, &q); err != nil {
				return nil, q.ID, err
			}
			a, err := f.answer(ctx, v, &q)
			return a, q.ID, err
		})
	}
	q, err := f.question(v, args)
	if err != nil {
		return err
	}
	a, err := f.answer(ctx, v, q)
	switch {
	case err == nil && (f.dot || f.svg):
		err = f.draw(ctx, s.Out, *q.Formula, *a.Sat)
	case err == nil:
		err = f.print(s.Out, v, a)
	}
	if batch.OverBudget(err) {
		return batch.WriteUnknown(s, f.json, err)
	}
	return err
}

// maxAutomaton is how many states of an automaton a picture shows.
const maxAutomaton = 300

// validate finds flags that do not go together.
func (f *ltlFlags) validate() error {
	switch drawn := f.dot || f.svg; {
	case f.dot && f.svg:
		return errors.New("--dot and --svg: choose one of them")
	case drawn && !f.finite:
		return errors.New("there are pictures of automata over finite words only: add --finite")
	case drawn && (f.json || f.batch):
		return errors.New("a picture is one, and no JSON: leave out --json and --batch, or --dot and --svg")
	}
	return f.budgetFlags.validate()
}

// draw prints the automaton of a formula that could be decided.
func (f *ltlFlags) draw(ctx context.Context, w io.Writer, text string, sat bool) error {
	formula, err := temporal.Parse("formula", text, temporal.FiniteLTL)
	if err != nil {
		return err
	}
	ctx, stop := f.Bound(ctx)
	defer stop()
	picture, err := ltl.Diagram(ctx, formula, maxAutomaton)
	if err != nil {
		return err
	}
	if err := report.WritePicture(w, picture, f.svg); err != nil || sat {
		return err
	}
	return exit.Code(exit.Violated)
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
	if v.word {
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
	asked := &ltlAsked{finite: f.finite || v.word}
	logic := temporal.InfiniteLTL
	if asked.finite {
		logic = temporal.FiniteLTL
	}
	for i, key := range []string{"formula", "formula2"}[:v.formulas] {
		src := []*string{q.Formula, q.Formula2}[i]
		if src == nil {
			return nil, fmt.Errorf("the key %q is missing", key)
		}
		formula, err := temporal.Parse(key, *src, logic)
		if err != nil {
			return nil, err
		}
		asked.formulas = append(asked.formulas, formula)
	}
	if v.word {
		if q.Word == nil {
			return nil, errors.New(`the key "word" is missing`)
		}
		asked.word = *q.Word
	}
	ctx, stop := f.Bound(ctx)
	defer stop()
	a, err := v.decide(ctx, asked)
	if err != nil {
		return nil, err
	}
	a.ID = q.ID
	return a, nil
}
