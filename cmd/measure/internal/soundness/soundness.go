//go:build unix

// Package soundness compares what antichain predicts with what programs can do.
//
// It makes random programs, finds all their states (package interleaving), runs each once under
// antichain and asks about each pair of places that the run was in: can two goroutines be there at
// the same time, with these values? What antichain reports, and what it finds with built-in
// properties, must be so in some interleaving.
package soundness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// settings are the command line.
type settings struct {
	seed            uint64
	first, programs int
	constructs      []program.Construct
	shrink          int
	orders          orders
}

// orders says which orders of a run are considered.
type orders struct {
	locks    bool // critical sections may come in others than in the run
	accesses bool // but only if each read sees what it has seen in the run
}

func parse(args []string) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("soundness", flag.ContinueOnError)
	flags.Uint64Var(&s.seed, "seed", 1, "make the programs of this `number`")
	flags.IntVar(&s.first, "first", 0, "begin with the program of this `number`, where an earlier run was interrupted")
	flags.IntVar(&s.programs, "programs", 200, "end before the program of this `number`")
	flags.IntVar(&s.shrink, "shrink", 1, "make so `many` false reports of each construct smaller and print them")
	flags.BoolVar(&s.orders.locks, "locks", false, "let critical sections of locks come in other orders than in the run (--predict locks)")
	flags.BoolVar(&s.orders.accesses, "accesses", false, "with -locks, let each read see what it has seen in the run (--builtin race --race-in all)")
	only := flags.String("constructs", "", "only these `constructs`, with commas between them")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, errors.New("no arguments follow the flags")
	}
	if s.orders.accesses && !s.orders.locks {
		return nil, errors.New("-accesses goes with -locks")
	}
	s.constructs = program.Constructs
	if *only != "" {
		s.constructs = nil
		for name := range strings.SplitSeq(*only, ",") {
			c := program.Construct(name)
			if !slices.Contains(program.Constructs, c) {
				return nil, fmt.Errorf("no construct %q: name some of %v", name, program.Constructs)
			}
			s.constructs = append(s.constructs, c)
		}
	}
	return s, nil
}

// Run makes the table and prints it. It is an error if antichain reports anything that cannot be,
// unless it says that this is open, or if what the order of the run's sections shows is not
// reported where others are considered, too.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := newComparison(s)
	stopped := c.run(ctx, os.Stderr)
	fmt.Fprint(w, table(c.rows))
	fmt.Fprintln(w)
	for _, note := range c.notes[:min(len(c.notes), mostNotes)] {
		fmt.Fprintln(w, note)
	}
	if more := len(c.notes) - mostNotes; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if stopped == nil {
		stopped = c.printExamples(ctx, w)
	}
	return errors.Join(stopped, c.verdict())
}

// batchSize is how many programs are in one executable.
const batchSize = 100

// mostNotes is how many programs are named.
const mostNotes = 50

// comparison is what was compared so far.
type comparison struct {
	*settings
	rows     []*row // by construct, then mixtures
	examples map[program.Construct][]example
	notes    []string // on programs with false reports, and on those without a verdict
	false    int      // programs
	failed   int      // programs without a verdict
	wrong    int      // programs of which the interpreter does not know what they did
}

func newComparison(s *settings) *comparison {
	c := &comparison{settings: s, examples: make(map[program.Construct][]example)}
	for _, name := range append(slices.Clone(s.constructs), mixture) {
		c.rows = append(c.rows, &row{construct: name})
	}
	return c
}

// run compares all programs and says how far it is.
func (c *comparison) run(ctx context.Context, progress io.Writer) error {
	for first := c.first; first < c.programs; first += batchSize {
		var subjects []*subject
		for i := first; i < min(first+batchSize, c.programs); i++ {
			subjects = append(subjects, newSubject(c.seed, i, c.constructs))
		}
		if err := c.compare(ctx, subjects); err != nil {
			return fmt.Errorf("programs from %d on: %w", first, err)
		}
		fmt.Fprintf(progress, "soundness: %d of %d programs, %d with false reports\n", first+len(subjects), c.programs, c.false)
	}
	return nil
}

// compare compares what antichain says about some programs with what they can do.
func (c *comparison) compare(ctx context.Context, subjects []*subject) error {
	var programs []*program.Program
	var reached []*interleaving.Reached
	for _, s := range subjects {
		programs, reached = append(programs, s.program), append(reached, s.reached)
	}
	verdicts, err := examineWith(c.orders)(ctx, programs, reached, 1, func(verdict) bool { return true })
	if err != nil {
		return err
	}
	for i, s := range subjects {
		c.count(s, verdicts[i])
	}
	return nil
}

// count notes the verdict on a program.
func (c *comparison) count(s *subject, v verdict) {
	r := c.rows[slices.IndexFunc(c.rows, func(r *row) bool { return r.construct == s.construct })]
	r.add(s, v)
	if v.judgement == nil {
		c.failed++
		c.notes = append(c.notes, fmt.Sprintf("program %d (%s): no verdict: %v", s.number, s.construct, v.err))
		return
	}
	if len(v.wrong) == 0 {
		return
	}
	c.false++
	c.notes = append(c.notes, fmt.Sprintf("program %d (%s): %s: %s: %s", s.number, s.construct, v.wrong[0].kind, v.wrong[0].what, v.wrong[0].why))
	kinds := map[string]bool{}
	for _, m := range v.wrong {
		if m.kind == unseen {
			c.wrong++
		}
		if !kinds[m.kind] && len(c.examples[s.construct]) < c.shrink {
			c.examples[s.construct] = append(c.examples[s.construct], example{s.program, s.reached, m})
		}
		kinds[m.kind] = true
	}
}

// printExamples makes the programs with false reports smaller and prints them.
func (c *comparison) printExamples(ctx context.Context, w io.Writer) error {
	for _, r := range c.rows {
		for _, e := range c.examples[r.construct] {
			small, err := e.shrink(ctx, examineWith(c.orders))
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "\n%s:\n\n%s", r.construct, small)
		}
	}
	return nil
}

// verdict is an error if something is not as it ought to be.
func (c *comparison) verdict() error {
	switch {
	case c.wrong > 0:
		return fmt.Errorf("the interpreter does not know what %d programs did: it is wrong, or the trace is", c.wrong)
	case c.false > 0:
		return fmt.Errorf("antichain reports what cannot be, or not what the order of the run shows, in %d programs", c.false)
	case c.failed > 0:
		return fmt.Errorf("there is no verdict on %d programs", c.failed)
	}
	return nil
}
