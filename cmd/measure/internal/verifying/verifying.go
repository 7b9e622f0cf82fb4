//go:build unix

// Package verifying measures what antichain verify says of right fixes of GoKer's kernels, and of
// the same fixes without a part.
//
// A schedule of each kernel with its bug is made, then the kernel is fixed, and then a part of the
// fix is taken back. Results are kept in a file, and what it has is not measured again.
package verifying

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// settings are the command line.
type settings struct {
	only      *regexp.Regexp
	runs      int
	results   string
	antichain string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.TextVar(s.only, "run", s.only, "only the kernels whose names match this `pattern`")
	flags.IntVar(&s.runs, "n", 30, "--explore of each verification")
	flags.StringVar(&s.results, "results", "", "keep results in this `file`, and go on behind those that it has")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.runs < 1 || flags.NArg() > 0 {
		return nil, errors.New("-n must be at least 1, and no arguments follow the flags")
	}
	return s, nil
}

// Run measures the kernels one after the other, and prints the table.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := s.measured()
	if err != nil {
		return err
	}
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.measure(ctx, &all); err != nil {
		return err
	}
	write(w, all)
	return nil
}

// row is what was measured for a kernel.
type row struct {
	Kernel   string
	Schedule string  // what it was made from
	Fixed    *answer // nil if there is no schedule
	Without  string  // what was taken out of the fix
	Half     *answer
	More     int    // runs that were made of a half that was accepted
	Shows    string // what these show; "" if nothing
	Failed   string // what went wrong
}

// answer is what antichain verify says.
type answer struct {
	Verdict string
	Why     string
	Runs    int
	Took    time.Duration
	Found   string // the violation, and the run
}

// measured reads the results that are there.
func (s *settings) measured() (all []*row, err error) {
	text, err := os.ReadFile(s.results)
	if s.results == "" || errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for line := range bytes.Lines(text) {
		r := new(row)
		if err := json.Unmarshal(line, r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, err
}

// keep adds a result to the file.
func (s *settings) keep(r *row) error {
	if s.results == "" {
		return nil
	}
	f, err := os.OpenFile(s.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(r), f.Close())
}

// bench is a temporary module, in which each kernel is a package.
type bench struct {
	*settings
	dir, antichain string
	kernels        map[string]*kernel.Kernel
	fixes          []*fix
}

func newBench(ctx context.Context, s *settings) (*bench, error) {
	dir, err := os.MkdirTemp("", "verifying-")
	if err != nil {
		return nil, err
	}
	b := &bench{settings: s, dir: dir, kernels: make(map[string]*kernel.Kernel)}
	if err := b.load(ctx); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return b, nil
}

func (b *bench) load(ctx context.Context) (err error) {
	if b.antichain, err = reported.Executable(ctx, b.settings.antichain, b.dir); err != nil {
		return err
	}
	if b.fixes, err = fixes(fixesText); err != nil {
		return err
	}
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	kernels, err := kernel.Load(kernel.Dir(strings.TrimSpace(string(goroot))))
	for _, k := range kernels {
		b.kernels[k.Name] = k
	}
	module := []byte("module verifying\n\ngo 1.26\n")
	return errors.Join(err, os.WriteFile(filepath.Join(b.dir, "go.mod"), module, 0o600))
}

// measure measures the kernels that were not measured yet.
func (b *bench) measure(ctx context.Context, all *[]*row) error {
	known := make(map[string]bool)
	for _, r := range *all {
		known[r.Kernel] = true
	}
	for _, f := range b.fixes {
		if known[f.kernel] || !b.only.MatchString(f.kernel) {
			continue
		}
		r := &row{Kernel: f.kernel}
		if err := b.verify(ctx, f, r); err != nil {
			r.Failed = err.Error()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.settings.keep(r); err != nil {
			return err
		}
		*all = append(*all, r)
		fmt.Fprintf(os.Stderr, "verify: %s\n", r)
	}
	return nil
}

// verify verifies a fix, and the fix without a part.
func (b *bench) verify(ctx context.Context, f *fix, r *row) error {
	k := b.kernels[f.kernel]
	if k == nil {
		return fmt.Errorf("there is no kernel %s", f.kernel)
	}
	single, err := k.Single()
	if err != nil {
		return err
	}
	p := &pkg{bench: b, name: f.kernel, file: k.File() + ".go", suffix: "_" + k.File()}
	if err := errors.Join(p.write("main.go", string(k.Main())), p.write(p.file, string(single))); err != nil {
		return err
	}
	file, from, err := p.schedule(ctx)
	if err != nil {
		return err
	}
	r.Schedule = from
	if err := p.change(f, string(single)); err != nil {
		return err
	}
	if err := p.builds(ctx); err != nil {
		return fmt.Errorf("the fix does not build: %w", err)
	}
	if r.Fixed, err = p.verified(ctx, file); err != nil {
		return err
	}
	for _, h := range f.halves() {
		if err := p.change(h.fix, string(single)); err != nil {
			continue // a line that is no more was to be found
		}
		if p.builds(ctx) == nil {
			r.Without = h.without
			break
		}
	}
	if r.Half, err = p.verified(ctx, file); err != nil || r.Half.Verdict == "violated" {
		return err
	}
	r.More = moreRuns
	r.Shows, err = p.explored(ctx)
	return err
}

// moreRuns are made of what was accepted without a part of the fix. If they show nothing, what is
// left is a fix, too.
const moreRuns = 100

// String describes the row in a line.
func (r *row) String() string {
	text := r.Kernel + ", schedule of " + cmp.Or(r.Schedule, "none")
	if r.Fixed != nil {
		text += "; fixed: " + r.Fixed.String()
	}
	if r.Half != nil {
		text += "; " + r.Without + ": " + r.Half.String()
	}
	if r.More > 0 {
		text += fmt.Sprintf("; %d more runs: %s", r.More, cmp.Or(r.Shows, "nothing found"))
	}
	if r.Failed != "" {
		text += "; " + r.Failed
	}
	return text
}

func (a *answer) String() string {
	text := fmt.Sprintf("%s after %d runs in %v", a.Verdict, a.Runs, a.Took.Round(time.Second))
	if why := cmp.Or(a.Why, a.Found); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// write prints the rows and the sums.
func write(w io.Writer, all []*row) {
	var schedules, accepted, halves, rejected, alsoFixed int
	for _, r := range all {
		fmt.Fprintln(w, r)
		if r.Fixed != nil {
			schedules++
			accepted += count(r.Fixed.Verdict == "verified")
		}
		if r.Half != nil {
			halves++
			rejected += count(r.Half.Verdict == "violated")
			alsoFixed += count(r.Half.Verdict != "violated" && r.More > 0 && r.Shows == "")
		}
	}
	fmt.Fprintf(w, "\n%d kernels; %d of %d fixes accepted; of %d fixes without a part %d rejected, "+
		"and of %d nothing was found in %d more runs\n",
		len(all), accepted, schedules, halves, rejected, alsoFixed, moreRuns)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
