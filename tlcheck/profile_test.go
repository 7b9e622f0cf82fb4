package tlcheck

import (
	"testing"
	"time"
)

// Time goes to what is being computed and not to what waits for it.
func TestCostsAreOwn(t *testing.T) {
	now := time.Unix(0, 0)
	var search cost
	clock := newClock(func() time.Time { return now }, &search)
	parent, kid := &cost{clock: clock}, &cost{clock: clock}
	pass := func(s time.Duration) { now = now.Add(s * time.Second) }

	pass(1)
	outer := parent.enter()
	pass(2)
	for n := range 2 {
		inner := kid.enter()
		pass(4)
		kid.leave(inner, 5+n)
		pass(8)
	}
	parent.leave(outer, 7)
	pass(16)
	clock.switchTo(&search)

	for name, c := range map[string]struct {
		got  *cost
		want NodeCost
	}{
		"search": {&search, NodeCost{Own: 17 * time.Second}},
		"parent": {parent, NodeCost{Sets: 1, Intervals: 7, Largest: 7, Own: 18 * time.Second}},
		"kid":    {kid, NodeCost{Sets: 2, Intervals: 11, Largest: 6, Own: 8 * time.Second}},
	} {
		if c.got.NodeCost != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got.NodeCost, c.want)
		}
	}
}
