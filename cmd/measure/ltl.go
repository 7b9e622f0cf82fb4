//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// linear prints the table of Sherman and Pnueli, "Model Checking for Linear Temporal Logic" (1990),
// section 6.3, with its numbers beside those of today, and goes on with more processes.
func linear(args []string) error {
	flags := selecting("ltl", "rows whose names match this `pattern`: \"X1, n=4: safety\"")
	if err := flags.parse(args); err != nil {
		return err
	}
	fmt.Printf("Medians of %d, without reading the program. Every process moves infinitely often. In brackets what the report prints.\n\n", *flags.count)
	printed := linearTable.start()
	flush(printed)
	err := eachRow(linearRows, (*linearRow).name, flags.pattern, func(r *linearRow) error {
		cells, err := r.measure("examples/programs", *flags.count)
		if err != nil {
			return err
		}
		printed.add(cells...)
		flush(printed)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Print("\n", linearNotes)
	return nil
}

var linearTable = table{"program", "property", "holds", "nodes of the tableau", "satisfiability, s", "pairs of the product", "product, s"}

// linearNotes say why numbers are not those of the report.
const linearNotes = `The nodes are those of all the tableau, but a search by satisfiability stops at the first model, and one by the product at the first path.

For safety the nodes are the formula and all transitions of the program, and for liveness also the transitions between a request and
what is promised. The report has one more. For liveness of X1 with 6 and of X2 with 5 processes it has each of them twice: where p_i
holds, a formula F p_i has two ways, now and later. 10289 for X1 with 5 processes and 4598 for X2 with 4 fit neither way of counting.

The report's product has a state for each process that may move next, so its pairs for safety are n times ours, and one. Fairness is a
formula there; here it is no part of a pair.
`

// linearRow is a row of the report, or one beyond it.
type linearRow struct {
	program  string // its file is named like that in lower case
	n        int64
	property string
	printed  [4]string // in the order of the columns; "" where the report has nothing
	product  bool      // only the product
}

var linearRows = []linearRow{
	{"X1", 4, safety, [4]string{"1514", "18.67", "1189", "5.61"}, false},
	{"X1", 4, liveness, [4]string{"2423", "78.94", "2566", "8.75"}, false},
	{"X1", 4, communal, [4]string{"2171", "78.39", "3493", "55.08"}, false},
	{"X1", 5, safety, [4]string{"6752", "113.37"}, false},
	{"X1", 5, liveness, [4]string{"10289", "582.03"}, false},
	{"X1", 5, communal, [4]string{"9587", "560.51"}, false},
	{"X1", 6, safety, [4]string{"28190", "698.46"}, false},
	{"X1", 6, liveness, [4]string{"91316", "8125.0"}, false},
	{"X1", 6, communal, [4]string{"79436", "7616.0"}, false},
	{"X2", 4, safety, [4]string{"4598", "214.46", "3429", "50.49"}, false},
	{"X2", 4, liveness, [4]string{"6824", "885.02", "7541", "69.53"}, false},
	{"X2", 5, safety, [4]string{"23012", "2106.17"}, false},
	{"X2", 5, liveness, [4]string{"73330", "19742.0"}, false},
	{"X2", 6, liveness, [4]string{}, true},
	{"X2", 7, liveness, [4]string{}, true},
	{"X2", 8, liveness, [4]string{}, true},
	{"X1", 8, liveness, [4]string{}, true},
	{"X1", 8, communal, [4]string{}, true},
	{"X1", 10, liveness, [4]string{}, true},
	{"X1", 10, communal, [4]string{}, true},
}

// The properties of the report, and one that is not live if processes may be forgotten.
const (
	safety   = "safety"
	liveness = "liveness"
	communal = "communal liveness"
	unfair   = "liveness, without fairness"
)

// philosophers is the name of the program in which processes can wait for each other for ever.
const philosophers = "Philosophers"

func (r *linearRow) name() string { return fmt.Sprintf("%s, n=%d: %s", r.program, r.n, r.property) }

// inside is a process in its critical section.
func (r *linearRow) inside(process int64) string {
	if r.program == "Peterson" && process == 2 {
		return "P2.at.M3"
	}
	if r.program == philosophers {
		return fmt.Sprintf("P%d.at.eat", process)
	}
	return fmt.Sprintf("P%d.at.L3", process)
}

// formula returns the property of the row as a formula. L1 and L2 are where a process wants to get
// in.
func (r *linearRow) formula() string {
	var inside, pairs []string
	for i := range r.n {
		inside = append(inside, r.inside(i+1))
		for j := range i {
			if r.program == philosophers && i-j != 1 && i-j != r.n-1 {
				continue // only neighbours exclude each other
			}
			pairs = append(pairs, fmt.Sprintf("!(%s & %s)", inside[j], inside[i]))
		}
	}
	switch r.property {
	case liveness, unfair:
		return fmt.Sprintf("G (P1.at.L1 | P1.at.L2 -> F %s)", inside[0])
	case communal:
		return fmt.Sprintf("G (P1.at.L1 | P1.at.L2 -> F (%s))", strings.Join(inside, " | "))
	}
	return fmt.Sprintf("G (%s)", strings.Join(pairs, " & "))
}

// file is where the program is, in a directory.
func (r *linearRow) file(dir string) string {
	return filepath.Join(dir, strings.ToLower(r.program)+".gcl")
}

// read reads the program.
func (r *linearRow) read(dir string) (*gcl.File, error) {
	text, err := os.ReadFile(r.file(dir))
	if err != nil {
		return nil, err
	}
	return gcl.Parse(r.file(dir), string(text))
}

// system returns the program for as many processes.
func (r *linearRow) system(file *gcl.File) (*gcl.System, error) {
	if r.program == "Peterson" { // it has no parameter
		return gcl.New(file, nil)
	}
	return gcl.New(file, map[string]int64{"n": r.n})
}

// measure returns the cells of a row.
func (r *linearRow) measure(dir string, count int) ([]string, error) {
	file, err := r.read(dir)
	if err != nil {
		return nil, err
	}
	f, err := temporal.Parse("formula", r.formula(), temporal.InfiniteLTL)
	if err != nil {
		return nil, err
	}
	cells := []string{fmt.Sprintf("%s, n=%d", r.program, r.n), r.property}
	pairs, holds, product, err := r.byProduct(file, f, count)
	if err != nil {
		return nil, err
	}
	nodes, seconds := "", ""
	if !r.product {
		size, satisfiability, err := r.bySatisfiability(file, f, count, holds)
		if err != nil {
			return nil, err
		}
		nodes, seconds = strconv.Itoa(size), fmt.Sprintf("%.3f", satisfiability)
	}
	cells = append(cells, map[bool]string{true: "yes", false: "no"}[holds])
	for i, cell := range []string{nodes, seconds, strconv.Itoa(pairs), fmt.Sprintf("%.3f", product)} {
		if r.printed[i] != "" {
			cell += " (" + r.printed[i] + ")"
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// byProduct makes the graph of the program and checks the formula on it.
func (r *linearRow) byProduct(file *gcl.File, f *temporal.Formula, count int) (pairs int, holds bool, seconds float64, err error) {
	seconds, err = medianOf(count, func() error {
		s, err := r.system(file)
		if err != nil {
			return err
		}
		g, err := kripke.Explore(context.Background(), s)
		if err != nil {
			return err
		}
		v, err := tableau.Check(context.Background(), g, kripke.Process, f)
		if err == nil {
			pairs, holds = v.Pairs, v.Counterexample == nil
		}
		return err
	})
	return pairs, holds, seconds, err
}

// bySatisfiability makes the formula of the program and decides it.
func (r *linearRow) bySatisfiability(file *gcl.File, f *temporal.Formula, count int, holds bool) (nodes int, seconds float64, err error) {
	var violation *temporal.Formula
	seconds, err = medianOf(count, func() error {
		s, err := r.system(file)
		if err != nil {
			return err
		}
		theory, err := gcl.NewTheory(s)
		if err != nil {
			return err
		}
		if violation, err = theory.Violation(kripke.Process, f); err != nil {
			return err
		}
		a, err := tableau.Sat(context.Background(), violation)
		if err == nil && (a.Model == nil) != holds {
			err = fmt.Errorf("the methods do not agree: it holds by the product: %v", holds)
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	nodes, err = tableau.Size(context.Background(), violation)
	return nodes, seconds, err
}

// medianOf returns the median of the seconds that something takes.
func medianOf(count int, do func() error) (float64, error) {
	var seconds []float64
	for range count {
		begin := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		seconds = append(seconds, time.Since(begin).Seconds())
	}
	return median(seconds), nil
}
