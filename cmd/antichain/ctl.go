package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/ctl"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newCTL(s streams) *cobra.Command {
	cmd := newGroup(s, &cobra.Command{
		Use:   "ctl",
		Short: "decide formulas of branching time temporal logic",
		Long: `ctl decides formulas of computation tree logic, which speaks about everything that can happen from a state on.

    true false a P0.at.m8 turn==1    atoms: names, comparisons of variables and integers
    !f  f & g  f | g  f -> g  f <-> g
    EX f         some next state has f; EX_i f: by a step of process i
    EF f         f can be reached, or is true now
    EG f         on some path always f
    E[f U g]     on some path g some time, and f until then
    E[f R g]     on some path g for ever, or up to where f is, inclusively
    E[f W g]     E[f U g], or on some path f for ever
    EGF f        on some path infinitely often f
    AX AX_i AF AG A[f U g] A[f R g] A[f W g] AFG    the same on all paths; AFG f: f from some time on

! and the letters bind most tightly, then &, |, -> and <->.`,
	})
	cmd.AddCommand(newCTLCheck(s), newCTLSat(s), newCTLSynth(s))
	return cmd
}

// ctlChecking checks formulas on models.
type ctlChecking struct {
	budgetFlags
	modelFlags
	json, batch bool
	fair        string // --fair

	fairness  kripke.Fairness
	model     *modelText // --model; nil if there is none
	questions modelQuestions
	checkers  memo[ctl.Checker]
}

func newCTLCheck(s streams) *cobra.Command {
	var c ctlChecking
	cmd := &cobra.Command{
		Use:   "check --model FILE [--fair KIND] [--stutter] [--json] FORMULA | check --batch",
		Short: "check a formula on a structure, a program or a recorded run",
		Long: `check says whether a formula is true in the initial states of a model, and why: by a path or a loop of states where
one is enough, with the reasons for what is said of the states on it.

A model is a program, or a structure that is written out in JSON:

    {"states":3, "start":0, "labels":[["a"],[],["a","b"]], "succ":[[1,2],[2],[2]]}

start may be a list. Instead of succ there may be the moves of several processes: "trans":{"1":[[0,1]],"2":[[0,2]]}.
Paths are infinite. A state without successors is an error, but with --stutter it has itself.

It may also be the trace of a run. Then the states are its global states, in all interleavings, of which the last one goes on for ever;
propositions are local formulas of named goroutines, as in main:(in.append and n > 0). There are very many such
states if goroutines do not wait for each other; antichain check needs not look at each.

With --fair the paths that count are those that forget no process: weak, one that can move from some time on moves
infinitely often; strong, one that can move infinitely often does; process, every process moves infinitely often.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula", and "structure" (an object) or "program"
(a text), without which the model is that of --model. The answer is "holds", "states" (where the formula is true) and "witness".
The answer to a line that cannot be read is an object with "error", and where a budget ran out one with "unknown".

A witness says what a "formula" is in a "state", by a finite "path" from there or by a "stem" and a "loop" that is repeated
for ever; "because" has the reasons for what is said of formulas in states on the way. Where no path
would show it, "looked" is in how many states one was looked for.

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	c.modelFlags.register(f)
	f.StringVar(&c.fair, "fair", kripke.Unfair.String(), "which paths count, by `KIND`: none (all do), weak, strong or process")
	f.BoolVar(&c.json, "json", false, "print a JSON object")
	f.BoolVar(&c.batch, "batch", false, "answer questions from standard input")
	c.budgetFlags.register(f, time.Minute, "each question")
	return cmd
}

func (c *ctlChecking) run(ctx context.Context, s streams, args []string) (err error) {
	if err := c.validate(); err != nil {
		return err
	}
	if c.fairness, err = kripke.ParseFairness(c.fair); err != nil {
		return fmt.Errorf("--fair: %w", err)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	if err := c.arguments("ctl check", args, c.batch); err != nil {
		return err
	}
	if c.model, err = c.readAny(ctx, s, &c.budgetFlags); err != nil {
		return err
	}
	if c.batch {
		return (&batch{s: s, answer: c.answer}).run(ctx)
	}
	return c.single(ctx, s, args[0])
}

// ctlQuestion is a line of a batch.
type ctlQuestion struct {
	ID      json.RawMessage `json:"id"`
	Formula *string         `json:"formula"`
	modelKeys
}

// ctlAnswer is the answer to a question.
type ctlAnswer struct {
	answerHead
	Holds  *bool          `json:"holds,omitempty"`
	States []kripke.State `json:"states"`

	// NoFairPath says that all that E claims of the state of the witness is false, and all that A claims is true.
	NoFairPath bool        `json:"no_fair_path,omitempty"`
	Witness    *ctlWitness `json:"witness,omitempty"`
}

// answer answers a line of a batch.
func (c *ctlChecking) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q ctlQuestion
	if err := c.questions.parse(line, &q, &q.modelKeys); err != nil {
		return nil, q.ID, err
	}
	if q.Formula == nil {
		return nil, q.ID, errors.New(`the key "formula" is missing`)
	}
	model, err := c.of(&q.modelKeys, c.model)
	if err != nil {
		return nil, q.ID, err
	}
	checked, err := c.check(ctx, model, *q.Formula)
	if err != nil {
		return nil, q.ID, err
	}
	a := checked.answer()
	a.ID = q.ID
	return a, q.ID, nil
}

// ctlChecked is a formula that was checked.
type ctlChecked struct {
	*ctl.Result
	system   kripke.System
	evidence *ctl.Evidence // of the witness
}

// check checks a formula on a model.
func (c *ctlChecking) check(ctx context.Context, model *modelText, formula string) (*ctlChecked, error) {
	ctx, stop := c.bound(ctx)
	defer stop()
	f, err := temporal.Parse("formula", formula, temporal.CTL)
	if err != nil {
		return nil, err
	}
	checker, err := c.checkers.of(model, func() (ctl.Checker, int, error) {
		g, err := model.explore(ctx, c.stutter)
		if err != nil {
			return nil, 0, err
		}
		checker, err := ctl.New(g, c.fairness)
		return checker, 32 * (g.States() + g.Len()), err
	})
	if err != nil {
		return nil, err
	}
	r, err := checker.Check(ctx, f)
	var unknown *temporal.NameError
	if errors.As(err, &unknown) {
		err = unknown.In("formula", formula)
	}
	if err != nil {
		return nil, err
	}
	e, err := r.Evidence(ctx, r.Witness)
	return &ctlChecked{r, checker.System(), e}, err
}

func (r *ctlChecked) answer() *ctlAnswer {
	return &ctlAnswer{Holds: &r.Holds, States: slices.AppendSeq([]kripke.State{}, r.All()), NoFairPath: !r.Fair, Witness: witnessObject(r.evidence)}
}

// sayUndefined says what could not be evaluated in the states of a run. It counts as false.
func (c *ctlChecking) sayUndefined(w io.Writer) {
	if c.model.run == nil {
		return
	}
	for _, t := range c.model.run.Troubles() {
		fmt.Fprintf(w, "antichain: formula: %s is undefined in %s: %s\n", event.Printable(beginning(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}

// single answers the question of the arguments.
func (c *ctlChecking) single(ctx context.Context, s streams, formula string) error {
	checked, err := c.check(ctx, c.model, formula)
	c.sayUndefined(s.err)
	switch {
	case ranOut(err):
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	case c.json:
		err = report.WriteJSON(s.out, checked.answer())
	default:
		err = checked.print(s.out)
	}
	if err == nil && !checked.Holds {
		err = exitCode(exitViolated)
	}
	return err
}
