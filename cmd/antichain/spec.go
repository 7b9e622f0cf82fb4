package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// specFlags are the flags that say what to check.
type specFlags struct {
	files    []string // --spec
	formulas []string // -e
	shared   []string // --shared
}

func (f *specFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.files, "spec", nil, "check the properties in this `FILE`; may be repeated")
	flags.StringArrayVarP(&f.formulas, "expr", "e", nil, "check this `FORMULA`; may be repeated")
}

// given reports whether anything is to be checked.
func (f *specFlags) given() bool { return len(f.files)+len(f.formulas) > 0 }

// beside adds the *.tl files of dir if nothing is given.
func (f *specFlags) beside(dir string) error {
	if f.given() {
		return nil
	}
	names, err := fs.Glob(os.DirFS(dir), "*.tl") // dir itself is no pattern
	for _, name := range names {
		f.files = append(f.files, relative(filepath.Join(dir, name)))
	}
	return err
}

// load parses the files and formulas. All mistakes are reported together.
func (f *specFlags) load() ([]*spec.File, error) {
	var files []*spec.File
	var mistakes []error
	for _, name := range f.files {
		src, err := readSpec(name)
		if err == nil {
			var file *spec.File
			if file, err = spec.Parse(name, src); err == nil {
				files = append(files, file)
			}
		}
		if err != nil {
			mistakes = append(mistakes, err)
		}
	}
	for i, src := range f.formulas {
		property, err := spec.ParseFormula(src)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		property.Name = "-e"
		if len(f.formulas) > 1 {
			property.Name = fmt.Sprintf("-e %d", i+1)
		}
		files = append(files, spec.FileOf(property))
	}
	if len(f.shared) > 0 {
		names := &spec.File{Name: "--shared"}
		for _, v := range f.shared {
			names.Shared = append(names.Shared, spec.Name{Name: v})
		}
		files = append(files, names)
	}
	return files, errors.Join(mistakes...)
}

// maxSpec bounds a specification in bytes: a file can be endless.
const maxSpec = 1 << 20

func readSpec(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxSpec+1))
	if err == nil && len(src) > maxSpec {
		err = fmt.Errorf("%s: specification of more than %d bytes: split it into several files", event.Printable(name), maxSpec)
	}
	return string(src), err
}

// properties returns all properties of the files.
func properties(files []*spec.File) []*spec.Property {
	var all []*spec.Property
	for _, f := range files {
		all = append(all, f.Properties...)
	}
	return all
}

// named are the functions that specifications name for built-in properties: goroutines that run them must finish,
// or may wait for ever.
type named struct{ mustFinish, mayWait []string }

// namedIn returns the functions that the files name for built-in properties.
func namedIn(files []*spec.File) (all named) {
	for _, f := range files {
		for _, n := range f.MustFinish {
			all.mustFinish = append(all.mustFinish, n.Name)
		}
		for _, n := range f.MayWait {
			all.mayWait = append(all.mayWait, n.Name)
		}
	}
	return all
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
