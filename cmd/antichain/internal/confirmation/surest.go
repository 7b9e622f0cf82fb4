package confirmation

import (
	"context"
	"slices"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
)

// trial is a schedule with its goal and its attempts.
type trial struct {
	c       *Confirmer
	program *schedule.Program
	wanted  goal
	*schedule.Schedule
	took    time.Duration
	sum     tally
	outcome *tlcheck.Confirmation // nil as long as there are attempts to come
}

// unsure is the detail of what did not happen again each time.
const unsure = "it does not happen again each time under this schedule"

// mostReliable returns how to keep the schedule for the violation to recur each time: as it has
// just been kept, or else in another way. If there is no such way it returns the best one, and says
// that it is not reliable.
func (c *Confirmer) mostReliable(ctx context.Context, t *trial, way schedule.Keep) (best schedule.Keep, detail string) {
	if c.Again == 0 {
		return way, ""
	}
	best = way
	most := -1
	for _, way := range t.keepModes(way) {
		times := c.repeatCount(ctx, t, way, c.Again)
		switch {
		case times > most:
			best, most = way, times
		case times < 0: // there is no time left
			return best, ""
		}
		if most == c.Again {
			return best, ""
		}
	}
	return best, unsure
}

// keepModes returns the modes in which the schedule may be kept, beginning with the one that led to
// the goal first.
func (t *trial) keepModes(first schedule.Keep) []schedule.Keep {
	ways := []schedule.Keep{first}
	for n := 1; n <= 7; n++ {
		if way, free := attemptMode(n, t.took, t.Meets()); !free && way.Seed == 0 && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// repeatCount returns how often in a row the goal is reached, at most the given number; -1 if there
// was no time to find out.
func (c *Confirmer) repeatCount(ctx context.Context, t *trial, way schedule.Keep, most int) (times int) {
	for times < most {
		how, err := howTo(way, false, t.program, t.Schedule, t.took)
		if err != nil {
			return times
		}
		a, err := c.Runner.Run(ctx, how)
		if err != nil || ctx.Err() != nil {
			return -1
		}
		if reached, err := t.wanted.reached(ctx, a); err != nil || !reached {
			return times
		}
		times++
	}
	return times
}

// fewerAgain is the factor by which a shorter schedule must reach the goal more often, each time:
// without the steps that it leaves out, it may reach the goal by chance.
const fewerAgain = 2

// dropLastSteps returns the schedule without the last steps that need not be steered, for fewer
// switches between goroutines. Earlier steps stay, though the violation may happen without them: it
// would happen by chance, and under another load no more. The schedule of two accesses at once is
// minimal, and one that halts the program says where.
func (c *Confirmer) dropLastSteps(ctx context.Context, t *trial, way schedule.Keep) *schedule.Schedule {
	best := t.Schedule
	if c.Again == 0 || best.Meets() || way.Seed != 0 || slices.ContainsFunc(best.Steps, func(step schedule.Step) bool { return step.Halt }) {
		return best
	}
	for n := len(best.Steps) - 1; n > 0; n-- {
		shorter := *t.Schedule
		shorter.Steps = t.Steps[:n]
		shorter.Goroutines = slices.DeleteFunc(slices.Clone(t.Goroutines), func(g schedule.Goroutine) bool { return !shorter.Needs(g.Name) })
		if best.Waits() && !shorter.Waits() { // it has to say that goroutines wait in the end
			break
		}
		most := fewerAgain * c.Again
		tried := &trial{c: c, program: t.program, wanted: t.wanted, Schedule: &shorter, took: t.took}
		if c.repeatCount(ctx, tried, way, most) < most {
			break
		}
		best = &shorter
	}
	return best
}
