package kripke

import (
	"fmt"
	"strings"
)

// Fairness says which infinite paths count: those on which no process is forgotten. A move that Stutter has added is of no
// process.
type Fairness int

// The kinds of fairness.
const (
	Unfair  Fairness = iota // every path counts
	Weak                    // a process that can move from some time on moves infinitely often
	Strong                  // a process that can move infinitely often moves infinitely often
	Process                 // every process moves infinitely often, as Sherman and Pnueli want it
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
