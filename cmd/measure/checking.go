//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
)

// checking prints what checks take.
func checking(args []string) error {
	flags := flag.NewFlagSet("checking", flag.ContinueOnError)
	only := flags.String("run", "", "only the rows whose names match this `pattern`: \"ring 20×50, violated, until\"")
	seeds := flags.Int("seeds", 20, "runs of each row")
	limit := flags.Duration("limit", 20*time.Second, "time for one check")
	memory := flags.Float64("memory", 4096, "most memory of a row, in `MiB`")
	list := flags.Bool("list", false, "only name the rows")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *seeds < 1 || flags.NArg() > 0 {
		return fmt.Errorf("-seeds must be at least 1, and no arguments follow the flags")
	}
	rows := checkRows(4, 20, *seeds, *limit)
	rows = append(rows, checkRows(20, 50, *seeds, *limit)...)
	rows = append(rows, checkRows(250, 200, *seeds, *limit)...)
	rows = append(rows, millionRows(*seeds, *limit)...)
	rows = append(rows, questionRows(*seeds, *limit)...)
	dir, err := os.MkdirTemp("", "measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	printed := new(tableText)
	if !*list {
		fmt.Printf("%d seeds, net building included; a check may take %v.\n\n", *seeds, *limit)
		printed = checkTable.start()
	}
	flush(printed)
	for _, r := range rows {
		switch {
		case !pattern.MatchString(r.name()):
			continue
		case *list:
			fmt.Println(r.name())
			continue
		}
		if r.Trace != "" {
			r.Trace = filepath.Join(dir, r.Trace)
			r.Config.Seed = 1
			if err := writeTrace(r.Config, r.Trace); err != nil {
				return err
			}
		}
		c, err := r.measure(*memory)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		printed.add(c.cells()...)
		flush(printed)
	}
	if err := printSectionRows(pattern, *seeds, *limit, *memory, *list); err != nil {
		return err
	}
	if *list || !pattern.MatchString("enumeration") {
		return nil
	}
	text, err := enumerate(*seeds)
	if err != nil {
		return err
	}
	fmt.Print("\n", text)
	return nil
}

// flush prints what has been added.
func flush(t *tableText) {
	fmt.Print(t.String())
	t.Reset()
}

// millionRows returns rows of a million events, which are read from a trace.
func millionRows(seeds int, limit time.Duration) []checkRow {
	var rows []checkRow
	f := workload.Formulas()[0]
	for _, size := range []struct {
		tasks, events int
		target        target
	}{
		{64, 15625, target{seconds: 1, speed: 1}},
		{100_000, 10, target{seconds: 30, mib: 2048}},
	} {
		for _, p := range workload.Patterns() {
			for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
				c := workload.Config{Pattern: p, Variant: v, Tasks: size.tasks, Events: size.events}
				text, ok := f.Text(c)
				if !ok {
					continue
				}
				rows = append(rows, checkRow{title: f.Name, target: size.target,
					job: job{Config: c, Formula: text, Seeds: min(seeds, 5), Limit: 2 * limit, Trace: "trace.bin"}})
			}
		}
	}
	return rows
}
