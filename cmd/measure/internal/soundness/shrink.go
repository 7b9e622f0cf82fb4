//go:build unix

package soundness

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// attempts is how many runs a smaller program has to show the mistake again: that may depend on the
// schedule.
const attempts = 3

// example is a program with a mistake of antichain.
type example struct {
	program *program.Program
	reached *interleaving.Reached
	mistake mistake
}

// shrink makes the program smaller as long as some mistake of the same kind remains. Most marked
// places have nothing to do with it. Then each round tries what can be left out, one by one, and
// together what could be left out so.
func (e example) shrink(ctx context.Context, examine examiner) (example, error) {
	if smaller, _, err := e.try(ctx, examine, [][]program.Reduction{e.otherMarks()}); err != nil {
		return e, err
	} else if len(smaller) > 0 {
		e = smaller[0]
	}
	for {
		var single [][]program.Reduction
		for _, r := range e.program.Reductions() {
			single = append(single, []program.Reduction{r})
		}
		smaller, worked, err := e.try(ctx, examine, single)
		if err != nil || len(smaller) == 0 {
			return e, err
		}
		best := smaller[0]
		if len(worked) > 1 {
			var together [][]program.Reduction
			for n := 2; n <= len(worked); n++ {
				together = append(together, slices.Concat(worked[:n]...))
			}
			if smaller, _, err = e.try(ctx, examine, together); err != nil {
				return e, err
			}
		}
		e = slices.MinFunc(append(smaller, best), bySize)
	}
}

// otherMarks drops the marked places that the mistake does not name.
func (e example) otherMarks() []program.Reduction {
	var drops []program.Reduction
	for i, s := range e.program.Statements() {
		if s.Op == program.Mark && !strings.Contains(e.mistake.what, fmt.Sprintf("in.at_%d ", s.N)) {
			drops = append(drops, program.Reduction{Stmt: i})
		}
	}
	return drops
}

func bySize(a, b example) int {
	return cmp.Compare(len(a.program.Statements()), len(b.program.Statements()))
}

// try examines smaller programs. It returns those that show the mistake, the smallest first, and
// how these were made.
func (e example) try(ctx context.Context, examine examiner, sets [][]program.Reduction) ([]example, [][]program.Reduction, error) {
	var programs []*program.Program
	var reached []*interleaving.Reached
	var made [][]program.Reduction
	for _, set := range sets {
		p := e.program.Reduce(set...)
		if r, err := interleaving.Explore(p, mostStates); err == nil {
			programs, reached, made = append(programs, p), append(reached, r), append(made, set)
		}
	}
	if len(programs) == 0 {
		return nil, nil, nil
	}
	verdicts, err := examine(ctx, programs, reached, attempts, func(v verdict) bool { return v.find(e.mistake.kind) != nil })
	if err != nil {
		return nil, nil, err
	}
	type result struct {
		example
		set []program.Reduction
	}
	var results []result
	for i, v := range verdicts {
		if m := v.find(e.mistake.kind); m != nil {
			results = append(results, result{example{programs[i], reached[i], *m}, made[i]})
		}
	}
	slices.SortStableFunc(results, func(a, b result) int { return bySize(a.example, b.example) })
	var examples []example
	var worked [][]program.Reduction
	for _, r := range results {
		examples, worked = append(examples, r.example), append(worked, r.set)
	}
	return examples, worked, nil
}

// find returns a mistake of that kind, if there is one.
func (v verdict) find(kind string) *mistake {
	if v.judgement == nil {
		return nil
	}
	if i := slices.IndexFunc(v.wrong, func(m mistake) bool { return m.kind == kind }); i >= 0 {
		return &v.wrong[i]
	}
	return nil
}

// mostPairs is how many pairs of places are listed.
const mostPairs = 20

// String is the program with what is wrong, and with what it can do instead.
func (e example) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s: %s\n    %s\n", e.program, e.mistake.kind, e.mistake.what, e.mistake.why)
	fmt.Fprintf(&b, "In its %d states these are the pairs of places:", e.reached.States)
	var pairs []string
	for p := range e.reached.Pairs {
		pairs = append(pairs, fmt.Sprintf("\n    at_%d(%d) and at_%d(%d)", p[0].Mark, p[0].Value, p[1].Mark, p[1].Value))
	}
	slices.Sort(pairs)
	if len(pairs) == 0 {
		pairs = []string{" none"}
	}
	if more := len(pairs) - mostPairs; more > 0 {
		pairs = append(pairs[:mostPairs], fmt.Sprintf("\n    and %d more", more))
	}
	for f := range e.reached.Failures {
		pairs = append(pairs, fmt.Sprintf("\n    it can fail: %s", f.Reason))
	}
	return b.String() + strings.Join(pairs, "") + "\n"
}
