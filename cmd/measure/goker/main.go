//go:build unix

// Command goker prints how many of the bugs in GoKer antichain finds. The kernels are those that
// come with Go, see package kernel. Run it in the repository:
//
//	go -C cmd/measure run ./goker              all scoreboards
//	go -C cmd/measure run ./goker asis         the kernels as they are, beside Go's leak profile
//	go -C cmd/measure run ./goker single       single copies of their bugs
//	go -C cmd/measure run ./goker explored     the same, and up to 50 steered schedules of each
//	go -C cmd/measure run ./goker confirmed    predictions of single copies, and whether they happen
//	go -C cmd/measure run ./goker fixed        fixed kernels, for which any report is false
//	go -C cmd/measure run ./goker steered      the same, and up to 50 steered schedules of each
//
// -run PATTERN is for some of them, -n for the number of runs of each, -json for one JSON object a
// program. With -kernels GOROOT the kernels are those of another version of Go than the one that
// builds them: they come with Go 1.26 and later. -antichain FILE is the executable to use; without
// it one is built. A kernel counts only if the report names the goroutines and operations of its
// bug (expected.txt). Other reports count as false until they are judged (judged.txt).
package main

import (
	"cmp"
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
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goker:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	boards     []string
	only       *regexp.Regexp
	runs       int
	parallel   int
	limits     reported.Limits
	goroot     string // the GOROOT with the kernels; "": that of the go command
	executable string // of antichain; "": one is built
	json       bool
}

// boards are the names of the scoreboards, in their order.
var boards = []string{"asis", "single", "explored", "confirmed", "fixed", "steered"}

func parse(args []string) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("goker", flag.ContinueOnError)
	only := flags.String("run", "", "only the kernels whose names match this `pattern`")
	flags.IntVar(&s.runs, "n", 10, "runs of each")
	flags.IntVar(&s.parallel, "p", 2, "programs that run at the same time")
	flags.StringVar(&s.goroot, "kernels", "", "take the kernels of the Go distribution at this `GOROOT`; default that of the go command")
	flags.StringVar(&s.executable, "antichain", "", "use the executable in this `file`; default one that is built")
	flags.BoolVar(&s.json, "json", false, "print one JSON object a program")
	flags.DurationVar(&s.limits.Program, "timeout", 30*time.Second, "interrupt a program that has not ended after this time")
	flags.DurationVar(&s.limits.Check, "kill", 60*time.Second, "kill it this time later")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.runs < 1 || s.parallel < 1 {
		return nil, errors.New("-n and -p must be at least 1")
	}
	s.boards = flags.Args()
	for _, b := range s.boards {
		if !slices.Contains(boards, b) {
			return nil, fmt.Errorf("there is no scoreboard %s, but: %s", b, strings.Join(boards, ", "))
		}
	}
	var err error
	s.only, err = regexp.Compile(*only)
	return s, err
}

func run(ctx context.Context, args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if err := checkout.Enter(ctx); err != nil {
		return err
	}
	judged, err := judgements(judgedText)
	if err != nil {
		return err
	}
	g, err := load(ctx, s)
	if err != nil {
		return err
	}
	defer g.remove()
	titles := map[string]string{
		"asis":      "The kernels as they are",
		"single":    "Single copies of the bugs",
		"explored":  "Single copies of the bugs, until a run or one of 50 steered schedules has a report",
		"confirmed": "Predictions of single copies, and whether they happen",
		"fixed":     "Fixed kernels",
		"steered":   "Fixed kernels, a run and 50 steered schedules",
	}
	for _, board := range boards {
		if len(s.boards) > 0 && !slices.Contains(s.boards, board) {
			continue
		}
		g.warm(ctx, board)
		if board == "confirmed" {
			if err := g.writeConfirmed(ctx, w, titles[board], judged); err != nil {
				return err
			}
			continue
		}
		scores := play(ctx, g.programs(board), s.runs, s.parallel, func(p *program) { fmt.Fprintf(os.Stderr, "%s: %s is done\n", board, p.name) })
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.json {
			write(w, titles[board], scores, judged)
		} else if err := writeJSON(w, board, scores, judged); err != nil {
			return err
		}
	}
	return nil
}

// game is everything that is played with.
type game struct {
	*settings
	*workspace
	expected map[string]*expectation
	classes  map[string]string
	repaired []*program
}

// load reads the kernels and builds what is run.
func load(ctx context.Context, s *settings) (*game, error) {
	t, err := toolchainOf(ctx)
	if err != nil {
		return nil, err
	}
	goroot := cmp.Or(s.goroot, t.goroot)
	dir := kernel.Dir(goroot)
	kernels, err := kernel.Load(dir)
	if err != nil {
		return nil, err
	}
	g := &game{settings: s}
	if g.classes, err = kernel.Classes(dir); err != nil {
		return nil, err
	}
	leaks, err := kernel.Leaks(goroot)
	if err != nil {
		return nil, err
	}
	if g.expected, err = expectations(expectedText, kernels, leaks); err != nil {
		return nil, err
	}
	if g.repaired, err = fixedPrograms(fixedFiles); err != nil {
		return nil, err
	}
	if g.workspace, err = newWorkspace(t, kernels, g.repaired); err != nil {
		return nil, err
	}
	if err := g.provide(ctx, s.executable); err != nil {
		g.remove()
		return nil, err
	}
	return g, nil
}

// provide sees to an executable of antichain, the one in this file or, if the name is empty, of
// this module.
func (g *game) provide(ctx context.Context, executable string) error {
	if executable != "" {
		path, err := filepath.Abs(executable)
		g.antichain = path
		return err
	}
	g.antichain = g.path("bin", "antichain")
	root, err := checkout.Root(ctx)
	if err != nil {
		return err
	}
	return g.goBuild(root, "-o", g.antichain, "./cmd/antichain")
}

// output is what a command prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

//go:embed testdata/fixed/*.go
var fixedFiles embed.FS

// fixedPrograms are the fixed kernels.
func fixedPrograms(files fs.FS) ([]*program, error) {
	paths, err := fs.Glob(files, "testdata/fixed/*.go")
	if err != nil {
		return nil, err
	}
	var programs []*program
	for _, p := range paths {
		source, err := fs.ReadFile(files, p)
		if err != nil {
			return nil, err
		}
		programs = append(programs, &program{name: strings.TrimSuffix(path.Base(p), ".go"), source: source})
	}
	return programs, nil
}

// warm lets the traced standard library be built, which takes longer than any program may. A build
// that fails does so again in each run.
func (g *game) warm(ctx context.Context, board string) {
	patient := reported.Limits{Program: time.Hour, Check: time.Hour}
	if board == "asis" {
		traced(ctx, g.workspace, patient, g.toolchain.env(), "./asis", "none")
	} else {
		traced(ctx, g.workspace, patient, nil, "./single/"+g.kernels[0].Name)
	}
}

// programs are the rows of a board.
func (g *game) programs(board string) []*program {
	var programs []*program
	if board == "fixed" || board == "steered" {
		for _, fixed := range g.repaired {
			p := *fixed
			p.class = g.classes[p.name]
			if board == "fixed" {
				p.run = func(ctx context.Context) ([]*report.BuiltinObject, error) {
					return traced(ctx, g.workspace, g.limits, nil, "./fixed/"+p.name)
				}
			} else {
				p.run = g.exploring("./fixed/" + p.name)
			}
			programs = append(programs, &p)
		}
	} else {
		for _, k := range g.kernels {
			p := &program{name: k.Name, class: g.classes[k.File()], expects: g.expected[k.Name]}
			programs = append(programs, p)
			switch board {
			case "asis":
				g.asIs(p)
			case "single":
				g.single(p)
			case "explored":
				p.run = g.exploring("./single/" + p.name)
			}
		}
	}
	return slices.DeleteFunc(programs, func(p *program) bool { return !g.only.MatchString(p.name) })
}

// asIs lets a program be run as it is in the distribution.
func (g *game) asIs(p *program) {
	p.run = func(ctx context.Context) ([]*report.BuiltinObject, error) {
		return traced(ctx, g.workspace, g.limits, g.toolchain.env(), "./asis", p.name)
	}
	if !g.toolchain.hasProfile() {
		return
	}
	p.untraced = func(ctx context.Context) ([]report.PartyObject, bool, error) {
		return untraced(ctx, g.workspace, g.limits, "asis", p.name)
	}
}

// single lets a program be run as a single copy.
func (g *game) single(p *program) {
	p.run = func(ctx context.Context) ([]*report.BuiltinObject, error) {
		return traced(ctx, g.workspace, g.limits, nil, "./single/"+p.name)
	}
	if !g.toolchain.hasProfile() {
		return
	}
	p.untraced = func(ctx context.Context) ([]report.PartyObject, bool, error) {
		return untraced(ctx, g.workspace, g.limits, p.name)
	}
}

// exploring runs a package ordinarily, and then under steered schedules.
func (g *game) exploring(pkg string) func(context.Context) ([]*report.BuiltinObject, error) {
	const schedules = 50
	patient := reported.Limits{Program: schedules * g.limits.Program, Check: g.limits.Check}
	return func(ctx context.Context) ([]*report.BuiltinObject, error) {
		return traced(ctx, g.workspace, patient, nil, "--explore", strconv.Itoa(schedules), pkg)
	}
}
