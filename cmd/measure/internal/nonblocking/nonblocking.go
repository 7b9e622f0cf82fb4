//go:build unix

// Package nonblocking measures how many of the bugs of a corpus antichain finds that make no goroutine wait.
//
// The corpus is in testdata: small programs with a data race, a panic in another order, lost results, or a violation
// of atomicity or order, each with a fixed twin. It was written before anything was measured on it, and is not changed.
package nonblocking

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"github.com/antichain-go/antichain/internal/reported"
)

//go:embed testdata
var testdata embed.FS

//go:embed expected.txt
var expectedText string

// settings are the command line.
type settings struct {
	only      *regexp.Regexp
	runs      int
	antichain string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("nonblocking", flag.ContinueOnError)
	only := flags.String("run", "", "only the programs whose names match this `pattern`")
	flags.IntVar(&s.runs, "n", 10, "runs of each program and of each twin")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.runs < 1 || flags.NArg() > 0 {
		return nil, errors.New("-n must be at least 1, and no arguments follow the flags")
	}
	var err error
	s.only, err = regexp.Compile(*only)
	return s, err
}

// Run runs all programs and their twins, one at a time, and prints the board.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	corpus, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return err
	}
	programs, err := load(corpus, expectedText)
	if err != nil {
		return err
	}
	b, err := newBench(ctx, corpus, s.antichain)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	var scores []*score
	for _, p := range programs {
		if !s.only.MatchString(p.name) {
			continue
		}
		scores = append(scores, b.score(ctx, p, s.runs))
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "nonblocking: %s is done\n", p.name)
	}
	write(w, scores)
	return nil
}

// bench is a temporary module with the programs.
type bench struct{ dir, antichain string }

// newBench writes the programs and, unless there is an executable, builds antichain.
func newBench(ctx context.Context, corpus fs.FS, executable string) (*bench, error) {
	dir, err := os.MkdirTemp("", "nonblocking-")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir}
	b.antichain, err = reported.Executable(ctx, executable, dir)
	err = errors.Join(
		err,
		os.CopyFS(dir, corpus),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module nonblocking\n\ngo 1.25\n"), 0o666),
	)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return b, nil
}

// patience is what a run takes at most, with the build before it: the first one builds the traced standard library.
var patience = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

// check runs a program or its twin once, with its specification if it has one.
func (b *bench) check(ctx context.Context, p *program, variant string) (*reported.Reports, error) {
	args := []string{"run", "--json", "--builtin", "all"}
	if p.spec != "" {
		args = append(args, "--spec", p.spec)
	}
	cmd := exec.Command(b.antichain, append(args, "./"+p.name+"/"+variant)...)
	cmd.Dir = b.dir
	out, err := reported.Finish(ctx, cmd, patience)
	if err != nil {
		return nil, err
	}
	return reported.Read(out)
}

// score runs a program and its twin so many times each.
func (b *bench) score(ctx context.Context, p *program, runs int) *score {
	s := newScore(p, runs)
	for run := 1; run <= runs; run++ {
		found, err := b.check(ctx, p, "bug")
		s.failed("run", run, err)
		s.add(run, found)
		found, err = b.check(ctx, p, "fixed")
		s.failed("run of the twin", run, err)
		s.addTwin(found)
	}
	return s
}
