package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// stepsQuestion asks for steps. What is nil is as the flags say.
type stepsQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	From     *int            `json:"from"`
	Mode     *string         `json:"mode"`
	AllPaths *bool           `json:"all_paths"`
	Limit    *int            `json:"limit"`
	models.Keys
}

// stepsAnswer is the answer to a question.
type stepsAnswer struct {
	batch.Header
	Exists bool             `json:"exists"`
	Steps  [][]kripke.State `json:"steps"`
	Cycles []stepsCycle     `json:"cycles,omitempty"`
	// Described is what there is to see in the states of a program, by their numbers.
	Described map[kripke.State]string `json:"described,omitempty"`
}

// stepsCycle is a maximal step that can grow for ever.
type stepsCycle struct {
	Stem []kripke.State `json:"stem"` // before the loop
	Loop []kripke.State `json:"loop"` // repeated for ever
}

// stepping finds temporal steps.
type stepping struct {
	budgetFlags
	modelFlags
	from, limit           int    // --from, --limit
	mode                  string // --mode
	allPaths, json, batch bool

	model     *models.Model // --model; nil if there is none
	questions models.QuestionReader
	systems   models.Cache[kripke.System] // of structures
}

// initially stands for the initial state.
const initially = -1

// defaultStates is how many states a step has at most, if nothing else was said.
const defaultStates = 10_000

func newSteps(s terminal.Streams) *cobra.Command {
	var p stepping
	cmd := &cobra.Command{
		Use:   "steps [--from STATE] [--mode MODE] [--all-paths] [--limit N] [--json] {--model FILE FORMULA | --batch}",
		Short: "find sequences of states that satisfy a formula",
		Long: `steps finds temporal steps: sequences of states of a program or a structure, from one state on, that satisfy a formula of
linear temporal logic over finite words (antichain help ltl). It prints each step that the search finds.

The modes:

    shortest                  no step has fewer states
    min                       no proper beginning of the sequence satisfies the formula
    max                       no longer sequence that begins like that does; one that can grow for ever, and satisfies the
                              formula in each round, is a cycle: a stem and a loop
    every                     any sequence that satisfies the formula
    literal-min, literal-max  the searches of Gunter and Peled, which come close to min and max, and can miss a step where
                              the limit ends a longer way to the same state

One step is found if there is any, but not all of them: states that were visited are not visited again. With
--all-paths all are, which can be very many.

A model is a program, or a structure that is written out in JSON:

    {"states":3, "start":0, "labels":[["a"],[],["a","b"]], "succ":[[1,2],[2],[]]}

States have numbers. Those of a program are in the order in which they are met, and with --from as antichain ctl check
counts them.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula", "structure" (an object) or "program" (a text),
"from", "mode", "all_paths" and "limit"; what is missing is as the flags say. The answer is "exists", "steps", lists of
states, "cycles", each with a "stem" and a "loop", and "described", the states of a program in words. The answer to
a line that cannot be read is an object with "error", and where a budget ran out one with "unknown".

Exit codes: 0 there is a step, 1 there is none, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	p.modelFlags.register(f)
	f.IntVar(&p.from, "from", initially, "the `STATE` to begin in; else the initial one")
	f.StringVar(&p.mode, "mode", steps.Shortest.String(), "which steps, by `MODE`: shortest, min, max, every, literal-min or literal-max")
	f.BoolVar(&p.allPaths, "all-paths", false, "every sequence that is such a step")
	f.IntVar(&p.limit, "limit", defaultStates, "at most `N` states")
	f.BoolVar(&p.json, "json", false, "print a JSON object")
	f.BoolVar(&p.batch, "batch", false, "answer questions from standard input")
	p.budgetFlags.register(f, time.Minute, "each question")
	f.Lookup("from").DefValue = "0"
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName { // all_paths is the key of a batch
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	return cmd
}

func (p *stepping) run(ctx context.Context, s terminal.Streams, args []string) (err error) {
	if err := p.validate(); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if err := p.arguments("steps", args, p.batch); err != nil {
		return err
	}
	if p.model, err = p.Read(ctx, s.In); err != nil {
		return err
	}
	if p.batch {
		return batch.Run(ctx, s, p.answer)
	}
	return p.single(ctx, s, args[0])
}

// answer answers a line of a batch.
func (p *stepping) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q stepsQuestion
	if err := p.questions.Parse(line, &q, &q.Keys); err != nil {
		return nil, q.ID, err
	}
	a, err := p.all(ctx, &q)
	return a, q.ID, err
}

// all finds all steps that a question asks for.
func (p *stepping) all(ctx context.Context, q *stepsQuestion) (*stepsAnswer, error) {
	a := &stepsAnswer{Header: batch.Header{ID: q.ID}, Steps: [][]kripke.State{}}
	return a, p.each(ctx, q, a.add)
}

// single answers the question of the arguments. Steps are printed when they are found, but in JSON.
func (p *stepping) single(ctx context.Context, s terminal.Streams, formula string) (err error) {
	q := &stepsQuestion{Formula: &formula}
	exists := false
	if p.json {
		var a *stepsAnswer
		if a, err = p.all(ctx, q); err == nil {
			exists = a.Exists
			err = report.WriteJSON(s.Out, a)
		}
	} else {
		w := stepWriter{out: s.Out}
		err = p.each(ctx, q, w.write)
		exists = w.written > 0
		if err == nil && !exists {
			_, err = fmt.Fprintln(s.Out, "there is no such step")
		}
	}
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, p.json, err)
	case err == nil && !exists:
		err = exit.Code(exit.Violated)
	}
	return err
}

// stepsModel is a system in which steps are looked for.
type stepsModel struct {
	kripke.System
	program bool // its states have to be described
	from    kripke.State
}

// each calls found with the steps that a question asks for.
func (p *stepping) each(ctx context.Context, q *stepsQuestion, found func(*stepsModel, *steps.Step) error) error {
	ctx, stop := p.Bound(ctx)
	defer stop()
	if q.Formula == nil {
		return errors.New(`the key "formula" is missing`)
	}
	f, err := temporal.Parse("formula", *q.Formula, temporal.FiniteLTL)
	if err != nil {
		return err
	}
	opt, err := p.options(q)
	if err != nil {
		return err
	}
	m, err := p.open(ctx, q)
	if err != nil {
		return err
	}
	for _, a := range f.Atoms() {
		if _, err := m.Atom(a.Text); err != nil {
			return (&temporal.NameError{Pos: a.Pos, Err: err}).In("formula", *q.Formula)
		}
	}
	search, err := steps.New(m.System, f, m.from, opt)
	if err != nil {
		return err
	}
	defer search.Close()
	for {
		step, err := search.Next(ctx)
		if step == nil || err != nil {
			return err
		}
		if err := found(m, step); err != nil {
			return err
		}
	}
}

// options returns those of a question, or of the flags where it does not say.
func (p *stepping) options(q *stepsQuestion) (steps.Options, error) {
	mode, err := steps.ParseMode(or(q.Mode, p.mode))
	return steps.Options{Mode: mode, Limit: or(q.Limit, p.limit), AllPaths: or(q.AllPaths, p.allPaths)}, err
}

// or returns what was said, or what holds if nothing was.
func or[T any](said *T, otherwise T) T {
	if said != nil {
		return *said
	}
	return otherwise
}

// open returns the model of a question and the state to begin in.
func (p *stepping) open(ctx context.Context, q *stepsQuestion) (*stepsModel, error) {
	text, err := q.Model(p.model, p.Parameters)
	if err != nil {
		return nil, err
	}
	m := &stepsModel{program: text.Program}
	from := or(q.From, p.from)
	switch {
	case !text.Program:
		m.System, err = p.systems.Get(text, func() (kripke.System, int, error) {
			sys, err := text.Open()
			return sys, 2 * len(text.Text), err
		})
	case from == initially: // states are made as they are met
		m.System, err = text.Open()
	default: // all of them, so that their numbers are those of all verbs
		m.System, err = text.Explore(ctx, false, kripke.MaxStates)
	}
	if err != nil {
		return nil, err
	}
	if p.stutter {
		m.System = kripke.Stutter(m.System)
	}
	return m, m.begin(from)
}

// begin sets the state to begin in.
func (m *stepsModel) begin(from int) error {
	initial := m.Initial()
	switch {
	case from == initially && len(initial) == 1:
		m.from = initial[0]
	case from == initially:
		return fmt.Errorf("there are %d initial states: say with from in which one to begin", len(initial))
	case from < 0 || from >= m.States():
		return fmt.Errorf("there is no state %d to begin in: the states are 0 to %d", from, m.States()-1)
	default:
		m.from = kripke.State(from)
	}
	return nil
}

// add takes a step into the answer.
func (a *stepsAnswer) add(m *stepsModel, step *steps.Step) error {
	a.Exists = true
	if step.Cycle < 0 {
		a.Steps = append(a.Steps, step.States)
	} else {
		a.Cycles = append(a.Cycles, stepsCycle{step.States[:step.Cycle], step.States[step.Cycle:]})
	}
	if !m.program {
		return nil
	}
	if a.Described == nil {
		a.Described = map[kripke.State]string{}
	}
	for _, s := range step.States {
		if a.Described[s] == "" {
			a.Described[s] = kripke.Text(m, s)
		}
	}
	return nil
}
