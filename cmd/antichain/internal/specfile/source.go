// Package specfile loads specifications from files and from formulas on the command line.
package specfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/antichain-go/antichain/cmd/antichain/internal/filekind"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// Source has the flags that select specifications.
type Source struct {
	Files    []string // --spec
	Formulas []string // -e
	Shared   []string // --shared
}

func (f *Source) Register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.Files, "spec", nil, "check the properties in this `FILE`; may be repeated")
	flags.StringArrayVarP(&f.Formulas, "expr", "e", nil, "check this `FORMULA`; may be repeated")
}

// Given reports whether anything is selected.
func (f *Source) Given() bool { return len(f.Files)+len(f.Formulas) > 0 }

// Beside adds the *.tl files of dir if nothing is selected.
func (f *Source) Beside(dir string) error {
	if f.Given() {
		return nil
	}
	// unlike filepath.Glob, this does not interpret dir as a pattern
	names, err := fs.Glob(os.DirFS(dir), "*.tl")
	for _, name := range names {
		f.Files = append(f.Files, relative(filepath.Join(dir, name)))
	}
	return err
}

// Words returns the flags as arguments.
func (f *Source) Words() []string {
	var words []string
	for _, name := range f.Files {
		words = append(words, "--spec", name)
	}
	for _, src := range f.Formulas {
		words = append(words, "-e", src)
	}
	return words
}

// Load parses the files and formulas. It reports all mistakes together.
func (f *Source) Load() ([]*spec.File, error) {
	var files []*spec.File
	var mistakes []error
	for _, name := range f.Files {
		src, err := readSpec(name)
		if err == nil {
			var file *spec.File
			if file, err = parse(name, src); err == nil {
				files = append(files, file)
			}
		}
		if err != nil {
			mistakes = append(mistakes, err)
		}
	}
	for i, src := range f.Formulas {
		property, err := ParseFormula(src)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		property.Name = commandLine
		if len(f.Formulas) > 1 {
			property.Name = fmt.Sprintf("-e %d", i+1)
		}
		files = append(files, spec.FileOf(property))
	}
	if len(f.Shared) > 0 {
		names := &spec.File{Name: "--shared"}
		for _, v := range f.Shared {
			names.Shared = append(names.Shared, spec.Name{Name: v})
		}
		files = append(files, names)
	}
	return files, errors.Join(mistakes...)
}

// mostShown limits the mistakes of a file that are shown.
const mostShown = 10

// parse reads a specification. The error has all mistakes in it, as far as they are shown.
func parse(name, src string) (*spec.File, error) {
	file, mistakes := spec.ParseAll(name, src)
	var all []error
	for _, m := range mistakes[:min(len(mistakes), mostShown)] {
		all = append(all, m)
	}
	if more := len(mistakes) - len(all); more > 0 {
		all = append(all, fmt.Errorf("%s: %s", event.Printable(name), wording.Plural(more, "more mistake")))
	}
	return file, errors.Join(all...)
}

// commandLine names a formula of the command line in messages, instead of a file.
const commandLine = "-e"

// ParseFormula reads a formula of the command line.
func ParseFormula(src string) (*spec.Property, error) {
	property, err := spec.ParseFormula(src)
	var mistake *spec.Error
	switch {
	case errors.As(err, &mistake):
		mistake.File = commandLine
		return nil, mistake
	case err != nil:
		return nil, err
	}
	property.File = commandLine
	return property, nil
}

// MaxSize limits the bytes of a specification, since a file can be endless.
const MaxSize = 1 << 20

func readSpec(name string) (string, error) {
	if err := filekind.CheckSpecification(name); err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readAll(name, f)
}

// readAll reads a specification within the limit.
func readAll(name string, r io.Reader) (string, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(src) > MaxSize {
		err = fmt.Errorf("%s: specification of more than %d bytes: split it into several files",
			event.Printable(name), MaxSize)
	}
	return string(src), err
}

// Properties returns all properties of the files.
func Properties(files []*spec.File) []*spec.Property {
	var all []*spec.Property
	for _, f := range files {
		all = append(all, f.Properties...)
	}
	return all
}

// Functions are the functions that specifications declare for built-in properties: their goroutines
// must finish, or may wait for ever.
type Functions struct{ MustFinish, MayWait []string }

// FunctionsOf returns the functions that the files declare for built-in properties.
func FunctionsOf(files []*spec.File) (all Functions) {
	for _, f := range files {
		for _, n := range f.MustFinish {
			all.MustFinish = append(all.MustFinish, n.Name)
		}
		for _, n := range f.MayWait {
			all.MayWait = append(all.MayWait, n.Name)
		}
	}
	return all
}

// FunctionsOfAll returns the functions that several specifications declare.
func FunctionsOfAll(all []Specification) Functions {
	var files []*spec.File
	for _, s := range all {
		files = append(files, s.Parsed...)
	}
	return FunctionsOf(files)
}

// relative shortens a path for messages.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// SourceFor returns where to look for the source of a traced program if the trace does not say it:
// here, beside the specifications, and in the roots of their modules, to which positions are
// relative.
func SourceFor(specs []string) report.Source {
	dirs := []string{"."}
	for _, f := range specs {
		dirs = append(dirs, filepath.Dir(f))
	}
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		if root, ok := exe.ModuleRoot(dir); ok {
			dirs = append(dirs, root)
		}
	}
	return report.Source{Dirs: dirs, From: terminal.WorkingDir()}
}
