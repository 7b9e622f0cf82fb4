package onthefly

import (
	stdslices "slices"
	"sync"

	"github.com/antichain-go/antichain/san"
)

// What every task that can still act knows is in every slice that contains a new local state
// (slice-sets.md, "Forgetting"). A piece whose slices lack some of that has nothing in common
// with pieces that do contain new local states, and need not be kept to be met with such.

// floors are the slices that contain what is known to all, by depth: what all tasks knew so
// many events of their own ago.
type floors struct {
	mu      sync.Mutex
	byDepth []floorAt
	room    []int32
}

type floorAt struct {
	depth   int
	version int // in which it is valid
	floor   []int32
}

// floor returns for each task how many of its events every task that has not ended knew depth
// events before its last one. It must not be changed, and is valid in this version.
func (v *version) floor(depth int) []int32 {
	v.floors.mu.Lock()
	defer v.floors.mu.Unlock()
	i := stdslices.IndexFunc(v.floors.byDepth, func(f floorAt) bool { return f.depth == depth })
	if i < 0 {
		i = len(v.floors.byDepth)
		v.floors.byDepth = append(v.floors.byDepth, floorAt{depth: depth})
	}
	f := &v.floors.byDepth[i]
	if f.version != v.number {
		f.version, f.floor = v.number, v.known(depth, f.floor)
	}
	return f.floor
}

// known returns that floor, in the room there is.
func (v *version) known(depth int, room []int32) []int32 {
	floor := stdslices.Grow(room[:0], v.tasks)[:v.tasks]
	for t := range floor {
		floor[t] = int32(v.net.Len(san.Task(t)))
	}
	v.floors.room = stdslices.Grow(v.floors.room[:0], v.tasks)[:v.tasks]
	one := v.floors.room
	for t := range san.Task(v.tasks) {
		if v.net.Ended(t) {
			continue
		}
		a, ok := san.Action{Task: t, K: int32(v.net.Len(t) - depth)}, true
		for ok && a.K <= 0 { // go on in the task that created it
			var spawn san.Action
			spawn, ok = v.net.SpawnedBy(a.Task)
			a = san.Action{Task: spawn.Task, K: spawn.K + a.K}
		}
		if !ok {
			clear(floor)
			return floor
		}
		v.net.Down(a, one)
		for u, k := range one {
			floor[u] = min(floor[u], k)
		}
	}
	return floor
}

// below reports whether an action is in the slice with these numbers of events.
func below(a san.Action, floor []int32) bool { return a.K <= floor[a.Task] }

// over reports whether the piece has nothing in common with any that contains the floor.
func (p *piece) over(floor []int32) bool {
	for _, x := range p.out {
		if x.happened && below(x.action, floor) {
			return true
		}
	}
	return false
}
