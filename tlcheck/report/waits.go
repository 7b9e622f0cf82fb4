package report

import (
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// shortWait is below what is said of a wait: all goroutines that wait when a run ends have waited
// for a moment.
const shortWait = time.Second

// isLong reports whether a party waits, and has waited for long enough to be said.
func isLong(p *builtin.Party) bool { return p.Waits != nil && p.Waits.For >= shortWait }

// hasWaited says for how long a party has waited, and when in the run that began; "" if it does not
// wait, or has hardly waited.
func hasWaited(p *builtin.Party) string {
	if !isLong(p) {
		return ""
	}
	return "has waited for " + lasting(p.Waits.For) + since(p)
}

// since says when in the run the wait of a party began; "" if that is not known.
func since(p *builtin.Party) string {
	switch {
	case p.Waits == nil:
		return ""
	case p.Waits.Began == 0:
		return ", since the run began"
	}
	return ", since " + moment(p.Waits.Began) + " after the run began"
}

// waitObject is the JSON form of hasWaited.
func waitObject(p *builtin.Party) *WaitObject {
	if !isLong(p) {
		return nil
	}
	return &WaitObject{Began: p.Waits.Began.Milliseconds(), For: p.Waits.For.Milliseconds()}
}

// lasting is a duration in words, to a tenth of a second while that is short.
func lasting(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// moment is a time in the run, to a millisecond in its first second.
func moment(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return lasting(d)
}
