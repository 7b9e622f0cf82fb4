//go:build unix

package versions

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// A cell is a row of the table: one check, made with each release.
type cell struct {
	name  string
	limit time.Duration
	check func(context.Context, *site) (*outcome, error)
}

// The names of cells that are compared between releases.
const (
	gokerAsIs   = "goker, as they stand"
	gokerSingle = "goker, single copies"
	gokerFixed  = "goker, fixed"
)

// The names of cells that are shorter forms of others.
const (
	selfTestsShortName = "self-tests of goroot, short"
	someProgramsName   = "built-in programs, some"
)

// cells are the rows, in the order in which they are made: what is quick comes first.
func cells() []*cell {
	list := []*cell{
		{"capabilities", 10 * time.Minute, capabilities},
		{"README", 10 * time.Minute, readme},
		{"README, built by the other", 15 * time.Minute, readmeByOther},
		{selfTestsShortName, 10 * time.Minute, selfTestsShort},
		{someProgramsName, 10 * time.Minute, somePrograms},
		{"examples", 30 * time.Minute, examples},
		{"example lease", 10 * time.Minute, lease},
		{"built-in programs", 30 * time.Minute, builtInPrograms},
		{"seeds", 15 * time.Minute, seeds},
	}
	for _, f := range features {
		list = append(list, &cell{f.name, 10 * time.Minute, f.check})
	}
	list = append(list,
		&cell{"self-tests of goroot", 30 * time.Minute, selfTestsOfGoroot},
		&cell{"self-tests of instrument", 45 * time.Minute, selfTestsOfInstrument},
	)
	for _, name := range suiteNames {
		list = append(list, &cell{"suite " + name, 30 * time.Minute, suite(name)})
	}
	return append(list,
		&cell{gokerFixed, 30 * time.Minute, goker("fixed", 1)},
		&cell{gokerAsIs, 60 * time.Minute, goker("asis", 1)},
		&cell{gokerSingle, 90 * time.Minute, goker("single", 10)},
	)
}

// quick are the cells of the short run with the other version.
var quick = []string{"README", selfTestsShortName, someProgramsName}

// run makes the check within its limit. An error of the check is an outcome; an interrupt of the
// whole run is not.
func (c *cell) run(ctx context.Context, s *site) (*outcome, error) {
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	start := time.Now()
	o, err := c.check(limited, s)
	if interrupted := ctx.Err(); interrupted != nil {
		return nil, interrupted
	}
	if err != nil {
		o = &outcome{Says: "could not be checked", Details: err.Error() + "\n"}
	}
	if limited.Err() != nil {
		o.OK, o.Says = false, fmt.Sprintf("not ended in %v", c.limit)
	}
	o.Seconds = time.Since(start).Seconds()
	return o, nil
}

// A check collects the commands of a cell and which of them differ from what is expected.
type check struct {
	done   int
	differ []part
}

// expect notes whether a command did what it ought to.
func (c *check) expect(name string, r *commandResult, differs string) {
	c.done++
	if r.aborted != nil {
		differs = "killed"
	}
	if differs == "" {
		return
	}
	c.differ = append(c.differ, part{name, differs + "\n" + r.details()})
}

// outcome is that of all the commands.
func (c *check) outcome() *outcome {
	var details strings.Builder
	writeParts(&details, c.differ)
	o := &outcome{OK: c.done > 0 && len(c.differ) == 0, Says: "ok", Details: details.String(), Failing: c.differ}
	switch {
	case c.done == 0:
		o.Says = "nothing was checked"
	case !o.OK && c.done == 1:
		o.Says = "differs"
	case !o.OK:
		o.Says = fmt.Sprintf("%d of %d differ", len(c.differ), c.done)
	case c.done > 1:
		o.Says = fmt.Sprintf("%d ok", c.done)
	}
	return o
}
