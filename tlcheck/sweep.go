package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// track is a task with the local states in which a conjunction wants it to be.
type track struct {
	task  san.Task
	spans []span
	at    int // the span now tried
}

// least returns the least slice in which every task is in one of its spans; false if
// there is none. This is the sweep of Garg and Waldecker for conjunctions of local
// predicates: a span that ends before another one begins can be combined with no later
// span of that task either and is skipped, so that each span is left once. When no
// two spans exclude each other, the slice that the entries of all of them generate
// lies in all of them, and it is the least because no earlier span was possible.
func least(lat *slices.Lattice, tracks []track) (slices.Ideal, bool) {
	for i := range tracks {
		tracks[i].at = 0
		if len(tracks[i].spans) == 0 {
			return slices.Ideal{}, false
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range tracks {
			for j := range tracks {
				for i != j && endsBefore(lat.Net(), &tracks[i], &tracks[j]) {
					tracks[i].at++
					changed = true
					if tracks[i].at == len(tracks[i].spans) {
						return slices.Ideal{}, false
					}
				}
			}
		}
	}
	ideal := lat.Bottom()
	for i := range tracks {
		if e, ok := entry(lat.Net(), tracks[i].task, tracks[i].spans[tracks[i].at].from); ok {
			ideal = ideal.Join(lat.Down(e))
		}
	}
	return ideal, true
}

// endsBefore reports whether the current span of a is left before that of b is
// entered, in every order of the run.
func endsBefore(net *san.Net, a, b *track) bool {
	e, ok := entry(net, b.task, b.spans[b.at].from)
	return ok && net.Known(e, a.task) > a.spans[a.at].to
}

// entry returns the action that produces local state k of a task; false for the
// first state of an initial task.
func entry(net *san.Net, t san.Task, k int) (san.Action, bool) {
	if k == 0 {
		return net.SpawnedBy(t)
	}
	return san.Action{Task: t, K: int32(k)}, true
}
