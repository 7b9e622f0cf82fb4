//go:build unix

package waiting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

const (
	workers  = 8 // programs that run at once: they mostly linger
	linger   = 300 * time.Millisecond
	attempts = 5 // until all that wait for ever have come to wait
)

// result is what was reported of the tasks of a program.
type result struct {
	observed map[int]bool // to wait for ever, in some attempt
	possible map[int]bool // to do so, perhaps
	text     map[int]string
}

// executable is one with several programs.
type executable struct {
	dir, binary string
	table       *site.Table
	waits       map[string]int // tasks, by the places where they wait
}

// examine builds programs and runs each until all that wait for ever are reported.
func examine(ctx context.Context, programs []*program) ([]*result, error) {
	dir, err := os.MkdirTemp("", "waiting-")
	if err != nil {
		return nil, err
	}
	results, err := examineIn(ctx, dir, programs)
	return results, errors.Join(err, os.RemoveAll(dir))
}

func examineIn(ctx context.Context, dir string, programs []*program) ([]*result, error) {
	e, err := build(ctx, dir, programs)
	if err != nil {
		return nil, err
	}
	results, errs := make([]*result, len(programs)), make([]error, len(programs))
	var group errgroup.Group
	group.SetLimit(workers)
	for i, p := range programs {
		group.Go(func() error {
			results[i], errs[i] = e.repeat(ctx, i, p)
			return nil
		})
	}
	_ = group.Wait() // one that fails does not stop the others
	return results, errors.Join(errs...)
}

// build writes and builds programs, traced.
func build(ctx context.Context, dir string, programs []*program) (*executable, error) {
	e := &executable{dir: dir, binary: filepath.Join(dir, "programs"), waits: map[string]int{}}
	var text strings.Builder
	text.WriteString(support + "\nfunc main() {\n\tswitch os.Args[1] {\n")
	for i := range programs {
		fmt.Fprintf(&text, "\tcase \"%d\":\n\t\tprogram%d()\n", i, i)
	}
	text.WriteString("\t}\n}\n")
	for i, p := range programs {
		lines := strings.Count(text.String(), "\n")
		source, waits := p.print(fmt.Sprint("program", i))
		for line, task := range waits {
			e.waits[fmt.Sprintf("main.go:%d", lines+line)] = task
		}
		text.WriteString(source)
	}
	err := errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module programs\n\ngo 1.26\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "main.go"), []byte(text.String()), 0o666))
	if err != nil {
		return nil, err
	}
	b, err := instrument.Prepare(ctx, instrument.Config{
		Dir: dir, CacheDir: filepath.Join(dir, "cache"), Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		Specs: []rewrite.Spec{{Package: "programs"}},
	})
	if err != nil {
		return nil, err
	}
	if err := b.Compile(ctx, e.binary); err != nil {
		return nil, err
	}
	e.table, err = instrument.TableOf(e.binary)
	return e, err
}

// repeat runs a program until all that wait for ever are reported, so many times at most.
func (e *executable) repeat(ctx context.Context, number int, p *program) (*result, error) {
	r := &result{map[int]bool{}, map[int]bool{}, map[int]string{}}
	for range attempts {
		if err := e.run(ctx, number, r); err != nil {
			return nil, err
		}
		missing := false
		for task, endless := range p.endless() {
			missing = missing || endless && !r.observed[task]
		}
		if !missing {
			break
		}
	}
	return r, nil
}

// run runs a program once and notes what is reported.
func (e *executable) run(ctx context.Context, number int, r *result) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	checker, err := builtin.New(builtin.Deadlock, builtin.Stuck)
	if err != nil {
		return err
	}
	run, err := launch.Start(ctx, launch.Config{
		Binary: e.binary, Args: []string{fmt.Sprint(number)}, Stdin: null, Stdout: null, Stderr: null,
		Table: e.table, Root: e.dir, Watch: checker, Linger: linger,
	})
	if err != nil {
		return err
	}
	ended, err := run.Wait()
	switch {
	case err != nil:
		return err
	case !ended.Complete || ended.Missing > 0:
		return fmt.Errorf("program %d: the trace is not complete", number)
	}
	names := run.Names()
	e.note(r, checker.Findings(names), func(p builtin.Party) string { return names.Place(p.At).At })
	return nil
}

// note notes which tasks are reported.
func (e *executable) note(r *result, all []builtin.Finding, at func(builtin.Party) string) {
	for i := range all {
		f := &all[i]
		for _, p := range f.Parties {
			task, waits := e.waits[at(p)]
			switch {
			case !waits:
			case f.How == builtin.Observed:
				r.observed[task], r.text[task] = true, f.Text
			case f.How == builtin.Possible:
				r.possible[task] = true
			}
		}
		e.note(r, f.Also, at)
	}
}
