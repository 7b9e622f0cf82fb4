package race

import "github.com/antichain-go/antichain/tlcheck/builtin/rule"

// Bounds.
const (
	MaxRaces     = maxRaces
	MaxSectioned = maxSectioned
	FirstSteps   = firstSteps
)

// Sectioned returns what a detector knows of races that sections hide.
func Sectioned(d rule.Detector) *sectionedRaces { return &d.(*detector).sectioned }

func (r *sectionedRaces) SetSteps(n int64) { r.steps = n }
func (r *sectionedRaces) Counts() (pairs, found, skipped, refuted int, many bool) {
	return len(r.pairs), len(r.found), r.skipped, r.refuted, r.many
}
