package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/spf13/pflag"
)

// Destination is a file that gets a report. A format that is for a stream has none if it goes to
// standard error.
type Destination struct{ Format, File string }

// Flag is --report, which may be repeated.
type Flag []Destination

// Register adds the flag.
func (f *Flag) Register(flags *pflag.FlagSet) {
	flags.Var(f, "report", "when all is done, also write a report: `FORMAT=FILE`, where the formats are "+wording.List(Formats())+"; may be repeated")
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
		return fmt.Errorf("no format %q: name one of %s, and a file, for example json=report.json", name, wording.List(Formats()))
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

// Write writes all reports. One that fails keeps none of the others from being written.
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
