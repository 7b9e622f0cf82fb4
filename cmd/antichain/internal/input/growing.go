package input

import (
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// GrowingTrace is what an executable made by "antichain build" writes while it runs.
type GrowingTrace struct {
	Table *site.Table // of the executable

	name    string
	records *ring.GrowingFile
	process *process.Process // set by Watch
}

// OpenGrowing opens the trace that a running program writes.
func OpenGrowing(path string) (*GrowingTrace, error) {
	records, err := ring.OpenGrowingFile(path)
	if err != nil {
		return nil, err
	}
	table, err := instrument.TableOf(records.Identity().Exe)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), records.Close())
	}
	return &GrowingTrace{Table: table, name: path, records: records}, nil
}

// Watch has Read pass the operations to a watcher.
func (g *GrowingTrace) Watch(w op.Watcher) (err error) {
	if g.process, err = interpreter(g.records.Identity(), w); err != nil {
		return fmt.Errorf("%s: %w", g.name, err)
	}
	return nil
}

// Read reads what the program has written since the last call.
func (g *GrowingTrace) Read() error {
	if err := g.records.More(); err != nil {
		return err
	}
	for {
		rec, err := g.records.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = g.process.Feed(rec, func(*event.Event) error { return nil })
		}
		if err != nil {
			return err
		}
	}
	if lost := missing(g.records.Stats(), g.process.Stats()); lost != "" {
		return fmt.Errorf("%s: %s", g.name, lost)
	}
	return nil
}

// Names returns the names behind the numbers in the operations.
func (g *GrowingTrace) Names() op.Names { return g.process }

// LookNow is launch.Run.LookNow.
func (g *GrowingTrace) LookNow() bool { return g.records.LookNow() }

// Looks is launch.Run.Looks.
func (g *GrowingTrace) Looks() bool { return g.records.Looks() }

// Close closes the trace, which the program goes on writing.
func (g *GrowingTrace) Close() error { return g.records.Close() }
