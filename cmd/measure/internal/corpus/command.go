//go:build unix

package corpus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
)

// A Command measures what is found of a corpus. The caller may add flags of its own.
type Command struct {
	*flag.FlagSet
	Runs      int // of each program and of each twin
	only      *regexp.Regexp
	antichain string // the executable; "": one is built
}

// NewCommand returns a command with the flags that all corpora have.
func NewCommand(name string, runs int) *Command {
	c := &Command{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), only: regexp.MustCompile("")}
	c.TextVar(c.only, "run", c.only, "only the programs whose names match this `pattern`")
	c.IntVar(&c.Runs, "n", runs, "runs of each program and of each twin")
	c.StringVar(&c.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	return c
}

// Parse reads the command line.
func (c *Command) Parse(args []string) error {
	if err := c.FlagSet.Parse(args); err != nil {
		return err
	}
	if c.Runs < 1 || c.NArg() > 0 {
		return errors.New("-n must be at least 1, and no arguments follow the flags")
	}
	return nil
}

// Select returns the programs that are chosen by name.
func (c *Command) Select(programs []*Program) []*Program {
	return slices.DeleteFunc(slices.Clone(programs), func(p *Program) bool { return !c.only.MatchString(p.Name) })
}

// Each has score called with each of the selected programs of a corpus, one at a time.
func (c *Command) Each(files fs.FS, programs []*Program, score func(context.Context, *Bench, *Program)) error {
	programs = c.Select(programs)
	if len(programs) == 0 {
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := newBench(ctx, files, c.antichain)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	for _, p := range programs {
		score(ctx, b, p)
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %s is done\n", c.Name(), p.Name)
	}
	return nil
}
