//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// procedureResult holds the times of a procedure on the public formulas.
type procedureResult struct {
	name    string
	seconds []float64 // of those that were decided
	missing int       // not decided within the limit
}

var satTable = table{"satisfiability", "decided", "ms, median", "ms, worst", "s, all that were decided", "target", "met"}

// spotLimit is how many seconds Spot has for a formula.
const spotLimit = 10

// satNotes say what is compared.
var satNotes = fmt.Sprintf(`A time is that of a formula in a process that runs: read, and decided. Spot (spottl of PyPI) translates it to a generalized Büchi
automaton, without simplifying that, and looks whether it is empty; a formula has %d s.
`, spotLimit)

func (d *procedureResult) cells(target float64) []string {
	middle := median(slices.Concat(d.seconds, slices.Repeat([]float64{spotLimit}, d.missing)))
	cells := []string{d.name, fmt.Sprint(len(d.seconds)), number(1000 * middle), number(1000 * slices.Max(append(d.seconds, 0))), number(sum(d.seconds))}
	if target == 0 {
		return append(cells, "", "")
	}
	return append(cells, fmt.Sprintf("< %v ms", 1000*target), yes(d.missing == 0 && middle < target))
}

func yes(is bool) string { return map[bool]string{true: "yes", false: "no"}[is] }

func sum(all []float64) (total float64) {
	for _, x := range all {
		total += x
	}
	return total
}

// satisfiable decides the public formulas, each a number of times, and once by Spot if that is
// there.
func (b *bench) satisfiable(count int, peer bool) (*tableText, error) {
	formulas, err := jsonLines[publicFormula](filepath.Join(b.root, "tlcheck/model/ltl/tableau/testdata/infinite.jsonl"))
	if err != nil {
		return nil, err
	}
	own, err := decideAll(formulas, count)
	if err != nil {
		return nil, err
	}
	t := satTable.start()
	t.add(own.cells(0.001)...)
	if !peer {
		return t, nil
	}
	spot, err := b.spot(formulas)
	if err != nil {
		return nil, err
	}
	t.add(spot.cells(0)...)
	return t, nil
}

// decideAll decides the formulas by the tableau.
func decideAll(formulas []publicFormula, count int) (procedureResult, error) {
	d := procedureResult{name: "antichain"}
	for _, q := range formulas {
		seconds, err := medianOf(count, func() error {
			f, err := temporal.Parse(q.ID, q.Formula, temporal.InfiniteLTL)
			if err != nil {
				return err
			}
			a, err := tableau.Sat(context.Background(), f)
			if err == nil && (a.Model != nil) != q.Sat {
				err = fmt.Errorf("%s: satisfiable %v, but that is known to be wrong", q.ID, !q.Sat)
			}
			return err
		})
		if err != nil {
			return d, err
		}
		d.seconds = append(d.seconds, seconds)
	}
	return d, nil
}

// spotVersion returns the version of Spot; an error says why it cannot be run.
func spotVersion() (string, error) {
	version, err := firstLine("python3", "-c", "import spot; print(spot.version())")
	return "Spot Version " + version, err
}

// spot decides the formulas by Spot, once.
func (b *bench) spot(formulas []publicFormula) (procedureResult, error) {
	d := procedureResult{name: "Spot"}
	var lines strings.Builder
	for _, q := range formulas {
		lines.WriteString(q.Formula + "\n")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(len(formulas)*spotLimit+60)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "python3", filepath.Join(b.root, "cmd/measure/testdata/satisfiable.py"), fmt.Sprint(spotLimit))
	cmd.Stdin = strings.NewReader(lines.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return d, fmt.Errorf("satisfiable.py: %w\n%s", err, &stderr)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != len(formulas) {
		return d, fmt.Errorf("satisfiable.py has %d answers to %d formulas", len(answers), len(formulas))
	}
	for i, a := range answers {
		var verdict string
		var seconds float64
		if _, err := fmt.Sscan(a, &verdict, &seconds); err != nil {
			return d, fmt.Errorf("satisfiable.py: %q: %w", a, err)
		}
		switch verdict {
		case "unknown":
			d.missing++
			continue
		case fmt.Sprint(formulas[i].Sat):
		default:
			return d, errors.New(formulas[i].ID + ": Spot says " + verdict)
		}
		d.seconds = append(d.seconds, seconds)
	}
	return d, nil
}
