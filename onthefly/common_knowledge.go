package onthefly

import (
	stdslices "slices"
	"sync"

	"github.com/antichain-go/antichain/san"
)

// Every slice that contains a new local state contains whatever all tasks know that can still act
// (docs/slice-sets.md, "Forgetting"). An open interval whose slices lack part of that common
// knowledge has no slice in common with an open interval that contains new local states. So it need
// not be kept to be intersected with one.

// commonKnowledge has, for each depth, the cut that all tasks knew that many events of their own
// ago.
type commonKnowledge struct {
	mu      sync.Mutex
	byDepth []commonCut
	meet    san.Meet
	actions []san.Action // buffer
}

type commonCut struct {
	depth   int
	version int // the version in which it is valid
	common  []int32
}

// commonKnowledge returns, for each task, how many of its events were known to every task that has
// not ended, depth events before that task's last one. It must not be changed, and is valid in this
// version.
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

// known computes the common knowledge, in room if that is large enough.
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

// lastBut appends, for each task that has not ended, its last event but depth, or one of the task
// that created it; false if some task had no such event.
func (v *version) lastBut(depth int, actions []san.Action) ([]san.Action, bool) {
	for t := range san.Task(v.tasks) {
		if v.net.Ended(t) {
			continue
		}
		a, ok := san.Action{Task: t, K: int32(v.net.Len(t) - depth)}, true
		for ok && a.K <= 0 { // continue in the creator
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

// isOver reports whether the open interval has no slice in common with any that contains the common
// knowledge.
func (p *openInterval) isOver(common []int32) bool {
	for _, x := range p.out {
		if x.happened && below(x.action, common) {
			return true
		}
	}
	return false
}
