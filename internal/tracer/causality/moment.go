package causality

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// moments are what a goroutine knew before its latest records. Who reads memory comes after who has written it (Order.reads), and learns
// what that one knew when it wrote: all that it has learnt since would order more than the run did.
type moments struct {
	known  []moment // ascending by since
	readAt int32    // 1 + the records of the goroutine when it has read last what another one has written
}

// moment is what a goroutine knew from one record of it on.
type moment struct {
	since int32 // so many records it had written
	later bool  // it had read something since
	fresh bool  // it had just entered or left a function, as far as events say: see settle
	kept  *set  // in the order of data; nil without Options.Sections, as nobody asks for it then
	data  *clock.Clock
}

const (
	fewMoments = 256     // of a goroutine are kept at least, if it had as many
	maxEnded   = 1 << 12 // ended goroutines are told apart
)

// pass notes what a goroutine knows before its next record.
func (p *Order) pass(g *goroutine) {
	m := &g.moments
	now := moment{since: g.records, later: m.readAt > g.records, data: g.know.ops.clocks[inData]}
	if p.opt.Sections {
		now.kept, now.fresh = g.know.kept.data, g.fresh
	}
	if n := len(m.known); n > 0 && m.known[n-1].kept == now.kept && m.known[n-1].fresh == now.fresh && m.known[n-1].data == now.data {
		return
	}
	if len(m.known) == 2*fewMoments {
		m.known = slices.Delete(m.known, 0, fewMoments)
	}
	m.known = append(m.known, now)
}

// at returns what was known after so many records, and before the next one. If that is not kept any more it is what was known somewhat later.
func (m *moments) at(records uint64) *moment { return &m.known[m.index(records)] }

func (m *moments) index(records uint64) int {
	i := sort.Search(len(m.known), func(i int) bool { return uint64(m.known[i].since) > records })
	return max(i-1, 0)
}

// keptAt is at, for kept events. Who sees what a goroutine has written comes after the event behind a function that it had entered or left
// then, as who takes what it releases does.
func (m *moments) keptAt(records uint64) *set {
	i := m.index(records)
	for i < len(m.known)-1 && m.known[i].fresh {
		i++
	}
	return m.known[i].kept
}

// upon returns what was known with the last of so many records: at may have what has been read since.
func (m *moments) upon(records uint64) *moment {
	i := sort.Search(len(m.known), func(i int) bool {
		since := uint64(m.known[i].since)
		return since > records || since == records && m.known[i].later
	})
	return &m.known[max(i-1, 0)]
}

// endedMoments are those of goroutines that have ended.
type endedMoments struct {
	of     map[uint64]*goroutine // by context
	order  []uint64              // of the contexts, the first to have ended first
	before moment                // all that those knew which are not told apart any more
}

// retire keeps the moments of a goroutine that has ended.
func (p *Order) retire(ctx uint64, g *goroutine) {
	if !p.opt.Accesses {
		return
	}
	e := &p.watch.endedMoments
	if e.of == nil {
		e.of = map[uint64]*goroutine{}
	}
	e.of[ctx] = g
	e.order = append(e.order, ctx)
	if len(e.order) <= 2*maxEnded {
		return
	}
	for _, ctx := range e.order[:maxEnded] {
		g := e.of[ctx]
		if g == nil {
			continue // a context that has ended twice
		}
		delete(e.of, ctx)
		if p.opt.Sections {
			e.before.kept = p.know.join(e.before.kept, g.know.kept.data)
		}
		e.before.data = p.know.clocks.Join(e.before.data, g.know.ops.clocks[inData])
	}
	e.order = slices.Delete(e.order, 0, maxEnded)
}

// writer returns the goroutine of a context, also if it has ended; nil if it is not told apart from others any more.
func (p *Order) writer(ctx uint64) *goroutine {
	if g := p.goroutines.get(ctx); g != nil {
		return g
	}
	return p.watch.endedMoments.of[ctx]
}

// momentsOf returns the moments of a context, of which there is one at least.
func (p *Order) momentsOf(ctx uint64) *moments {
	g := p.writer(ctx)
	if g == nil {
		return &moments{known: []moment{p.watch.endedMoments.before}}
	}
	p.pass(g)
	return &g.moments
}

// reads notes that g reads with rec what another task has written, which is told. All that g does next comes after that. If the two race
// the other one may have been later, in truth: then nothing is known of what the read has seen.
func (p *Order) reads(g *goroutine, rec *ring.Record, from *other, races bool) {
	p.pass(g)
	g.moments.readAt = g.records + 1
	w, data := p.watch, p.dataAt(from)
	w.accessed(g, op.ReadFrom, rec, from, data)
	w.tell()
	if races {
		g.know.ops.learnData(&p.know.clocks, from.task, int32(from.count), data)
		return
	}
	wrote := p.momentsOf(from.ctx)
	if p.opt.Sections {
		g.know.kept.data = p.know.join(g.know.kept.data, wrote.keptAt(from.count))
	}
	// Clocks tell what the other task does before its next operation only if they have that one.
	g.know.ops.learnData(&p.know.clocks, from.task, int32(from.count)+1, wrote.upon(from.count+1).data)
}

// claims notes that g writes what it has just read, and another task has written last: it tests and sets, or counts, in one step of a
// critical section. That step would do something else on another value, and change it for others. So it comes after the write in all
// orders of sections, also in those in which other reads may see something else.
func (p *Order) claims(g *goroutine, from *other) {
	if p.opt.Sections {
		g.know.kept.order = p.know.join(g.know.kept.order, p.momentsOf(from.ctx).keptAt(from.count))
	}
}

// learnData adds what another task knew at its operation k, or behind it, to what h knows in the order of data alone.
func (h *operationClocks) learnData(m *clock.Memory, task op.Task, k int32, data *clock.Clock) {
	before := h.clocks[inData]
	h.clocks[inData] = m.Learn(before, data, nil, int32(h.task)).With(int32(task), k)
	if h.past != nil && h.clocks[inData] != before {
		h.past.add(version{h.k + 1, h.clocks})
	}
}
