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
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ltlVerb is a verb that answers questions about formulas.
type ltlVerb struct {
	name, args, short string
	problem           *satisfiability.LTLProblem
	draws             bool // it can draw the automaton
}

var ltlVerbs = []ltlVerb{
	{
		name: "sat", args: "FORMULA", problem: satisfiability.LTLSat,
		short: "find a word that satisfies a formula",
		draws: true,
	},
	{
		name: "valid", args: "FORMULA", problem: satisfiability.LTLValid,
		short: "say whether every word satisfies a formula",
	},
	{
		name: "implies", args: "FORMULA FORMULA", problem: satisfiability.LTLImplies,
		short: "say whether one formula implies another",
	},
	{
		name: "equiv", args: "FORMULA FORMULA", problem: satisfiability.LTLEquiv,
		short: "say whether two formulas are equivalent",
	},
	{
		name: "eval", args: "--word WORD FORMULA", problem: satisfiability.LTLEval,
		short: "say whether a finite word satisfies a formula",
	},
}

func newLTL(s terminal.Streams) *cobra.Command {
	cmd := newGroup(s, &cobra.Command{
		Use:   "ltl",
		Short: "decide formulas of linear temporal logic",
	})
	for _, v := range ltlVerbs {
		cmd.AddCommand(newLTLVerb(s, v))
	}
	cmd.AddCommand(newLTLCheck(s))
	return cmd
}

type ltlFlags struct {
	budgetFlags
	finite, json, batch bool
	dot, svg            bool
	word                string // --word
}

func newLTLVerb(s terminal.Streams, v ltlVerb) *cobra.Command {
	var flags ltlFlags
	finite := ""
	if !v.problem.Word {
		finite = "[--finite] "
		if v.draws {
			finite = "[--finite [--dot|--svg]] "
		}
	}
	cmd := &cobra.Command{
		Use:   fmt.Sprintf("%s %s[--json] {%s | --batch}", v.name, finite, v.args),
		Short: v.short,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, v, args)
		},
	}
	f := cmd.Flags()
	if !v.problem.Word {
		f.BoolVar(&flags.finite, "finite", false, "decide over finite words")
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
			return errors.New("--batch reads questions from standard input: leave out those on the command line")
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
		return errors.New("--dot cannot be combined with --svg: choose one of them")
	case drawn && !f.finite:
		return errors.New("--dot and --svg draw automata over finite words only: add --finite")
	case drawn && (f.json || f.batch):
		return errors.New("--dot and --svg cannot be combined with --json or --batch")
	}
	return f.budgetFlags.validate()
}

// question makes one of the arguments.
func (f *ltlFlags) question(v ltlVerb, args []string) (*satisfiability.LTLQuestion, error) {
	if len(args) != v.problem.Formulas {
		return nil, fmt.Errorf("%s given: ltl %s takes %s, in quotes", wording.Plural(len(args), "argument"), v.name, wording.Plural(v.problem.Formulas, "formula"))
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
			return nil, fmt.Errorf(`--word %s is not a JSON list of lists of atoms, such as [["a"],[]]`, event.Printable(f.word))
		}
	}
	return q, nil
}
