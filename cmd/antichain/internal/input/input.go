// Package input opens the input of a verb: traces, files that a traced executable has written, and
// logs of other formats.
package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/spf13/pflag"
)

// Flags are the flags for inputs other than traces.
type Flags struct {
	Single bool // the verb takes one run

	Format  string // --format: "" for traces, whose form is detected
	Run     string // --run: "" for all
	Formats []*Format
}

func (f *Flags) Register(flags *pflag.FlagSet) {
	f.Formats = NewFormats()
	flags.StringVar(&f.Format, "format", "", "read this `FORMAT` instead of traces: "+f.names()+"; antichain help formats explains them")
	flags.StringVar(&f.Run, "run", "", "of a file with several runs, read only the one with this `ID`")
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
	for _, other := range f.Formats {
		if given := other.given(); len(given) > 0 && (i < 0 || other.flags != f.Formats[i].flags) {
			return nil, fmt.Errorf("--%s applies only to another format: add --format %s", given[0].Name, other.Name)
		}
	}
	if i < 0 {
		return nil, nil
	}
	return f.Formats[i], nil
}

// Validate returns an error if the flags are wrong.
func (f *Flags) Validate() error {
	chosen, err := f.Chosen()
	switch {
	case err != nil:
		return err
	case chosen != nil:
		_, err = chosen.Prepare()
	case f.Run != "":
		err = errors.New("--run applies to files with several runs: add --format; a trace holds one run")
	}
	return err
}

// Words returns the flags as words of a command line, with those that choose a run.
func (f *Flags) Words(run string) []string {
	var words []string
	if f.Format != "" {
		words = append(words, "--format", f.Format)
	}
	if run != "" {
		words = append(words, "--run", run)
	}
	if chosen, err := f.Chosen(); err == nil && chosen != nil { // it has all that were given
		for _, flag := range chosen.given() {
			if flag.Value.Type() == "bool" {
				words = append(words, "--"+flag.Name+"="+flag.Value.String())
			} else {
				words = append(words, "--"+flag.Name, flag.Value.String())
			}
		}
	}
	return words
}

// read returns the runs of a log, or the one that the flags choose. The name is used in messages.
func (f *Flags) read(ctx context.Context, format *Format, r io.Reader, name string) ([]ingest.Run, error) {
	open, err := format.Prepare()
	if err != nil {
		return nil, err
	}
	runs, err := open(ctx, r, name)
	if err != nil || f.Run == "" && !f.Single {
		return runs, err
	}
	run, err := ingest.Choose(runs, f.Run, name)
	if err != nil {
		return nil, withFlag(err)
	}
	return []ingest.Run{run}, nil
}

// withFlag says with the flag which run of a log is to be chosen.
func withFlag(err error) error {
	var no *ingest.RunError
	if !errors.As(err, &no) {
		return err
	}
	name, id := event.Printable(no.Name), event.Printable(no.ID)
	switch {
	case no.ID == "":
		return fmt.Errorf("%s has %d runs: choose one with --run; there are %s", name, len(no.IDs), no.Some())
	case no.Unnamed():
		return fmt.Errorf("--run %s: the run in %s has no name: leave --run out", id, name)
	}
	return fmt.Errorf("--run %s: no such run in %s, which has %s", id, name, no.Some())
}
