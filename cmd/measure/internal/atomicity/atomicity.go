//go:build unix

// Package atomicity measures how many violations of atomicity and order antichain finds that need
// other orders of locks.
//
// The corpus is in testdata: 30 small programs, each with a specification and a fixed twin. They
// have no data race: locks guard what is shared, but two critical sections belong together, or who
// takes a lock first decides what happens. Their goroutines start so far apart that an ordinary run
// goes well. The corpus was written before anything was measured on it, and is not changed.
package atomicity

import (
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

//go:embed testdata
var testdata embed.FS

//go:embed expected.txt
var expectedText string

// A way is how programs are checked, with its name in the board.
type way struct {
	name string
	corpus.Way
}

// predict is the way with --predict.
func predict(order, builtin string) way {
	w := way{order, corpus.Way{Builtin: builtin, Flags: []string{"--predict", order}}}
	if builtin != "none" {
		w.name += "+" + builtin
	}
	return w
}

// confirming is the way with --confirm besides.
func (w way) confirming() way {
	return way{w.name + "+confirm", corpus.Way{Builtin: w.Builtin, Flags: append(w.Flags, "--confirm")}}
}

// Run runs all programs and their twins in each way, one at a time, and prints the board.
func Run(args []string, w io.Writer) error {
	c := corpus.NewCommand("atomicity", 1)
	race := c.Bool("race", false, "also check --predict locks with --builtin race")
	confirm := c.Bool("confirm", false, "with -race, also check that with --confirm")
	if err := c.Parse(args); err != nil {
		return err
	}
	if *confirm && !*race {
		return errors.New("-confirm goes with -race")
	}
	b := &board{ways: []way{predict("run", "none"), predict("locks", "none")}}
	if *race {
		b.ways = append(b.ways, predict("locks", "race"))
	}
	if *confirm {
		b.ways = append(b.ways, predict("locks", "race").confirming())
	}
	files, programs, err := load()
	if err != nil {
		return err
	}
	err = c.Each(files, programs, func(ctx context.Context, bench *corpus.Bench, p *corpus.Program) {
		var r row
		for _, way := range b.ways {
			r = append(r, bench.Score(ctx, p, c.Runs, way.Way))
		}
		b.rows = append(b.rows, r)
	})
	if err != nil {
		return err
	}
	b.write(w)
	return nil
}

// load reads the corpus.
func load() (fs.FS, []*corpus.Program, error) {
	files, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return nil, nil, err
	}
	programs, err := corpus.Load(files, expectedText)
	return files, programs, err
}
