package tlcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Progress is how far a check has come.
type Progress struct {
	Share     float64 // decided share of the TIVAs, from 0 to 1; never decreases
	Intervals int     // intervals in memory
}

// share returns the share of the TIVAs that are decided; all branches have equal weight.
func (s *search) share() float64 {
	if s.done == len(s.branches) {
		return 1
	}
	return (float64(s.done) + min(s.covered, 1)) / float64(len(s.branches))
}

// coverage says why a search stopped and how far it came.
func (c *check) coverage(why error) string {
	text := why.Error()
	if errors.Is(why, context.DeadlineExceeded) {
		text = ErrTime.Error()
	} else if errors.Is(why, context.Canceled) {
		text = "the check was stopped"
	}
	s := &c.search
	if len(s.formula.TIVs) == 0 {
		text += " before the formula was decided"
	} else {
		all := power(s.net.Tasks(), len(s.formula.TIVs))
		text += fmt.Sprintf(" after %s of the %s assignments of tasks to task variables", percent(s.share()),
			number(all))
	}
	if n := len(s.branches); n > 1 {
		text += fmt.Sprintf(" (%d of %d cases done)", s.done, n)
	}
	return text
}

// percent formats a share below 1.
func percent(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "none"
	case p < 0.01:
		return "less than 0.01%"
	case p < 1:
		return fmt.Sprintf("about %.1g%%", p)
	default:
		return fmt.Sprintf("about %.0f%%", math.Floor(min(p, 99)))
	}
}

// abbreviatedDigits is the length from which numbers are abbreviated.
const abbreviatedDigits = 12

func number(n *big.Int) string {
	if s := n.String(); len(s) < abbreviatedDigits {
		return s
	}
	return new(big.Float).SetInt(n).Text('e', 1)
}
