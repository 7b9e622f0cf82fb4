//go:build unix

// Package versions checks that antichain works alike with several releases of Go.
//
// The go command that runs this package builds antichain once. Each release then takes the part of
// the user's toolchain: it builds the programs that antichain traces. The outcome of every check is
// kept in a file. An interrupted run continues with the checks that have no such file.
package versions

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// settings are the command line.
type settings struct {
	releases string
	cells    *regexp.Regexp
	kept     string
	retry    bool
	quick    bool
	checkNew bool
	accept   bool
}

// KeptVariable is the environment variable that names the directory for what was found.
const KeptVariable = "ANTICHAIN_VERSIONS"

func parse(args []string) (*settings, error) {
	s := &settings{kept: os.Getenv(KeptVariable), cells: regexp.MustCompile("")}
	flags := flag.NewFlagSet("versions", flag.ContinueOnError)
	flags.StringVar(&s.releases, "releases", "", "only these `releases`, with commas between them: 1.26.0, the path of a GOROOT, or other, the newest one of the other minor version")
	flags.TextVar(s.cells, "cells", s.cells, "only the checks whose names match this `pattern`")
	flags.StringVar(&s.kept, "kept", s.kept, "keep what was found in this `directory`; default $"+KeptVariable+", or docs/results/versions.d")
	flags.BoolVar(&s.retry, "retry", false, "make again what failed")
	flags.BoolVar(&s.quick, "quick", false, "the quick checks with the newest release of the other minor version, and keep nothing")
	flags.BoolVar(&s.checkNew, "check-new", false, "only look whether there is a release newer than those in the committed table")
	flags.BoolVar(&s.accept, "accept-new", false, "do not mind releases that the committed table has not: this one is to take its place")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("no arguments follow the flags: %s", strings.Join(flags.Args(), " "))
	}
	return s, nil
}

// Run makes the table and prints it. It is an error if anything differs from what is expected.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work, err := newWorkspace(ctx)
	if err != nil {
		return err
	}
	problems, err := s.run(ctx, work, w)
	if err := errors.Join(err, work.remove()); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d results are not as they ought to be:\n    %s", len(problems), strings.Join(problems, "\n    "))
	}
	return nil
}

// run does what the settings say and returns what is not as it ought to be.
func (s *settings) run(ctx context.Context, work *workspace, w io.Writer) ([]string, error) {
	var err error
	if work.all, err = allReleases(ctx, work); err != nil {
		return nil, err
	}
	if s.checkNew {
		return s.newer(ctx, work, w)
	}
	releases, err := s.chosenReleases(ctx, work)
	if err != nil {
		return nil, err
	}
	kept, err := s.store(ctx, work)
	if err != nil {
		return nil, err
	}
	t := newTable(s.chosenCells(), releases)
	interrupted := t.fill(ctx, work, kept, s.retry)
	if interrupted != nil && !errors.Is(interrupted, context.Canceled) {
		return nil, interrupted
	}
	fmt.Fprintf(w, "Content %s.\n\n%s\n%s", filepath.Base(kept.dir), t, t.details())
	problems := t.problems()
	if s.releases == "" && !s.quick && !s.accept && interrupted == nil {
		newer, err := s.newer(ctx, work, w)
		if err != nil {
			return nil, err
		}
		problems = append(problems, newer...)
	}
	return problems, nil
}

// allReleases asks which releases there are for this system.
func allReleases(ctx context.Context, work *workspace) ([]Version, error) {
	list, err := goOutput(ctx, work.env, work.dir, "list", "-m", "-versions", "golang.org/toolchain")
	if err != nil {
		return nil, err
	}
	system, err := goOutput(ctx, work.env, work.dir, "env", "GOOS", "GOARCH")
	if err != nil {
		return nil, err
	}
	goos, goarch, _ := strings.Cut(system, "\n")
	all := parseVersions(list, goos, goarch)
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no toolchain for %s/%s", goos, goarch)
	}
	return all, nil
}

// chosenReleases are the columns.
func (s *settings) chosenReleases(ctx context.Context, work *workspace) ([]*release, error) {
	words := strings.Split(s.releases, ",")
	if s.quick {
		words = []string{"other"}
	} else if s.releases == "" {
		words = nil
		for _, v := range chooseVersions(work.all) {
			words = append(words, v.String())
		}
	}
	var chosen []*release
	for _, word := range words {
		r, err := work.release(ctx, strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, r)
	}
	return chosen, nil
}

// release is what a word of the command line names.
func (w *workspace) release(ctx context.Context, word string) (*release, error) {
	if word == "other" {
		v, ok := newest(w.all, other(w.builder.Minor))
		if !ok {
			return nil, fmt.Errorf("there is no release go1.%d", other(w.builder.Minor))
		}
		return releaseOf(v), nil
	}
	if v, ok := parseVersion(word); ok {
		return releaseOf(v), nil
	}
	goroot, err := filepath.Abs(word)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(goroot, "bin", "go")); err != nil {
		return nil, fmt.Errorf("%q is neither a release like 1.26.0 nor a GOROOT: %w", word, err)
	}
	version, err := goOutput(ctx, environAt(w.env, goroot), w.dir, "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	return releaseAt(goroot, version)
}

// chosenCells are the rows. What is only there for the short run is in the table if it was asked
// for.
func (s *settings) chosenCells() []*cell {
	return slices.DeleteFunc(cells(), func(c *cell) bool {
		if s.quick {
			return !slices.Contains(quick, c.name)
		}
		return !s.cells.MatchString(c.name) || s.cells.String() == "" && c.isShort()
	})
}

// isShort reports whether a check is a shorter form of another one.
func (c *cell) isShort() bool { return c.name == selfTestsShortName || c.name == someProgramsName }

// store is where outcomes are kept for the present content of the repository and the go command.
func (s *settings) store(ctx context.Context, work *workspace) (*store, error) {
	if s.quick {
		return newStore(work.path("kept"), "now"), nil
	}
	key, err := contentKey(os.DirFS(work.root))
	if err != nil {
		return nil, err
	}
	version, err := goOutput(ctx, work.env, work.dir, "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	dir := s.kept
	if dir == "" {
		dir = filepath.Join(work.root, "docs/results/versions.d")
	}
	return newStore(dir, key+"-"+fileName(version)), nil
}

// fill makes the checks that have no outcome yet, release after release, until the context is done.
func (t *table) fill(ctx context.Context, work *workspace, kept *store, retry bool) error {
	for j, r := range t.releases {
		var at *site
		for i, c := range t.cells {
			o, err := kept.load(r, c)
			if err != nil {
				return err
			}
			if o != nil && (o.OK || !retry || exceptionFor(r.minor, c, o) != nil) {
				t.outcomes[i][j] = o
				continue
			}
			if ctx.Err() != nil {
				continue // others may be there
			}
			if at == nil {
				if at, err = work.site(ctx, r); err != nil {
					return err
				}
			}
			if o, err = c.run(ctx, at); err != nil {
				continue // interrupted
			}
			t.outcomes[i][j] = o
			if err := kept.save(r, c, o); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s, %s: %s\n", r.name, c.name, cellText(r, c, o))
		}
	}
	return ctx.Err()
}

// newer lists the releases that are missing in the committed table.
func (s *settings) newer(ctx context.Context, work *workspace, w io.Writer) ([]string, error) {
	const file = "docs/results/versions.txt"
	r, err := execute(ctx, work.env, work.root, "git", "show", "HEAD:"+file)
	if err != nil {
		return nil, err
	}
	table := versionsIn(r.out)
	if len(table) == 0 {
		fmt.Fprintf(w, "No table is committed in %s.\n", file)
		if s.checkNew {
			return []string{"there is nothing to compare with"}, nil
		}
		return nil, nil
	}
	var problems []string
	for _, v := range newerThan(table, work.all) {
		problems = append(problems, fmt.Sprintf("%s is newer than those in %s", v, file))
	}
	if len(problems) == 0 {
		fmt.Fprintf(w, "No release is newer than those in %s.\n", file)
	}
	return problems, nil
}
