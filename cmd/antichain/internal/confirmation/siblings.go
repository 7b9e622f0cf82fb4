package confirmation

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Confirm tries the finding of an assessment, if it is predicted, and adds the outcome. Those with
// the same cause are tried in turn with it, since they need not be possible together; one that
// happens leads the assessment. All share the time. So are those that have the same cause as a lock
// that a goroutine has kept. The error is that of a run, or of the context.
func (c *Confirmer) Confirm(ctx context.Context, a *tlcheck.Assessment, run *Run) error {
	if !c.triesAny(a.Finding) {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	in, err := c.placeOf(bounded, a.Result, run)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	f := a.Finding
	trials := make([]*trial, 1+len(f.Also)) // nil: it is not tried
	for i := range trials {
		one := f
		if i > 0 {
			one = &f.Also[i-1]
		}
		if !c.tries(one) {
			continue
		}
		if trials[i], err = in.newTrial(one); err != nil {
			return err
		}
	}
	isNone := func(t *trial) bool { return t == nil }
	err = c.inTurn(bounded, slices.DeleteFunc(slices.Clone(trials), isNone))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if trials[0] != nil {
		a.Confirmation = trials[0].outcome
	}
	a.AddSiblings(func(i int) *tlcheck.Confirmation {
		if t := trials[1+i]; t != nil {
			return t.outcome
		}
		return nil
	})
	return err
}

// triesAny reports whether a finding, or what has the same cause, is to be tried. If goroutines
// wait for ever already, nothing is. A lock that one has kept is no more than the cause.
func (c *Confirmer) triesAny(f *builtin.Finding) bool {
	also := func(x builtin.Finding) bool { return c.tries(&x) }
	return c.tries(f) || isKept(f) && slices.ContainsFunc(f.Also, also)
}

// tries reports whether a finding is to be tried.
func (c *Confirmer) tries(f *builtin.Finding) bool {
	return f != nil && f.How != builtin.Observed && !isKept(f) && (!c.Doubtful || f.IsDoubtful())
}

// isKept reports whether a finding is a lock that a goroutine has kept. That has happened, even if
// it is only possible that the lock is missed.
func isKept(f *builtin.Finding) bool { return f != nil && f.Property == builtin.Unlock && f.AtEnd }

// trialOf returns what tries a finding of a run.
func (c *Confirmer) trialOf(f *builtin.Finding, run *Run) (*trial, error) {
	s, why := c.scheduleOf(f, run)
	t, err := c.newTrial(s, why, target{f, run.Names}, run.Took)
	if t != nil {
		t.sum.locksAlone = isOfLocks(f)
	}
	return t, err
}

// isOfLocks reports whether a finding is a deadlock in which all wait for locks.
func isOfLocks(f *builtin.Finding) bool {
	waits := func(p builtin.Party) bool { return p.Kind == op.Lock || p.Kind == op.RLock }
	return f.Property == builtin.Deadlock && len(f.Parties) > 0 &&
		!slices.ContainsFunc(f.Parties, func(p builtin.Party) bool { return !waits(p) })
}
