//go:build unix

// Package found measures how many bugs of real programs antichain finds, and how.
//
// The programs in testdata are rebuilt from public bug reports, have a bug that was found in the
// wild, or make a mistake that is usual in such reports, each with a fixed twin. Their ordinary
// runs go well. The drivers of the history use modules at a version with a known bug; their twins
// use one that has mended it.
package found

import (
	"context"
	"embed"
	"io"
	"io/fs"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

//go:embed testdata
var testdata embed.FS

//go:embed expected.txt
var expectedText string

// A way is how a user checks a program.
type way struct {
	corpus.Way
	name    string
	repeats bool // it runs several times until the bug is named, else once
}

// most is how many runs are made at most, if a way that repeats makes so many.
func (w *way) most(runs int) int {
	if w.repeats {
		return runs
	}
	return 1
}

// ended ends a run that hangs.
const ended = "--end-after=15s"

var programWays = []way{
	{corpus.Way{Flags: []string{"--confirm", ended}}, "default", true},
	{corpus.Way{Builtin: "all", Flags: []string{"--confirm", ended}}, "all", false},
	{corpus.Way{Flags: []string{"--explore", "50", ended}}, "explore", false},
}

// Run runs all programs and their twins in each way, one at a time, and prints the board.
func Run(args []string, w io.Writer) error {
	c := corpus.NewCommand("found", 3)
	if err := c.Parse(args); err != nil {
		return err
	}
	files, programs, err := load()
	b := &board{ways: programWays}
	if err != nil {
		return err
	}
	err = c.Each(files, programs, func(ctx context.Context, bench *corpus.Bench, p *corpus.Program) {
		var r row
		for _, way := range b.ways {
			r = append(r, p.Judge(bench.Search(ctx, p, way.most(c.Runs), way.Way)))
		}
		b.rows = append(b.rows, r)
	})
	if err != nil {
		return err
	}
	b.write(w)
	return nil
}

// load reads the programs.
func load() (fs.FS, []*corpus.Program, error) {
	files, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return nil, nil, err
	}
	programs, err := corpus.Load(files, expectedText)
	return files, programs, err
}
