package causality

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// moments are the knowledge of a goroutine before its latest records. A read comes after the write
// that it sees (Order.reads), and learns the writer's knowledge at that time: its later knowledge
// would order more than the run did.
type moments struct {
	known  []moment // ascending by since
	readAt int32    // 1 + the records of the goroutine at its last read of another task's write
}

// moment is the knowledge of a goroutine from one of its records on.
type moment struct {
	since  int32 // number of records before it
	later  bool  // it had read another task's write since
	atEdge bool  // it had just entered or left a function, as far as events show: see settle
	kept   *set  // in the order of data; nil without Options.Sections, which alone uses it
	data   *clock.Clock
}

const (
	fewMoments = 256     // of a goroutine are kept at least
	maxEnded   = 1 << 12 // ended goroutines whose moments are kept
)

// recordMoment notes g's knowledge before its next record.
func (p *Order) recordMoment(g *goroutine) {
	m := &g.moments
	now := moment{since: g.records, later: m.readAt > g.records, data: g.know.ops.clocks[inData]}
	if p.opt.Sections {
		now.kept, now.atEdge = g.know.kept.data, g.atEdge
	}
	if n := len(m.known); n > 0 && m.known[n-1].kept == now.kept && m.known[n-1].atEdge == now.atEdge &&
		m.known[n-1].data == now.data {
		return
	}
	if len(m.known) == 2*fewMoments {
		m.known = slices.Delete(m.known, 0, fewMoments)
	}
	m.known = append(m.known, now)
}

// atRecord returns the knowledge after a number of records, before the next one. If that is no
// longer kept, it returns a somewhat later one.
func (m *moments) atRecord(records uint64) *moment { return &m.known[m.index(records)] }

func (m *moments) index(records uint64) int {
	i := sort.Search(len(m.known), func(i int) bool { return uint64(m.known[i].since) > records })
	return max(i-1, 0)
}

// keptAt is atRecord, for kept events. A reader of a goroutine's write comes after the event that
// follows the entry or exit of a function before the write, as an acquirer after a release does.
func (m *moments) keptAt(records uint64) *set {
	i := m.index(records)
	for i < len(m.known)-1 && m.known[i].atEdge {
		i++
	}
	return m.known[i].kept
}

// afterRecord returns the knowledge right after the last of a number of records: that of atRecord
// may include later reads.
func (m *moments) afterRecord(records uint64) *moment {
	i := sort.Search(len(m.known), func(i int) bool {
		since := uint64(m.known[i].since)
		return since > records || since == records && m.known[i].later
	})
	return &m.known[max(i-1, 0)]
}

// endedMoments has the moments of goroutines that have ended.
type endedMoments struct {
	of     map[uint64]*goroutine // by context
	order  []uint64              // of the contexts, the first to have ended first
	before moment                // the joint knowledge of those that are no longer kept
}

// retire keeps the moments of a goroutine that has ended.
func (p *Order) retire(ctx uint64, g *goroutine) {
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

// goroutineOf returns the goroutine of a context, even if it has ended; nil if its moments are no
// longer kept.
func (p *Order) goroutineOf(ctx uint64) *goroutine {
	if g := p.goroutines.get(ctx); g != nil {
		return g
	}
	return p.watch.endedMoments.of[ctx]
}

// momentsOf returns the moments of the goroutine with this context. There is at least one.
func (p *Order) momentsOf(ctx uint64) *moments {
	g := p.goroutineOf(ctx)
	if g == nil {
		return &moments{known: []moment{p.watch.endedMoments.before}}
	}
	p.recordMoment(g)
	return &g.moments
}

// noteRead notes that g reads with rec a reported write of another task. The later operations of g
// come after it. If the two race, the write may really have been later, and the value that was read
// is unknown.
func (p *Order) noteRead(g *goroutine, rec *ring.Record, from *earlierAccess, races bool) {
	p.recordMoment(g)
	g.moments.readAt = g.records + 1
	w, data := p.watch, p.dataAt(from)
	w.beginPair(g, op.ReadFrom, rec, from, data)
	w.report()
	if races {
		g.know.ops.learnData(&p.know.clocks, from.task, int32(from.count), data)
		return
	}
	wrote := p.momentsOf(from.ctx)
	if p.opt.Sections {
		g.know.kept.data = p.know.join(g.know.kept.data, wrote.keptAt(from.count))
	}
	// Clocks include the other task's actions before its next operation only if they have that
	// operation.
	g.know.ops.learnData(&p.know.clocks, from.task, int32(from.count)+1, wrote.afterRecord(from.count+1).data)
}

// noteClaim notes that g writes a location after it has read another task's last write there: it
// tests and sets, or counts, in one step of a critical section. On another value that step would
// behave differently, and change the value for others. So it comes after the write in all orders of
// sections, even in those in which other reads may see other values.
func (p *Order) noteClaim(g *goroutine, from *earlierAccess) {
	if p.opt.Sections {
		g.know.kept.order = p.know.join(g.know.kept.order, p.momentsOf(from.ctx).keptAt(from.count))
	}
}

// learnData adds another task's knowledge at its operation k, or after it, to h in the order of
// data alone.
func (h *operationClocks) learnData(m *clock.Memory, task op.Task, k int32, data *clock.Clock) {
	before := h.clocks[inData]
	h.clocks[inData] = m.Learn(before, data, nil, int32(h.task)).With(int32(task), k)
	if h.past != nil && h.clocks[inData] != before {
		h.past.add(version{h.k + 1, h.clocks})
	}
}
