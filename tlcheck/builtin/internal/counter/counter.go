// Package counter decides whether a counter that concurrent operations add to and subtract from can
// become negative, or zero, in some slice of a run.
package counter

import (
	"maps"
	"slices"
	"sort"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// Counter is a counter that must not become negative in any slice.
//
// It can become negative if and only if the units that are subtracted cannot be matched with units
// that are added, each before its own subtraction. For a set of subtractions that lacks additions
// before it (Hall, "On representatives of subsets", 1935) is, with all that comes before, a slice
// with a negative sum. Operations come in an order that agrees with theirs. So all additions before
// a subtraction are there when it comes. If none of them is free, one may become free by rematching
// earlier subtractions (an augmenting path; Kuhn, "The Hungarian method for the assignment
// problem", 1955).
type Counter struct {
	Sum     int64 // so far
	adders  []adder
	index   map[op.Task]int32 // of adders; nil while these are few
	active  []int32           // adders with additions that are free
	ups     []up
	downs   []subtraction
	matches []match // of n > 0; one for each two
	limit   int     // on ups and downs, when matched ones are forgotten

	// Blurred says that some operations were forgotten, or a search was given up: a subtraction
	// without a match may have one.
	Blurred bool
}

// up is an addition.
type up struct {
	candidate.Event
	n, free int64 // what it adds, and how much of that is not matched
	by      int32 // its adder
}

// subtraction is an operation that takes n off a counter.
type subtraction struct {
	candidate.Event
	n int64
}

// match says that n of a subtraction are matched with an addition.
type match struct {
	down, up int32
	n        int64
}

// adder has the free additions of a task, in its order.
type adder struct {
	task   op.Task
	active int32 // its index in counter.active, if any are open
	open   []int32
}

const (
	fewAdders  = 8       // that are found fast enough without an index
	maxCounted = 1 << 13 // operations that a counter remembers, in addition to free additions
	maxSearch  = 1 << 16 // steps to find an augmenting path
)

// Add adds n to the counter.
func (c *Counter) Add(e candidate.Event, n int64) {
	c.makeRoom()
	c.Sum += n
	by := c.adder(e.Task)
	if by < 0 {
		by = c.newAdder(e.Task)
	}
	c.ups = append(c.ups, up{Event: e, n: n, by: by})
	c.addFree(int32(len(c.ups)-1), n)
}

// adder returns the index of the adder of a task, -1 if it has added nothing.
func (c *Counter) adder(task op.Task) int32 {
	if c.index != nil {
		if i, ok := c.index[task]; ok {
			return i
		}
		return -1
	}
	return int32(slices.IndexFunc(c.adders, func(a adder) bool { return a.task == task }))
}

func (c *Counter) newAdder(task op.Task) int32 {
	i := int32(len(c.adders))
	if int(i) < cap(c.adders) { // Forget has left its memory
		c.adders = c.adders[:i+1]
		c.adders[i] = adder{task: task, open: c.adders[i].open[:0]}
	} else {
		c.adders = append(c.adders, adder{task: task})
	}
	switch {
	case c.index != nil:
		c.index[task] = i
	case i == fewAdders:
		c.index = make(map[op.Task]int32, 2*fewAdders)
		for i := range c.adders {
			c.index[c.adders[i].task] = int32(i)
		}
	}
	return i
}

// Sub subtracts n from the counter. It returns how much of it has no match: 0 if the sum is not
// negative in any slice.
func (c *Counter) Sub(e candidate.Event, n int64) int64 {
	c.makeRoom()
	c.Sum -= n
	c.downs = append(c.downs, subtraction{e, n})
	d := int32(len(c.downs) - 1)
	for n > 0 {
		took := c.matchFree(d, n)
		if took == 0 {
			took = c.augment(d, n)
		}
		if took == 0 {
			break
		}
		n -= took
	}
	return n
}

// matchFree matches up to n units of a subtraction with a free addition, and returns their number.
func (c *Counter) matchFree(d int32, n int64) int64 {
	if own := c.adder(c.downs[d].Task); own >= 0 {
		if took := c.takeFrom(own, d, n); took > 0 {
			return took
		}
	}
	for _, by := range c.active {
		if took := c.takeFrom(by, d, n); took > 0 {
			return took
		}
	}
	return 0
}

// takeFrom matches with the last free addition of a task that comes before the subtraction: other
// subtractions more probably know earlier ones.
func (c *Counter) takeFrom(by, d int32, n int64) int64 {
	open := c.adders[by].open
	known := sort.Search(len(open), func(i int) bool { return !c.downs[d].Knows(&c.ups[open[i]].Mark) })
	if known == 0 {
		return 0
	}
	u := open[known-1]
	n = min(n, c.ups[u].free)
	c.addFree(u, -n)
	c.matches = append(c.matches, match{d, u, n})
	return n
}

// addFree adds n, which may be negative, to the free part of an addition.
func (c *Counter) addFree(u int32, n int64) {
	was, at := c.ups[u].free, c.ups[u].by
	by := &c.adders[at]
	c.ups[u].free += n
	i, _ := slices.BinarySearch(by.open, u)
	switch {
	case was == 0:
		by.open = slices.Insert(by.open, i, u)
		if len(by.open) == 1 {
			by.active = int32(len(c.active))
			c.active = append(c.active, at)
		}
	case was+n == 0:
		by.open = slices.Delete(by.open, i, i+1)
		if len(by.open) == 0 {
			last := c.active[len(c.active)-1]
			c.active[by.active], c.adders[last].active = last, by.active
			c.active = c.active[:len(c.active)-1]
		}
	}
}

// step is a step of an augmenting path: the addition would be matched with the subtraction down,
// which is matched with the addition back so far (-1: it is the one that needs a match).
type step struct{ down, back int32 }

// augment matches up to n units of a subtraction for which no addition is free. For this it
// rematches other subtractions. It returns the number of units matched.
func (c *Counter) augment(d int32, n int64) int64 {
	if len(c.active) == 0 {
		return 0
	}
	users := make(map[int32][]int32, len(c.ups)) // of an addition: the subtractions it is matched with
	for _, m := range c.matches {
		users[m.up] = append(users[m.up], m.down)
	}
	path := map[int32]step{}
	queue := []step{{d, -1}}
	for searched := 0; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		for u := range int32(len(c.ups)) {
			if searched++; searched > maxSearch {
				c.Blurred = true
				return 0
			}
			if _, seen := path[u]; seen || !c.downs[s.down].Knows(&c.ups[u].Mark) {
				continue
			}
			path[u] = s
			if c.ups[u].free > 0 {
				return c.shiftMatches(path, u, n)
			}
			for _, other := range users[u] {
				queue = append(queue, step{other, u})
			}
		}
	}
	return 0
}

// shiftMatches moves up to n units along the path that ends in the free addition u.
func (c *Counter) shiftMatches(path map[int32]step, u int32, n int64) int64 {
	n = min(n, c.ups[u].free)
	for s := path[u]; s.back >= 0; s = path[s.back] {
		n = min(n, *c.matchCount(s.down, s.back))
	}
	c.addFree(u, -n)
	for at := u; at >= 0; at = path[at].back {
		s := path[at]
		*c.matchCount(s.down, at) += n
		if s.back >= 0 {
			*c.matchCount(s.down, s.back) -= n
		}
	}
	c.matches = slices.DeleteFunc(c.matches, func(m match) bool { return m.n == 0 })
	return n
}

// matchCount returns the number of units of a subtraction that are matched with an addition, to be
// changed.
func (c *Counter) matchCount(d, u int32) *int64 {
	i := slices.IndexFunc(c.matches, func(m match) bool { return m.down == d && m.up == u })
	if i < 0 {
		i = len(c.matches)
		c.matches = append(c.matches, match{d, u, 0})
	}
	return &c.matches[i].n
}

// Unknown returns an addition that does not come before the last subtraction, if there is one.
func (c *Counter) Unknown() candidate.Mark {
	last := &c.downs[len(c.downs)-1]
	for i := len(c.ups) - 1; i >= 0; i-- {
		if m := &c.ups[i].Mark; !last.Knows(m) {
			return *m
		}
	}
	return candidate.Mark{}
}

// makeRoom forgets matched operations if there are many.
func (c *Counter) makeRoom() {
	if len(c.ups)+len(c.downs) < max(c.limit, maxCounted) {
		return
	}
	sum, blurred, ups := c.Sum, c.Blurred || c.Sum != 0, c.ups
	*c = Counter{}
	c.limit = 2 * len(ups) // whatever is kept, there is room
	for _, u := range ups {
		if u.free > 0 {
			c.Add(u.Event, u.free)
		}
	}
	c.Sum, c.Blurred, c.limit = sum, blurred, 2*len(c.ups)
}

// Clone returns a counter that goes on from here by itself.
func (c *Counter) Clone() Counter {
	clone := *c
	clone.adders, clone.index = slices.Clone(c.adders), maps.Clone(c.index)
	for i := range clone.adders {
		clone.adders[i].open = slices.Clone(clone.adders[i].open)
	}
	clone.active, clone.matches = slices.Clone(c.active), slices.Clone(c.matches)
	clone.ups, clone.downs = slices.Clone(c.ups), slices.Clone(c.downs)
	return clone
}

// IsLong reports whether many additions are remembered.
func (c *Counter) IsLong() bool { return len(c.ups) > maxCounted/4 }

// Forget forgets everything but the sum.
func (c *Counter) Forget() {
	if len(c.ups)+len(c.downs) > maxCounted/4 {
		*c = Counter{Sum: c.Sum}
		return
	}
	// Most counters go up and down again and again.
	clear(c.ups)
	clear(c.downs)
	*c = Counter{
		Sum: c.Sum, adders: c.adders[:0], active: c.active[:0], ups: c.ups[:0], downs: c.downs[:0],
		matches: c.matches[:0],
	}
}

// few is for how many operations an empty counter keeps its memory.
const few = 16

// Empty resets the counter. It keeps its memory if that is little.
func (c *Counter) Empty() {
	if cap(c.ups)+cap(c.downs) > few {
		*c = Counter{}
		return
	}
	c.Forget()
	c.Sum = 0
}
