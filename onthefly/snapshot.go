package onthefly

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/archive"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// The state of a checker: that of its builder, of each stage in the order in which they are made, and of
// the roots. The stages themselves are made anew from the properties, which have to be the same.

// Snapshot writes the state of the checker between two of its steps. The checker goes on.
func (c *Checker) Snapshot(a *archive.Archive) { c.archive(a) }

// Restore returns a checker in the state of a snapshot, which must be one for the same properties in
// the same order. An error says that the archive is damaged or that a property is refused.
func Restore(a *archive.Archive, props []*spec.Property, logic lsl.Logic) (*Checker, error) {
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

func (c *Checker) archive(a *archive.Archive) {
	if !a.Reading() {
		c.builder.Archive(a)
	}
	c.log.Archive(a)
	archive.Int(a, &c.read)
	archive.Int(a, &c.states)
	archive.Int(a, &c.swept)
	a.Bool(&c.remember)
	archive.Int(a, &c.patience)
	archive.Int(a, &c.left)
	archive.Slice(a, &c.base, func(k *int32) { archive.Int(a, k) })
	archive.Int(a, &c.turn)
	archive.Map(a, &c.ended, cmp.Compare, a.String, func(ts *[]san.Task) { archiveTasks(a, ts) })
	archive.Slice(a, &c.walkers, func(w **walker) { c.archiveWalker(a, w) })
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

func (c *Checker) archiveWalker(a *archive.Archive, p **walker) {
	var k int
	if a.Reading() {
		*p = &walker{}
	} else {
		k = (*p).State().K()
	}
	w := *p
	archive.Int(a, &k)
	archive.Slice(a, &w.truths, func(t *lsl.Truth) { archive.Int(a, t) })
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

func (r *root) archive(a *archive.Archive) {
	archivePieces(a, &r.pending)
	found := r.found != nil
	if a.Bool(&found); a.Reading() && found {
		r.found = &Violation{Property: r.property}
	}
}

// archived is a node with a state.
type archived interface {
	archive(a *archive.Archive)
}

func (n *leaf) archive(a *archive.Archive) {
	archive.Slice(a, &n.open, func(x **exit) { archiveExit(a, x) })
}

func (n *beginning) archive(a *archive.Archive) { a.Bool(&n.begun) }

func (n *both) archive(a *archive.Archive) {
	archivePieces(a, &n.left.intervals)
	archivePieces(a, &n.right.intervals)
}

func (n *when) archive(a *archive.Archive) { archivePieces(a, &n.kept) }

func (n *conjunctionJoin) archive(a *archive.Archive) {
	for i := range n.kept {
		archive.Slice(a, &n.kept[i].groups, func(g **group) { n.archiveGroup(a, g) })
		archive.Int(a, &n.kept[i].tidy)
	}
}

func (n *conjunctionJoin) archiveGroup(a *archive.Archive, p **group) {
	archive.Pointer(a, p, func(g *group) {
		archivePiece(a, &g.openInterval)
		for i := range g.rows {
			archivePiece(a, &g.rows[i])
		}
		archive.Slice(a, &g.better, func(b *tasks) {
			for i := range b {
				archive.Int(a, &b[i])
			}
		})
		if a.Reading() && a.Err() == nil {
			g.name(n.slots)
		}
	})
}

func (n *until) archive(a *archive.Archive) { n.ways.archive(a) }

func (n *ways) archive(a *archive.Archive) {
	archive.Slice(a, &n.gaps, func(gaps *[]*gap) {
		archive.Slice(a, gaps, func(g **gap) {
			archive.Pointer(a, g, func(g *gap) { g.archive(a) })
		})
	})
	archive.Slice(a, &n.goals, func(goals *[]*openInterval) { archivePieces(a, goals) })
}

func (g *gap) archive(a *archive.Archive) {
	archiveExit(a, &g.row)
	archiveExit(a, &g.end)
	a.Bool(&g.begun)
	a.Bool(&g.never)
	archive.Map(a, &g.first, cmp.Compare, func(t *san.Task) { archive.Int(a, t) }, func(p **openInterval) { archivePiece(a, p) })
	g.held.archive(a)
	archiveHeld(a, &g.past)
}

func (o *waitingIntervals) archive(a *archive.Archive) {
	archiveHeld(a, &o.held)
	archiveHeld(a, &o.newer)
}

func (n *guarded) archive(a *archive.Archive) {
	n.ways.archive(a)
	archivePieces(a, &n.core.intervals)
	n.close.archive(a)
	n.unborn.archive(a)
	latent := n.latent.values
	archive.Slice(a, &latent, func(l *waited) {
		archivePiece(a, &l.held)
		archivePiece(a, &l.goal)
	})
	if a.Reading() && a.Err() == nil {
		for _, l := range latent {
			n.late(l)
		}
	}
	archive.Map(a, &n.needed, cmp.Compare, func(t *san.Task) { archive.Int(a, t) }, a.Bool)
}

func (n *window) archive(a *archive.Archive) {
	for l := range n.runs {
		archive.Slice(a, &n.runs[l], func(rs *[]run) {
			archive.Slice(a, rs, func(r *run) {
				archive.Int(a, &r.from)
				archive.Int(a, &r.to)
				archive.Int(a, &r.truth)
			})
		})
	}
	archive.Slice(a, &n.coming, func(x **exit) { archiveExit(a, x) })
	archive.Map(a, &n.seen, cmp.Compare, a.String, a.Bool)
}

// archiveHeld archives open intervals that are found by heldKey, which is another one in every process.
func archiveHeld(a *archive.Archive, held *ordered[*openInterval]) {
	intervals := held.values
	archivePieces(a, &intervals)
	if a.Reading() && a.Err() == nil {
		for _, p := range intervals {
			held.put(heldKey(p), p)
		}
	}
}

func archivePieces(a *archive.Archive, ps *[]*openInterval) {
	archive.Slice(a, ps, func(p **openInterval) { archivePiece(a, p) })
}

func archivePiece(a *archive.Archive, p **openInterval) {
	archive.Pointer(a, p, func(p *openInterval) { p.archive(a) })
}

func (p *openInterval) archive(a *archive.Archive) {
	archiveTasks(a, &p.tiva)
	archiveCut(a, &p.low)
	archive.Slice(a, &p.out, func(x **exit) { archiveExit(a, x) })
	archive.Slice(a, &p.obligations, func(d *obligation) { archiveObligation(a, d) })
	archive.Int(a, &p.born)
	a.Bool(&p.bottom)
	archive.Int(a, &p.turn)
}

func archiveTasks(a *archive.Archive, ts *[]san.Task) {
	archive.Slice(a, ts, func(t *san.Task) { archive.Int(a, t) })
}

func archiveCut(a *archive.Archive, low *cut) {
	archive.Slice(a, low, func(x *san.Action) { archiveAction(a, x) })
}

func archiveAction(a *archive.Archive, x *san.Action) {
	archive.Int(a, &x.Task)
	archive.Int(a, &x.K)
}

func archiveExit(a *archive.Archive, p **exit) {
	archive.Pointer(a, p, func(x *exit) {
		archiveAction(a, &x.action)
		a.Bool(&x.happened)
		a.Bool(&x.never)
		archive.Int(a, &x.turn)
	})
}

// archiveObligation archives an obligation, of which there are two kinds.
func archiveObligation(a *archive.Archive, d *obligation) {
	c, climbs := (*d).(climb)
	if l, ok := (*d).(later); ok {
		c.interval = l.interval
	}
	a.Bool(&climbs)
	archivePiece(a, &c.interval)
	if climbs {
		archiveCut(a, &c.lost)
		archive.Int(a, &c.n)
		*d = c
	} else {
		*d = later{c.interval}
	}
}
