package exploration

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/orders"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/antichain-go/antichain/internal/wording"
)

// samples are the runs that a strategy has drawn. If they are independent, they bound what a
// further one would show.
type samples struct {
	orders     []uint64 // of each run in which operations were watched
	steps      int      // of the longest run
	goroutines int      // the most of a run
	runs       int
	found      int // of these show something
	// draws runs by those before; nil as long as none were, or if each is drawn by itself
	learner strategy.Learner
}

// next adds to the plan of a run what is needed of it.
func (s *samples) next(plan *execution.Plan) {
	plan.Strategy = plan.Strategy.Expecting(s.steps)
	if s.learner == nil {
		s.learner = plan.Strategy.Learner()
	}
	if s.learner != nil {
		plan.Strategy = s.learner.Draw(plan.Seed)
	}
	if len(plan.Builtins) > 0 { // otherwise operations are not recorded
		plan.Operations = new(orders.Digest)
	}
}

// note takes a run into account.
func (s *samples) note(r *run) {
	if s.learner != nil && s.learner.Learn(r.plan.Strategy, r.ended.Noted) {
		return
	}
	s.runs++
	s.steps, s.goroutines = max(s.steps, r.ended.Steps), max(s.goroutines, r.ended.Goroutines)
	if r.ended.HasViolation() || r.ended.Code != 0 {
		s.found++
	}
	if d, ok := r.plan.Operations.(*orders.Digest); ok {
		s.orders = append(s.orders, d.Sum())
	}
}

// different returns how many orders the runs have.
func (s *samples) different() int {
	orders := make(map[uint64]bool)
	for _, order := range s.orders {
		orders[order] = true
	}
	return len(orders)
}

// news returns how many of the second half of the runs have an order that none of the first half
// has, and how many these are.
func (s *samples) news() (fresh, runs int) {
	half := len(s.orders) / 2
	known := make(map[uint64]bool)
	for _, order := range s.orders[:half] {
		known[order] = true
	}
	for _, order := range s.orders[half:] {
		if !known[order] {
			fresh++
		}
	}
	return fresh, len(s.orders) - half
}

// worth says what the runs, which are independent, show of a further one.
func (s *samples) worth() string {
	if s.found > 0 {
		return fmt.Sprintf("something was found in %d of %s with --seed", s.found, wording.Plural(s.runs, "run"))
	}
	text := "a further run with --seed finds something with a probability below " +
		strategy.Percent(strategy.WithoutFinding(s.runs))
	if fresh, runs := s.news(); fresh < runs {
		text += ", and has an order that none had with one below " + strategy.Percent(strategy.News(fresh, runs))
	}
	return text + " (95 % confidence)"
}

// lines say what the runs are worth.
func (s *samples) lines(by strategy.Strategy) []string {
	if s.runs == 0 {
		return nil
	}
	var lines []string
	if by.IsIndependent() || s.found > 0 {
		lines = append(lines, s.worth())
	}
	if guarantee := by.Expecting(s.steps).Guarantee(s.goroutines, s.steps); by.IsDrawn() && guarantee != "" {
		lines = append(lines, fmt.Sprintf(
			"%s, with up to %d goroutines and %d steps: %s", by, s.goroutines, s.steps, guarantee))
	}
	return lines
}
