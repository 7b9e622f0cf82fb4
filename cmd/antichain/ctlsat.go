package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// ctlSatisfying looks for models, and makes programs of them.
type ctlSatisfying struct {
	budgetFlags
	options     tableau.Options
	file        string // --file
	json, batch bool
	dot, svg    bool
	draw        string // --draw

	synthesize bool   // it is the verb synth
	goPackage  string // --go
	output     string // -o
}

func newCTLSat(s terminal.Streams) *cobra.Command {
	c := &ctlSatisfying{}
	cmd := c.command(s, &cobra.Command{
		Use:   "sat [--processes N] [--concurrent] [--json|--dot|--svg [--draw WHAT]] FORMULA | sat --batch",
		Short: "find a model of a formula, or say why there is none",
		Long: `sat says whether some structure satisfies a formula in its first state, and prints a finite one, which has been checked.
Where there is none, it says what a state would need that cannot be.

How many processes there are matters: AX_1 false & AX_2 false needs a third one. Without --processes they are those
that the formula names, at least one.

--draw tableau shows the tableau that this is decided by (Clarke and Emerson 1981): OR-nodes G, with what has to be true in a state, and
their blocks, AND-nodes H, each of which leads to its tiles, what has to be true in next states. Dashed edges lead to what
cannot be; --draw pruned is without that.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula" or "file", and "processes"; the answer is "sat", and "model",
an explicit structure as check reads it, or "reason". The answer to a line that cannot be read is an object with "error", and where a
budget ran out one with "unknown".

Exit codes: 0 satisfiable, 1 not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
	})
	cmd.Flags().BoolVar(&c.options.Concurrent, "concurrent", false, "prefer states in which more processes can move")
	return cmd
}

func newCTLSynth(s terminal.Streams) *cobra.Command {
	c := &ctlSatisfying{synthesize: true}
	cmd := c.command(s, &cobra.Command{
		Use:   "synth [--processes N] [--json|--dot|--svg [--draw WHAT]|--go NAME [-o DIR]] FORMULA | synth --file FILE | synth --batch",
		Short: "make a program of a specification, or say why there is none",
		Long: `synth prints a program that satisfies a formula: for each process its synchronization skeleton, the regions in which
it can be and when it may move from one to another. It is made of a finite model, in which processes move where that is
possible, and the formula has been checked on both.

The atoms are the variables of the program. One that only the moves of one process change belongs to this process; what these are
is its region. The variable turn, if there is one, tells states of the model apart that have equal atoms. Process 1 of EX_1 and
AX_1 is called P1 in the program. --draw skeletons shows the regions and the ways between them.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula" or "file", and "processes"; the answer is "sat", and "model",
"skeletons" and "program", or "reason". The answer to a line that cannot be read is an object with "error", and where a
budget ran out one with "unknown".

With --go the program is a Go package: a type for each process, with a method for each way from region to region, which waits
until the guard is true. With -o it is written into a directory, and beside it a specification for antichain run --live with what
a trace of a program that uses the package can violate: what is always true, and what is said of next states.
What it leaves out it names, with the reason.

Exit codes: 0 there is a program, 1 there is none, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
	})
	cmd.Flags().StringVar(&c.goPackage, "go", "", "print the program as a Go package of this `NAME`")
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "with --go, write the package and its specification, NAME.go and NAME.tl, into this `DIR`")
	return cmd
}

// command adds what both verbs have.
func (c *ctlSatisfying) command(s terminal.Streams, cmd *cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.run(cmd.Context(), s, cmd.Name(), args)
	}
	f := cmd.Flags()
	f.IntVar(&c.options.Processes, "processes", 0, "how many processes there are, `N`; 0 is as many as the formula names")
	f.StringVar(&c.file, "file", "", "the formula is in this `FILE`, with comments behind //")
	f.BoolVar(&c.json, "json", false, "print a JSON object")
	f.BoolVar(&c.batch, "batch", false, "answer questions from standard input")
	f.BoolVar(&c.dot, "dot", false, "print a picture for Graphviz")
	f.BoolVar(&c.svg, "svg", false, "print a picture as SVG")
	f.StringVar(&c.draw, "draw", drawModel, "`WHAT` the picture shows: "+strings.Join(c.drawable(), ", "))
	c.register(f, time.Minute, "each question")
	return cmd
}

func (c *ctlSatisfying) run(ctx context.Context, s terminal.Streams, verb string, args []string) error {
	if err := c.validate(); err != nil {
		return err
	}
	if err := processesInRange(c.options.Processes); err != nil {
		return fmt.Errorf("--processes: %w", err)
	}
	forms := 0
	for _, form := range []bool{c.json, c.dot, c.svg, c.goPackage != ""} {
		if form {
			forms++
		}
	}
	if forms > 1 || c.batch && forms > 0 && !c.json {
		return errors.New("choose one form: JSON, a picture, or a Go package; answers to a batch are in JSON")
	}
	if !slices.Contains(c.drawable(), c.draw) {
		return fmt.Errorf("--draw %s: a picture shows one of %s", c.draw, strings.Join(c.drawable(), ", "))
	}
	if c.draw != drawModel && !c.dot && !c.svg {
		return errors.New("--draw is for a picture: add --dot or --svg")
	}
	if c.output != "" && c.goPackage == "" {
		return errors.New("-o is for a Go package and its specification: add --go NAME")
	}
	for _, phase := range []spec.Phase{spec.AnyPhase, spec.StartPhase, spec.TermPhase} {
		if c.output != "" && c.goPackage == phase.String() { // as in in.moved
			return fmt.Errorf("--go %s: a specification cannot name the variables of a package with this name: take another", c.goPackage)
		}
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	q := ctlSatQuestion{File: c.file}
	switch {
	case c.batch && (len(args) > 0 || c.file != ""):
		return errors.New("with --batch the formulas come from standard input: leave the others out")
	case c.batch:
		return batch.Run(ctx, s, c.answer)
	case len(args) == 1:
		q.Formula = &args[0]
	case len(args) > 1 || c.file == "":
		return fmt.Errorf("%s given: ctl %s takes one formula, in quotes, or --file", report.Plural(len(args), "argument"), verb)
	}
	return c.single(ctx, s, &q)
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
	File      string          `json:"file"`
	Processes *int            `json:"processes"`
}

// formula reads the formula of a question.
func (q *ctlSatQuestion) formula(ctx context.Context) (*temporal.Formula, error) {
	switch {
	case q.Formula != nil && q.File != "":
		return nil, errors.New("there are both a formula and a file: leave one of them out")
	case q.Formula != nil:
		return temporal.Parse("formula", *q.Formula, temporal.CTL)
	case q.File == "":
		return nil, errors.New(`the key "formula" is missing`)
	}
	var text []byte
	var err error
	if !interrupt.Do(ctx, func() { text, err = q.content() }) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return temporal.Parse(q.File, string(text), temporal.CTL)
}

// content returns what is in the file of a question.
func (q *ctlSatQuestion) content() ([]byte, error) {
	f, err := os.Open(q.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, temporal.MaxSource+1))
}

// ctlSatAnswer is the answer to a question.
type ctlSatAnswer struct {
	batch.Header
	Sat       bool              `json:"sat"`
	Model     *structureModel   `json:"model,omitempty"`
	Skeletons []*skeletonObject `json:"skeletons,omitempty"`
	Program   string            `json:"program,omitempty"`
	Reason    []string          `json:"reason,omitempty"`
}

// answer answers a line of a batch.
func (c *ctlSatisfying) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q ctlSatQuestion
	if err := batch.Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	made, err := c.decide(ctx, &q)
	if err != nil {
		return nil, q.ID, err
	}
	a := newCTLSatAnswer(made)
	a.ID = q.ID
	return a, q.ID, nil
}

func newCTLSatAnswer(made *skeleton.Synthesis) *ctlSatAnswer {
	if made.Model == nil {
		return &ctlSatAnswer{Reason: made.Why}
	}
	a := &ctlSatAnswer{Sat: true, Model: newStructureModel(made.Model)}
	if made.Skeletons != nil {
		a.Skeletons, a.Program = newSkeletonObjects(made.Skeletons), made.Skeletons.Program()
	}
	return a
}

func (c *ctlSatisfying) decide(ctx context.Context, q *ctlSatQuestion) (*skeleton.Synthesis, error) {
	o := c.options
	if q.Processes != nil {
		o.Processes = *q.Processes
		if err := processesInRange(o.Processes); err != nil {
			return nil, fmt.Errorf(`key "processes": %w`, err)
		}
	}
	f, err := q.formula(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := c.Bound(ctx)
	defer stop()
	if c.synthesize {
		return skeleton.Synthesize(ctx, f, o.Processes)
	}
	outcome, err := tableau.Sat(ctx, f, o)
	return &skeleton.Synthesis{Outcome: outcome}, err
}

// single answers the question of the arguments.
func (c *ctlSatisfying) single(ctx context.Context, s terminal.Streams, q *ctlSatQuestion) error {
	made, err := c.decide(ctx, q)
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, c.json, err)
	case err != nil:
		return err
	case c.json:
		err = report.WriteJSON(s.Out, newCTLSatAnswer(made))
	case (c.dot || c.svg) && (made.Model != nil || c.drawsTableau()):
		err = c.picture(s.Out, made)
	case made.Skeletons != nil && c.goPackage != "":
		err = c.writeGo(s.Out, made)
	case made.Skeletons != nil:
		_, err = io.WriteString(s.Out, made.Skeletons.Program())
	default:
		err = writeSat(s.Out, made.Outcome)
	}
	if err == nil && made.Model == nil {
		err = exit.Code(exit.Violated)
	}
	return err
}

// writeGo prints the Go package, or writes it into a directory with its specification.
func (c *ctlSatisfying) writeGo(w io.Writer, made *skeleton.Synthesis) error {
	text, err := made.Skeletons.Go(c.goPackage)
	if err != nil {
		return fmt.Errorf("--go: %w", err)
	}
	if c.output == "" {
		_, err = io.WriteString(w, text)
		return err
	}
	if err := os.MkdirAll(c.output, 0o777); err != nil {
		return err
	}
	file := filepath.Join(c.output, c.goPackage)
	if err := os.WriteFile(file+".go", []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(file+".tl", []byte(made.SliceSpec(c.goPackage)), 0o666)
}

// What pictures show.
const (
	drawModel     = "model"
	drawTableau   = "tableau"
	drawPruned    = "pruned"
	drawSkeletons = "skeletons"
)

// drawable returns what the verb can draw.
func (c *ctlSatisfying) drawable() []string {
	all := []string{drawModel, drawTableau, drawPruned}
	if c.synthesize {
		all = append(all, drawSkeletons)
	}
	return all
}

// drawsTableau reports whether there is something to draw without a model.
func (c *ctlSatisfying) drawsTableau() bool { return c.draw == drawTableau || c.draw == drawPruned }

// picture draws the model, or what it comes from, or what was made of it.
func (c *ctlSatisfying) picture(w io.Writer, made *skeleton.Synthesis) error {
	var picture *diagram.Graph
	var err error
	switch {
	case c.drawsTableau():
		picture, err = made.Tableau(c.draw == drawPruned)
	case c.draw == drawSkeletons:
		picture = made.Skeletons.Diagram()
	default:
		picture, err = allStates(made.Model)
	}
	if err != nil {
		return err
	}
	return report.WritePicture(w, picture, c.svg)
}

// allStates draws all states of a model.
func allStates(m *tableau.Model) (*diagram.Graph, error) {
	states := make([]kripke.State, m.States())
	for i := range states {
		states[i] = kripke.State(i)
	}
	return kripke.Diagram(m, states)
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
