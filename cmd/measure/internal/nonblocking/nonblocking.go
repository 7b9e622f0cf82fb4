//go:build unix

// Package nonblocking measures how many of the bugs of a corpus antichain finds that make no
// goroutine wait.
//
// The corpus is in testdata: small programs with a data race, a panic in another order, lost
// results, or a violation of atomicity or order, each with a fixed twin. It was written before
// anything was measured on it, and is not changed.
package nonblocking

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

// Run runs all programs and their twins, one at a time, and prints the board.
func Run(args []string, w io.Writer) error {
	c := corpus.NewCommand("nonblocking", 10)
	if err := c.Parse(args); err != nil {
		return err
	}
	files, programs, err := load()
	if err != nil {
		return err
	}
	var scores []*corpus.Score
	err = c.Each(files, programs, func(ctx context.Context, b *corpus.Bench, p *corpus.Program) {
		scores = append(scores, b.Score(ctx, p, c.Runs, corpus.Way{Builtin: "all"}))
	})
	if err != nil {
		return err
	}
	write(w, scores)
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
