package reports

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/spf13/pflag"
)

// Flags are the flags that say which files get reports, and which findings are no news.
type Flags struct {
	reports       Flag   // --report
	baseline      string // --baseline
	writeBaseline string // --write-baseline

	known *known.Baseline // of baseline
	older *known.Baseline // what writeBaseline has from before
}

func (f *Flags) Register(flags *pflag.FlagSet) {
	f.reports.Register(flags)
	flags.StringVar(&f.baseline, "baseline", "", "tell only what is not in this `FILE` of known findings, which --write-baseline makes")
	flags.Var((*atomicfile.Flag)(&f.writeBaseline), "write-baseline", "when all is done, write what was found into this `FILE`, for --baseline; what a file that is there says of it stays")
}

// Prepare reads the baseline and finds out, before anything is run, whether all files can be
// written. None of them may be one of the traces that the command reads or writes; an empty name is
// none.
func (f *Flags) Prepare(traces ...string) (err error) {
	if os.Getenv("GITHUB_ACTIONS") == "true" && !slices.ContainsFunc(f.reports, func(d Destination) bool { return d.Format == "github" }) {
		f.reports = append(f.reports, Destination{Format: "github"})
	}
	if f.baseline != "" {
		if f.known, err = known.ReadBaseline(f.baseline); err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
	}
	if f.writeBaseline != "" {
		if f.older, err = known.ReadBaseline(f.writeBaseline); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--write-baseline: %w", err)
		}
		if err := atomicfile.Writable(f.writeBaseline); err != nil {
			return fmt.Errorf("--write-baseline: %w", err)
		}
	}
	return f.reports.Check(append(slices.Clone(traces), f.baseline, f.writeBaseline)...)
}

// Contents returns what is collected for the reports: all results are wanted when all is done, and
// not only what is no news, if there is a report or a baseline.
func (f *Flags) Contents() Contents {
	return Contents{All: len(f.reports) > 0 || f.known != nil || f.writeBaseline != "", Pages: f.pages(), Draws: f.Draws()}
}

// Collection returns what takes the results.
func (f *Flags) Collection() *Collection { return &Collection{Contents: f.Contents()} }

// WantTests reports whether a report has the results of tests.
func (f *Flags) WantTests() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].tests })
}

// pages reports whether a report is a page for people.
func (f *Flags) pages() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].pages })
}

// Draws reports whether a report shows the order of runs.
func (f *Flags) Draws() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].draws })
}

// Recogniser returns what tells findings that are no news.
func (f *Flags) Recogniser(source report.Source, s terminal.Streams) *known.Recogniser {
	k := &known.Recogniser{Source: source, Warnings: s.Err}
	if f.known != nil {
		k.Reasons = f.known.Reasons(time.Now())
	}
	return k
}

// Write writes the files, and says what became of the baseline. It reports whether all went well.
func (f *Flags) Write(s terminal.Streams, all *Collection) bool {
	fmt.Fprint(s.Err, f.known.Summary(all.Accounts, !all.Cut, time.Now()))
	err := f.reports.Write(all, s.Err)
	if f.writeBaseline != "" {
		if failed := f.writeBaselineOf(all); failed != nil {
			err = errors.Join(err, fmt.Errorf("--write-baseline %s: %w", f.writeBaseline, failed))
		}
	}
	if err != nil {
		fmt.Fprintln(s.Err, "antichain:", err)
	}
	return err == nil
}

// writeBaselineOf writes the baseline of what was found. Where nothing was found and not all was
// judged there is nothing to write: an empty file would say that nothing is wrong.
func (f *Flags) writeBaselineOf(all *Collection) error {
	b := f.baselineOf(all)
	if len(b.Known) == 0 && (all.Cut || len(all.unknown()) > 0) {
		return errors.New("not written: nothing was found, and not everything that was asked has a verdict")
	}
	text, err := b.Text()
	if err != nil {
		return err
	}
	return atomicfile.Write(f.writeBaseline, text, 0o644)
}

// baselineOf returns the baseline of what was found.
func (f *Flags) baselineOf(all *Collection) *known.Baseline {
	now := time.Now()
	return cmp.Or(f.older, f.known).With(all.Accounts, !all.Cut, "found on "+now.Format(time.DateOnly), now)
}
