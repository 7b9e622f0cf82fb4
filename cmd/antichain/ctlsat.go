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
	"github.com/antichain-go/antichain/tlcheck/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ctlSatisfying looks for models.
type ctlSatisfying struct {
	budgetFlags
	options     tableau.Options
	json, batch bool
}

func newCTLSat(s streams) *cobra.Command {
	var c ctlSatisfying
	cmd := &cobra.Command{
		Use:   "sat [--processes N] [--concurrent] [--json] FORMULA | sat --batch",
		Short: "find a model of a formula, or say why there is none",
		Long: `sat says whether some structure satisfies a formula in its first state, and prints a finite one, which has been checked.
Where there is none, it says what a state would need that cannot be.

How many processes there are matters: AX_1 false & AX_2 false needs a third one. Without --processes they are those
that the formula names, at least one.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula" and "processes", the answer is "sat", and "model", an explicit
structure as check reads it, or "reason". The answer to a line that cannot be read is an object with "error", and where a budget
ran out one with "unknown".

Exit codes: 0 satisfiable, 1 not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.options.Processes, "processes", 0, "how many processes there are, `N`; 0 is as many as the formula names")
	f.BoolVar(&c.options.Concurrent, "concurrent", false, "prefer states in which more processes can move")
	f.BoolVar(&c.json, "json", false, "print a JSON object")
	f.BoolVar(&c.batch, "batch", false, "answer questions from standard input")
	c.budgetFlags.register(f, time.Minute, "each question")
	return cmd
}

func (c *ctlSatisfying) run(ctx context.Context, s streams, args []string) error {
	if err := c.validate(); err != nil {
		return err
	}
	if err := processesInRange(c.options.Processes); err != nil {
		return fmt.Errorf("--processes: %w", err)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	switch {
	case c.batch && len(args) > 0:
		return errors.New("with --batch the formulas come from standard input: leave the others out")
	case c.batch:
		return (&batch{s: s, answer: c.answer}).run(ctx)
	case len(args) != 1:
		return fmt.Errorf("%s given: ctl sat takes one formula, in quotes", report.Plural(len(args), "argument"))
	}
	return c.single(ctx, s, args[0])
}

// maxProcesses bounds --processes. A next state has as many kinds.
const maxProcesses = 1000

func processesInRange(n int) error {
	if n < 0 || n > maxProcesses {
		return fmt.Errorf("%d is not from 0 to %d", n, maxProcesses)
	}
	return nil
}

// ctlSatQuestion is a line of a batch.
type ctlSatQuestion struct {
	ID        json.RawMessage `json:"id"`
	Formula   *string         `json:"formula"`
	Processes *int            `json:"processes"`
}

// ctlSatAnswer is the answer to a question.
type ctlSatAnswer struct {
	answerHead
	Sat    bool            `json:"sat"`
	Model  *structureModel `json:"model,omitempty"`
	Reason []string        `json:"reason,omitempty"`
}

// answer answers a line of a batch.
func (c *ctlSatisfying) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q ctlSatQuestion
	if err := parseQuestion(line, &q); err != nil {
		return nil, q.ID, err
	}
	if q.Formula == nil {
		return nil, q.ID, errors.New(`the key "formula" is missing`)
	}
	o := c.options
	if q.Processes != nil {
		o.Processes = *q.Processes
		if err := processesInRange(o.Processes); err != nil {
			return nil, q.ID, fmt.Errorf(`key "processes": %w`, err)
		}
	}
	outcome, err := c.decide(ctx, *q.Formula, o)
	if err != nil {
		return nil, q.ID, err
	}
	a := newCTLSatAnswer(outcome)
	a.ID = q.ID
	return a, q.ID, nil
}

func newCTLSatAnswer(o *tableau.Outcome) *ctlSatAnswer {
	if o.Model == nil {
		return &ctlSatAnswer{Reason: o.Why}
	}
	return &ctlSatAnswer{Sat: true, Model: newStructureModel(o.Model)}
}

func (c *ctlSatisfying) decide(ctx context.Context, formula string, o tableau.Options) (*tableau.Outcome, error) {
	ctx, stop := c.bound(ctx)
	defer stop()
	f, err := temporal.Parse("formula", formula, temporal.CTL)
	if err != nil {
		return nil, err
	}
	return tableau.Sat(ctx, f, o)
}

// single answers the question of the arguments.
func (c *ctlSatisfying) single(ctx context.Context, s streams, formula string) error {
	outcome, err := c.decide(ctx, formula, c.options)
	switch {
	case ranOut(err):
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	case c.json:
		err = report.WriteJSON(s.out, newCTLSatAnswer(outcome))
	default:
		err = writeSat(s.out, outcome)
	}
	if err == nil && outcome.Model == nil {
		err = exitCode(exitViolated)
	}
	return err
}

// writeSat writes a model, or why there is none, for people.
func writeSat(w io.Writer, o *tableau.Outcome) error {
	var b strings.Builder
	if o.Model == nil {
		b.WriteString("not satisfiable\n")
		for _, line := range o.Why {
			b.WriteString(event.Printable(line) + "\n")
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	m := o.Model
	fmt.Fprintf(&b, "satisfiable, by a model of %s:\n", report.Plural(m.States(), "state"))
	for s := range kripke.State(m.States()) {
		fmt.Fprintf(&b, "%d: {%s}\n", s, event.Printable(strings.Join(m.Atoms(s), ", ")))
		moves, err := m.Moves(nil, s)
		if err != nil {
			return err
		}
		for _, move := range moves {
			fmt.Fprintf(&b, "    %s -> %d\n", event.Printable(m.Processes()[move.Process]), move.To)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// structureModel is a model as an explicit structure.
type structureModel struct {
	States int                          `json:"states"`
	Start  kripke.State                 `json:"start"`
	Labels [][]string                   `json:"labels"`
	Trans  map[string][][2]kripke.State `json:"trans"`
}

func newStructureModel(m *tableau.Model) *structureModel {
	x := &structureModel{States: m.States(), Start: m.Initial()[0], Trans: map[string][][2]kripke.State{}}
	for _, p := range m.Processes() {
		x.Trans[p] = [][2]kripke.State{}
	}
	for s := range kripke.State(m.States()) {
		x.Labels = append(x.Labels, m.Atoms(s))
		moves, err := m.Moves(nil, s)
		if err != nil {
			panic(err) // a model knows its moves
		}
		for _, move := range moves {
			p := m.Processes()[move.Process]
			x.Trans[p] = append(x.Trans[p], [2]kripke.State{s, move.To})
		}
	}
	return x
}
