package onthefly

import (
	stdslices "slices"
	"sync"

	"github.com/antichain-go/antichain/san"
)

// Every slice that contains a new local state contains what every task knows that can still act
// (docs/slice-sets.md, "Forgetting"). An open interval whose slices lack some of that has no slice
// in common with an open interval that contains new local states, and is not kept to be met with
// one.

// commonKnowledge has, for each depth, the cut of what all tasks knew that many events of their own
// ago.
type commonKnowledge struct {
	mu      sync.Mutex
	byDepth []commonCut
	meet    san.Meet
	actions []san.Action // room
}

type commonCut struct {
	depth   int
	version int // in which it is valid
	common  []int32
}

// commonKnowledge returns for each task how many of its events every task that has not ended knew
// depth events before its last one. It must not be changed, and is valid in this version.
func (v *version) commonKnowledge(depth int) []int32 {
	v.common.mu.Lock()
	defer v.common.mu.Unlock()
	i := stdslices.IndexFunc(v.common.byDepth, func(f commonCut) bool { return f.depth == depth })
	if i < 0 {
		i = len(v.common.byDepth)
		v.common.byDepth = append(v.common.byDepth, commonCut{depth: depth})
	}
	f := &v.common.byDepth[i]
	if f.version != v.number {
		f.version, f.common = v.number, v.known(depth, f.common)
	}
	return f.common
}

// known computes it, in the room there is.
func (v *version) known(depth int, room []int32) []int32 {
	common := stdslices.Grow(room[:0], v.tasks)[:v.tasks]
	actions, ok := v.lastBut(depth, v.common.actions[:0])
	switch v.common.actions = actions; {
	case !ok:
		clear(common)
	case len(actions) > 0:
		v.common.meet.Of(v.net, actions, common)
	default:
		for t := range common {
			common[t] = int32(v.net.Len(san.Task(t)))
		}
	}
	return common
}

// lastBut adds to actions the last one but depth of each task that has not ended, or of the task
// that created it; false if one has had none.
func (v *version) lastBut(depth int, actions []san.Action) ([]san.Action, bool) {
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
			return actions, false
		}
		actions = append(actions, a)
	}
	return actions, true
}

// below reports whether an action is in the slice with these numbers of events.
func below(a san.Action, common []int32) bool { return a.K <= common[a.Task] }

// over reports whether the open interval has no slice in common with any that contains what all
// tasks know.
func (p *openInterval) over(common []int32) bool {
	for _, x := range p.out {
		if x.happened && below(x.action, common) {
			return true
		}
	}
	return false
}
