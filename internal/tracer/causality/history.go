package causality

import (
	"math/bits"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// history is what a task knew before. Who has heard of the task knows all that it knew by then, so what
// is new to them is what has changed since. Without it, learning from one another would cost as much
// as there are tasks, those that have ended included, wherever each of two knows something of its own.
//
// The n-th version is kept at the place of the lowest bit of n that is 1, until the next one of that
// place. So whoever is m versions behind finds one that is less than 2m behind.
//
// What several have handed on through an object has a history too: who has learnt all of it last.
type history struct {
	witness  op.Task // who knows the first version since its operation since: who began the task, or has learnt last
	since    int32
	first    clocks
	ancestor *history // of the witness, if it began the task; nil for every maxDepth-th generation
	depth    int      // generations since

	versions []version
	n        uint32

	sources [inData]sources

	ended bool // so is the task
}

// version is what a task knew at its operation k.
type version struct {
	k int32
	clocks
}

const (
	maxVersions = 10
	maxDepth    = 32
)

// begets returns the history of a task that that of h has begun, or the runtime, which has no history.
func (h *operationClocks) begets(child *operationClocks) *history {
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

// below returns the latest version, of those that are left, of what s is the current one that h is
// above, nil if there is none.
func (h *operationClocks) below(s *operationClocks, order int) *clock.Clock {
	task, p := s.task, s.past
	const enough = 4 // generations
	for range enough {
		if p == nil {
			return nil
		}
		if v := p.latest(h.until(task, order)); v != nil && task != op.NoTask {
			return v.clocks[order]
		}
		if p.witness == op.NoTask || h.until(p.witness, order) >= p.since {
			return p.first[order]
		}
		task, p = p.witness, p.ancestor
	}
	return nil
}

// latest returns the latest version up to operation k.
func (p *history) latest(k int32) *version {
	var best *version
	for i := range p.versions {
		if v := &p.versions[i]; v.k <= k && (best == nil || v.k >= best.k) {
			best = v
		}
	}
	return best
}

// until returns up to which operation h knows a task.
func (h *operationClocks) until(task op.Task, order int) int32 {
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

// end notes that the task has ended, and forgets what it knew before: who learns from it now learns once, while that would keep as many clocks
// as long as an object has what the task has handed on.
func (p *history) end() { *p = history{witness: op.NoTask, ended: true} }
