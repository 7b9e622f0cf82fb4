package san

import "iter"

// Precedes reports whether a comes before b along program order, spawns and causes. It is strict:
// no action precedes itself, under whichever of its names.
func (n *Net) Precedes(a, b Action) bool {
	return n.Known(b, a.Task) >= int(a.K) && !n.Same(a, b)
}

// Same reports whether a and b name one action.
func (n *Net) Same(a, b Action) bool {
	if a == b {
		return true
	}
	i, ok := n.jointOf(a)
	if !ok {
		return false
	}
	j, ok := n.jointOf(b)
	return ok && i == j
}

// Concurrent reports whether a and b are different actions and neither precedes the other.
func (n *Net) Concurrent(a, b Action) bool {
	return n.Known(b, a.Task) < int(a.K) && n.Known(a, b.Task) < int(b.K)
}

// Known returns how many events of u are in ↓a, the set of a and all that precedes it.
func (n *Net) Known(a Action, u Task) int {
	if u == a.Task {
		return int(a.K)
	}
	return int(n.clocks.at(n.record(a).clock, u))
}

// Down stores ↓a into dst: for each task, how many of its events are in ↓a. dst has one element for
// each task.
func (n *Net) Down(a Action, dst []int32) {
	n.clocks.fill(n.record(a).clock, dst)
	dst[a.Task] = a.K
}

// NotAbove stores ALL \ ↑a into dst: for each task, how many of its events neither are a nor follow
// it.
func (n *Net) NotAbove(a Action, dst []int32) {
	for u := range n.tasks {
		dst[u] = int32(n.NotAboveIn(a, Task(u)))
	}
}

// NotAboveIn returns how many events of u neither are a nor follow it.
func (n *Net) NotAboveIn(a Action, u Task) int {
	if u == a.Task {
		return int(a.K) - 1
	}
	records := n.tasks[u].records[:n.Len(u)]
	knows := func(i int) bool { return n.clocks.at(records[i].clock, a.Task) >= a.K }
	low, high := 0, len(records)
	if high == 0 || !knows(high-1) {
		return high
	}
	for high--; low < high; { // the first event that knows a is low, high or between them
		if middle := int(uint(low+high) / 2); knows(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// Recorded returns the tasks of the events in the recorded order, without the first skip entries.
// Every side of a joint action has an entry; these are adjacent. The result must not be changed.
func (n *Net) Recorded(skip int) []Task { return n.order[skip:] }

// Order yields the actions, by canonical name, in the order in which the run recorded them: a
// linear extension of Precedes.
func (n *Net) Order() iter.Seq[Action] {
	return func(yield func(Action) bool) {
		count := make([]int32, len(n.tasks))
		for _, t := range n.order {
			count[t]++
			a := Action{t, count[t]}
			if id, ok := n.jointOf(a); ok && n.action(n.sidesOf(id)[0]) != a {
				continue // the first side was yielded
			}
			if !yield(a) {
				return
			}
		}
	}
}
