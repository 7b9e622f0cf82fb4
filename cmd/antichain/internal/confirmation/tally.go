package confirmation

import (
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
)

// tally sums up attempts in which the goal was not reached.
type tally struct {
	attempts int                      // all, with those that kept no schedule
	counts   [tlcheck.Confirmed]count // of those that kept one, by what came of them
	remark   string                   // on what was missed
}

// count is what is to be said of attempts with the same outcome.
type count struct {
	attempts int
	furthest int    // steps that the best of them has done
	detail   string // what that one has missed
}

// add adds an attempt that kept a schedule.
func (t *tally) add(a *Attempt, s *schedule.Schedule) {
	outcome, done := outcomeOf(a, s), a.Kept.Done
	of := &t.counts[outcome]
	if of.attempts++; outcome != tlcheck.Followed && (of.attempts == 1 || done > of.furthest) {
		of.furthest, of.detail = done, missedText(a, s)
	}
}

// outcomeOf says what an attempt shows about the schedule. A race has no other steps behind its two
// accesses, which nothing keeps from being made at once. A program that looks for input in vain
// may go another way for that alone.
func outcomeOf(a *Attempt, s *schedule.Schedule) tlcheck.ConfirmationOutcome {
	switch {
	case a.Kept.Done == len(s.Steps) && !a.Failed:
		return tlcheck.Followed
	case a.Kept.Done < len(s.Steps) && a.Kept.Missed.IsOtherWay() && !a.Kept.Input:
		return tlcheck.Diverged
	}
	return tlcheck.NotFollowed
}

// outcome returns what all attempts show, of so many that were wanted: that the order has no
// consequences, or that the program goes another way, only if none leaves it open.
func (t *tally) outcome(wanted int) *tlcheck.Confirmation {
	outcome := &tlcheck.Confirmation{Outcome: tlcheck.NotFollowed, Attempts: t.attempts}
	if t.counts[tlcheck.NotFollowed].attempts == 0 {
		for _, o := range []tlcheck.ConfirmationOutcome{tlcheck.Followed, tlcheck.Diverged} {
			if t.counts[o].attempts > 0 {
				outcome.Outcome = o
				break
			}
		}
	}
	if outcome.Detail = t.counts[outcome.Outcome].detail; outcome.Detail != "" && t.remark != "" {
		outcome.Detail = join(outcome.Detail, t.remark)
	}
	if t.attempts < wanted {
		over := fmt.Sprintf("after %s the time was over", wording.Plural(t.attempts, "attempt"))
		outcome.Detail = join(outcome.Detail, over)
	}
	return outcome
}

// missedText says what an attempt has missed.
func missedText(a *Attempt, s *schedule.Schedule) string {
	done := a.Kept.Done
	switch {
	case done == len(s.Steps):
		return "the steps were done, and the program failed otherwise"
	case !s.Meets() || done < len(s.Steps)-2:
		step := s.Steps[done]
		text := fmt.Sprintf("step %d of %d was not reached: %s", done+1, len(s.Steps), step.Words())
		if why := a.Kept.Missed.String(); why != "" {
			text += fmt.Sprintf(", since %s %s", step.Goroutine, why)
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
