package report

import (
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// shortWait is the duration from which reports mention a wait. All goroutines that wait when a run
// ends have waited for a moment.
const shortWait = time.Second

// isLong reports whether a party waits, and for long enough that reports mention it.
func isLong(p *builtin.Party) bool { return p.Waits != nil && p.Waits.For >= shortWait }

// hasWaited returns text: for how long a party has waited, and when in the run the wait began; ""
// if it does not wait, or not for long.
func hasWaited(p *builtin.Party) string {
	if !isLong(p) {
		return ""
	}
	return "has waited for " + lasting(p.Waits.For) + since(p)
}

// since returns text: when in the run the wait of a party began; "" if that is not known.
func since(p *builtin.Party) string {
	switch {
	case p.Waits == nil:
		return ""
	case p.Waits.Began == 0:
		return ", since the run began"
	}
	return ", since " + moment(p.Waits.Began) + " after the run began"
}

// waitObject returns what hasWaited says in words as an object for JSON; nil if that is "".
func waitObject(p *builtin.Party) *WaitObject {
	if !isLong(p) {
		return nil
	}
	return &WaitObject{Began: p.Waits.Began.Milliseconds(), For: p.Waits.For.Milliseconds()}
}

// lasting returns a duration in words, to a tenth of a second while it is short.
func lasting(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// moment returns a time in the run in words, to a millisecond in the first second.
func moment(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return lasting(d)
}
