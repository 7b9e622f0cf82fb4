package onthefly

import (
	"encoding/binary"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// spoilLimit bounds the slices that can spoil a slice l: they contain no more than l and the
// counted slice. If that is a goal, its union with l is a slice of the goal, which does not spoil
// l.
type spoilLimit struct {
	counts []int32 // a slice, by number of events of each task
	goal   cut     // generates the counted slice; nil if that is the part common to all future goals
}

// spoils reports whether a slice of bad above slice spoils it. It ignores slices for which only a
// successor is in the goal.
func (k *spoilLimit) spoils(v *version, bad *openInterval, slice []int32) bool {
	inside := true
	for _, a := range bad.low {
		if !below(a, slice) {
			if inside = false; !below(a, k.counts) {
				return false
			}
		}
	}
	switch {
	case bad.isOver(slice):
		return false
	case inside: // other slices of the open interval
		return !isBelow(v.without(k.counts, bad.out), slice)
	case k.goal == nil:
		return true
	}
	return stdslices.ContainsFunc(k.goal, func(a san.Action) bool { return !below(a, slice) && !v.has(bad.low, a) })
}

// raise returns slices above a spoilt one. Every slice above it that bad does not spoil is above
// one of them, or contains an exit that has not happened.
func (k *spoilLimit) raise(v *version, bad *openInterval, slice []int32) (all [][]int32) {
	for _, x := range bad.out {
		if x.happened {
			all = append(all, v.with(slice, cut{x.action}))
		}
	}
	rest := stdslices.DeleteFunc(stdslices.Clone(k.goal), func(a san.Action) bool { return v.has(bad.low, a) })
	if len(rest) < len(k.goal) {
		all = append(all, v.with(slice, rest))
	}
	top := v.with(slice, bad.low)
	for t, events := range v.without(k.counts, bad.out) {
		top[t] = max(top[t], events)
	}
	return append(all, top)
}

// with returns the union of a slice and some actions.
func (g graph) with(slice []int32, actions cut) []int32 {
	more := stdslices.Clone(slice)
	for t := range more {
		more[t] = max(more[t], int32(g.at(actions, san.Task(t))))
	}
	return more
}

// without returns a slice without some exits and all that follows them.
func (g graph) without(slice []int32, out []*exit) []int32 {
	for _, x := range out {
		if !x.happened || !below(x.action, slice) {
			continue
		}
		slice = stdslices.Clone(slice)
		for t := range slice {
			slice[t] = min(slice[t], int32(g.net.NotAboveIn(x.action, san.Task(t))))
		}
	}
	return slice
}

// hasAll reports whether a slice contains all the actions.
func hasAll(slice []int32, actions cut) bool {
	return !stdslices.ContainsFunc(actions, func(a san.Action) bool { return !below(a, slice) })
}

// isBelow reports whether a slice is contained in another one.
func isBelow(slice, other []int32) bool {
	for t, events := range slice {
		if events > other[t] {
			return false
		}
	}
	return true
}

// countsKey returns a string that identifies a slice.
func countsKey(slice []int32) string {
	key := make([]byte, 0, 4*len(slice))
	for _, events := range slice {
		key = binary.LittleEndian.AppendUint32(key, uint32(events))
	}
	return string(key)
}
