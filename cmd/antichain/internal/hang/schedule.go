package hang

import "time"

// schedule decides when the program is asked, which takes it a collection of its garbage: only if
// goroutines have waited for a while, soon if their waits are new, and seldom if it was asked about
// them before. All that takes no more than a hundredth of the time.
type schedule struct {
	last  time.Time     // tick
	rest  time.Duration // before it is asked again about the same waits
	begun time.Duration // when it was asked last
	over  time.Duration // when it had answered
	took  time.Duration // from the one to the other, more exactly than ticks are
	looks bool          // it was asked at all

	looking bool
}

const (
	often    = 100 * time.Millisecond // between two ticks
	soon     = 2 * time.Second        // between questions about new waits
	restMin  = time.Second            // and about the same ones
	restMost = time.Minute
	share    = 100              // times as long as an answer took the program is left alone
	costMost = 10 * time.Minute // and at most so long: it may have been stopped meanwhile
)

// tick reports whether it is time to look at the goroutines, and lets their time go by. If nothing
// was looked at for long, this process stood still: that is no time in which the program could run.
func (w *Watch) tick(now time.Time) bool {
	elapsed := now.Sub(w.last)
	if elapsed < often {
		return false
	}
	if !w.last.IsZero() {
		w.now += min(elapsed, 3*often)
	}
	w.last = now
	return true
}

// isDue reports whether the program is to be asked.
func (s *schedule) isDue(now time.Duration, g *goroutines) bool {
	pause, after := soon, s.begun-patience // a wait that was shorter then counts as new
	if !s.looks {
		pause, after = 0, -1
	}
	cost := min(share*s.took, costMost)
	if now >= s.over+max(pause, cost) && g.hasWaited(patience, after) {
		return true
	}
	return now >= s.over+max(s.rest, restMin, cost) && g.hasWaited(patience, -1)
}

// asked notes that the program is asked.
func (s *schedule) asked(now time.Duration) {
	s.begun, s.looking, s.looks = now, true, true
	s.rest = min(max(2*s.rest, restMin), restMost)
}

// answered notes that the program has answered, and how long that took.
func (s *schedule) answered(now, took time.Duration) { s.over, s.took, s.looking = now, took, false }
