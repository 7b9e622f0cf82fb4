package counter

import (
	"iter"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// CanBeZero reports whether there is a slice in which an addition is next, a Wait has begun or is
// about to, and the counter is 0.
//
// Such a slice has the additions that come before the Add or the beginning of the Wait (the given
// ones), and nothing that comes after the Add. With a subtraction it has the additions before that.
// A subtraction lowers the sum, and is left out only because of an addition before it that is not
// given. So the smallest sum is that of the given additions, minus all subtractions that do not
// come after the Add, plus the most of these that can be matched with additions that are not given
// (the deficiency version of Hall's theorem; Ore, "Graphs and matching theorems", 1955). Since the
// sum is not negative in any slice, the counter can be 0 if and only if the smallest sum is.
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

// FreeBefore returns the sum of the unmatched additions before an event.
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

// Unguarded yields the additions that an event does not know of, without the guarded ones.
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
			if !c.isGuarded(guarding, &up.Event) && !yield(up.Event) {
				return
			}
		}
	}
}

// guards shows for additions that the counter is not 0 when they come. That excludes most suspects:
// a task that is counted itself starts another one, and is done later. It has the matches of each
// task's subtractions.
type guards map[op.Task][]match

func (c *Counter) guards() guards {
	g := guards{}
	for _, m := range c.matches {
		t := c.downs[m.down].Task
		g[t] = append(g[t], m)
	}
	return g
}

// isGuarded reports whether a later subtraction of the addition's task is matched with an addition
// before it. Then that unit is still counted in each slice in which the addition is next.
func (c *Counter) isGuarded(g guards, add *candidate.Event) bool {
	for _, m := range g[add.Task] {
		if c.downs[m.down].K > add.K && add.Knows(&c.ups[m.up].Mark) {
			return true
		}
	}
	return false
}
