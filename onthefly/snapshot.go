package onthefly

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// The state of a checker: that of its builder, of each stage in the order in which they are made, and of
// the roots. The stages themselves are made anew from the properties, which have to be the same.

// Snapshot writes the state of the checker between two of its steps. The checker goes on.
func (c *Checker) Snapshot(a *snapshot.Archive) { c.archive(a) }

// Restore returns a checker in the state of a snapshot, which must be one for the same properties in
// the same order. An error says that the archive is damaged or that a property is refused.
func Restore(a *snapshot.Archive, props []*spec.Property, logic lsl.Logic) (*Checker, error) {
	builder, err := san.ReadBuilder(a)
	if err != nil {
		return nil, err
	}
	c, err := newChecker(builder, props, logic)
	if err != nil {
		return nil, err
	}
	if c.archive(a); a.Err() != nil {
		c.end()
		return nil, a.Err()
	}
	return c, nil
}

func (c *Checker) archive(a *snapshot.Archive) {
	if !a.Reading() {
		c.builder.Archive(a)
	}
	c.log.Archive(a)
	snapshot.Int(a, &c.read)
	snapshot.Int(a, &c.states)
	snapshot.Int(a, &c.swept)
	a.Bool(&c.remember)
	snapshot.Int(a, &c.patience)
	snapshot.Int(a, &c.left)
	snapshot.Slice(a, &c.base, func(k *int32) { snapshot.Int(a, k) })
	snapshot.Int(a, &c.turn)
	snapshot.Map(a, &c.ended, cmp.Compare, a.String, func(ts *[]san.Task) { archiveTasks(a, ts) })
	snapshot.Slice(a, &c.walkers, func(w **walker) { c.archiveWalker(a, w) })
	for _, r := range c.roots {
		r.archive(a)
	}
	if a.Reading() {
		c.measure()
		if stdslices.ContainsFunc(c.roots, func(r *root) bool { return r.found != nil }) {
			c.rest()
		}
	}
	for _, s := range c.stages {
		if n, ok := s.node.(archived); ok {
			n.archive(a)
		}
	}
}

func (c *Checker) archiveWalker(a *snapshot.Archive, p **walker) {
	var k int
	if a.Reading() {
		*p = &walker{}
	} else {
		k = (*p).State().K()
	}
	w := *p
	snapshot.Int(a, &k)
	snapshot.Slice(a, &w.truths, func(t *lsl.Truth) { snapshot.Int(a, t) })
	a.Bool(&w.steady)
	if !a.Reading() {
		return
	}
	t := san.Task(len(c.walkers) - 1)
	if int(t) >= c.net.Tasks() || k < 0 || k > c.net.Len(t) || len(w.truths) != len(c.locals) {
		a.Fail("state %d of task %d, with %d truths", k, t, len(w.truths))
		return
	}
	w.Walker = c.net.Walk(t)
	w.Seek(k)
	w.version = w.State().Version()
}

func (r *root) archive(a *snapshot.Archive) {
	archivePieces(a, &r.pending)
	found := r.found != nil
	if a.Bool(&found); a.Reading() && found {
		r.found = &Violation{Property: r.property}
	}
}

// archived is a node with a state.
type archived interface {
	archive(a *snapshot.Archive)
}

func (n *leaf) archive(a *snapshot.Archive) {
	snapshot.Slice(a, &n.open, func(x **exit) { archiveExit(a, x) })
}

func (n *beginning) archive(a *snapshot.Archive) { a.Bool(&n.begun) }

func (n *both) archive(a *snapshot.Archive) {
	archivePieces(a, &n.left.intervals)
	archivePieces(a, &n.right.intervals)
}

func (n *when) archive(a *snapshot.Archive) { archivePieces(a, &n.kept) }

func (n *conjunctionJoin) archive(a *snapshot.Archive) {
	for i := range n.kept {
		snapshot.Slice(a, &n.kept[i].groups, func(g **group) { n.archiveGroup(a, g) })
		snapshot.Int(a, &n.kept[i].tidy)
	}
}

func (n *conjunctionJoin) archiveGroup(a *snapshot.Archive, p **group) {
	snapshot.Pointer(a, p, func(g *group) {
		archivePiece(a, &g.openInterval)
		for i := range g.rows {
			archivePiece(a, &g.rows[i])
		}
		snapshot.Slice(a, &g.better, func(b *tasks) {
			for i := range b {
				snapshot.Int(a, &b[i])
			}
		})
		if a.Reading() && a.Err() == nil {
			g.name(n.slots)
		}
	})
}

func (n *until) archive(a *snapshot.Archive) { n.ways.archive(a) }

func (n *ways) archive(a *snapshot.Archive) {
	snapshot.Slice(a, &n.gaps, func(gaps *[]*gap) {
		snapshot.Slice(a, gaps, func(g **gap) {
			snapshot.Pointer(a, g, func(g *gap) { g.archive(a) })
		})
	})
	snapshot.Slice(a, &n.goals, func(goals *[]*openInterval) { archivePieces(a, goals) })
}

func (g *gap) archive(a *snapshot.Archive) {
	archiveExit(a, &g.row)
	archiveExit(a, &g.end)
	a.Bool(&g.begun)
	a.Bool(&g.never)
	snapshot.Map(a, &g.first, cmp.Compare, func(t *san.Task) { snapshot.Int(a, t) }, func(p **openInterval) { archivePiece(a, p) })
	g.held.archive(a)
	archiveHeld(a, &g.past)
}

func (o *waitingIntervals) archive(a *snapshot.Archive) {
	archiveHeld(a, &o.held)
	archiveHeld(a, &o.newer)
}

func (n *guarded) archive(a *snapshot.Archive) {
	n.ways.archive(a)
	archivePieces(a, &n.core.intervals)
	n.close.archive(a)
	n.unborn.archive(a)
	latent := n.latent.values
	snapshot.Slice(a, &latent, func(l *waited) {
		archivePiece(a, &l.held)
		archivePiece(a, &l.goal)
	})
	if a.Reading() && a.Err() == nil {
		for _, l := range latent {
			n.late(l)
		}
	}
	snapshot.Map(a, &n.needed, cmp.Compare, func(t *san.Task) { snapshot.Int(a, t) }, a.Bool)
}

func (n *window) archive(a *snapshot.Archive) {
	for l := range n.runs {
		snapshot.Slice(a, &n.runs[l], func(rs *[]run) {
			snapshot.Slice(a, rs, func(r *run) {
				snapshot.Int(a, &r.from)
				snapshot.Int(a, &r.to)
				snapshot.Int(a, &r.truth)
			})
		})
	}
	snapshot.Slice(a, &n.coming, func(x **exit) { archiveExit(a, x) })
	snapshot.Map(a, &n.seen, cmp.Compare, a.String, a.Bool)
}

// archiveHeld archives open intervals that are found by heldKey, which is another one in every process.
func archiveHeld(a *snapshot.Archive, held *ordered[*openInterval]) {
	intervals := held.values
	archivePieces(a, &intervals)
	if a.Reading() && a.Err() == nil {
		for _, p := range intervals {
			held.put(heldKey(p), p)
		}
	}
}

func archivePieces(a *snapshot.Archive, ps *[]*openInterval) {
	snapshot.Slice(a, ps, func(p **openInterval) { archivePiece(a, p) })
}

func archivePiece(a *snapshot.Archive, p **openInterval) {
	snapshot.Pointer(a, p, func(p *openInterval) { p.archive(a) })
}

func (p *openInterval) archive(a *snapshot.Archive) {
	archiveTasks(a, &p.tiva)
	archiveCut(a, &p.low)
	snapshot.Slice(a, &p.out, func(x **exit) { archiveExit(a, x) })
	snapshot.Slice(a, &p.obligations, func(d *obligation) { archiveObligation(a, d) })
	snapshot.Int(a, &p.born)
	a.Bool(&p.bottom)
	snapshot.Int(a, &p.turn)
}

func archiveTasks(a *snapshot.Archive, ts *[]san.Task) {
	snapshot.Slice(a, ts, func(t *san.Task) { snapshot.Int(a, t) })
}

func archiveCut(a *snapshot.Archive, low *cut) {
	snapshot.Slice(a, low, func(x *san.Action) { archiveAction(a, x) })
}

func archiveAction(a *snapshot.Archive, x *san.Action) {
	snapshot.Int(a, &x.Task)
	snapshot.Int(a, &x.K)
}

func archiveExit(a *snapshot.Archive, p **exit) {
	snapshot.Pointer(a, p, func(x *exit) {
		archiveAction(a, &x.action)
		a.Bool(&x.happened)
		a.Bool(&x.never)
		snapshot.Int(a, &x.turn)
	})
}

// archiveObligation archives an obligation, of which there are two kinds.
func archiveObligation(a *snapshot.Archive, d *obligation) {
	c, climbs := (*d).(climb)
	if l, ok := (*d).(later); ok {
		c.interval = l.interval
	}
	a.Bool(&climbs)
	archivePiece(a, &c.interval)
	if climbs {
		archiveCut(a, &c.lost)
		snapshot.Int(a, &c.n)
		*d = c
	} else {
		*d = later{c.interval}
	}
}
