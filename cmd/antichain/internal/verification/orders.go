package verification

import (
	"context"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
)

// slack is for how much longer than the run as it is a goroutine waits for another one.
const slack = 300 * time.Millisecond

// asIs runs the program as it is, and learns which operations it has now.
func (v *verifier) asIs(ctx context.Context) error {
	return v.run(ctx, &order{kind: AsIs, yields: v.plan.Yields, reversals: v.plan.Explore / 2}, &v.first)
}

// scheduled runs the program under the schedule.
func (v *verifier) scheduled(ctx context.Context) error {
	o := &order{kind: Scheduled, schedule: v.schedule}
	switch {
	case v.original.Keep.Seed != 0:
		o.schedule, o.seed = nil, v.original.Keep.Seed
	case len(v.schedule.Steps) == 0 || !v.isPossible(v.schedule):
		return nil
	}
	for range underSchedule {
		if err := v.run(ctx, o, new(log)); err != nil {
			return err
		}
	}
	return nil
}

// neighbours runs the program in orders close to the schedule.
func (v *verifier) neighbours(ctx context.Context) error {
	patience := min(v.longest+slack, max(v.schedule.Keep.Patience, slack)).Round(time.Millisecond)
	tried := map[string]bool{stepsOf(v.schedule): true}
	made := 0
	for _, n := range v.first.neighbours(v.schedule, &v.original, v.source) {
		key := stepsOf(n.schedule)
		if tried[key] || made == mostNeighbours || !v.isPossible(n.schedule) {
			continue
		}
		tried[key] = true
		made++
		n.schedule.Comment = []string{"near another schedule: " + n.words}
		n.schedule.Keep = schedule.Keep{Patience: patience}
		if err := v.run(ctx, &order{kind: Neighbours, words: n.words, schedule: n.schedule}, nil); err != nil {
			return err
		}
	}
	return nil
}

// isPossible reports whether a program can keep a schedule.
func (v *verifier) isPossible(s *schedule.Schedule) bool {
	_, err := s.Compile(v.program, schedule.Keep{})
	return err == nil
}

// stepsOf returns the steps of a schedule as a text.
func stepsOf(s *schedule.Schedule) string {
	return (&schedule.Schedule{Goroutines: s.Goroutines, Steps: s.Steps}).String()
}

// pairs reverses pairs of operations, one of them in a function of the schedule. Such a run may
// have pairs that the run as it is has not.
func (v *verifier) pairs(ctx context.Context) error {
	known := make(map[string]bool)
	for made := 0; made < v.plan.Explore/2; made++ {
		next := slices.IndexFunc(v.reversed, func(r *execution.Reversal) bool { return !known[r.Key] && v.isNear(r) })
		if next < 0 {
			return nil
		}
		r := v.reversed[next]
		known[r.Key] = true
		o := &order{kind: Pairs, words: r.Words(), schedule: r.Schedule, reversals: v.plan.Explore / 2}
		if err := v.run(ctx, o, nil); err != nil {
			return err
		}
	}
	return nil
}

// isNear reports whether a pair has a step in a function of the schedule.
func (v *verifier) isNear(r *execution.Reversal) bool {
	return slices.ContainsFunc(r.Schedule.Steps, func(s schedule.Step) bool { return v.wanted[declared(s.Function)] })
}

// seeds runs the program under steered schedules: as many as are wanted, less the reversed pairs.
func (v *verifier) seeds(ctx context.Context) error {
	left := v.plan.Explore
	for _, s := range v.outcome.Runs {
		if s.Kind == Pairs {
			left -= s.Runs
		}
	}
	first := max(v.plan.Seed, 1)
	for i := range left {
		o := &order{kind: Seeds, seed: first + uint64(i)}
		if err := v.run(ctx, o, new(log)); err != nil {
			return err
		}
	}
	return nil
}
