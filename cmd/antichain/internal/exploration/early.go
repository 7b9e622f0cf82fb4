package exploration

import (
	"context"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/internal/wording"
)

// onTime are the failures that rest on time: the program fails in a run with a steered schedule, no
// violation happens, and the run does not fail without a deadline that has passed early. A correct
// program may do so, and such a failure ends nothing and changes no exit code.
type onTime struct {
	all   []*restingOnTime
	doubt int    // failures in runs in which time has passed that cannot be taken back
	first string // what the first of these is called
}

// restingOnTime are failures that rest on one deadline.
type restingOnTime struct {
	firing *execution.EarlyFiring
	run    *run // the first
	runs   int
}

// examine finds out whether the failure of a run rests on time: it makes the run again without
// early firings, and then without each of them.
func (x *exploration) examine(ctx context.Context, r *run) error {
	passed := &r.ended.Passed
	if r.plan.Seed == 0 || r.ended.Code == 0 || r.ended.Overdue || !passed.Any() || hasHappened(r.results) {
		return nil
	}
	if passed.Fired() == 0 {
		x.onTime.addDoubtful(r)
		return nil
	}
	fails, err := x.failsWithout(ctx, r, ^uint32(0))
	if err != nil || fails {
		return err
	}
	for i := range passed.Early {
		f := &passed.Early[i]
		if !f.Fired {
			continue
		}
		r.restsOn = f
		if passed.Fired() == 1 {
			break
		}
		if fails, err = x.failsWithout(ctx, r, 1<<i); err != nil || !fails {
			break
		}
	}
	x.onTime.add(r)
	return err
}

// failsWithout makes a run again without some of its early firings, and reports whether the program
// fails.
func (x *exploration) failsWithout(ctx context.Context, r *run, early uint32) (bool, error) {
	p := *r.plan
	p.WithoutEarly, p.Limit, p.Confirm.Attempts = early, x.limit(), 0
	again := &run{plan: &p}
	if err := x.makeSilentRun(ctx, again); err != nil {
		if ctx.Err() != nil {
			return false, nil
		}
		return false, err
	}
	return again.ended.Code != 0 && !again.ended.Overdue, nil
}

// add takes a failure that rests on time.
func (o *onTime) add(r *run) {
	for _, known := range o.all {
		if known.firing.Timer() == r.restsOn.Timer() {
			known.runs++
			return
		}
	}
	o.all = append(o.all, &restingOnTime{firing: r.restsOn, run: r, runs: 1})
}

// addDoubtful takes a failure in a run in which time has passed otherwise.
func (o *onTime) addDoubtful(r *run) {
	if o.doubt++; o.doubt == 1 {
		o.first = r.name()
	}
	r.mayRestOnTime = true
}

// isFirst reports whether r is the first run whose failure rests on time.
func (o *onTime) isFirst(r *run) bool { return len(o.all) > 0 && o.all[0].run == r }

// mostOnTime bounds how many deadlines are listed.
const mostOnTime = 5

// text lists the failures that rest on time.
func (o *onTime) text() string {
	var b strings.Builder
	for i, f := range o.all {
		if i == mostOnTime {
			fmt.Fprintf(&b, "antichain: so it is with %s more\n", wording.Plural(len(o.all)-i, "deadline"))
			break
		}
		fmt.Fprintf(&b, "antichain: the program fails only if time goes by, in %s, first with %s: it rests on time\n",
			wording.Plural(f.runs, "run"), f.run.name())
		fmt.Fprintf(&b, "    %s\n", f.firing)
		fmt.Fprintf(&b, "    so it needs code that takes %v or longer there, as on a busy machine\n", f.firing.Duration)
	}
	return b.String()
}
