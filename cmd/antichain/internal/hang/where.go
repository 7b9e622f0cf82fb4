package hang

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
)

// Where writes where the goroutines of a process stand. The antichain that traces it knows that. If
// the program writes a trace itself, Where reads that.
func Where(ctx context.Context, pid int, c *check.Checker, out io.Writer) error {
	trace, err := control.TraceOf(pid)
	if err != nil {
		return err
	}
	if trace == "" {
		return control.Where(ctx, pid, out)
	}
	g, err := input.OpenGrowing(trace)
	if err != nil {
		return err
	}
	return errors.Join(whereIn(ctx, g, c, out), g.Close())
}

// whereIn writes where the goroutines of a program stand that writes its own trace.
func whereIn(ctx context.Context, g *input.GrowingTrace, c *check.Checker, out io.Writer) error {
	addRoot(&c.Style.Source, g.Table.Root)
	judge := findings.NewWatch(ctx, []builtin.Property{builtin.Deadlock, builtin.Stuck}, c.Functions,
		g.Table.Instrumented.Unwatched)
	judge.Configure(new(launch.Config), false, c.Style.Source)
	w := New(judge, c, out)
	if w == nil {
		return errors.New("the program was built without what stuck needs, " +
			"so antichain does not know where its goroutines are")
	}
	w.undated = true
	w.Report = func(op.Names, []builtin.Finding) {} // they are in the page
	if err := g.Watch(both{judge, w}); err != nil {
		return err
	}
	if err := w.follow(ctx, g); err != nil {
		return err
	}
	w.writeWhere(out, g.Names())
	return nil
}

// addRoot adds the root of the program's module to where its source may be. If the executable does
// not know that, positions begin with its name.
func addRoot(s *report.Source, root string) {
	if root != "" {
		s.Dirs = append(s.Dirs, root)
		return
	}
	s.Modules = map[string]string{}
	for _, dir := range s.Dirs {
		if dir, err := filepath.Abs(dir); err == nil {
			s.Modules[filepath.Base(dir)] = dir
		}
	}
}

// follow reads what a program writes until it has said what is cut off, and has been watched for
// long enough for what is found then.
func (w *Watch) follow(ctx context.Context, g *input.GrowingTrace) error {
	const most = patienceAssumed + time.Second // it may be stopped
	err := g.Read()
	asked := g.LookNow()
	tick := time.NewTicker(often)
	defer tick.Stop()
	for begun := time.Now(); err == nil; err = g.Read() {
		w.tick(time.Now())
		isOver, hasAnswered := time.Since(begun) > most, !(asked && g.Looks())
		if isOver || hasAnswered && w.now >= max(arrival, w.again) {
			w.judge(g.Names())
			if isOver || w.again == 0 {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}
