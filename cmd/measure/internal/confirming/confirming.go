//go:build unix

// Package confirming measures how often --confirm makes happen what is predicted, how often replay
// does so again, and after edits of the program.
//
// The programs are examples of the repository, those that explain built-in properties, and two of
// testdata.
package confirming

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// settings are the command line.
type settings struct {
	only      *regexp.Regexp
	runs      int
	replays   int
	edited    int
	antichain string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("confirming", flag.ContinueOnError)
	flags.TextVar(s.only, "run", s.only, "only the programs whose names match this `pattern`")
	flags.IntVar(&s.runs, "n", 20, "runs of each program with --confirm")
	flags.IntVar(&s.replays, "replays", 100, "replays of a schedule of each program")
	flags.IntVar(&s.edited, "edited", 10, "replays of that schedule after each kind of edit")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.runs < 1 || s.replays < 0 || s.edited < 0 || flags.NArg() > 0 {
		return nil, errors.New("-n must be at least 1, -replays and -edited not negative, and no arguments follow the flags")
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
	b, err := newBench(ctx, s.antichain)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	var scores []*score
	for _, p := range b.programs {
		if !s.only.MatchString(p.name) {
			continue
		}
		sc := &score{program: p, edited: make(map[string]series)}
		sc.confirm(ctx, b, s.runs)
		sc.replay(ctx, b, s)
		if err := ctx.Err(); err != nil {
			return err
		}
		scores = append(scores, sc)
		fmt.Fprintf(os.Stderr, "confirming: %s is done\n", p.name)
	}
	write(w, scores)
	return nil
}

// series is how often something came out well.
type series struct{ well, all int }

func (s *series) add(well bool) {
	s.all++
	if well {
		s.well++
	}
}

func (s series) String() string {
	if s.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", s.well, s.all)
}

// score is what was measured for a program.
type score struct {
	*program
	confirmed series // runs that confirmed it, of those that predicted it
	attempts  int
	observed  series // plain reruns
	replayed  series
	edited    map[string]series // by kind
	schedule  string            // that a run has left
	said      []string          // where something did not come out well
}

// confirm runs the program with --confirm, and as often without.
func (s *score) confirm(ctx context.Context, b *bench, runs int) {
	for range runs {
		r, _, err := b.run(ctx, s.program, "run", "--confirm", "--schedule-dir", filepath.Join(b.dir, "schedules"))
		s.failed("run", err)
		if _, c := s.find(r); c != nil {
			well := c.Confirmed == tlcheck.Confirmed.String()
			s.confirmed.add(well)
			s.attempts += c.Attempts
			s.schedule = cmp.Or(s.schedule, c.ScheduleFile)
			if !well {
				s.said = append(s.said, fmt.Sprintf("%s in %d attempts: %s", c.Confirmed, c.Attempts, c.Detail))
			}
		}
		r, _, err = b.run(ctx, s.program, "run")
		s.failed("plain run", err)
		happened, _ := s.find(r)
		s.observed.add(happened)
	}
}

// replay replays the schedule, with the program as it is and after edits.
func (s *score) replay(ctx context.Context, b *bench, n *settings) {
	if s.schedule == "" {
		return
	}
	for range n.replays {
		s.replayed.add(s.happensAgain(ctx, b))
	}
	files, err := sources(filepath.Join(b.dir, s.dir))
	s.failed("reading", err)
	for _, e := range edits {
		edited, err := e.of(files)
		s.failed(e.name, err)
		s.failed(e.name, b.replace(s.dir, files, edited))
		happens := s.edited[e.name]
		for range n.edited {
			happens.add(s.happensAgain(ctx, b))
		}
		s.edited[e.name] = happens
		s.failed(e.name, b.replace(s.dir, edited, files))
	}
}

// happensAgain reports whether the violation happens when the schedule is replayed.
func (s *score) happensAgain(ctx context.Context, b *bench) bool {
	r, out, err := b.run(ctx, s.program, "replay", s.schedule)
	s.failed("replay", err)
	happened, _ := s.find(r)
	// That two goroutines were about to make the accesses of a race at once is no part of its
	// report.
	return happened || s.property == string(builtin.Race) && strings.Contains(out, "antichain: the schedule was kept: ")
}

// find returns whether the violation happened, and what came of confirming it.
func (s *score) find(r *reported.Reports) (happened bool, c *report.ConfirmationObject) {
	if r == nil {
		return false, nil
	}
	for _, f := range append(slices.Clone(r.Findings), r.Possible...) {
		if s.isIt(f) {
			happened, c = happened || f.Happened, cmp.Or(c, f.ConfirmationObject)
		}
	}
	for _, p := range r.Properties {
		if p.Property == s.property {
			happened, c = happened || p.Happened, cmp.Or(c, p.ConfirmationObject)
		}
	}
	return happened, c
}

// isIt reports whether a finding is of the property. A deadlock may be seen as goroutines that are
// stuck.
func (s *score) isIt(f *report.BuiltinObject) bool {
	return f.Builtin == s.property || s.property == string(builtin.Deadlock) && f.Builtin == string(builtin.Stuck) && f.Happened ||
		f.Builtin == string(builtin.Panic) && f.Happened
}

func (s *score) failed(what string, err error) {
	if err != nil {
		s.said = append(s.said, what+": "+err.Error())
	}
}

// patience is what a run takes at most: the first one builds the traced standard library, and each
// attempt has its time.
var patience = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

// run runs antichain on a program.
func (b *bench) run(ctx context.Context, p *program, verb string, args ...string) (*reported.Reports, string, error) {
	args = append(slices.Concat([]string{verb, "--json"}, p.flags, args, []string{"./" + p.dir}), p.args...)
	cmd := exec.Command(b.antichain, args...)
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), p.env...)
	out, err := reported.Finish(ctx, cmd, patience)
	if err != nil {
		return nil, string(out), err
	}
	r, err := reported.Read(out)
	return r, string(out), err
}

// replace replaces files of a package by others.
func (b *bench) replace(dir string, files, others map[string][]byte) error {
	for name := range files {
		if err := os.Remove(filepath.Join(b.dir, dir, name)); err != nil {
			return err
		}
	}
	for name, text := range others {
		if err := os.WriteFile(filepath.Join(b.dir, dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// write prints the table.
func write(w io.Writer, scores []*score) {
	fmt.Fprintln(w, "| program | property | confirmed | attempts | plain reruns | replayed | after edits |")
	fmt.Fprintln(w, "| --- | --- | --: | --: | --: | --: | --: |")
	kinds := make(map[string]series)
	var confirmed, replayed, edited, plain series
	sum := func(to *series, s series) { to.well, to.all = to.well+s.well, to.all+s.all }
	for _, s := range scores {
		var after series
		for kind, e := range s.edited {
			sum(&after, e)
			k := kinds[kind]
			sum(&k, e)
			kinds[kind] = k
		}
		fmt.Fprintf(w, "| %s | %s | %v | %d | %v | %v | %v |\n", s.name, s.property, s.confirmed, s.attempts, s.observed, s.replayed, after)
		sum(&confirmed, s.confirmed)
		sum(&plain, s.observed)
		sum(&edited, after)
		if !s.outside {
			sum(&replayed, s.replayed)
		}
	}
	fmt.Fprintf(w, "\nTogether: confirmed %v; plain reruns %v; replayed, of programs that depend on nothing outside, %v; after edits %v\n", confirmed, plain, replayed, edited)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "    %s: %v\n", kind, kinds[kind])
	}
	for _, s := range scores {
		for _, text := range s.said {
			fmt.Fprintf(w, "%s: %s\n", s.name, text)
		}
	}
}
