//go:build unix

// Package waiting compares what antichain says of goroutines that wait at the end of random
// programs with who can still end their waits.
//
// Beside the goroutines that wait, programs have some that go on by themselves: tickers, sleepers,
// servers, goroutines that wait for input, functions that timers will start. Which of them leads to
// which objects is drawn, and so is known.
package waiting

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
)

// batchSize is how many programs are in one executable.
const batchSize = 100

// settings are the command line.
type settings struct {
	seed            uint64
	first, programs int
}

// Run runs programs and prints the table. It is an error if a wait is reported to be without end
// that is not, or is not reported that is.
func Run(args []string, w io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("waiting", flag.ContinueOnError)
	flags.Uint64Var(&s.seed, "seed", 1, "make the programs of this `number`")
	flags.IntVar(&s.first, "first", 0, "begin with the program of this `number`")
	flags.IntVar(&s.programs, "programs", 200, "end before the program of this `number`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	t := newTable()
	err := t.run(ctx, s, os.Stderr)
	t.write(w)
	if err != nil {
		return err
	}
	return t.verdict()
}

// table counts waits by what is waited for.
type table struct {
	rows     map[string]*row
	mistakes []string
}

// row is what was found of the waits of a kind.
type row struct{ waits, endless, found, possible, open int }

func newTable() *table { return &table{rows: map[string]*row{}} }

// run builds and runs programs, and says how far it is.
func (t *table) run(ctx context.Context, s settings, progress io.Writer) error {
	for first := s.first; first < s.programs; first += batchSize {
		var programs []*program
		for i := first; i < min(first+batchSize, s.programs); i++ {
			programs = append(programs, draw(rand.New(rand.NewPCG(s.seed, uint64(i)))))
		}
		results, err := examine(ctx, programs)
		if err != nil {
			return fmt.Errorf("programs from %d on: %w", first, err)
		}
		for i, r := range results {
			t.add(first+i, programs[i], r)
		}
		fmt.Fprintf(progress, "waiting: %d programs, %d mistakes\n", first+len(programs), len(t.mistakes))
	}
	return nil
}

// add counts the waits of a program.
func (t *table) add(number int, p *program, r *result) {
	endless := p.endless()
	for i := range p.tasks {
		if p.tasks[i].fate != waits {
			continue
		}
		kind := p.kindOf(i)
		if t.rows[kind] == nil {
			t.rows[kind] = new(row)
		}
		c := t.rows[kind]
		c.waits++
		switch {
		case endless[i]:
			c.endless++
		case r.possible[i]:
			c.possible++
		default:
			c.open++
		}
		switch {
		case endless[i] && r.observed[i]:
			c.found++
		case endless[i] != r.observed[i]:
			what := "is reported to wait for ever"
			if endless[i] {
				what = "waits for ever, and is not reported"
			}
			text, _ := p.print(fmt.Sprint("program", number))
			t.mistakes = append(t.mistakes, fmt.Sprintf("program %d: task %d %s: %s\n%s", number, i, what,
				r.text[i], text))
		}
	}
}

func (t *table) write(w io.Writer) {
	fmt.Fprintln(w, "| wait | number | without end | of these reported | others, possible | others |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- |")
	all := new(row)
	for _, kind := range waitKinds {
		if c := t.rows[kind]; c != nil {
			c.write(w, kind)
			*all = row{all.waits + c.waits, all.endless + c.endless, all.found + c.found,
				all.possible + c.possible, all.open + c.open}
		}
	}
	all.write(w, "all")
	for _, m := range t.mistakes {
		fmt.Fprintln(w, "\n"+m)
	}
}

func (c *row) write(w io.Writer, kind string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |\n", kind, c.waits, c.endless, c.found, c.possible, c.open)
}

func (t *table) verdict() error {
	if len(t.mistakes) > 0 {
		return fmt.Errorf("%d waits are not reported as they are", len(t.mistakes))
	}
	return nil
}
