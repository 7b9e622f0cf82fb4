package execution

import (
	"context"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reversal"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Reversal is an order of two operations that is not the one of the run that it was made of.
type Reversal struct {
	Schedule *schedule.Schedule
	Key      string // see reversal.Pair

	// the same, but the goroutine of the second operation finds out before that it is to do that;
	// nil if nothing is known of that
	BehindLook *schedule.Schedule
}

// again returns the order to try next if a run that was to keep it has come to so many steps: if
// only the first operation was done, the goroutine of the second one has found out by that to do
// something else. It is nil if there is none.
func (r *Reversal) again(done int) *Reversal {
	if r.BehindLook == nil || done != 1 {
		return nil
	}
	return &Reversal{Schedule: r.BehindLook, Key: r.Key + "\nbehind a look"}
}

// Words describes the order.
func (r *Reversal) Words() string { return reversal.Words(r.Schedule) }

// Steps describes the two operations, in this order.
func (r *Reversal) Steps() []string { return reversal.Steps(r.Schedule) }

// A goroutine waits as long for the other one as the run took that has shown the pair, and a little
// longer, since the other one may sleep before it comes. There are limits to that.
const (
	reversalSlack    = 300 * time.Millisecond
	reversalPatience = 10 * time.Second
)

// triedReversals is how many pairs are reversed for a single run.
const triedReversals = 16

// triesReversals reports whether pairs of a single run are reversed: the user wants confirmations.
func (r *runner) triesReversals() bool {
	return r.Confirm.Attempts > 0 && !r.Confirm.Doubtful && r.tried == nil
}

// reversals returns the pairs of operations of a run that can come the other way round and are not
// known yet, so many at most.
func (r *runner) reversals(run *run, names op.Names, took time.Duration, most int) (found []*Reversal) {
	if run.pairs == nil || most == 0 {
		return nil
	}
	patience := min(took+reversalSlack, reversalPatience).Round(time.Millisecond)
	if r.Reversed != nil { // its goroutines have waited already
		patience = r.Reversed.Schedule.Keep.Patience
	}
	known := make(map[string]bool)
	for _, p := range run.pairs.Ranked(names) {
		if r.KnownPairs[p.Key] || known[p.Key] {
			continue
		}
		s, err := p.Schedule(run.visits, names, run.checker.Style.Source.File, patience)
		if err != nil { // a schedule cannot have it as a step
			continue
		}
		known[p.Key] = true
		pair := &Reversal{Schedule: s, Key: p.Key}
		if p.HasLook() {
			pair.BehindLook, _ = p.BehindLook(run.visits, names, run.checker.Style.Source.File, patience)
		}
		if found = append(found, pair); len(found) == most {
			break
		}
	}
	return found
}

// reverse makes a run keep the order that the plan names. If a line has no code the run is as it
// is.
func (r *runner) reverse(run *run) error {
	program, err := r.program()
	if err != nil {
		return err
	}
	s := r.Reversed.Schedule
	run.Schedule, _ = s.Compile(program, s.Keep)
	return nil
}

// tryReversals runs the program with one pair of operations the other way round after the other,
// until a violation happens. It returns that one, unless it confirms one of the results. No further
// pair is tried when the time of one finding is over, and none if a violation has happened already.
func (r *runner) tryReversals(
	ctx context.Context, c *confirmation.Confirmer, run *run, results []*tlcheck.Assessment, first *confirmation.Run,
) (*tlcheck.Assessment, error) {
	if !r.triesReversals() || slices.ContainsFunc(results, hasHappened) {
		return nil, nil
	}
	until := time.Now().Add(r.Confirm.Time)
	assess := func(f *builtin.Finding, names op.Names) *tlcheck.Assessment {
		return run.checker.Assess(&tlcheck.Result{
			Builtin: f.Property, Verdict: tlcheck.Violated, Finding: f, Names: names,
		})
	}
	isNews := func(f *builtin.Finding, names op.Names) bool {
		return slices.Contains(r.Builtins, f.Property) && assess(f, names).IsNews()
	}
	left := r.reversals(run, first.Names, first.Took, triedReversals)
	for len(left) > 0 && time.Now().Before(until) {
		pair := left[0]
		left = left[1:]
		happened, err := c.Look(ctx, pair.Schedule, first, isNews)
		switch {
		case ctx.Err() != nil:
			return nil, nil
		case err != nil:
			return nil, err
		case happened.Finding == nil:
			if again := pair.again(happened.Done); again != nil {
				left = slices.Insert(left, 0, again)
			}
			continue
		}
		isShown := func(a *tlcheck.Assessment) bool { return a.Finding != nil && happened.Shows(a.Finding, a.Names) }
		if i := slices.IndexFunc(results, isShown); i >= 0 {
			results[i].Confirmation = happened.Confirmation
			return nil, nil
		}
		a := assess(predicted(happened.Finding, pair.Words()), happened.Names)
		a.Confirmation = happened.Confirmation
		return a, nil
	}
	return nil, nil
}

// predicted returns what has happened in another run, in that order, as it is reported of this one.
func predicted(f *builtin.Finding, order string) *builtin.Finding {
	p := *f
	p.How, p.Notes = builtin.Predicted, append(slices.Clone(f.Notes), "the order that leads there: "+order)
	p.Parties = slices.Clone(f.Parties)
	for i := range p.Parties {
		p.Parties[i].Waits = nil
	}
	return &p
}

// hasHappened reports whether a violation that is news has happened, in its run or in an attempt.
func hasHappened(a *tlcheck.Assessment) bool {
	return a.Finding != nil && a.IsNews() && (a.Confirmation.IsConfirmed() ||
		a.Verdict == tlcheck.Violated && a.Finding.How == builtin.Observed)
}
