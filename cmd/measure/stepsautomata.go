//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// publicFormula is a formula of a public collection, with its answer.
type publicFormula struct {
	ID       string `json:"id"`
	Formula  string `json:"formula"`
	Sat      bool   `json:"sat"`
	Shortest int    `json:"shortest"` // letters of its shortest models, over finite words
}

// translationResult holds the measurements of a formula.
type translationResult struct {
	decided, whole, literal float64 // seconds, medians; each is with reading the formula
	size, nodes             int     // states of the automaton, and nodes of the literal algorithm
	cut                     bool    // the literal algorithm would make more nodes
}

// literalNodes is where the literal algorithm is stopped. No automaton of ours has as many states.
const literalNodes = 4000

// What a formula may take.
const (
	medianTarget = 1e-3
	worstTarget  = 10.0
)

// automataTable measures the public formulas. A wrong answer, a model that is not one or not
// shortest, and more states than the literal algorithm has nodes are errors.
func automataTable(dir string, count int) error {
	all, err := jsonLines[publicFormula](filepath.Join(dir, "tlcheck/model/ltl/testdata/finite.jsonl"))
	if err != nil {
		return err
	}
	var results []translationResult
	for i := range all {
		t, err := all[i].measure(count)
		if err != nil {
			return fmt.Errorf("%s: %w", all[i].ID, err)
		}
		results = append(results, t)
	}
	fmt.Print(automataText(results))
	return nil
}

// measure measures a formula, and checks all that is known of it.
func (p *publicFormula) measure(count int) (t translationResult, err error) {
	ctx := context.Background()
	timed := func(count int, do func(*temporal.Formula) error) (seconds float64) {
		if err != nil {
			return 0
		}
		seconds, err = medianOf(count, func() error {
			f, err := temporal.Parse(p.ID, p.Formula, temporal.FiniteLTL)
			if err != nil {
				return err
			}
			return do(f)
		})
		return seconds
	}
	t.decided = timed(count, func(f *temporal.Formula) error {
		word, sat, err := ltl.Sat(ctx, f)
		return errors.Join(err, p.check(f, word, sat))
	})
	t.whole = timed(count, func(f *temporal.Formula) (err error) {
		t.size, err = ltl.Size(ctx, f)
		return err
	})
	// It takes long where it has many nodes, and is only there to be compared with.
	t.literal = timed(1, func(f *temporal.Formula) error {
		nodes, err := ltl.Literal(ctx, f, literalNodes)
		t.nodes, t.cut = nodes.Size(), errors.Is(err, ltl.ErrNodes)
		if t.cut {
			t.nodes, err = literalNodes, nil
		}
		return err
	})
	if err == nil && t.size > t.nodes {
		err = fmt.Errorf("%d states, and the literal algorithm has %d nodes", t.size, t.nodes)
	}
	return t, err
}

// check returns an error if an answer is wrong. Its time, which is that of reading the word once,
// is part of what is measured.
func (p *publicFormula) check(f *temporal.Formula, word ltl.Word, sat bool) error {
	if sat != p.Sat {
		return fmt.Errorf("satisfiable %v, which is wrong", sat)
	}
	if !sat {
		return nil
	}
	if len(word) != p.Shortest {
		return fmt.Errorf("a model of %d letters, and the shortest has %d", len(word), p.Shortest)
	}
	holds, err := ltl.Holds(context.Background(), f, word)
	if err == nil && !holds {
		err = fmt.Errorf("%v is no model", word)
	}
	return err
}

// automataText is the table.
func automataText(results []translationResult) string {
	var b tableText
	fmt.Fprintf(&b, "%d public formulas, reading included. All answers are right, every model is one and as short as can be, and no\n"+
		"formula has more states than the literal algorithm makes nodes, which was stopped at %d.\n\n", len(results), literalNodes)
	b.add("formula to", "median, ms", "worst, ms", "target", "met", "nodes, median", "most", "not to the end")
	b.add("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:")
	for _, r := range []struct {
		title   string
		seconds func(translationResult) float64
		nodes   func(translationResult) int
		target  bool
	}{
		{"satisfiable or not, and a model", func(t translationResult) float64 { return t.decided }, nil, true},
		{"the whole automaton", func(t translationResult) float64 { return t.whole }, func(t translationResult) int { return t.size }, true},
		{"nodes by the literal algorithm", func(t translationResult) float64 { return t.literal }, func(t translationResult) int { return t.nodes }, false},
	} {
		var took, nodes []float64
		cut := 0
		for _, t := range results {
			took = append(took, r.seconds(t))
			if r.nodes != nil {
				nodes = append(nodes, float64(r.nodes(t)))
			}
			if t.cut && !r.target {
				cut++
			}
		}
		cells := []string{r.title, number(1000 * median(took)), number(1000 * slices.Max(took)), "-", "-", "-", "-", fmt.Sprint(cut)}
		if r.target {
			cells[3] = fmt.Sprintf("median < %v, worst < %v", 1000*medianTarget, 1000*worstTarget)
			cells[4] = map[bool]string{true: "yes", false: "no"}[median(took) < medianTarget && slices.Max(took) < worstTarget]
		}
		if r.nodes != nil {
			cells[5], cells[6] = fmt.Sprint(median(nodes)), fmt.Sprint(slices.Max(nodes))
		}
		b.add(cells...)
	}
	return b.String()
}
