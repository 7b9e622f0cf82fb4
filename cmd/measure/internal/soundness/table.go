//go:build unix

package soundness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// row is what came of the programs with one construct.
type row struct {
	construct program.Construct
	programs  int
	states    []int
	reachable int // pairs
	predicted int // of these
	kept      int // pairs that the order of the run's sections shows, where other orders are looked at, too
	lost      int // of these, that are not reported then
	falsePair int
	falseIn   int // programs with something false

	findings  int // observed, or predicted without an assumption
	false     int // of these
	assumed   int // findings on an assumption
	unshown   int // of these, that no interleaving shows
	notJudged int // programs
}

// add counts a program.
func (r *row) add(s *subject, v verdict) {
	r.programs++
	r.states = append(r.states, s.reached.States)
	if v.judgement == nil {
		r.notJudged++
		return
	}
	pairs := v.doubted
	for _, m := range v.wrong {
		switch m.kind {
		case "pair":
			pairs++
		case "lost":
			r.lost++
		case "temporal", "stream", unseen:
		default:
			r.false++
		}
	}
	r.reachable += len(s.reached.Pairs)
	r.predicted += v.pairs - pairs
	r.kept += v.kept
	r.falsePair += pairs
	r.findings += v.certain
	r.assumed += v.assumed
	r.unshown += v.unshown
	if len(v.wrong)+v.doubted > 0 {
		r.falseIn++
	}
}

// include adds the counts of another row.
func (r *row) include(o *row) {
	r.programs += o.programs
	r.states = append(r.states, o.states...)
	r.reachable += o.reachable
	r.predicted += o.predicted
	r.kept += o.kept
	r.lost += o.lost
	r.falsePair += o.falsePair
	r.falseIn += o.falseIn
	r.findings += o.findings
	r.false += o.false
	r.assumed += o.assumed
	r.unshown += o.unshown
	r.notJudged += o.notJudged
}

var titles = []string{"construct", "programs", "states, median", "reachable pairs", "of these reported", "share", "in the order of the run",
	"of these lost", "false pairs",
	"findings", "false findings", "on assumptions", "of these not shown", "programs with something false", "not judged"}

func (r *row) cells() []string {
	slices.Sort(r.states)
	median, share := 0, "-"
	if len(r.states) > 0 {
		median = r.states[len(r.states)/2]
	}
	if r.reachable > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(r.predicted)/float64(r.reachable))
	}
	cells := []string{string(r.construct), fmt.Sprint(r.programs), fmt.Sprint(median), fmt.Sprint(r.reachable), fmt.Sprint(r.predicted), share}
	for _, n := range []int{r.kept, r.lost, r.falsePair, r.findings, r.false, r.assumed, r.unshown, r.falseIn, r.notJudged} {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// table writes the rows and their sum in Markdown.
func table(rows []*row) string {
	total := &row{construct: "all"}
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(titles)
	line(slices.Repeat([]string{"---"}, len(titles)))
	for _, r := range rows {
		if r.programs > 0 {
			line(r.cells())
			total.include(r)
		}
	}
	line(total.cells())
	return b.String()
}
