//go:build unix

// Package versions tries antichain on several releases of Go: whether what it traces, reports and passes is
// the same on each.
//
// Antichain is built once, by the go command that runs this; the releases are the toolchains of its user, and
// build the programs that are traced. What a check of a release showed is kept in a file, so that a run that
// was interrupted goes on where it was.
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
	s := &settings{kept: os.Getenv(KeptVariable)}
	flags := flag.NewFlagSet("versions", flag.ContinueOnError)
	flags.StringVar(&s.releases, "releases", "", "only these `releases`, with commas between them: 1.26.0, the path of a GOROOT, or other, the newest one of the other minor version")
	pattern := flags.String("cells", "", "only the checks whose names match this `pattern`")
	flags.StringVar(&s.kept, "kept", s.kept, "keep what was found in this `directory`; default $"+KeptVariable+", or .ci/results/versions.d")
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
	var err error
	s.cells, err = regexp.Compile(*pattern)
	return s, err
}

// Run makes the table and prints it. It is an error if anything differs from what is expected.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	shop, err := newWorkshop(ctx)
	if err != nil {
		return err
	}
	problems, err := s.run(ctx, shop, w)
	if err := errors.Join(err, shop.remove()); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d results are not as they ought to be:\n    %s", len(problems), strings.Join(problems, "\n    "))
	}
	return nil
}

// run does what the settings say and returns what is not as it ought to be.
func (s *settings) run(ctx context.Context, shop *workshop, w io.Writer) ([]string, error) {
	var err error
	if shop.all, err = allReleases(ctx, shop); err != nil {
		return nil, err
	}
	if s.checkNew {
		return s.newer(ctx, shop, w)
	}
	releases, err := s.chosenReleases(ctx, shop)
	if err != nil {
		return nil, err
	}
	kept, err := s.store(ctx, shop)
	if err != nil {
		return nil, err
	}
	t := newTable(s.chosenCells(), releases)
	interrupted := t.fill(ctx, shop, kept, s.retry)
	if interrupted != nil && !errors.Is(interrupted, context.Canceled) {
		return nil, interrupted
	}
	fmt.Fprintf(w, "Content %s.\n\n%s\n%s", filepath.Base(kept.dir), t, t.details())
	problems := t.problems()
	if s.releases == "" && !s.quick && !s.accept && interrupted == nil {
		newer, err := s.newer(ctx, shop, w)
		if err != nil {
			return nil, err
		}
		problems = append(problems, newer...)
	}
	return problems, nil
}

// allReleases asks which releases there are for this system.
func allReleases(ctx context.Context, shop *workshop) ([]Version, error) {
	list, err := goOutput(ctx, shop.env, shop.dir, "list", "-m", "-versions", "golang.org/toolchain")
	if err != nil {
		return nil, err
	}
	system, err := goOutput(ctx, shop.env, shop.dir, "env", "GOOS", "GOARCH")
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
func (s *settings) chosenReleases(ctx context.Context, shop *workshop) ([]*release, error) {
	words := strings.Split(s.releases, ",")
	if s.quick {
		words = []string{"other"}
	} else if s.releases == "" {
		words = nil
		for _, v := range chooseVersions(shop.all) {
			words = append(words, v.String())
		}
	}
	var chosen []*release
	for _, word := range words {
		r, err := shop.release(ctx, strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, r)
	}
	return chosen, nil
}

// release is what a word of the command line names.
func (w *workshop) release(ctx context.Context, word string) (*release, error) {
	if word == "other" {
		v, ok := newest(w.all, other(w.builder.Minor))
		if !ok {
			return nil, fmt.Errorf("there is no release go1.%d", other(w.builder.Minor))
		}
		return released(v), nil
	}
	if v, ok := parseVersion(word); ok {
		return released(v), nil
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
	return developed(goroot, version)
}

// chosenCells are the rows. What is only there for the short run is in the table if it was asked for.
func (s *settings) chosenCells() []*cell {
	return slices.DeleteFunc(cells(), func(c *cell) bool {
		if s.quick {
			return !slices.Contains(quick, c.name)
		}
		return !s.cells.MatchString(c.name) || s.cells.String() == "" && c.isShort()
	})
}

// isShort reports whether a check is a shorter form of another one.
func (c *cell) isShort() bool { return c.name == selfTestsShortName || c.name == dozenName }

// store is where outcomes are kept for the present content of the repository and the go command.
func (s *settings) store(ctx context.Context, shop *workshop) (*store, error) {
	if s.quick {
		return newStore(shop.path("kept"), "now"), nil
	}
	key, err := contentKey(os.DirFS(shop.root))
	if err != nil {
		return nil, err
	}
	version, err := goOutput(ctx, shop.env, shop.dir, "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	dir := s.kept
	if dir == "" {
		dir = filepath.Join(shop.root, ".ci/results/versions.d")
	}
	return newStore(dir, key+"-"+fileName(version)), nil
}

// fill makes the checks that have no outcome yet, release after release, until the context is done.
func (t *table) fill(ctx context.Context, shop *workshop, kept *store, retry bool) error {
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
				if at, err = shop.site(ctx, r); err != nil {
					return err
				}
			}
			if o, err = c.make(ctx, at); err != nil {
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

// newer tells the releases that the committed table ought to have and has not.
func (s *settings) newer(ctx context.Context, shop *workshop, w io.Writer) ([]string, error) {
	const file = ".ci/results/versions.txt"
	r, err := execute(ctx, shop.env, shop.root, "git", "show", "HEAD:"+file)
	if err != nil {
		return nil, err
	}
	table := tabled(r.out)
	if len(table) == 0 {
		fmt.Fprintf(w, "No table is committed in %s.\n", file)
		return nil, nil
	}
	var problems []string
	for _, v := range newerThan(table, shop.all) {
		problems = append(problems, fmt.Sprintf("%s is newer than those in %s", v, file))
	}
	if len(problems) == 0 {
		fmt.Fprintf(w, "No release is newer than those in %s.\n", file)
	}
	return problems, nil
}
