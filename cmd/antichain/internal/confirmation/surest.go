package confirmation

import (
	"context"
	"slices"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
)

// trial is what is tried.
type trial struct {
	program *schedule.Program
	wanted  goal
	*schedule.Schedule
	took time.Duration
}

// unsure is the detail of what did not happen again each time.
const unsure = "it does not happen again each time under this schedule"

// surest returns how the schedule is kept so that it happens again each time: as it has just been
// kept, or in another way if it does not happen again so. If there is no such way it returns the
// best one, and says so.
func (c *Confirmer) surest(ctx context.Context, t *trial, way schedule.Keep) (best schedule.Keep, detail string) {
	if c.Again == 0 {
		return way, ""
	}
	best = way
	most := -1
	for _, way := range t.ways(way) {
		times := c.again(ctx, t, way, c.Again)
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

// ways are how the schedule may be kept, that in which it has happened first.
func (t *trial) ways(first schedule.Keep) []schedule.Keep {
	ways := []schedule.Keep{first}
	for n := 1; n <= 7; n++ {
		if way, free := manner(n, t.took, t.Meets()); !free && way.Seed == 0 && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// again returns how often it happens one time after the other, at most so often, -1 if that is not
// known.
func (c *Confirmer) again(ctx context.Context, t *trial, way schedule.Keep, most int) (times int) {
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
