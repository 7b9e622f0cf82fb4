package exploration

import (
	"fmt"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// mostPairs bounds how many pairs of operations are reversed.
const mostPairs = 100

// mostPairs returns how many pairs are reversed at most. They take no more than half of the runs
// unless that is wanted: some bugs need more than one pair in another order, and seeds find these.
func (x *exploration) mostPairs() int {
	switch rule := x.plan.Strategy.Rule; {
	case rule == strategy.Pairs:
		return x.plan.Explore
	case rule != strategy.Auto:
		return 0
	}
	return min(x.plan.Explore/2, mostPairs)
}

// pairs are the pairs of operations that come the other way round in further runs, one in each:
// those of the first run, and those that only a run with a reversed pair has.
type pairs struct {
	all      []*execution.Reversal
	known    map[string]bool // by their keys
	until    time.Time       // after which no further pair is tried; the zero value is never
	reversed int             // so many pairs were tried
	inVain   int             // of these did not come the other way round
	failures int             // runs whose failure may depend on time
	failed   *run            // the first of them
}

// add adds pairs that are new, up to so many of all.
func (p *pairs) add(found []*execution.Reversal, most int) {
	if p.known == nil {
		p.known = make(map[string]bool)
	}
	for _, r := range found {
		if !p.known[r.Key] && len(p.all) < most {
			p.known[r.Key] = true
			p.all = append(p.all, r)
		}
	}
}

// isLeft reports whether a pair is to be tried.
func (p *pairs) isLeft() bool {
	return p.reversed < len(p.all) && (p.until.IsZero() || time.Now().Before(p.until))
}

// next returns the next pair.
func (p *pairs) next() *execution.Reversal { return p.all[p.reversed] }

// note takes a run with a reversed pair into account. A failure without a violation is only
// mentioned where time has passed: a goroutine was held up, and a correct program may have a
// deadline.
func (p *pairs) note(r *run) {
	p.reversed++
	if r.ended.InVain {
		p.inVain++
	}
	if r.mayRestOnTime {
		if p.failures++; p.failures == 1 {
			p.failed = r
		}
		r.ended.Code = 0
	}
}

// text says how many runs had a reversed pair.
func (p *pairs) text() string {
	switch {
	case p.reversed == 0:
		return ""
	case p.inVain == 0:
		return fmt.Sprintf(", %d with a reversed pair", p.reversed)
	}
	return fmt.Sprintf(", %d with a reversed pair (%d in vain)", p.reversed, p.inVain)
}

// failureText says in how many runs the program failed for which that may depend on time, and how to
// repeat the first of them.
func (p *pairs) failureText() string {
	if p.failed == nil {
		return ""
	}
	return fmt.Sprintf("; the program failed in %d with a reversed pair, which may depend on time, first with %s (%s)",
		p.failures, p.failed.name(), p.failed.plan.RunAgain())
}

// describe describes the next run, for a terminal.
func (x *exploration) describe(r *run) string {
	if r.plan.Reversed != nil {
		return fmt.Sprintf("run %d, reversed pair %d of %d", x.runs+1, x.pairs.reversed+1, len(x.pairs.all))
	}
	return strings.TrimSpace(fmt.Sprintf("run %d %s", x.runs+1, r.plan.Schedule()))
}

// keepSchedules writes the schedules of the runs that are reported to files: of those with reversed
// pairs, and of those of --explore all.
func (x *exploration) keepSchedules() error {
	var reported []*run
	for _, k := range x.merged.order {
		if known := x.merged.all[k]; len(known.shown) > 0 {
			reported = append(reported, known.run)
		}
	}
	if x.pairs.failed != nil {
		reported = append(reported, x.pairs.failed)
	}
	if x.failedRun != nil {
		reported = append(reported, x.failedRun)
	}
	for _, r := range reported {
		if err := x.keepSchedule(r); err != nil {
			return err
		}
	}
	return nil
}

// keepSchedule writes the schedule of a run to a file, which its plan names from then on.
func (x *exploration) keepSchedule(r *run) (err error) {
	p := r.plan
	switch {
	case p.Replay != "":
	case p.Reversed != nil:
		p.Replay, err = p.Schedules.Write(p.Name, "reversed", p.Reversed.Schedule)
	case len(r.order.Steps) > 0:
		if s := x.orders.numbers.WholeSchedule(r.order); len(s.Steps) > 0 {
			s.Keep.Patience = orderPatience
			p.Replay, err = p.Schedules.Write(p.Name, "order", s)
		}
	}
	return err
}
