package kripke

import (
	"fmt"
	"strings"
)

// Fairness selects the infinite paths on which no process is neglected. A move that Stutter adds
// belongs to no process.
type Fairness int

// The kinds of fairness.
const (
	Unfair Fairness = iota // every path is fair
	// a process that is enabled for ever from some point on moves infinitely often
	Weak
	Strong  // a process that is enabled infinitely often moves infinitely often
	Process // every process moves infinitely often (Sherman and Pnueli 1990)
)

var fairnessNames = [...]string{Unfair: "none", Weak: "weak", Strong: "strong", Process: "process"}

func (f Fairness) String() string { return fairnessNames[f] }

// ParseFairness reads what String returns.
func ParseFairness(name string) (Fairness, error) {
	for f, n := range fairnessNames {
		if n == name {
			return Fairness(f), nil
		}
	}
	return Unfair, fmt.Errorf("no fairness %q: the kinds are %s", name, strings.Join(fairnessNames[:], ", "))
}
