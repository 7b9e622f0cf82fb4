package workload

import "math/rand/v2"

// phase is a part of the run. All tasks go through the same phases.
type phase uint8

const (
	start   phase = iota // tasks are created
	hotEven              // even tasks are in a
	hotOdd               // odd tasks are in a
	middle               // tasks are in e one after the other; every task is in b at least once
	late                 // tasks are in c
	end                  // tasks wait for those they have created
)

// hot reports whether the phase is one in which b stays true and no event waits for another task's.
// Then each task can reach the end of the phase alone.
func (p phase) hot() bool { return p == hotEven || p == hotOdd }

// hotPhase returns the hot phase in which the task may be in a. Small runs have only one.
func (c Config) hotPhase(t int) phase {
	if t%2 == 1 && !c.small() {
		return hotOdd
	}
	return hotEven
}

func (c Config) small() bool { return c.Events < FullEvents }

// cycleEvents is about the number of events of a task in one round of the repeated phases.
const cycleEvents = 20

// phases returns the phases of the run.
func (c Config) phases() []phase {
	switch {
	case c.small() && c.Variant == Holds:
		return []phase{start, hotEven, late, end}
	case c.small():
		return []phase{start, late, hotEven, end}
	case c.Variant == Violated:
		return []phase{start, late, hotEven, hotOdd, middle, end}
	}
	all := []phase{start}
	for range max(1, (c.Events-startEvents-endEvents)/cycleEvents) {
		all = append(all, hotEven, hotOdd, middle, late)
	}
	return append(all, end)
}

// The least numbers of events. The first event of a phase departs from the barrier before it, the
// last one arrives at the barrier after it. The state between two phases is a waiting state.
const (
	startEvents      = 2 // a task creates up to two others
	endEvents        = 3
	hotEvents        = 4 // in the phase in which the task is in a
	otherHotEvents   = 2
	middleEvents     = 4 // with those of the other hot phase: more than five from a to c
	lateEvents       = 4
	smallPhaseEvents = 3
)

func (c Config) least(t int, p phase) int {
	switch {
	case p == start:
		return startEvents
	case c.small() && p == end:
		return endEvents - 1
	case c.small():
		return smallPhaseEvents
	case p == end:
		return endEvents
	case p == middle:
		return middleEvents
	case p == late:
		return lateEvents
	case p == c.hotPhase(t):
		return hotEvents
	}
	return otherHotEvents
}

// lengths draws the number of events of a task in each phase. Events beyond the minimum are
// distributed with the hot phases below half of the total, since b is true in all of them, and
// those of a, c and e above a tenth.
func (c Config) lengths(rnd *rand.Rand, t int, phases []phase) []int32 {
	n := make([]int32, len(phases))
	spare := c.Events
	for i, p := range phases {
		n[i] = int32(c.least(t, p))
		spare -= int(n[i])
	}
	cycles := 0
	for _, p := range phases {
		if p == hotEven {
			cycles++
		}
	}
	var rest []int
	dealt := 0
	for i, p := range phases {
		from, to := 0.0, 0.0
		switch {
		case p == c.hotPhase(t):
			from, to = 0.12, 0.3
		case p.hot():
			from, to = 0.05, 0.05
		case p == late:
			from, to = 0.12, 0.4
		case p == middle && c.Variant == Violated:
			from, to = 0.12, 0.2
		default:
			rest = append(rest, i)
		}
		extra := int((from + (to-from)*rnd.Float64()) * float64(spare) / float64(cycles))
		n[i] += int32(extra)
		dealt += extra
	}
	for ; dealt < spare; dealt++ {
		n[rest[rnd.IntN(len(rest))]]++
	}
	return n
}
