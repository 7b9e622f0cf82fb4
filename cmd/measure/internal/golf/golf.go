//go:build unix

// Package golf measures how many of the leaks are named that are labelled in the microbenchmarks of
// GOLF, the collector that detects goroutines that wait for ever.
//
// GOLF is described by V. Saioc et al., "Dynamic Partial Deadlock Detection and Recovery via
// Garbage Collection", ASPLOS 2025. Its programs have no licence that lets them be copied, so they
// are fetched from where they were published, always the same commit. Most start a hundred or more
// copies of their bug. In single copies of these, each loop of main that starts copies goes round
// once.
//
//	go -C cmd/measure run . golf           all boards
//	go -C cmd/measure run . golf single    this one; the others are asis and correct
package golf

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// settings are the command line.
type settings struct {
	boards    []string // none: all
	only      *regexp.Regexp
	runs      int
	parallel  int
	antichain string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("golf", flag.ContinueOnError)
	flags.TextVar(s.only, "run", s.only, "only the programs whose names match this `pattern`")
	flags.IntVar(&s.runs, "n", 3, "runs of each program, fewer if all its labels were named")
	flags.IntVar(&s.parallel, "p", 2, "programs that run at the same time")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.runs < 1 || s.parallel < 1 {
		return nil, errors.New("-n and -p must be at least 1")
	}
	s.boards = flags.Args()
	for _, name := range s.boards {
		if !slices.ContainsFunc(boards, func(b board) bool { return b.name == name }) {
			return nil, fmt.Errorf("there is no board %s", name)
		}
	}
	return s, nil
}

// Run fetches and runs all programs, and prints the boards.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "golf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	antichain, err := reported.Executable(ctx, s.antichain, dir)
	if err != nil {
		return err
	}
	module := filepath.Join(dir, "module")
	if err := fetch(ctx, artifact, module); err != nil {
		return err
	}
	programs, err := load(module)
	if err != nil {
		return err
	}
	g := &game{settings: s, bench: &bench{module, antichain}}
	for _, b := range boards {
		if len(s.boards) > 0 && !slices.Contains(s.boards, b.name) {
			continue
		}
		if err := g.play(ctx, w, b, programs); err != nil {
			return err
		}
	}
	return nil
}

// game is what is played with.
type game struct {
	*settings
	*bench
}

// A board is a table.
type board struct {
	name, title string
	of          func(*program) bool // the programs that it has
	from        string              // the directory that they are in
}

var boards = []board{
	{"asis", "The programs as they are", func(p *program) bool { return !p.correct }, asIs},
	{"single", "Single copies", func(p *program) bool { return !p.correct }, single},
	{"correct", "Correct programs", func(p *program) bool { return p.correct }, asIs},
}

// play runs the programs of a board and prints it.
func (g *game) play(ctx context.Context, w io.Writer, b board, programs []*program) error {
	var chosen []*program
	for _, p := range programs {
		if b.of(p) && g.only.MatchString(p.name) {
			chosen = append(chosen, p)
		}
	}
	scores := make([]*score, len(chosen))
	var players errgroup.Group
	players.SetLimit(g.parallel)
	for i, p := range chosen {
		players.Go(func() error {
			scores[i] = g.score(ctx, p, b.from)
			fmt.Fprintf(os.Stderr, "%s: %s is done\n", b.name, p.name)
			return nil
		})
	}
	_ = players.Wait() // failures are in the scores
	if err := ctx.Err(); err != nil {
		return err
	}
	write(w, b.title, scores)
	return nil
}

// score runs a program so many times, or until all its labels have been named.
func (g *game) score(ctx context.Context, p *program, from string) *score {
	s := newScore(p)
	for range g.runs {
		found, err := g.check(ctx, filepath.Join(from, p.dir))
		s.add(found, err)
		if len(p.labels) > 0 && len(s.missed()) == 0 {
			break
		}
	}
	return s
}

// load reads the programs of a module, and writes single copies.
func load(module string) ([]*program, error) {
	var programs []*program
	err := filepath.WalkDir(filepath.Join(module, asIs), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "main.go" {
			return err
		}
		dir, err := filepath.Rel(filepath.Join(module, asIs), filepath.Dir(path))
		if err != nil {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p, copied, err := newProgram(filepath.ToSlash(dir), src)
		if err != nil {
			return err
		}
		programs = append(programs, p)
		to := filepath.Join(module, single, dir)
		return errors.Join(os.MkdirAll(to, 0o777), os.WriteFile(filepath.Join(to, "main.go"), copied, 0o666))
	})
	return programs, err
}
