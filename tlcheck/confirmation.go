package tlcheck

// Confirmation is what came of running a program again to make a predicted finding happen. It never turns the finding off:
// what did not come about in so many attempts may still be possible.
type Confirmation struct {
	Outcome  ConfirmationOutcome
	Attempts int    // that were made, the last one with this outcome
	Detail   string // what else is to be said: why it was not tried, or which step was not reached; "" if nothing is
	Schedule string // the file with the schedule that makes it happen again; "" if there is none
	Again    string // the command that has the program keep it, for reports; "" if there is none
}

// ConfirmationOutcome says what came of the attempts.
type ConfirmationOutcome uint8

// The outcomes, in the order of what they say about the finding.
const (
	NotTried     ConfirmationOutcome = iota // there is no way to steer a run there
	NotConfirmed                            // the program never came there
	Followed                                // it kept the order, and nothing failed
	Confirmed                               // it happened
)

// String returns the words that a report uses.
func (o ConfirmationOutcome) String() string {
	return [...]string{"not tried", "not confirmed", "order followed, nothing failed", "confirmed"}[o]
}
