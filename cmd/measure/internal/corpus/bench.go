//go:build unix

// Package corpus runs small programs with known bugs under antichain, and scores whether its
// reports name them.
//
// A corpus is a directory with NAME/bug/main.go and NAME/fixed/main.go for each program and its
// fixed twin, and may have a specification NAME/NAME.tl of both or NAME/bug/NAME.tl of the first. A
// text says what a report must name, so that it is of the program's bug:
//
//	== CLASS
//	PROGRAM  BUILT-IN PROPERTY: PLACE + PLACE
//	PROGRAM  property NAME
//	PROGRAM  panics: TEXT
//	PROGRAM  twin BUILT-IN PROPERTY: PLACE + PLACE
//
// A PLACE is FUNCTION `TEXT`: a line of that function, literals in it included, that has this text.
// The report has a goroutine at each place, or in a call from there, and none anywhere else; *
// stands for any place, and ... for any number of further ones. Of several lines for a program one
// is enough. A property is one of the program's specification, which must be violated. A panic ends
// the program and has that text. A report that is true of the twin as well does not count there.
package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// A Bench is a temporary module with the programs of a corpus, and an executable of antichain.
type Bench struct{ dir, antichain string }

// newBench writes the programs and, unless an executable is named, builds antichain.
func newBench(ctx context.Context, corpus fs.FS, executable string) (*Bench, error) {
	dir, err := os.MkdirTemp("", "corpus-")
	if err != nil {
		return nil, err
	}
	b := &Bench{dir: dir}
	b.antichain, err = reported.Executable(ctx, executable, dir)
	if err = errors.Join(err, WriteModule(dir, corpus)); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return b, nil
}

// WriteModule writes the programs of a corpus into a directory, as a module.
func WriteModule(dir string, corpus fs.FS) error {
	return errors.Join(
		os.CopyFS(dir, corpus),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module corpus\n\ngo 1.25\n"), 0o666),
	)
}

// patience is what a run takes at most, with the build before it: the first one builds the traced
// standard library.
var patience = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

// A Way is how programs are checked.
type Way struct {
	Builtin string   // for --builtin; "": the flag is not given
	Flags   []string // others of antichain run
}

// check runs a program or its twin once, with its specification if it has one. dir is bug or fixed.
func (b *Bench) check(ctx context.Context, p *Program, dir string, way Way) (*reported.Reports, error) {
	args := append([]string{"run", "--json"}, way.Flags...)
	if way.Builtin != "" {
		args = append(args, "--builtin", way.Builtin)
	}
	spec := p.bug.spec
	if dir == "fixed" {
		spec = p.twin.spec
	}
	if spec != "" {
		args = append(args, "--spec", filepath.Join(b.dir, spec))
	}
	cmd := exec.Command(b.antichain, append(args, ".")...)
	cmd.Dir = filepath.Join(b.dir, p.Name, dir) // it may have a module of its own
	out, err := reported.Finish(ctx, cmd, patience)
	if err != nil {
		return nil, err
	}
	if way.Builtin == "none" {
		return reported.ReadProperties(out)
	}
	return reported.Read(out)
}

// Score runs a program and its twin so many times each.
func (b *Bench) Score(ctx context.Context, p *Program, runs int, way Way) *Score {
	s := NewScore(p, runs)
	for run := 1; run <= runs; run++ {
		found, err := b.check(ctx, p, "bug", way)
		s.Fail("run", run, err)
		s.Add(run, found)
		found, err = b.check(ctx, p, "fixed", way)
		s.Fail("run of the twin", run, err)
		s.AddTwin(found)
	}
	return s
}

// Search runs a program until its bug is named, so many times at most, and its twin as often as
// that.
func (b *Bench) Search(ctx context.Context, p *Program, most int, way Way) *Score {
	s := NewScore(p, 0)
	for run := 1; run <= most; run++ {
		if s.Named == 0 {
			s.Runs++
			found, err := b.check(ctx, p, "bug", way)
			s.Fail("run", run, err)
			s.Add(run, found)
		}
		found, err := b.check(ctx, p, "fixed", way)
		s.Fail("run of the twin", run, err)
		s.AddTwin(found)
	}
	return s
}
