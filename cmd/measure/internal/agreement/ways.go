//go:build unix

package agreement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/antichain-go/antichain/internal/findingset"
)

// local runs a program and asks the ways that need no Kafka.
func (c *comparison) local(ctx context.Context, g *group, r *run) (err error) {
	if r.found, err = c.reports(ctx, c.patience, g, nil, r.verb, slices.Concat(checkAll, g.flags, []string{"-o", r.trace}, r.args)...); err != nil {
		return err
	}
	if r.by[wayCheck], err = c.reports(ctx, c.patience, g, nil, "check", slices.Concat(checkAll, g.flags, []string{r.trace})...); err != nil {
		return err
	}
	trace, err := os.Open(r.trace)
	if err != nil {
		return err
	}
	defer trace.Close()
	// A reader that is no file makes a pipe of it.
	r.by[wayPipe], err = c.reports(ctx, c.patience, g, struct{ io.Reader }{trace}, "monitor", slices.Concat(checkAll, g.flags, []string{"--keep-going", "-"})...)
	return err
}

// checkAll are the flags by which all built-in properties are checked.
var checkAll = []string{"--json", "--builtin", "all"}

// reports runs a verb and returns what it says. Out of time it is interrupted. How it exits does
// not matter.
func (c *comparison) reports(ctx context.Context, patience time.Duration, g *group, in io.Reader, verb string, args ...string) ([]*findingset.Report, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var out bytes.Buffer
	cmd := c.verb(ctx, g, verb, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("antichain %s: %w", verb, err)
	}
	said, err := findingset.Parse(out.Bytes())
	if err == nil && len(said) == 0 {
		err = fmt.Errorf("nothing was checked: %s", out.Bytes()[max(0, out.Len()-1000):])
	}
	if err != nil {
		return nil, fmt.Errorf("antichain %s: %w", verb, err)
	}
	return said, nil
}

// verb is a command of antichain. When the context ends it is interrupted, and a program that it
// runs with it; it is killed if that does not end it.
func (c *comparison) verb(ctx context.Context, g *group, verb string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.antichain, append([]string{verb}, args...)...)
	cmd.Dir = g.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	return cmd
}
