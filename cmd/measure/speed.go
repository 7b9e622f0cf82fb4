//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// speed compares what antichain takes with what that of another commit takes, in one sitting and in
// turn. It is an error if it has become slower.
//
// Ratios to a peer, such as the race detector, that were kept from another day would need no other
// commit. But those of the same commit differ by a fifth between two processors, which is more than
// what is looked for. Two executables in one sitting have the processor in common. Processor time
// is compared, since other work on the machine changes it less than the time that passes.
func speed(args []string) error {
	flags := selecting("speed", "rows whose names match this `pattern`: \"checking, ring, until\"")
	base := flags.String("base", "HEAD", "compare with this `commit`; what is compared may have changes")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newCommandBench()
	if err != nil {
		return err
	}
	defer b.remove()
	hash, err := b.buildBase(*base)
	if err != nil {
		return err
	}
	fmt.Printf("base: %s\n\nMedians of %d ratios of processor time, in turn.\n\n", hash, *flags.count)
	t := table{"table, row", "base", "this", "this / base", "again"}.start()
	flush(t)
	var measured [][]comparison
	for _, table := range b.speedTables() {
		rows, err := b.compareTable(table, flags.pattern.MatchString, *flags.count, t)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			measured = append(measured, rows)
		}
	}
	t = table{"table", "geometric mean"}.start()
	for _, rows := range measured {
		t.add(rows[0].table, fmt.Sprintf("%.3f", geometricMean(rows)))
	}
	fmt.Printf("\n%s", t)
	if said := slower(measured); len(said) > 0 {
		return fmt.Errorf("slower than %s:\n%s", hash, strings.Join(said, "\n"))
	}
	return nil
}

// baseDir has the files of the other commit.
func (b *bench) baseDir() string { return b.path("base") }

// buildBase builds antichain of a commit, and returns its hash.
func (b *bench) buildBase(commit string) (hash string, err error) {
	git := func(args ...string) *exec.Cmd {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stderr = b.root, os.Stderr
		return cmd
	}
	out, err := git("rev-parse", "--verify", commit+"^{commit}").Output()
	if err != nil {
		return "", fmt.Errorf("no commit %s in this clone (name one with -base; .ci/long speed needs all of the history): %w", commit, err)
	}
	hash = strings.TrimSpace(string(out))
	archive := git("archive", hash)
	files, err := archive.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.Mkdir(b.baseDir(), 0o777), archive.Start()); err != nil {
		return "", err
	}
	unpack := exec.Command("tar", "-x", "-C", b.baseDir())
	unpack.Stdin, unpack.Stderr = files, os.Stderr
	if err := errors.Join(unpack.Run(), archive.Wait()); err != nil {
		return "", fmt.Errorf("the files of %s: %w", hash, err)
	}
	return hash, goBuild(b.baseDir(), "-o", b.path("antichain-base"), "./cmd/antichain")
}

// compareTable measures the rows of a table that are wanted.
func (b *bench) compareTable(table speedTable, wanted func(string) bool, count int, printed *tableText) (measured []comparison, err error) {
	for _, r := range table.rows {
		name := table.name + ", " + r.name
		if !wanted(name) {
			continue
		}
		if r.prepare != nil {
			if err := r.prepare(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		var base, this []float64
		c, err := compare(table.name, r.name, func() (float64, error) {
			if base, this, err = b.inTurn(r, count); err != nil {
				return 0, err
			}
			return middleRatio(base, this), nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		measured = append(measured, c)
		again := ""
		if c.again > 0 {
			again = fmt.Sprintf("%.3f", c.again)
		}
		printed.add(name, r.format(median(base)), r.format(median(this)), fmt.Sprintf("%.3f", c.first), again)
		flush(printed)
	}
	return measured, nil
}

// inTurn runs a row with both executables, first the one and then the other first. The first pair,
// which fills caches, does not count.
func (b *bench) inTurn(r speedRow, count int) (base, this []float64, err error) {
	for i := range count + 1 {
		of := map[string]float64{}
		order := []string{b.path("antichain-base"), b.path("antichain")}
		if i%2 == 1 {
			order[0], order[1] = order[1], order[0]
		}
		for _, executable := range order {
			if of[executable], err = r.cost(executable); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", executable, err)
			}
		}
		if i > 0 {
			base, this = append(base, of[b.path("antichain-base")]), append(this, of[b.path("antichain")])
		}
	}
	return base, this, nil
}

// processorSeconds runs a command to its end and returns the processor time that it and what it has
// waited for took. Exit code 1 is an answer.
func processorSeconds(cmd *exec.Cmd) (float64, error) {
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	if err := cmd.Run(); exitCode(err) > 1 {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.String())
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}
