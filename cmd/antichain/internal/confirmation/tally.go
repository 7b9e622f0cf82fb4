package confirmation

import (
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
)

// tally sums up attempts in which the goal was not reached.
type tally struct {
	attempts int                      // all, with those that kept no schedule
	counts   [tlcheck.Confirmed]count // of those that kept one, by what came of them
	unsure   count                    // of those that kept one, perhaps by other operations
	remark   string                   // on what was missed
	// those who wait in the end wait for each other's locks, so the order has consequences
	locksAlone bool
}

// count summarises attempts with the same outcome.
type count struct {
	attempts int
	best     ring.Progress // of the one that has done most steps
	detail   string        // what that one has missed
}

// add adds an attempt that kept a schedule. It says nothing about the schedule if other operations
// may have been taken for its steps.
func (t *tally) add(a *Attempt, s *schedule.Schedule) {
	outcome, done := t.outcomeOf(a, s), a.Kept.Done
	of := &t.counts[outcome]
	if a.Kept.Unsure {
		of = &t.unsure
	}
	if of.attempts++; (outcome != tlcheck.Followed || a.Kept.Unsure) && (of.attempts == 1 || done > of.best.Done) {
		of.best, of.detail = a.Kept, t.missedText(a, s)
	}
}

// outcomeOf says what an attempt shows about the schedule. A race has no other steps behind its two
// accesses, which nothing keeps from being made at once. A program that looks for input in vain
// may go another way for that alone. Goroutines that wait for each other's locks do not go on by
// themselves.
func (t *tally) outcomeOf(a *Attempt, s *schedule.Schedule) tlcheck.ConfirmationOutcome {
	switch {
	case a.Kept.Done == len(s.Steps) && !a.Failed && !t.locksAlone:
		return tlcheck.Followed
	case a.Kept.Done < len(s.Steps) && a.Kept.Missed.IsOtherWay() && !a.Kept.Input:
		return tlcheck.Diverged
	}
	return tlcheck.NotFollowed
}

// outcome returns what all attempts show: that the order has no consequences, or that the program
// goes another way, only if none leaves it open.
func (t *tally) outcome(wanted Extent) *tlcheck.Confirmation {
	outcome := &tlcheck.Confirmation{Outcome: tlcheck.NotFollowed, Attempts: t.attempts}
	if t.counts[tlcheck.NotFollowed].attempts == 0 {
		for _, o := range []tlcheck.ConfirmationOutcome{tlcheck.Followed, tlcheck.Diverged} {
			if t.counts[o].attempts > 0 {
				outcome.Outcome = o
				break
			}
		}
	}
	of := &t.counts[outcome.Outcome]
	if of.attempts == 0 {
		of = &t.unsure
	}
	if outcome.Detail = of.detail; outcome.Detail != "" && t.remark != "" {
		outcome.Detail = join(outcome.Detail, t.remark)
	}
	isOver := t.attempts < wanted.Attempts
	if isOver {
		over := fmt.Sprintf("after %s the time was over", wording.Plural(t.attempts, "attempt"))
		outcome.Detail = join(outcome.Detail, over)
	}
	if outcome.Outcome == tlcheck.NotFollowed && of.attempts > 0 {
		outcome.Detail = join(outcome.Detail, remedy(&of.best, wanted, isOver))
	}
	return outcome
}

// remedy says what may help to reach a step, after attempts for which there was time or not; "" if
// nothing is known.
func remedy(best *ring.Progress, tried Extent, isOver bool) string {
	switch {
	case best.Input:
		return "let it read a file instead"
	case best.Unsure:
		return "--explore 50 tries other orders"
	case best.Missed == ring.MissedUnstarted:
		return "--explore 50 looks for a run that starts it"
	case best.Missed < ring.MissedUnstarted, isOver && !tried.Doubtful:
		return ""
	case tried.Doubtful:
		return "--confirm tries for longer"
	}
	return fmt.Sprintf("--confirm=%d tries more often", 3*tried.Attempts)
}

// missedText says what an attempt has missed.
func (t *tally) missedText(a *Attempt, s *schedule.Schedule) string {
	done := a.Kept.Done
	switch {
	case done == len(s.Steps) && a.Kept.Unsure:
		return "the steps were done, but perhaps by other operations on these lines"
	case done == len(s.Steps) && a.Failed:
		return "the steps were done, and the program failed in another way"
	case done == len(s.Steps):
		return "each goroutine waited as it should, but another one woke it"
	case !s.Meets() || done < len(s.Steps)-2:
		step := s.Steps[done]
		text := fmt.Sprintf("step %d of %d was not reached: %s", done+1, len(s.Steps), step.Words())
		if why := a.Kept.Missed.String(); why != "" {
			text += fmt.Sprintf(", since %s %s", step.Goroutine, why)
		}
		if a.Kept.Unsure {
			text += "; other operations on these lines may have been taken for steps"
		}
		if a.Kept.Input {
			text += "; the program reads standard input, which is empty in attempts"
		}
		return text
	case done == len(s.Steps)-2:
		return "no goroutine came to one of the two accesses"
	}
	return "no two goroutines were about to make the two accesses at once"
}

func join(a, b string) string {
	switch "" {
	case a:
		return b
	case b:
		return a
	}
	return a + "; " + b
}
