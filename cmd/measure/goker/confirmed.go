//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A prediction is a row of the scoreboard of what is confirmed: what runs of a kernel predict, and
// whether it then happens.
type prediction struct {
	extra
	ofBug     bool
	runs      int      // that predicted it, and tried to confirm it
	confirmed int      // of those
	attempts  int      // of all of them together
	details   []string // of those that did not confirm it

	reruns, happened int // plain ones, and those that observed it
}

// maxAttempts is how many attempts --confirm makes, and how many plain reruns are made beside it.
const maxAttempts = 10

// confirm returns what runs of a kernel predict, and what came of that, and which runs were not
// checked.
func (g *game) confirm(ctx context.Context, name string) (predictions []*prediction, failures []string) {
	limits := g.limits
	limits.Program *= 20 // each finding has its own time
	known := make(map[extra]*prediction)
	for i := range g.runs {
		found, err := g.found(ctx, limits, "--confirm", "./single/"+name)
		if err != nil {
			failures = append(failures, fmt.Sprintf("%s: run %d: %v", name, i+1, err))
		}
		for _, f := range found {
			if f.ConfirmationObject == nil {
				continue
			}
			e := extraOf(name, f)
			if known[e] == nil {
				known[e] = &prediction{extra: e, ofBug: g.expected[name].ofBug(f)}
				predictions = append(predictions, known[e])
			}
			known[e].add(f.ConfirmationObject)
		}
	}
	for i := 0; i < maxAttempts && len(predictions) > 0; i++ {
		found, err := g.found(ctx, g.limits, "./single/"+name)
		if err != nil {
			failures = append(failures, fmt.Sprintf("%s: plain rerun %d: %v", name, i+1, err))
		}
		for _, p := range predictions {
			p.reruns++
			p.happened += count(slices.ContainsFunc(found, p.isObserved))
		}
	}
	slices.SortFunc(predictions, func(a, b *prediction) int { return compareExtras(a.extra, b.extra) })
	return predictions, failures
}

// found is what a run reports, be it only possible.
func (g *game) found(ctx context.Context, limits reported.Limits, args ...string) ([]*report.BuiltinObject, error) {
	r, err := reports(ctx, g.workspace, limits, nil, args...)
	return append(r.Findings, r.Possible...), err
}

func (p *prediction) add(c *report.ConfirmationObject) {
	p.runs++
	p.attempts += c.Attempts
	if c.Confirmed == tlcheck.Confirmed.String() {
		p.confirmed++
	} else {
		p.details = append(p.details, fmt.Sprintf("%s in %d attempts: %s", c.Confirmed, c.Attempts, c.Detail))
	}
}

// isObserved reports whether a run saw what was predicted: the same property at the same places, or
// one deadlock in other words.
func (p *prediction) isObserved(f *report.BuiltinObject) bool {
	same := extraOf(p.program, f)
	waits := func(property string) bool {
		return property == string(builtin.Deadlock) || property == string(builtin.Stuck)
	}
	return f.Happened && same.places == p.places && (same.property == p.property || waits(same.property) && waits(p.property))
}

// isTrue reports whether the prediction names the bug, or was judged to be true.
func (p *prediction) isTrue(judged map[extra]verdict) bool { return p.ofBug || judged[p.extra].right }

// writeConfirmed plays the scoreboard of what is confirmed and prints it.
func (g *game) writeConfirmed(ctx context.Context, w io.Writer, title string, judged map[extra]verdict) error {
	var (
		all      []*prediction
		failures []string
		lock     sync.Mutex
		players  errgroup.Group
	)
	players.SetLimit(g.parallel)
	for _, k := range g.kernels {
		if !g.only.MatchString(k.Name) {
			continue
		}
		players.Go(func() error {
			predictions, failed := g.confirm(ctx, k.Name)
			lock.Lock()
			all, failures = append(all, predictions...), append(failures, failed...)
			lock.Unlock()
			fmt.Fprintf(os.Stderr, "confirmed: %s is done\n", k.Name)
			return nil
		})
	}
	_ = players.Wait() // what failed is in failures
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *prediction) int { return strings.Compare(a.program, b.program) })
	slices.Sort(failures)
	writePredictions(w, title, all, failures, judged)
	return nil
}

// writePredictions prints a scoreboard, its totals and what was not confirmed.
func writePredictions(w io.Writer, title string, all []*prediction, failures []string, judged map[extra]verdict) {
	fmt.Fprintf(w, "%s\n\n", title)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "kernel\tproperty\tplaces\ttrue\tconfirmed\tattempts\tplain reruns")
	for _, p := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d/%d\t%d\t%d/%d\n", p.program, p.property, p.places, yes(p.isTrue(judged)), p.confirmed, p.runs, p.attempts, p.happened, p.reruns)
	}
	t.Flush()
	fmt.Fprintln(w)
	all = slices.DeleteFunc(slices.Clone(all), func(p *prediction) bool { return !p.isTrue(judged) })
	fmt.Fprintln(w, confirmedTotals("true predictions", all))
	fmt.Fprintln(w, confirmedTotals("of deadlocks", slices.DeleteFunc(slices.Clone(all), func(p *prediction) bool { return p.property != string(builtin.Deadlock) })))
	fmt.Fprintf(w, "\n")
	for _, p := range all {
		for _, d := range p.details {
			fmt.Fprintf(w, "%s %s %s: %s\n", p.program, p.property, p.places, d)
		}
	}
	for _, f := range failures {
		fmt.Fprintln(w, f)
	}
}

// confirmedTotals are the sums of some predictions.
func confirmedTotals(what string, all []*prediction) string {
	var sum prediction
	ever, plain, rates := 0, 0, 0.0
	for _, p := range all {
		sum.runs, sum.confirmed, sum.attempts = sum.runs+p.runs, sum.confirmed+p.confirmed, sum.attempts+p.attempts
		sum.reruns, sum.happened = sum.reruns+p.reruns, sum.happened+p.happened
		ever += count(p.confirmed > 0)
		plain += count(p.happened > 0)
		rates += float64(p.confirmed) / float64(max(p.attempts, 1))
	}
	return fmt.Sprintf("%s: %d, %d times in all; confirmed within %d attempts: %d times (%s), %s of the attempts, %.0f %% on average of the predictions; one of %d plain reruns shows %d (%s), %s of the reruns",
		what, len(all), sum.runs, maxAttempts, sum.confirmed, share(sum.confirmed, sum.runs), share(sum.confirmed, sum.attempts), 100*rates/float64(max(len(all), 1)),
		maxAttempts, plain, share(plain, len(all)), share(sum.happened, sum.reruns)) + fmt.Sprintf("; never confirmed: %d", len(all)-ever)
}

// share is a part of the whole in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}
