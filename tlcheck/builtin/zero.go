package builtin

import "github.com/antichain-go/antichain/tracer/op"

// canBeZero reports whether there is a slice in which the Add is next, the Wait has begun or is about
// to, and the counter is 0.
//
// Such a slice has the additions that come before the Add or the beginning of the Wait (they are given),
// and nothing that the Add comes before. With a subtraction it has the additions before that. A
// subtraction takes the sum down, and needs to be left out only for an addition before it that is not
// given (which the Add does not come before either). So the smallest sum is that of the given additions, minus what can be subtracted, plus the most
// of it that can be matched with additions that are not given (the deficiency version of Hall's theorem;
// Ore, "Graphs and matching theorems", 1955). Where it is not negative anywhere, the counter can be 0 if
// and only if the smallest sum is.
func (c *counter) canBeZero(s *suspect) bool {
	if c.blurred {
		return false
	}
	var rest counter
	sum := int64(0)
	for i := range c.ups {
		u := &c.ups[i]
		if s.add.knows(&u.mark) || u.within(s.wait.begin, s.wait.task, s.wait.k) {
			sum += u.n
		} else {
			rest.add(u.event, u.n)
		}
	}
	for i := range c.downs {
		if d := &c.downs[i]; !d.knows(&s.add.mark) {
			sum -= rest.sub(d.event, d.n)
		}
	}
	return sum <= 0 && !rest.blurred
}

// guards tells of additions that the counter is not 0 when they come. It is what stands in the way of
// most suspects: a task that is counted itself starts another, and is done later. Of each task it has
// the matches of its subtractions.
type guards map[op.Task][]match

func (c *counter) guards() guards {
	g := guards{}
	for _, m := range c.matches {
		t := c.downs[m.down].task
		g[t] = append(g[t], m)
	}
	return g
}

// guarded reports whether a subtraction of the task behind the addition is matched with an addition
// before it. No slice without the former has the match of the latter, nor a match for it.
func (c *counter) guarded(g guards, add *event) bool {
	for _, m := range g[add.task] {
		if c.downs[m.down].k > add.k && add.knows(&c.ups[m.up].mark) {
			return true
		}
	}
	return false
}
