//go:build unix

// Package sampling measures how many runs antichain run --explore needs until it reports anything,
// with each strategy: of single copies of GoKer's kernels, and of the corpora found, nonblocking
// and atomicity. If one ordinary run of a program reports something, that program is left out.
//
// Results can be kept in a file, and what it has is not measured again.
package sampling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// settings are the command line.
type settings struct {
	only        *regexp.Regexp
	seeds, most int
	strategies  string
	awake       bool // sleeps are taken out of the programs
	results     string
	more        string // a directory with further programs
	antichain   string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("strategies", flag.ContinueOnError)
	flags.TextVar(s.only, "run", s.only, "only the programs whose names match this `pattern`")
	flags.IntVar(&s.seeds, "n", 10, "base seeds")
	flags.IntVar(&s.most, "most", 100, "runs at most, for each base seed")
	flags.StringVar(&s.strategies, "strategies", "auto,walk,pct:3,pos,surw,rff", "strategies, separated by commas")
	flags.BoolVar(&s.awake, "awake", false, "take time.Sleep out of the programs")
	flags.StringVar(&s.results, "results", "", "keep results in this `file`, and go on behind those that it has")
	flags.StringVar(&s.more, "more", "",
		"also measure the programs in this `directory`, a module with programs in NAME/bug, or modules in NAME")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.seeds < 1 || s.most < 1 || flags.NArg() > 0 {
		return nil, errors.New("-n and -most must be at least 1, and no arguments follow the flags")
	}
	return s, nil
}

// Run measures the programs one after the other, and prints the table.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.measure(ctx); err != nil {
		return err
	}
	b.table().write(w)
	return nil
}

// once is the strategy of an ordinary run.
const once = "once"

// key says what is measured.
type key struct {
	Program, Strategy string
	Seed              int
}

// result is what was measured: how many runs there were until something was reported, 0 if nothing
// was.
type result struct {
	key
	Runs int
}

// measure makes the runs that were not made yet: an ordinary one of each program, then for each
// base seed all others.
func (b *bench) measure(ctx context.Context) error {
	var rest []program
	for _, p := range b.programs {
		runs, err := b.runs(ctx, p, key{p.name, once, 0})
		if err != nil {
			return err
		}
		if runs == 0 {
			rest = append(rest, p)
		}
	}
	for seed := range b.seeds {
		for _, p := range rest {
			for _, strategy := range strings.Split(b.strategies, ",") {
				if _, err := b.runs(ctx, p, key{p.name, strategy, baseSeed(seed)}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// baseSeed returns the n-th base seed, from 0.
func baseSeed(n int) int { return 1 + 1000*n }

// runs returns how many runs it takes.
func (b *bench) runs(ctx context.Context, p program, k key) (int, error) {
	if runs, ok := b.known[k]; ok {
		return runs, nil
	}
	runs, err := b.explore(ctx, p, k)
	if err != nil {
		return 0, fmt.Errorf("%s, %s: %w", p.name, k.Strategy, err)
	}
	b.known[k] = runs
	return runs, b.keep(result{k, runs})
}

// limits are what a command takes at most: the first one builds the traced standard library.
var limits = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

func (b *bench) explore(ctx context.Context, p program, k key) (int, error) {
	args := []string{"run", "--json", "--confirm=0", "--end-after=15s"}
	if p.spec != "" {
		args = append(args, "--spec", p.spec)
	}
	if p.builtin != "" {
		args = append(args, "--builtin", p.builtin)
	}
	if k.Strategy != once {
		args = append(args, "--explore", strconv.Itoa(b.most), "--stop-at", "first",
			"--strategy", k.Strategy, "--seed", strconv.Itoa(k.Seed))
	}
	cmd := exec.Command(b.antichain, append(args, ".")...)
	cmd.Dir = p.dir
	out, err := reported.Finish(ctx, cmd, limits)
	if err != nil {
		return 0, err
	}
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 2 && !bytes.Contains(out, []byte(`{"trace":`)): // it is not that of a panic
		return 0, fmt.Errorf("%s", out)
	case code == 0, code == 3: // nothing is reported
		return 0, nil
	case k.Strategy == once:
		return 1, nil
	}
	return explored(out)
}

// explored returns how many runs an exploration has made.
func explored(out []byte) (int, error) {
	for line := range bytes.Lines(out) {
		var o struct{ Exploration struct{ Runs int } }
		if json.Unmarshal(line, &o) == nil && o.Exploration.Runs > 0 {
			return o.Exploration.Runs, nil
		}
	}
	return 0, fmt.Errorf("the number of runs is missing: %s", out)
}

// read reads the results that are there.
func (s *settings) read() (map[key]int, error) {
	known := make(map[key]int)
	text, err := os.ReadFile(s.results)
	if s.results == "" || errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	for line := range bytes.Lines(text) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		known[r.key] = r.Runs
	}
	return known, err
}

// keep adds a result to the file.
func (s *settings) keep(r result) error {
	if s.results == "" {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.results, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}
