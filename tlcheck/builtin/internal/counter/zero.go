package counter

import (
	"iter"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// CanBeZero reports whether there is a slice in which an addition is next, another operation has
// begun or is about to, a Wait, and the counter is 0.
//
// Such a slice has the additions that come before the Add or the beginning of the Wait (they are
// given), and nothing that the Add comes before. With a subtraction it has the additions before
// that. A subtraction takes the sum down, and needs to be left out only for an addition before it
// that is not given (which the Add does not come before either). So the smallest sum is that of the
// given additions, minus what can be subtracted, plus the most of it that can be matched with
// additions that are not given (the deficiency version of Hall's theorem; Ore, "Graphs and matching
// theorems", 1955). Where it is not negative anywhere, the counter can be 0 if and only if the
// smallest sum is.
func (c *Counter) CanBeZero(add, wait *candidate.Event) bool {
	if c.Blurred {
		return false
	}
	var rest Counter
	sum := int64(0)
	for i := range c.ups {
		u := &c.ups[i]
		if add.Knows(&u.Mark) || wait.Knows(&u.Mark) {
			sum += u.n
		} else {
			rest.Add(u.Event, u.n)
		}
	}
	for i := range c.downs {
		if d := &c.downs[i]; !d.Knows(&add.Mark) {
			sum -= rest.Sub(d.Event, d.n)
		}
	}
	return sum <= 0 && !rest.Blurred
}

// FreeBefore returns the sum of what is added before an event and not matched.
func (c *Counter) FreeBefore(e *candidate.Event) int64 {
	sum := int64(0)
	for _, by := range c.active {
		for _, u := range c.adders[by].open {
			if e.Knows(&c.ups[u].Mark) {
				sum += c.ups[u].free
			}
		}
	}
	return sum
}

// Unguarded returns the additions that an event does not know of, but for those that are guarded.
func (c *Counter) Unguarded(e *candidate.Event) iter.Seq[candidate.Event] {
	return func(yield func(candidate.Event) bool) {
		var guarding guards
		for i := range c.ups {
			up := &c.ups[i]
			if e.Knows(&up.Mark) {
				continue
			}
			if guarding == nil {
				guarding = c.guards()
			}
			if !c.guarded(guarding, &up.Event) && !yield(up.Event) {
				return
			}
		}
	}
}

// guards says of additions that the counter is not 0 when they come. It is what stands in the way
// of most suspects: a task that is counted itself starts another, and is done later. Of each task
// it has the matches of its subtractions.
type guards map[op.Task][]match

func (c *Counter) guards() guards {
	g := guards{}
	for _, m := range c.matches {
		t := c.downs[m.down].Task
		g[t] = append(g[t], m)
	}
	return g
}

// guarded reports whether a subtraction of the task behind the addition is matched with an addition
// before it. No slice without the former has the match of the latter, nor a match for it.
func (c *Counter) guarded(g guards, add *candidate.Event) bool {
	for _, m := range g[add.Task] {
		if c.downs[m.down].K > add.K && add.Knows(&c.ups[m.up].Mark) {
			return true
		}
	}
	return false
}
