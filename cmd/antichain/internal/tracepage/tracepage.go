// Package tracepage makes the page that shows a recorded trace, and what is found in it.
package tracepage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/view"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/event"
)

// Maker makes the page of a trace. The fields are what its user may choose.
type Maker struct {
	Streams  terminal.Streams
	Specs    specfile.Source
	Builtins findings.Flag
	From     input.Flags
	Limits   limits.Limits
	Logic    string
	Output   string // "" is named after the trace
	Open     bool   // in a browser
}

// Make checks a trace, if there is something to check, and writes its page.
func (m *Maker) Make(ctx context.Context, trace string) error {
	output, err := m.outputFor(trace)
	if err != nil {
		return err
	}
	if err := view.CheckOverwritable(output); err != nil {
		return err
	}
	logic, ok := lsl.ParseLogic(m.Logic)
	if !ok {
		return fmt.Errorf("--logic %s: the dialects are l3 and frey96", m.Logic)
	}
	if err := m.From.Validate(); err != nil {
		return err
	}
	files, err := m.Specs.Load()
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	d := &view.Document{Title: filepath.Base(trace)}
	settings := check.Settings{Options: tlcheck.Options{Logic: logic, Time: m.Limits.Timeout, Memory: int64(m.Limits.Memory)}}
	c := settings.Checker(files, m.Streams.Out, m.Streams.Err)
	c.Style.Source = specfile.SourceFor(m.Specs.Files)
	if err := m.read(ctx, trace, c, d); err != nil {
		return err
	}
	if err := view.WriteFile(output, d); err != nil {
		return err
	}
	fmt.Fprintf(m.Streams.Err, "wrote %s\n", event.Printable(output))
	if m.Open {
		return view.Open(output)
	}
	return nil
}

// read adds the runs of a trace and what is found in them.
func (m *Maker) read(ctx context.Context, trace string, c *check.Checker, d *view.Document) error {
	memory, end := budget.WithMemory(ctx, int64(m.Limits.Memory))
	defer end()
	wanted := findings.Wanted{On: m.Builtins, Named: true}
	var watched *findings.TraceWatch
	watch := func(t *input.Trace) (netless bool) {
		watched = findings.WatchTrace(memory, t.Reader, wanted, c.Functions)
		t.Reader = watched
		return false
	}
	for r := range input.ReadWatched(ctx, &m.Limits, trace, m.Streams, &m.From, false, watch) {
		if r.Err != nil {
			return r.Err
		}
		c.Take = func(result *tlcheck.Assessment) {
			f := view.FindingOf(result, c.Style)
			if r.Run != "" {
				f.Group = event.Printable(filepath.Base(r.Name))
			}
			d.Findings = append(d.Findings, f)
		}
		run := view.RunOf(filepath.Base(r.Name), r.Net)
		run.AddSource(c.Style.Source)
		d.Runs = append(d.Runs, run)
		c.CheckReading(ctx, r, nil)
		if err := wanted.Judge(ctx, c, watched, r, false); err != nil {
			return err
		}
		if c.Failed {
			return errors.New("the trace cannot be checked")
		}
	}
	return nil
}

// outputFor is the name of the page for a trace.
func (m *Maker) outputFor(trace string) (string, error) {
	switch {
	case m.Output != "":
		return m.Output, nil
	case trace == "-":
		return "", errors.New("standard input has no name: name the page with -o FILE")
	}
	name := filepath.Base(trace)
	for _, ext := range []string{".gz", ".jsonl", ".json", ".trace"} {
		name = strings.TrimSuffix(name, ext)
	}
	if name == "" || name == "." || name == string(os.PathSeparator) {
		return "", fmt.Errorf("%s names no page: name it with -o FILE", event.Printable(trace))
	}
	return name + ".html", nil
}
