package exploration

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
)

// onTime are the failures that depend on time: the program fails in a run with a steered schedule, no
// violation happens, and the run does not fail without a deadline that has passed early. A correct
// program may do so, and such a failure ends nothing and changes no exit code.
type onTime struct {
	all   []*restingOnTime
	doubt int    // failures in runs that do not fail with real time, for whatever reason
	first string // what the first of these is called; "" if it has no name
}

// restingOnTime are failures that rest on one deadline.
type restingOnTime struct {
	firing *execution.EarlyFiring
	run    *run // the first
	runs   int
}

// examine finds out whether the failure of a run depends on time.
func (x *exploration) examine(ctx context.Context, r *run) error {
	passed := &r.ended.Passed
	stands := r.plan.Seed != 0 || r.plan.Prefix != nil || r.plan.Reversed != nil
	if !stands || r.ended.Code == 0 || r.ended.Overdue || hasHappened(r.results) {
		return nil
	}
	fails := func(again *run) bool { return again.ended.Code != 0 && !again.ended.Overdue }
	switch {
	case !passed.Any():
		return x.examineReadings(ctx, r, fails)
	case r.plan.Reversed != nil: // it cannot be made again without keeping a goroutine back
		x.onTime.addDoubtful(r)
		return nil
	}
	firing, without, err := x.needed(ctx, r, fails)
	switch {
	case err != nil:
		return err
	case firing != nil:
		r.restsOn = firing
		x.onTime.add(r)
	case without:
		x.onTime.addDoubtful(r)
	}
	return nil
}

// examineReadings finds out whether a run fails since code takes next to no time by the clock that
// the program has read. No deadline has passed early, so the same turns lead to the same failure.
// If the failure does not repeat either way, something else decides, and the failure counts.
func (x *exploration) examineReadings(ctx context.Context, r *run, fails func(*run) bool) error {
	if !r.ended.Passed.Read {
		return nil
	}
	without, err := x.lacks(ctx, r, realTime, fails)
	if err != nil || !without {
		return err
	}
	varies, err := x.lacks(ctx, r, r.plan.WithoutEarly, fails)
	if err == nil && !varies && ctx.Err() == nil {
		x.onTime.addDoubtful(r)
	}
	return err
}

// realTime is the early firings that are left out in a run without any, by whose clock code takes
// the time that it really takes.
const realTime = ^uint32(0)

// needed makes a run again without early firings, and then without each of them. It returns the one
// without which it does not show something; without reports whether that is so without all of them,
// and where no time goes by faster than it really does.
func (x *exploration) needed(
	ctx context.Context, r *run, shows func(*run) bool,
) (f *execution.EarlyFiring, without bool, err error) {
	if without, err = x.lacks(ctx, r, realTime, shows); err != nil || !without {
		return nil, false, err
	}
	passed := &r.ended.Passed
	for i := range passed.Early {
		if !passed.Early[i].Fired {
			continue
		}
		f = &passed.Early[i]
		if passed.Fired() == 1 {
			break
		}
		if lacks, err := x.lacks(ctx, r, 1<<i, shows); err != nil || lacks {
			return f, true, err
		}
	}
	return f, true, nil
}

// lacks makes a run again without some early firings, and reports whether it does not show
// something then. It reports false if the time for all runs is over.
func (x *exploration) lacks(ctx context.Context, r *run, early uint32, shows func(*run) bool) (bool, error) {
	if ctx.Err() != nil {
		return false, nil
	}
	p := *r.plan
	p.WithoutEarly, p.Limit, p.Confirm.Attempts, p.Reversals, p.Operations = early, x.limit(), 0, 0, nil
	again := &run{plan: &p}
	if err := x.makeSilentRun(ctx, again); err != nil || ctx.Err() != nil {
		if ctx.Err() != nil {
			err = nil
		}
		return false, err
	}
	return !shows(again), nil
}

// noteTime says of what was found with deadlines that passed early which one it needs.
func (x *exploration) noteTime(ctx context.Context) error {
	for _, k := range x.merged.order {
		known := x.merged.all[k]
		if len(known.shown) == 0 || known.run.plan.Seed == 0 || known.run.ended.Passed.Fired() == 0 {
			continue
		}
		firing, _, err := x.needed(ctx, known.run, func(again *run) bool {
			return slices.ContainsFunc(again.results, func(r *tlcheck.Assessment) bool {
				isShown := r.Verdict == tlcheck.Violated || r.Verdict == tlcheck.Possible
				return isShown && x.merged.key(r.Result) == k
			})
		})
		if err != nil {
			return err
		}
		known.restsOn = firing
	}
	return nil
}

// add takes a failure that depends on time.
func (o *onTime) add(r *run) {
	for _, known := range o.all {
		if known.firing.Timer() == r.restsOn.Timer() {
			known.runs++
			return
		}
	}
	o.all = append(o.all, &restingOnTime{firing: r.restsOn, run: r, runs: 1})
}

// addDoubtful takes a failure in a run that does not fail with real time, or may not: one with a
// reversed pair, which is counted with these.
func (o *onTime) addDoubtful(r *run) {
	r.mayRestOnTime = true
	if r.plan.Reversed != nil {
		return
	}
	if o.doubt++; o.doubt == 1 {
		o.first = r.name()
	}
}

// isFirst reports whether r is the first run whose failure depends on time.
func (o *onTime) isFirst(r *run) bool { return len(o.all) > 0 && o.all[0].run == r }

// mostOnTime bounds how many deadlines are listed.
const mostOnTime = 10

// text lists the failures that depend on time.
func (o *onTime) text() string {
	var b strings.Builder
	for i, f := range o.all {
		if i == mostOnTime {
			fmt.Fprintf(&b, "antichain: the same holds for %s more\n", wording.Plural(len(o.all)-i, "deadline"))
			break
		}
		fmt.Fprintf(&b, "antichain: the program fails only if time passes, in %s, first with %s: "+
			"the failure depends on time\n",
			wording.Plural(f.runs, "run"), f.run.name())
		fmt.Fprintf(&b, "    %s\n", f.firing)
		if f.firing.Duration > 0 {
			fmt.Fprintf(&b, "    so code there must take %v or longer, as on a busy machine\n", f.firing.Duration)
		}
	}
	return b.String()
}
