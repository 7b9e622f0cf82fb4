//go:build unix

// Package found measures how many bugs of real programs antichain finds, and how.
//
// The programs in testdata are rebuilt from public bug reports, or have a bug that was found in the
// wild, each with a fixed twin. Their ordinary runs go well. The drivers in drivers.txtar use
// modules at a version with a known bug; their twins use the version that fixes it.
package found

import (
	"context"
	"embed"
	"io"
	"io/fs"

	"golang.org/x/tools/txtar"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

//go:embed testdata
var testdata embed.FS

//go:embed expected.txt
var expectedText string

//go:embed drivers.txtar
var driversArchive []byte

//go:embed drivers.txt
var driversText string

// A way is how a user checks a program.
type way struct {
	corpus.Way
	name    string
	repeats bool // it runs several times until the bug is named, else once
}

// ended ends a run that hangs.
const ended = "--end-after=15s"

var programWays = []way{
	{corpus.Way{Flags: []string{"--confirm", ended}}, "default", true},
	{corpus.Way{Builtin: "all", Flags: []string{"--confirm", ended}}, "all", false},
	{corpus.Way{Flags: []string{"--explore", "50", ended}}, "explore", false},
}

// driverWays also look at the memory of the modules: that is where the bugs are. Each run of ws
// takes 15 s, so the time is bounded.
var driverWays = []way{
	{corpus.Way{Flags: []string{"--confirm", ended}}, "default", true},
	{corpus.Way{Builtin: "all", Flags: []string{"--race-in", "all", "--confirm", ended}}, "all", false},
	{corpus.Way{Flags: []string{"--explore", "60", "--for", "3m", ended}}, "explore", false},
}

// Run runs all programs and their twins in each way, one at a time, and prints the board.
func Run(args []string, w io.Writer) error {
	c := corpus.NewCommand("found", 3)
	drivers := c.Bool("drivers", false, "drivers of real modules instead, which come from the module proxy")
	if err := c.Parse(args); err != nil {
		return err
	}
	files, programs, err := load()
	b := &board{ways: programWays}
	if *drivers {
		files, programs, err = loadDrivers()
		b.ways = driverWays
	}
	if err != nil {
		return err
	}
	err = c.Each(files, programs, func(ctx context.Context, bench *corpus.Bench, p *corpus.Program) {
		var r row
		for _, way := range b.ways {
			most := 1
			if way.repeats {
				most = c.Runs
			}
			r = append(r, bench.Search(ctx, p, most, way.Way))
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

// loadDrivers reads the drivers. Each of them, and each twin, is a module of its own.
func loadDrivers() (fs.FS, []*corpus.Program, error) {
	files, err := txtar.FS(txtar.Parse(driversArchive))
	if err != nil {
		return nil, nil, err
	}
	programs, err := corpus.Load(files, driversText)
	return files, programs, err
}
