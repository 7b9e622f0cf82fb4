package causality

import (
	"math/bits"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// history is the earlier knowledge of a task. Whoever knows operation k of the task knows all that
// the task knew by then, so only later changes are new. Without it, an exchange between tasks would
// cost as much as there are tasks, including ended ones, wherever both know something of their own.
//
// The n-th version is kept at the place of the lowest set bit of n, until the next one of that
// place. So a reader that is m versions behind finds one that is less than 2m behind.
//
// Knowledge that several tasks have handed on through an object has a history too: the last task
// that has learnt all of it.
type history struct {
	// knows the first version since its operation since: it began the task, or was the last to
	// learn
	witness  op.Task
	since    int32
	first    clocks
	ancestor *history // of the witness, if it began the task; nil for every maxDepth-th generation
	depth    int      // generations since

	versions []version
	n        uint32

	sources [inData]sources

	ended bool // the task has ended
}

// version is the knowledge of a task at its operation k.
type version struct {
	k int32
	clocks
}

const (
	maxVersions = 10
	maxDepth    = 32
)

// childHistory returns the history of a new task that the task of h has begun, or the runtime,
// which has no history.
func (h *operationClocks) childHistory(child *operationClocks) *history {
	p := &history{witness: h.task, since: h.k, first: child.clocks}
	if h.past != nil && h.past.depth < maxDepth {
		p.ancestor, p.depth = h.past, h.past.depth+1
	}
	if h.task != op.NoTask {
		p.knownBy(h.task, h.k)
	}
	return p
}

func (p *history) add(v version) {
	p.n++
	i := min(bits.TrailingZeros32(p.n), maxVersions-1)
	if i == len(p.versions) {
		p.versions = append(p.versions, v)
	} else {
		p.versions[i] = v
	}
}

// versionBelow returns the latest kept version of s that is below h, nil if there is none.
func (h *operationClocks) versionBelow(s *operationClocks, order int) *clock.Clock {
	task, p := s.task, s.past
	const enough = 4 // generations
	for range enough {
		if p == nil {
			return nil
		}
		if v := p.versionUpTo(h.latestKnown(task, order)); v != nil && task != op.NoTask {
			return v.clocks[order]
		}
		if p.witness == op.NoTask || h.latestKnown(p.witness, order) >= p.since {
			return p.first[order]
		}
		task, p = p.witness, p.ancestor
	}
	return nil
}

// versionUpTo returns the latest version up to operation k.
func (p *history) versionUpTo(k int32) *version {
	var best *version
	for i := range p.versions {
		if v := &p.versions[i]; v.k <= k && (best == nil || v.k >= best.k) {
			best = v
		}
	}
	return best
}

// latestKnown returns the latest operation of a task that h knows.
func (h *operationClocks) latestKnown(task op.Task, order int) int32 {
	switch task {
	case op.NoTask:
		return 0
	case h.task:
		return h.k
	}
	return h.clocks[order].At(int32(task))
}

// learntBy notes that g knows all of h.
func (h *operationClocks) learntBy(g *goroutine) {
	if h.past == nil {
		h.past = new(history)
	}
	*h.past = history{witness: g.self, since: g.know.ops.k + 1, first: h.clocks}
}

// noteEnd notes that the task has ended, and drops its earlier knowledge. Each reader now learns
// from the task once, and the versions would stay in memory as long as an object has what the task
// has handed on.
func (p *history) noteEnd() { *p = history{witness: op.NoTask, ended: true} }
