package confirmation

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
)

// fewerAgain is how much more often a shorter schedule has to lead there each time: what is left
// out of it may come by chance.
const fewerAgain = 2

// fewest returns the schedule without the last steps that come by themselves, so that it has fewer
// switches from one goroutine to another. Steps before others stay, though it may happen without
// them: then by chance, under another load no more. The schedule of two accesses at once has no
// more than it needs, and one that halts the program says where.
func (c *Confirmer) fewest(ctx context.Context, t *trial, way schedule.Keep) *schedule.Schedule {
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
		if c.again(ctx, &trial{t.program, t.wanted, &shorter, t.took}, way, fewerAgain*c.Again) < fewerAgain*c.Again {
			break
		}
		best = &shorter
	}
	return best
}
