package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/satisfiability"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ltlVerb is a verb that answers questions about formulas.
type ltlVerb struct {
	name, args, short, long string
	problem                 *satisfiability.LTLProblem
	draws                   bool // it can draw the automaton
}

var ltlVerbs = []ltlVerb{
	{
		name: "sat", args: "FORMULA", problem: satisfiability.LTLSat,
		short: "find a word that satisfies a formula",
		long: `sat says whether a word satisfies the formula, and prints one. Atoms that are not listed in a letter are false
in it. If there is none, it prints formulas that cannot hold together, or that would be postponed for ever.

With --finite, --dot and --svg print a picture instead, of the automaton of the formula: in a state stands what the rest of the word
must satisfy, at an edge which letters lead along it. It begins in the bold state, and may end where the frame is double.

Of a batch the key is "formula", the answer "sat", "model" and "reason". The latter has the number of "nodes" that were
removed from the tableau, and the first of them: "removed" is a list of objects with "formulas" and "unfulfilled".`,
		draws: true,
	},
	{
		name: "valid", args: "FORMULA", problem: satisfiability.LTLValid,
		short: "say whether every word satisfies a formula",
		long: `valid says whether every word satisfies the formula, and prints one that does not.

Of a batch the key is "formula", the answer "valid" and "counterexample".`,
	},
	{
		name: "implies", args: "FORMULA FORMULA", problem: satisfiability.LTLImplies,
		short: "say whether one formula implies another",
		long: `implies says whether every word that satisfies the first formula satisfies the second one, and prints one that
does not.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
	},
	{
		name: "equiv", args: "FORMULA FORMULA", problem: satisfiability.LTLEquiv,
		short: "say whether two formulas say the same",
		long: `equiv says whether the same words satisfy both formulas, and prints one that satisfies only one of them.

Of a batch the keys are "formula" and "formula2", the answer is "holds" and "counterexample".`,
	},
	{
		name: "eval", args: "--word WORD FORMULA", problem: satisfiability.LTLEval,
		short: "say whether a finite word satisfies a formula",
		long: `eval says whether a finite word satisfies the formula. A word is a JSON list of letters, a letter the list of the
atoms that are true: [["a"],[],["a","b"]]. It may be empty: [].

Of a batch the keys are "formula" and "word", the answer is "holds".`,
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
	if !v.problem.Word {
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
	if !v.problem.Word {
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
	solver := satisfiability.LTLSolver{Problem: v.problem, Finite: f.finite, Limits: f.Limits}
	if f.batch {
		if len(args) > 0 || f.word != "" {
			return errors.New("with --batch the questions come from standard input: leave out the others")
		}
		return batch.Run(ctx, s, solver.Answer)
	}
	q, err := f.question(v, args)
	switch {
	case err != nil:
		return err
	case f.dot || f.svg:
		return solver.Draw(ctx, s, q, f.svg)
	}
	return solver.Solve(ctx, s, q, f.json)
}

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

// question makes one of the arguments.
func (f *ltlFlags) question(v ltlVerb, args []string) (*satisfiability.LTLQuestion, error) {
	if len(args) != v.problem.Formulas {
		return nil, fmt.Errorf("%s given: ltl %s takes %s, in quotes", report.Plural(len(args), "argument"), v.name, report.Plural(v.problem.Formulas, "formula"))
	}
	q := &satisfiability.LTLQuestion{Formula: &args[0]}
	if v.problem.Formulas == 2 {
		q.Formula2 = &args[1]
	}
	if v.problem.Word {
		if f.word == "" {
			return nil, errors.New(`no word given: add --word, such as --word '[["a"],[]]'`)
		}
		if err := json.Unmarshal([]byte(f.word), &q.Word); err != nil || q.Word == nil {
			return nil, fmt.Errorf(`--word %s is no JSON list of lists of atoms, such as [["a"],[]]`, event.Printable(f.word))
		}
	}
	return q, nil
}
