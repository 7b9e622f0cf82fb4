package strategy

import (
	"fmt"
	"math"
)

// confidence is that of WithoutFinding and News.
const confidence = 0.95

// WithoutFinding returns the probability below which a further run finds something if so many
// independent ones have found nothing: the rule of three, 3/runs nearly.
func WithoutFinding(runs int) float64 {
	if runs == 0 {
		return 1
	}
	return 1 - math.Pow(1-confidence, 1/float64(runs))
}

// News returns the probability below which a further run shows something that is new if so many of
// the runs have: the upper limit of Clopper and Pearson, The Use of Confidence or Fiducial Limits
// Illustrated in the Case of the Binomial (Biometrika 26, 1934).
func News(fresh, runs int) float64 {
	if fresh >= runs {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 {
		p := (low + high) / 2
		if atMost(fresh, runs, p) > 1-confidence {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// atMost returns the probability of at most so many successes in n trials of probability p.
func atMost(successes, n int, p float64) (sum float64) {
	term := float64(n) * math.Log1p(-p) // the logarithm, since that of many trials is tiny
	for k := range successes + 1 {
		sum += math.Exp(term)
		term += math.Log(float64(n-k)/float64(k+1)) + math.Log(p) - math.Log1p(-p)
	}
	return sum
}

// Percent writes a probability as a percentage of two digits.
func Percent(p float64) string {
	return fmt.Sprintf("%.2g %%", 100*p)
}
