package causality

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Late loads. A load that teaches its goroutine nothing has no record, until another goroutine
// stores to the variable: that writes which one has loaded it, and after how many of its records.
// The store comes after what the goroutine knew then, and not after what it has learnt since.

// stages are the knowledge of a goroutine after its latest records, ascending. They are only kept
// for one that uses atomic variables.
type stages struct {
	known []stage
	used  bool // the goroutine has used an atomic variable
}

// stage is what a goroutine knew after some number of its records, and after the next ones up to
// the next stage.
type stage struct {
	records int32
	k       int32 // of its last operation then; later ones are numbered by their records
	clocks
}

// Bounds. Beyond them later knowledge stands for earlier: a store then comes after more than it did
// in the run.
const (
	fewStages    = 64      // of a goroutine are kept at least
	maxLateEnded = 1 << 12 // goroutines that have ended
)

// note notes what a goroutine knows after so many records, before its next one.
func (s *stages) note(know *operationClocks, records int32) {
	if n := len(s.known); n > 0 {
		if last := &s.known[n-1]; last.clocks == know.clocks && know.k <= max(last.k, records) {
			return
		}
		if n == 2*fewStages {
			s.known = slices.Delete(s.known, 0, fewStages)
		}
	}
	s.known = append(s.known, stage{records, know.k, know.clocks})
}

// noteStage notes what g knows before its next record. That record is news to goroutines
// that know of the records so far, whether these were operations or not.
func (g *goroutine) noteStage() {
	know := &g.know.ops
	know.k = max(know.k, g.records)
	g.stages.note(know, g.records)
}

// loader is a goroutine whose loads can come late.
type loader struct {
	*stages
	ops     operationClocks // now, or at its end
	records int32
}

func (g *goroutine) loader() *loader {
	g.noteStage()
	return &loader{&g.stages, g.know.ops, g.records}
}

// after returns what the goroutine knew after so many records. If that is no longer kept, it is
// somewhat later knowledge.
func (l *loader) after(records int32) operationClocks {
	i := sort.Search(len(l.known), func(i int) bool { return l.known[i].records > records })
	then := &l.known[max(i-1, 0)]
	know := l.ops
	know.k, know.clocks = max(then.k, records), then.clocks
	if know.k > records { // others may know an operation of that number without all that
		know.fold()
	}
	return know
}

// lateLoaders are the loaders that have ended.
type lateLoaders struct {
	of     map[uint64]*loader // by context
	order  []uint64           // of the contexts, the first to have ended first
	before operationClocks    // the joint knowledge of those that are no longer kept
}

// retireLoader keeps what g knew, which has ended.
func (p *Order) retireLoader(ctx uint64, g *goroutine) {
	if g.self == op.NoTask {
		return
	}
	e := &p.watch.lateLoaders
	if len(e.order) == 2*maxLateEnded {
		for _, ctx := range e.order[:maxLateEnded] {
			e.before.merge(&p.know.clocks, &e.of[ctx].ops, synchronises)
			delete(e.of, ctx)
		}
		e.order = slices.Delete(e.order, 0, maxLateEnded)
	}
	if e.of == nil {
		e.of = map[uint64]*loader{}
	}
	if e.of[ctx] == nil { // else the context has ended twice
		e.order = append(e.order, ctx)
	}
	e.of[ctx] = g.loader()
}

// lateLoad reads that a goroutine had loaded a variable to which another one is about to store, or
// whose memory has been freed since.
func (p *Order) lateLoad(rec *ring.Record) {
	o := p.objects.find(rec.Addr)
	if p.watch == nil || o == nil || o.atomic == nil {
		return
	}
	know := causalKnowledge{ops: p.knewAfter(rec.Arg, rec.Aux)}
	p.handOnKnown(ensure(&o.atomic.loaded), &know, synchronises)
}

// knewAfter returns what the goroutine of a context knew after so many of its records.
func (p *Order) knewAfter(ctx, records uint64) operationClocks {
	l := p.watch.lateLoaders.of[ctx]
	if g := p.goroutines.get(ctx); g != nil && g.self != op.NoTask {
		l = g.loader()
	}
	if l == nil {
		return p.watch.lateLoaders.before
	}
	return l.after(int32(min(records, uint64(l.records)))) // a scribbled record may have any number
}

// forgetLate drops forgotten tasks from what loaders knew.
func (p *Order) forgetLate(s *clock.Sweep) {
	sweep := func(of *stages) {
		for i := range of.known {
			of.known[i].sweep(s)
		}
	}
	p.eachGoroutine(func(g *goroutine) { sweep(&g.stages) })
	e := &p.watch.lateLoaders
	e.before.sweep(s)
	for _, l := range e.of {
		l.ops.sweep(s)
		sweep(l.stages)
	}
}
