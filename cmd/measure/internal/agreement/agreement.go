//go:build unix

// Package agreement compares what the ways to check built-in properties find in the same runs.
//
// It runs programs under antichain run, which reports findings and writes a trace. On each trace
// the same must be found by antichain check, and by antichain monitor: on a pipe, and on topics of
// Kafka to which all traces are sent. Monitors of a topic are also killed in the midst of the runs;
// those that go on from their snapshots must find the same, and report it under the same ids.
package agreement

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/internal/findingset"
)

// settings are the command line.
type settings struct {
	only     *regexp.Regexp
	kafka    string
	parallel int
	patience time.Duration
	progress io.Writer // which programs have run
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("agreement", flag.ContinueOnError)
	flags.TextVar(s.only, "run", s.only,
		"only the programs whose names match this `pattern`, such as \"built-in deadlock\"")
	flags.StringVar(&s.kafka, "kafka", os.Getenv("ANTICHAIN_KAFKA"), "also use the Kafka with these `brokers`, joined by commas")
	flags.IntVar(&s.parallel, "p", 2, "programs that run at the same time")
	flags.DurationVar(&s.patience, "timeout", time.Minute, "interrupt a program that has not ended after this time, with its build")
	verbose := flags.Bool("v", false, "say which programs have run")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	s.progress = io.Discard
	if *verbose {
		s.progress = os.Stderr
	}
	if flags.NArg() > 0 || s.parallel < 1 {
		return nil, errors.New("no arguments follow the flags, and -p is at least 1")
	}
	return s, nil
}

// Run makes the table and prints it. It is an error if two ways differ, or a run is not checked.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "agreement-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &comparison{settings: s, dir: dir, antichain: filepath.Join(dir, "antichain")}
	if err := command(ctx, "go", "build", "-o", c.antichain, "./cmd/antichain"); err != nil {
		return err
	}
	defer c.disconnect()
	if err := c.connect(); err != nil {
		return err
	}
	groups, err := groups(ctx, dir)
	if err != nil {
		return err
	}
	t := &table{columns: c.columns()}
	for _, g := range groups {
		runs := g.runs(s.only)
		if err := c.compare(ctx, g, runs); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		t.add(g, runs)
	}
	t.write(w)
	return t.err()
}

// command runs a command. What it prints is in the error.
func command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return nil
}

// comparison is what programs are compared with.
type comparison struct {
	*settings
	dir       string // temporary
	antichain string // the executable
	kafkas    []*cluster
	topics    int // made so far
}

// columns are the ways beside the run itself.
func (c *comparison) columns() []string {
	all := []string{wayCheck, wayPipe}
	for _, k := range c.kafkas {
		all = append(all, k.name, k.name+killed)
	}
	return all
}

const (
	wayCheck = "check"
	wayPipe  = "monitor, pipe"
	killed   = ", kill -9" // behind the name of a Kafka
)

// run is a run of a program, and what was found in it.
type run struct {
	*program
	id    string // in topics
	trace string // file
	found []*findingset.Report
	by    map[string][]*findingset.Report // by the other ways
	err   error                           // why it was not checked
}

// runs are to be made of the programs of a group whose names match.
func (g *group) runs(only *regexp.Regexp) (all []*run) {
	for i := range g.programs {
		p := &g.programs[i]
		if id := g.name + " " + p.name; only.MatchString(id) {
			all = append(all, &run{program: p, id: id, by: map[string][]*findingset.Report{}})
		}
	}
	return all
}

// compare runs programs, and asks all ways what they find.
func (c *comparison) compare(ctx context.Context, g *group, runs []*run) error {
	var workers errgroup.Group
	workers.SetLimit(c.parallel)
	for i, r := range runs {
		r.trace = filepath.Join(c.dir, fmt.Sprintf("trace%d.bin", i))
		workers.Go(func() error {
			r.err = c.local(ctx, g, r)
			fmt.Fprintf(c.progress, "%s has run\n", r.id)
			return nil
		})
	}
	_ = workers.Wait() // failures are in the runs
	var traced []*run
	for _, r := range runs {
		if r.err == nil {
			traced = append(traced, r)
		}
	}
	for _, k := range c.kafkas {
		if err := c.onTopic(ctx, k, g, traced); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		if err := c.amidKills(ctx, k, g, traced); err != nil {
			return fmt.Errorf("%s%s: %w", k.name, killed, err)
		}
	}
	return ctx.Err()
}
