package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/spf13/pflag"
)

// Flags are the flags that say which files get reports, and which findings are known.
type Flags struct {
	reports       Flag   // --report
	baseline      string // --baseline
	writeBaseline string // --write-baseline

	known *known.Baseline // of baseline
	older *known.Baseline // what writeBaseline has from before
}

func (f *Flags) Register(flags *pflag.FlagSet) {
	f.reports.Register(flags)
	flags.StringVar(&f.baseline, "baseline", "", "report only findings that are not in this `FILE` of known ones, which --write-baseline writes")
	flags.Var((*atomicfile.Flag)(&f.writeBaseline), "write-baseline", "at the end, write all findings into this `FILE`, for --baseline; reasons in an existing file are kept")
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

// Contents returns what is collected for the reports: all results if there is a report or a
// baseline, else only those with known evidence.
func (f *Flags) Contents() Contents {
	all := len(f.reports) > 0 || f.known != nil || f.writeBaseline != ""
	return Contents{All: all, Pages: f.hasPage(), Draws: f.Draws()}
}

// Collection returns an empty collection with these contents.
func (f *Flags) Collection() *Collection { return &Collection{Contents: f.Contents()} }

// WantTests reports whether a report has the results of tests.
func (f *Flags) WantTests() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].tests })
}

// hasPage reports whether a report is a page for people.
func (f *Flags) hasPage() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].pages })
}

// Draws reports whether a report shows the order of runs.
func (f *Flags) Draws() bool {
	return slices.ContainsFunc(f.reports, func(d Destination) bool { return formats[d.Format].draws })
}

// Recogniser returns what recognises known findings.
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
		return errors.New("not written: nothing was found, but some properties have no verdict")
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
	return cmp.Or(f.older, f.known).Update(all.Accounts, !all.Cut, "found on "+now.Format(time.DateOnly), now)
}

// Destination is a file that gets a report. A format that is for a stream has none if it goes to
// standard error.
type Destination struct{ Format, File string }

// Flag is --report, which may be repeated.
type Flag []Destination

// Register adds the flag.
func (f *Flag) Register(flags *pflag.FlagSet) {
	flags.Var(f, "report", "at the end, also write a report: `FORMAT=FILE`, where the formats are "+wording.List(Formats())+"; may be repeated")
}

// Formats are the names of the formats.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// format writes a collection.
type format struct {
	write  func(io.Writer, *Collection) error
	pages  bool // it is a page for people
	stream bool // it may go to standard error
	tests  bool // it has the results of tests
	draws  bool // it has the order of runs
}

// Set implements pflag.Value.
func (f *Flag) Set(text string) error {
	name, file, named := strings.Cut(text, "=")
	form, ok := formats[name]
	switch {
	case !ok:
		return fmt.Errorf("no format %q: name one of %s, and a file, for example json=report.json",
			name, wording.List(Formats()))
	case file == "" && (named || !form.stream):
		return fmt.Errorf("no file: write %s=FILE", name)
	}
	if err := atomicfile.CheckName(file); err != nil {
		return err
	}
	*f = append(*f, Destination{name, file})
	return nil
}

// String implements pflag.Value.
func (f *Flag) String() string {
	var texts []string
	for _, d := range *f {
		texts = append(texts, strings.TrimSuffix(d.Format+"="+d.File, "="))
	}
	return strings.Join(texts, ",")
}

// Type implements pflag.Value.
func (f *Flag) Type() string { return "FORMAT=FILE" }

// Check finds out, before anything is run, whether the files can be written, and whether each is of
// its own: none of them may be another one that the command reads or writes.
func (f *Flag) Check(others ...string) error {
	const isReport, isOther = "is to get two reports", "is a trace or baseline of this command"
	seen := map[string]string{}
	for _, other := range others {
		if other != "" {
			seen[atomicfile.Target(other)] = isOther
		}
	}
	for _, d := range *f {
		if d.File == "" {
			continue
		}
		target := atomicfile.Target(d.File)
		if what := seen[target]; what != "" {
			return fmt.Errorf("--report: %s %s: give each a file of its own", d.File, what)
		}
		seen[target] = isReport
		if err := atomicfile.Writable(d.File); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return nil
}

// Write writes all reports, also after one of them has failed.
func (f *Flag) Write(c *Collection, stderr io.Writer) error {
	var failed []error
	for _, d := range *f {
		if err := d.write(c, stderr); err != nil {
			failed = append(failed, fmt.Errorf("--report %s=%s: %w", d.Format, d.File, err))
		}
	}
	return errors.Join(failed...)
}

func (d Destination) write(c *Collection, stderr io.Writer) error {
	var content bytes.Buffer
	if err := formats[d.Format].write(&content, c); err != nil {
		return err
	}
	if d.File == "" {
		_, err := stderr.Write(content.Bytes())
		return err
	}
	mode := os.FileMode(0o644)
	if formats[d.Format].pages {
		mode = 0o600 // it has values of the program
	}
	return atomicfile.Write(d.File, content.Bytes(), mode)
}
