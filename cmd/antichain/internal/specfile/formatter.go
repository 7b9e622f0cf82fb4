package specfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/rogpeppe/go-internal/diff"
)

// Formatter brings specifications into the canonical layout. Without List, Diff and Write it prints
// them.
type Formatter struct {
	List  bool // print the names of files whose layout differs
	Diff  bool // print the differences
	Write bool // change the files
}

// standardInput names the input in messages.
const standardInput = "<standard input>"

// Run formats files, and those with the extension .tl in directories; standard input if none is
// named. The exit code is 1 if List or Diff found a difference that is not written.
func (f *Formatter) Run(s terminal.Streams, paths []string) error {
	if len(paths) == 0 {
		return f.input(s)
	}
	var outcomes exit.Outcomes
	for _, path := range paths {
		for file, err := range specifications(path) {
			if err == nil {
				var differs bool
				differs, err = f.file(s.Out, file)
				outcomes.Violated = outcomes.Violated || differs
			}
			if err != nil {
				outcomes.Failed = true
				fmt.Fprintln(s.Err, "antichain:", err)
			}
		}
	}
	if outcomes.Failed {
		return exit.Code(exit.Error)
	}
	return outcomes.Err()
}

func (f *Formatter) input(s terminal.Streams) error {
	if f.Write {
		return errors.New("-w writes files, and standard input is not a file: name the files")
	}
	src, err := readAll(standardInput, s.In)
	if err != nil {
		return err
	}
	differs, err := f.text(s.Out, standardInput, src, nil)
	if err == nil && differs {
		return exit.Code(exit.Violated)
	}
	return err
}

// specifications returns the path, or the specifications below it if it is a directory, except
// hidden ones.
func specifications(path string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			hidden := name != path && strings.HasPrefix(filepath.Base(name), ".")
			switch {
			case err == nil && entry.IsDir() && hidden:
				return fs.SkipDir
			case err == nil && (entry.IsDir() || name != path &&
				(hidden || !entry.Type().IsRegular() || filepath.Ext(name) != ".tl")):
				return nil
			case !yield(name, err):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(path, err)
		}
	}
}

func (f *Formatter) file(out io.Writer, path string) (differs bool, err error) {
	if filepath.Ext(path) == ".gcl" {
		name := event.Printable(path)
		return false, fmt.Errorf("%s is a finite-state program, and fmt formats only specifications: antichain program %s prints it, without its comments", name, name)
	}
	src, err := readSpec(path)
	if err != nil {
		return false, err
	}
	return f.text(out, path, src, func(text string) error { return atomicfile.Write(path, []byte(text), 0o666) })
}

// text formats one text. It reports whether List or Diff found a difference that is not written.
func (f *Formatter) text(out io.Writer, name, src string, write func(string) error) (differs bool, err error) {
	if _, err := parse(name, src); err != nil {
		return false, err
	}
	text, err := spec.FormatSource(name, src)
	if err != nil {
		return false, err
	}
	if !f.List && !f.Diff && !f.Write {
		_, err := io.WriteString(out, text)
		return false, err
	}
	if text == src {
		return false, nil
	}
	var shown bytes.Buffer
	if f.List {
		fmt.Fprintln(&shown, event.Printable(name))
	}
	if f.Diff {
		printable := event.Printable(name)
		shown.Write(diff.Diff(printable+".orig", []byte(src), printable, []byte(text)))
	}
	if _, err := out.Write(shown.Bytes()); err != nil {
		return false, err
	}
	if f.Write {
		return false, write(text)
	}
	return true, nil
}
