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
// stands for any place, and ... for any number of further ones. A place "in FUNCTION" is anywhere
// in a function of a module, which stands without its package: "in (*pool).submit". Of several
// lines for a program one is enough. A property is one of the program's specification, which must
// be violated. A panic ends the program and has that text. A report that is true of the twin as
// well does not count there.
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

// raceLimits are for a program that the race detector looks at: it ends by itself, or hangs.
var raceLimits = reported.Limits{Program: 20 * time.Second, Check: 10 * time.Second}

// A Way is how programs are checked.
type Way struct {
	Builtin string   // for --builtin; "": the flag is not given
	Flags   []string // others of antichain run
	Race    bool     // by the race detector of Go instead
}

// check runs a program or its twin once, with its specification if it has one. dir is bug or fixed.
func (b *Bench) check(ctx context.Context, p *Program, dir string, way Way) (*reported.Reports, error) {
	if way.Race {
		return reported.Race(ctx, b.Dir(p, dir), raceLimits)
	}
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
	cmd.Dir = b.Dir(p, dir)
	out, err := reported.Finish(ctx, cmd, patience)
	if err != nil {
		return nil, err
	}
	if way.Builtin == "none" {
		return reported.ReadProperties(out)
	}
	return reported.Read(out)
}

// Dir is where a program or its twin is, which may have a module of its own. which is bug or fixed.
func (b *Bench) Dir(p *Program, which string) string { return filepath.Join(b.dir, p.Name, which) }

// Score runs a program and its twin so many times each.
func (b *Bench) Score(ctx context.Context, p *Program, runs int, way Way) *Score {
	var r Runs
	for range runs {
		r.Bug = append(r.Bug, b.outcome(ctx, p, "bug", way))
		r.Twin = append(r.Twin, b.outcome(ctx, p, "fixed", way))
	}
	return p.Judge(r)
}

// Search runs a program until its bug is named, so many times at most, and its twin as often as
// that.
func (b *Bench) Search(ctx context.Context, p *Program, most int, way Way) Runs {
	var r Runs
	for range most {
		if n := len(r.Bug); n == 0 || !p.named(r.Bug[n-1].Reports) {
			r.Bug = append(r.Bug, b.outcome(ctx, p, "bug", way))
		}
		r.Twin = append(r.Twin, b.outcome(ctx, p, "fixed", way))
	}
	return r
}

// outcome runs a program or its twin once.
func (b *Bench) outcome(ctx context.Context, p *Program, dir string, way Way) Outcome {
	found, err := b.check(ctx, p, dir, way)
	o := Outcome{Reports: found}
	if err != nil {
		o.Failure = err.Error()
	}
	return o
}
