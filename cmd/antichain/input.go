package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// inputFlags are the flags that say what is read, if not traces.
type inputFlags struct {
	single bool // the verb takes one run

	format  string // --format: "" for the forms of traces, which are told apart by looking
	run     string // --run: "" for all
	formats []*format
}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	f.formats = newFormats()
	flags.StringVar(&f.format, "format", "", "read another `FORMAT` than traces: "+f.names()+"; antichain help formats explains them")
	flags.StringVar(&f.run, "run", "", "of a file with several runs only the one with this `ID`")
	for _, format := range f.formats {
		flags.AddFlagSet(format.flags)
	}
}

// names lists the formats.
func (f *inputFlags) names() string {
	var names []string
	for _, format := range f.formats {
		names = append(names, format.name)
	}
	return strings.Join(names, ", ")
}

// chosen returns the format that --format names, nil for traces.
func (f *inputFlags) chosen() (*format, error) {
	i := slices.IndexFunc(f.formats, func(other *format) bool { return other.name == f.format })
	if i < 0 && f.format != "" {
		return nil, fmt.Errorf("--format %s: the formats are %s; leave it out for traces", f.format, f.names())
	}
	for j, other := range f.formats {
		if given := other.given(); j != i && len(given) > 0 {
			return nil, fmt.Errorf("--%s is about logs of another format: add --format %s", given[0].Name, other.name)
		}
	}
	if i < 0 {
		return nil, nil
	}
	return f.formats[i], nil
}

// validate finds what is wrong with the flags.
func (f *inputFlags) validate() error {
	chosen, err := f.chosen()
	switch {
	case err != nil:
		return err
	case chosen != nil:
		_, err = chosen.prepare()
	case f.run != "":
		err = errors.New("--run is about files with several runs: add --format; a trace holds one")
	}
	return err
}

// words returns the flags again, with those that choose a run.
func (f *inputFlags) words(run string) []string {
	var words []string
	if f.format != "" {
		words = append(words, "--format", f.format)
	}
	if run != "" {
		words = append(words, "--run", run)
	}
	for _, format := range f.formats {
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

// logRun is one run of a log.
type logRun struct {
	id string // "" for the only run of a log that gives its runs no names
	event.Reader
}

// read returns the runs of a log, or the one that is wanted. The name is used in messages.
func (f *inputFlags) read(format *format, r io.Reader, name string) ([]logRun, error) {
	open, err := format.prepare()
	if err != nil {
		return nil, err
	}
	runs, err := open(r, name)
	switch {
	case err != nil:
		return nil, err
	case f.run != "":
		return oneRun(runs, f.run, name)
	case f.single && len(runs) > 1:
		return nil, fmt.Errorf("%s has %d runs: name one with --run; there are %s", event.Printable(name), len(runs), someRuns(runs))
	}
	return runs, nil
}

func oneRun(runs []logRun, id, name string) ([]logRun, error) {
	i := slices.IndexFunc(runs, func(r logRun) bool { return r.id == id })
	switch {
	case i >= 0:
		return runs[i : i+1], nil
	case len(runs) == 1 && runs[0].id == "":
		return nil, fmt.Errorf("--run %s: the run in %s has no name: leave --run out", event.Printable(id), event.Printable(name))
	}
	return nil, fmt.Errorf("--run %s: there is no such run in %s, which has %s", event.Printable(id), event.Printable(name), someRuns(runs))
}

// shownRuns is how many runs a message lists.
const shownRuns = 5

func someRuns(runs []logRun) string {
	var ids []string
	for _, r := range runs[:min(shownRuns, len(runs))] {
		ids = append(ids, event.Printable(r.id))
	}
	if more := len(runs) - shownRuns; more > 0 {
		ids = append(ids, fmt.Sprintf("%d more", more))
	}
	return report.List(ids)
}
