package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/replay"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ltlChecking checks formulas on models.
type ltlChecking struct {
	budgetFlags
	modelFlags
	json, batch, dot bool
	fair, by         string // --fair, --by

	fairness  kripke.Fairness
	model     *modelText    // --model; nil if there is none, or it is a trace
	trace     *kripke.Graph // --model, if that is a trace
	questions modelQuestions
	graphs    memo[*kripke.Graph]
}

// The methods.
const (
	byProduct        = "product"
	bySatisfiability = "satisfiability"
)

func newLTLCheck(s streams) *cobra.Command {
	var c ltlChecking
	cmd := &cobra.Command{
		Use:   "check --model FILE [--fair KIND] [--stutter] [--by METHOD] [--json|--dot] FORMULA | check --batch",
		Short: "check a formula on all paths of a structure, a program or a trace",
		Long: `check says whether a formula is true on all infinite paths from the initial states of a model. If it is not, a path shows
it: what the processes do up to some state, and what they do from there on again and again.

A model is a program, a trace, or a structure that is written out in JSON (antichain help ctl check). A state without
successors is an error, but with --stutter it has itself. The paths of a trace are the interleavings of its
events; at the end of all of them nothing changes any more.

With --fair the paths that count are those that forget no process: weak, one that can move from some time on moves
infinitely often; strong, one that can move infinitely often does; process, every process moves infinitely often. If
there is no such path, that is said.

There are two methods, those of Sherman and Pnueli. The product of the tableau of the formula and the graph of all states is the
fast one. With --by satisfiability a program is a formula itself, and a run that violates the other one is a word that
satisfies both; states are numbered as they come up then.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula", and "structure" (an object) or "program"
(a text), without which the model is that of --model. The answer is "holds" and "counterexample", a path of states with a
"stem" and a "loop". The answer to a line that cannot be read is an object with "error", and where a budget ran out one
with "unknown".

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	c.modelFlags.register(f)
	f.Lookup("model").Usage = "the `FILE` of a structure (JSON), of a program or of a trace, told by its content; - is standard input, which is no trace"
	f.StringVar(&c.fair, "fair", kripke.Unfair.String(), "which paths count, by `KIND`: none (all do), weak, strong or process")
	f.StringVar(&c.by, "by", byProduct, "decide by `METHOD`: product or satisfiability")
	f.BoolVar(&c.json, "json", false, "print a JSON object")
	f.BoolVar(&c.dot, "dot", false, "print the path as a picture for Graphviz")
	f.BoolVar(&c.batch, "batch", false, "answer questions from standard input")
	c.budgetFlags.register(f, time.Minute, "each question")
	return cmd
}

func (c *ltlChecking) run(ctx context.Context, s streams, args []string) (err error) {
	if err := c.validate(); err != nil {
		return err
	}
	if c.dot && (c.json || c.batch) {
		return errors.New("--dot is a picture of one path: leave it out, or --json and --batch")
	}
	if c.by != byProduct && c.by != bySatisfiability {
		return fmt.Errorf("--by %s: there are %s and %s", event.Printable(c.by), byProduct, bySatisfiability)
	}
	if c.fairness, err = kripke.ParseFairness(c.fair); err != nil {
		return fmt.Errorf("--fair: %w", err)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	if err := c.arguments("ltl check", args, c.batch); err != nil {
		return err
	}
	switch err := c.open(ctx, s); {
	case ranOut(err) && !c.batch:
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	}
	if c.batch {
		return (&batch{s: s, answer: c.answer}).run(ctx)
	}
	return c.single(ctx, s, args[0])
}

// open opens --model, if it was given.
func (c *ltlChecking) open(ctx context.Context, s streams) (err error) {
	if c.file != "" && c.file != "-" {
		model, err := isModel(c.file)
		if err != nil {
			return err
		}
		if !model {
			return c.openTrace(ctx, s)
		}
	}
	c.model, err = c.modelFlags.read(s)
	return err
}

// openTrace makes a trace a system.
func (c *ltlChecking) openTrace(ctx context.Context, s streams) error {
	if len(c.parameters) > 0 {
		return fmt.Errorf("%s is a trace, which has no parameters: leave --param out", event.Printable(c.file))
	}
	ctx, stop := c.bound(ctx)
	defer stop()
	net, err := c.readOne(ctx, c.file, s, &inputFlags{})
	if err != nil {
		return err
	}
	c.trace, err = kripke.Explore(ctx, kripke.Stutter(replay.New(net)))
	return err
}

// ltlCheckQuestion is a line of a batch.
type ltlCheckQuestion struct {
	ID      json.RawMessage `json:"id"`
	Formula *string         `json:"formula"`
	modelKeys
}

// ltlCheckAnswer is the answer to a question.
type ltlCheckAnswer struct {
	answerHead
	Holds          bool      `json:"holds"`
	NoFairPath     bool      `json:"no_fair_path,omitempty"` // so everything holds on all of them
	Counterexample *ltlLasso `json:"counterexample,omitempty"`
}

// ltlLasso is an infinite path.
type ltlLasso struct {
	Stem []kripke.State `json:"stem"`
	Loop []kripke.State `json:"loop"` // repeated for ever
}

// answer answers a line of a batch.
func (c *ltlChecking) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q ltlCheckQuestion
	if err := c.questions.parse(line, &q, &q.modelKeys); err != nil {
		return nil, q.ID, err
	}
	if q.Formula == nil {
		return nil, q.ID, errors.New(`the key "formula" is missing`)
	}
	checked, err := c.check(ctx, &q.modelKeys, *q.Formula)
	if err != nil {
		return nil, q.ID, err
	}
	a := checked.answer()
	a.ID = q.ID
	return a, q.ID, nil
}

// single answers the question of the arguments.
func (c *ltlChecking) single(ctx context.Context, s streams, formula string) error {
	checked, err := c.check(ctx, &modelKeys{}, formula)
	switch {
	case ranOut(err):
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	case c.json:
		err = report.WriteJSON(s.out, checked.answer())
	case c.dot:
		err = checked.draw(s.out)
	default:
		err = checked.print(s.out)
	}
	if err == nil && checked.counterexample != nil {
		err = exitCode(exitViolated)
	}
	return err
}
