// Package globalstates counts how many of the states that a program can reach one run shows: in the
// order of its critical sections, in other orders, too (slices.Sections), and by a search of all
// states that mutual exclusion leaves.
//
// The runs are real executions of random goroutines with locks and messages. These do not branch,
// so all of them can be searched.
package globalstates

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
)

// row counts the states of some executions.
type row struct {
	title                       string
	runs, run, valid, reachable int
	more                        int // executions of which more are seen without the order of sections than with it
}

func (r *row) add(s *seen) {
	r.runs++
	r.run += len(s.run)
	r.valid += len(s.valid)
	r.reachable += len(s.reachable)
	if len(s.valid) > len(s.run) {
		r.more++
	}
}

func (r *row) print(w io.Writer) {
	share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(r.reachable, 1))) }
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %s | %s | %d |\n",
		r.title, r.runs, r.reachable, r.run, r.valid, share(r.run), share(r.valid), r.more)
}

// Run makes the table and prints it. It is an error if a state is seen that cannot be reached.
func Run(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("states", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "make the runs of this `number`")
	runs := flags.Int("runs", 3000, "so `many` runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *runs < 1 || flags.NArg() > 0 {
		return errors.New("-runs must be at least 1, and no arguments follow the flags")
	}
	rows, err := count(*seed, *runs)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "| runs of | runs | states | in the order of the run | in other orders, too | share | share in other orders | runs that show more |\n",
		"| --- | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, r := range rows {
		r.print(w)
	}
	return nil
}

// count makes runs of each number of goroutines and each construct by turns, and counts their
// states.
func count(seed uint64, runs int) ([]*row, error) {
	byGoroutines, byConstruct, all := map[int]*row{}, map[string]*row{}, &row{title: "all"}
	var rows []*row
	for g := 2; g <= len(position{}); g++ {
		byGoroutines[g] = &row{title: fmt.Sprintf("%d goroutines", g)}
		rows = append(rows, byGoroutines[g])
	}
	for _, c := range constructs {
		byConstruct[c.name] = &row{title: c.name}
		rows = append(rows, byConstruct[c.name])
	}
	for i := range runs {
		c, goroutines := constructs[i%len(constructs)], 2+i/len(constructs)%len(byGoroutines)
		x := execute(rand.New(rand.NewPCG(seed, uint64(i))), c, goroutines)
		s, err := look(&x)
		if err != nil {
			return nil, fmt.Errorf("run %d of seed %d: %w", i, seed, err)
		}
		for _, r := range []*row{byGoroutines[goroutines], byConstruct[c.name], all} {
			r.add(s)
		}
	}
	return append(rows, all), nil
}
