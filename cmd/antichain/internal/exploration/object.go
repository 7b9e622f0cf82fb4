package exploration

import (
	"math"

	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// object is a line of JSON about an exploration.
type object struct {
	Trace       string  `json:"trace"`
	Exploration outcome `json:"exploration"`
}

// outcome is the JSON form of what the last lines say.
type outcome struct {
	Strategy string `json:"strategy"`
	Runs     int    `json:"runs"`
	// different ones of the runs in which operations were compared
	Orders int `json:"orders"`
	// all orders were run, and nothing says that there are others
	Complete    bool    `json:"complete"`
	LeftAtLeast int     `json:"left_at_least,omitempty"`
	Estimate    float64 `json:"estimate,omitempty"` // of all orders
	// why there may be other orders
	Conditions []string `json:"conditions,omitempty"`
	// what differed in the first run that did not keep its order
	Diverged string `json:"diverged,omitempty"`
	// below which a further run finds something or has a new order; absent without such a bound
	FindsBelow float64 `json:"finds_below,omitempty"`
	NewBelow   float64 `json:"new_below,omitempty"`
}

// outcome returns what the last lines say.
func (x *exploration) outcome() outcome {
	if x.orders != nil {
		return x.orders.outcome()
	}
	o := outcome{Strategy: x.plan.Strategy.String(), Runs: x.runs, Orders: x.samples.different()}
	if s := &x.samples; s.runs > 0 && s.found == 0 && x.plan.Strategy.IsIndependent() {
		o.FindsBelow = rounded(strategy.WithoutFinding(s.runs))
		if fresh, runs := s.news(); fresh < runs {
			o.NewBelow = rounded(strategy.News(fresh, runs))
		}
	}
	return o
}

// rounded rounds a bound up.
func rounded(p float64) float64 { return math.Ceil(p*1e4) / 1e4 }

// outcome is that of --explore all.
func (a *allOrders) outcome() outcome {
	doubts := a.numbers.Doubts()
	o := outcome{
		Strategy: strategy.Strategy{Rule: strategy.All}.String(), Runs: a.x.runs, Orders: a.counts.Orders - a.unkept,
		Complete: a.complete() && len(doubts) == 0, Conditions: doubts, Diverged: a.divergence(),
		Estimate: a.counts.Estimate,
	}
	if !a.complete() {
		o.LeftAtLeast = max(1, a.counts.Left+a.unkept)
	}
	return o
}
