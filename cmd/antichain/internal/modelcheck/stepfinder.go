package modelcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// StepFinder finds temporal steps of models. Questions can override from, limit, mode and allPaths.
type StepFinder struct {
	Model      *models.Model    // for questions without a model; may be nil
	Parameters map[string]int64 // for programs in questions
	Stutter    bool             // a state without successors stutters
	Limits     limits.Limits    // for each question

	From     int    // first state of the steps, or InitialState
	Limit    int    // greatest number of states of a step
	Mode     string // name of a steps.Mode
	AllPaths bool

	questions models.QuestionReader
	systems   models.Cache[kripke.System] // of structures
}

// InitialState stands for the initial state of a model.
const InitialState = -1

// stepsQuestion asks for steps. The finder has the values of nil fields.
type stepsQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	From     *int            `json:"from"`
	Mode     *string         `json:"mode"`
	AllPaths *bool           `json:"all_paths"`
	Limit    *int            `json:"limit"`
	models.Keys
}

// Answer answers a line of a batch.
func (p *StepFinder) Answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q stepsQuestion
	if err := p.questions.Parse(line, &q, &q.Keys); err != nil {
		return nil, q.ID, err
	}
	a, err := p.all(ctx, &q)
	return a, q.ID, err
}

// all finds all steps of a question.
func (p *StepFinder) all(ctx context.Context, q *stepsQuestion) (*stepsAnswer, error) {
	a := &stepsAnswer{Header: batch.Header{ID: q.ID}, Steps: [][]kripke.State{}}
	return a, p.each(ctx, q, a.add)
}

// Find prints the steps of the model that satisfy a formula: text as they are found, JSON at the
// end.
func (p *StepFinder) Find(ctx context.Context, s terminal.Streams, formula string, asJSON bool) (err error) {
	q := &stepsQuestion{Formula: &formula}
	exists := false
	if asJSON {
		var a *stepsAnswer
		if a, err = p.all(ctx, q); err == nil {
			exists = a.Exists
			err = report.WriteObject(s.Out, a)
		}
	} else {
		w := stepPrinter{out: s.Out}
		err = p.each(ctx, q, w.write)
		exists = w.written > 0
		if err == nil && !exists {
			_, err = fmt.Fprintln(s.Out, "there is no such step")
		}
	}
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, asJSON, err)
	case err == nil && !exists:
		err = exit.Code(exit.Violated)
	}
	return err
}

// stepsModel is a system in which steps are searched.
type stepsModel struct {
	kripke.System
	program bool // its states need descriptions
	from    kripke.State
}

// each calls found with each step of a question.
func (p *StepFinder) each(ctx context.Context, q *stepsQuestion, found func(*stepsModel, *steps.Step) error) error {
	ctx, stop := p.Limits.Bound(ctx)
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

// options returns the options of a question, with those of the finder for missing ones.
func (p *StepFinder) options(q *stepsQuestion) (steps.Options, error) {
	mode, err := steps.ParseMode(valueOr(q.Mode, p.Mode))
	return steps.Options{Mode: mode, Limit: valueOr(q.Limit, p.Limit), AllPaths: valueOr(q.AllPaths, p.AllPaths)}, err
}

// valueOr returns the value of a key, or a default if the key is missing.
func valueOr[T any](value *T, missing T) T {
	if value != nil {
		return *value
	}
	return missing
}

// open returns the model of a question and the first state of steps.
func (p *StepFinder) open(ctx context.Context, q *stepsQuestion) (*stepsModel, error) {
	text, err := q.Model(p.Model, p.Parameters)
	if err != nil {
		return nil, err
	}
	m := &stepsModel{program: text.Program}
	from := valueOr(q.From, p.From)
	switch {
	case !text.Program:
		m.System, err = p.systems.Get(text, func() (kripke.System, int, error) {
			sys, err := text.Open()
			return sys, 2 * len(text.Text), err
		})
	case from == InitialState: // states are numbered on demand
		m.System, err = text.Open()
	default: // explore all of them, to number them as all verbs do
		m.System, err = text.Explore(ctx, false, kripke.MaxStates)
	}
	if err != nil {
		return nil, err
	}
	if p.Stutter {
		m.System = kripke.Stutter(m.System)
	}
	return m, m.begin(from)
}

// begin sets the first state of steps.
func (m *stepsModel) begin(from int) error {
	initial := m.Initial()
	switch {
	case from == InitialState && len(initial) == 1:
		m.from = initial[0]
	case from == InitialState:
		return fmt.Errorf("there are %d initial states: choose one with from", len(initial))
	case from < 0 || from >= m.States():
		return fmt.Errorf("there is no state %d to begin in: the states are 0 to %d", from, m.States()-1)
	default:
		m.from = kripke.State(from)
	}
	return nil
}

type stepsAnswer struct {
	batch.Header
	Exists bool             `json:"exists"`
	Steps  [][]kripke.State `json:"steps"`
	Cycles []stepsCycle     `json:"cycles,omitempty"`
	// Described describes the states of a program, by number.
	Described map[kripke.State]string `json:"described,omitempty"`
}

// stepsCycle is a maximal step that can be continued for ever.
type stepsCycle struct {
	Stem []kripke.State `json:"stem"` // before the loop
	Loop []kripke.State `json:"loop"` // repeated for ever
}

// add adds a step to the answer.
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

// stepPrinter writes steps as text, as they are found.
type stepPrinter struct {
	out     io.Writer
	written int
}

// write writes a step: its first state in full, and then each move and its effect.
func (w *stepPrinter) write(m *stepsModel, step *steps.Step) error {
	var b strings.Builder
	if w.written++; w.written > 1 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "step %d, %s", w.written, wording.Plural(len(step.States), "state"))
	if step.Cycle >= 0 {
		b.WriteString(", can grow for ever")
	}
	b.WriteString("\n")
	for i, s := range step.States {
		if i == step.Cycle {
			b.WriteString("    and then for ever:\n")
		}
		b.WriteString("    ")
		if i == 0 {
			b.WriteString(event.Printable(kripke.Text(m, s)))
		} else if err := writeMove(&b, m, step.States[i-1], s); err != nil {
			return err
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w.out, b.String())
	return err
}

// writeMove writes the process and the action of a move, and the fields it changes.
func writeMove(b *strings.Builder, m *stepsModel, from, to kripke.State) error {
	moves, err := m.Moves(nil, from)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(moves, func(move kripke.Move) bool { return move.To == to })
	if i >= 0 && m.program {
		b.WriteString(moveText(m, from, moves[i]) + " => ")
	}
	b.WriteString(changedText(m, from, to))
	return nil
}
