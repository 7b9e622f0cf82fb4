// Package input opens what a verb reads: traces, what a traced executable has left, and logs of other formats.
package input

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// Flags are the flags that say what is read, if not traces.
type Flags struct {
	Single bool // the verb takes one run

	Format  string // --format: "" for the forms of traces, which are told apart by looking
	Run     string // --run: "" for all
	Formats []*Format
}

func (f *Flags) Register(flags *pflag.FlagSet) {
	f.Formats = NewFormats()
	flags.StringVar(&f.Format, "format", "", "read another `FORMAT` than traces: "+f.names()+"; antichain help formats explains them")
	flags.StringVar(&f.Run, "run", "", "of a file with several runs only the one with this `ID`")
	for _, format := range f.Formats {
		flags.AddFlagSet(format.flags)
	}
}

// names lists the formats.
func (f *Flags) names() string {
	var names []string
	for _, format := range f.Formats {
		names = append(names, format.Name)
	}
	return strings.Join(names, ", ")
}

// Chosen returns the format that --format names, nil for traces.
func (f *Flags) Chosen() (*Format, error) {
	i := slices.IndexFunc(f.Formats, func(other *Format) bool { return other.Name == f.Format })
	if i < 0 && f.Format != "" {
		return nil, fmt.Errorf("--format %s: the formats are %s; leave it out for traces", f.Format, f.names())
	}
	for j, other := range f.Formats {
		if given := other.given(); j != i && len(given) > 0 {
			return nil, fmt.Errorf("--%s is about logs of another format: add --format %s", given[0].Name, other.Name)
		}
	}
	if i < 0 {
		return nil, nil
	}
	return f.Formats[i], nil
}

// Validate finds what is wrong with the flags.
func (f *Flags) Validate() error {
	chosen, err := f.Chosen()
	switch {
	case err != nil:
		return err
	case chosen != nil:
		_, err = chosen.Prepare()
	case f.Run != "":
		err = errors.New("--run is about files with several runs: add --format; a trace holds one")
	}
	return err
}

// Words returns the flags again, with those that choose a run.
func (f *Flags) Words(run string) []string {
	var words []string
	if f.Format != "" {
		words = append(words, "--format", f.Format)
	}
	if run != "" {
		words = append(words, "--run", run)
	}
	for _, format := range f.Formats {
		for _, flag := range format.given() {
			if flag.Value.Type() == "bool" {
				words = append(words, "--"+flag.Name+"="+flag.Value.String())
			} else {
				words = append(words, "--"+flag.Name, flag.Value.String())
			}
		}
	}
	return words
}

// LogRun is one run of a log.
type LogRun struct {
	ID string // "" for the only run of a log that gives its runs no names
	event.Reader
}

// read returns the runs of a log, or the one that is wanted. The name is used in messages.
func (f *Flags) read(format *Format, r io.Reader, name string) ([]LogRun, error) {
	open, err := format.Prepare()
	if err != nil {
		return nil, err
	}
	runs, err := open(r, name)
	switch {
	case err != nil:
		return nil, err
	case f.Run != "":
		return oneRun(runs, f.Run, name)
	case f.Single && len(runs) > 1:
		return nil, fmt.Errorf("%s has %d runs: name one with --run; there are %s", event.Printable(name), len(runs), someRuns(runs))
	}
	return runs, nil
}

func oneRun(runs []LogRun, id, name string) ([]LogRun, error) {
	i := slices.IndexFunc(runs, func(r LogRun) bool { return r.ID == id })
	switch {
	case i >= 0:
		return runs[i : i+1], nil
	case len(runs) == 1 && runs[0].ID == "":
		return nil, fmt.Errorf("--run %s: the run in %s has no name: leave --run out", event.Printable(id), event.Printable(name))
	}
	return nil, fmt.Errorf("--run %s: there is no such run in %s, which has %s", event.Printable(id), event.Printable(name), someRuns(runs))
}

// shownRuns is how many runs a message lists.
const shownRuns = 5

func someRuns(runs []LogRun) string {
	var ids []string
	for _, r := range runs[:min(shownRuns, len(runs))] {
		ids = append(ids, event.Printable(r.ID))
	}
	if more := len(runs) - shownRuns; more > 0 {
		ids = append(ids, fmt.Sprintf("%d more", more))
	}
	return report.List(ids)
}
