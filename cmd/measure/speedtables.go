//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/workload"
)

// speedTable is a part of what is compared.
type speedTable struct {
	name string
	rows []speedRow
}

// speedRow is what takes time. Executables are only told apart by what users type, which commits
// have in common, and not by their packages.
type speedRow struct {
	name    string
	prepare func() error // nil if nothing is to be done before the first run
	cost    func(antichain string) (float64, error)
	format  func(float64) string
}

func (b *bench) speedTables() []speedTable {
	return []speedTable{
		{"start", b.commandRows()},
		{"tracing", b.tracedRows(func(s sample, _ row) float64 { return s.cpu }, number,
			"--builtin", "none", "--spec", "testdata/rows.tl")},
		{"built-in properties", b.tracedRows(wholeRun, seconds)},
		{"recording", b.tracedRows(wholeRun, seconds, "-o", b.trace)},
		{"checking", b.checkedRows()},
		{"monitor", b.monitoredRows()},
	}
}

// wholeRun is the processor time of the program, of a row of operations, and of antichain beside
// it, in seconds.
func wholeRun(s sample, r row) float64 { return s.cpu*float64(r.n)/1e9 + s.watched }

// commandRows are commands that have next to nothing to do.
func (b *bench) commandRows() []speedRow {
	return []speedRow{
		b.commandRow("run", nil, "run", "--builtin", "none", program, "mutex", "1"),
		b.commandRow("run with a specification", nil, "run", "--spec", "testdata/rows.tl", program, "mutex", "1"),
		b.commandRow("explain", nil, "explain", "--spec", filepath.Join(b.root, "examples/workers/workers.tl")),
	}
}

func (b *bench) commandRow(name string, prepare func() error, words ...string) speedRow {
	return speedRow{name, prepare, func(antichain string) (float64, error) {
		cmd := exec.Command(antichain, words...)
		cmd.Dir = b.module()
		return processorSeconds(cmd)
	}, func(x float64) string { return fmt.Sprintf("%.3f", x) }}
}

// tracedRows are the operations of testdata/rows in a traced program.
func (b *bench) tracedRows(cost func(sample, row) float64, format func(float64) string, flags ...string) (all []speedRow) {
	for _, r := range rows {
		if slices.ContainsFunc(all, func(other speedRow) bool { return other.name == r.name }) {
			continue // the same for longer
		}
		all = append(all, speedRow{r.name, nil, func(antichain string) (float64, error) {
			cmd := exec.Command(antichain, slices.Concat([]string{"run"}, flags, []string{program, r.name, fmt.Sprint(r.n)})...)
			cmd.Dir = b.module()
			// A trace that another version has left is none for this one.
			if err := os.Remove(b.trace); err != nil && !os.IsNotExist(err) {
				return 0, err
			}
			s, said, err := sampleOf(cmd)
			if err == nil && strings.Contains(said, "lost") {
				err = fmt.Errorf("records are missing:\n%s", said)
			}
			return cost(s, r), err
		}, format})
	}
	return all
}

// quickFormulas are those that take long enough to be measured, and not much longer.
var quickFormulas = []string{"exclusion of 3", "before, 3 TIVs", "until", "response"}

// checkedRows are complete checks of traces in which the formulas hold.
func (b *bench) checkedRows() (all []speedRow) {
	for _, r := range checkRows(250, 200, 1, 0) {
		if r.Config.Variant != workload.Holds || !slices.Contains(quickFormulas, r.title) {
			continue
		}
		r.Config.Seed = 1
		path := b.path("checked.trace")
		all = append(all, b.commandRow(fmt.Sprintf("%v, %s", r.Config.Pattern, r.title), func() error { return writeTrace(r.Config, path) },
			"check", "-e", r.Formula, path))
	}
	return all
}

// monitoredRows are checks of the same traces while they come in.
func (b *bench) monitoredRows() (all []speedRow) {
	const events = 400_000
	for _, r := range monitorRows(events) {
		if r.config.Tasks > 100 {
			continue // a second for every thousand events
		}
		path, words := b.path("monitored.trace"), []string{"monitor"}
		for _, f := range r.formulas {
			words = append(words, "-e", f)
		}
		all = append(all, b.commandRow(r.name(), func() error { return writeTrace(r.config, path) }, append(words, path)...))
	}
	return all
}
