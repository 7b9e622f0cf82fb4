package onthefly

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// The state of a checker: that of its builder, of each stage in creation order, and of the roots. A
// restored checker builds its stages from the properties, which must be the same.

// Restore returns a checker in the state of a snapshot, which must be one for the same properties
// in the same order. An error says that the snapshot is damaged or that a property is refused.
func Restore(snap *snapshot.Codec, props []*spec.Property, logic lsl.Logic) (*Checker, error) {
	builder, err := san.RestoreBuilder(snap)
	if err != nil {
		return nil, err
	}
	c, err := newChecker(builder, props, logic)
	if err != nil {
		return nil, err
	}
	if c.Snapshot(snap); snap.Err() != nil {
		c.end()
		return nil, snap.Err()
	}
	return c, nil
}

// Snapshot writes the state of the checker between two steps. The checker continues. Only Restore
// reads one.
func (c *Checker) Snapshot(snap *snapshot.Codec) {
	if !snap.Reading() {
		c.builder.Snapshot(snap)
	}
	c.builder.SnapshotPrevious(snap)
	c.snapshotLogs(snap)
	snapshot.Int(snap, &c.eventsRead)
	snapshot.Int(snap, &c.states)
	snapshot.Int(snap, &c.statesSinceSweep)
	snap.Bool(&c.keepsRun)
	snapshot.Int(snap, &c.patience)
	snapshot.Int(snap, &c.unforgettable)
	snapshot.Slice(snap, &c.base, func(k *int32) { snapshot.Int(snap, k) })
	snap.Bool(&c.condensing)
	snapshot.Int(snap, &c.renamings)
	snapshot.Map(snap, &c.endedByTruths, cmp.Compare, snap.String, func(ts *[]san.Task) { snapshotTasks(snap, ts) })
	snapshot.Slice(snap, &c.walkers, func(w **walker) { c.snapshotWalker(snap, w) })
	for _, r := range c.roots {
		r.snapshot(snap)
	}
	if snap.Reading() {
		c.measure()
		if stdslices.ContainsFunc(c.roots, func(r *root) bool { return r.found != nil }) {
			c.idleStages()
		}
	}
	for _, s := range c.stages {
		if n, ok := s.node.(snapshotter); ok {
			n.snapshot(snap)
		}
	}
}

func (c *Checker) snapshotWalker(snap *snapshot.Codec, p **walker) {
	var k int
	if snap.Reading() {
		*p = &walker{}
	} else {
		k = (*p).State().K()
	}
	w := *p
	snapshot.Int(snap, &k)
	snapshot.Slice(snap, &w.truths, func(t *lsl.Truth) { snapshot.Int(snap, t) })
	snap.Bool(&w.steady)
	if !snap.Reading() {
		return
	}
	t := san.Task(len(c.walkers) - 1)
	if int(t) >= c.net.Tasks() || k < 0 || k > c.net.Len(t) || len(w.truths) != len(c.locals) {
		snap.Fail("state %d of task %d, with %d truths", k, t, len(w.truths))
		return
	}
	w.Walker = c.net.Walk(t)
	w.Seek(k)
	w.version = w.State().Version()
}

func (r *root) snapshot(snap *snapshot.Codec) {
	snapshotIntervals(snap, &r.kept)
	found := r.found != nil
	if snap.Bool(&found); snap.Reading() && found {
		r.found = &Violation{Property: r.property, Formula: r.formula}
	}
}

// snapshotLogs writes or restores the evaluation logs.
func (c *Checker) snapshotLogs(snap *snapshot.Codec) {
	var logs []*lsl.Log
	for _, l := range c.locals {
		logs = append(logs, &l.log)
	}
	lsl.SnapshotLogs(snap, logs, func(n int, e *lsl.EvalError) bool {
		return stdslices.ContainsFunc(spec.Exprs(c.roots[0].formula.Set.Locals[n]), func(x spec.Expr) bool {
			return x.Position() == e.Pos && spec.FormatExpr(x) == e.Expr
		})
	})
	for _, l := range c.locals {
		l.Snapshot(snap)
	}
}

// snapshotter is a node with a state.
type snapshotter interface {
	snapshot(a *snapshot.Codec)
}

func (n *leaf) snapshot(snap *snapshot.Codec) {
	snapshot.Slice(snap, &n.open, func(x **exit) { snapshotExit(snap, x) })
}

func (n *initialNode) snapshot(snap *snapshot.Codec) { snap.Bool(&n.begun) }

func (n *conjunction) snapshot(snap *snapshot.Codec) {
	snapshotIntervals(snap, &n.left.intervals)
	snapshotIntervals(snap, &n.right.intervals)
}

func (n *conditionNode) snapshot(snap *snapshot.Codec) { snapshotIntervals(snap, &n.kept) }

func (n *conjunctionJoin) snapshot(snap *snapshot.Codec) {
	for i := range n.kept {
		snapshot.Slice(snap, &n.kept[i].groups, func(g **group) { n.snapshotGroup(snap, g) })
		snapshot.Int(snap, &n.kept[i].lastCompared)
	}
}

func (n *conjunctionJoin) snapshotGroup(snap *snapshot.Codec, p **group) {
	snapshot.Pointer(snap, p, func(g *group) {
		snapshotInterval(snap, &g.openInterval)
		for i := range g.rows {
			snapshotInterval(snap, &g.rows[i])
		}
		snapshot.Slice(snap, &g.replacements, func(b *groupTasks) {
			for i := range b {
				snapshot.Int(snap, &b[i])
			}
		})
		if snap.Reading() && snap.Err() == nil {
			g.name(n.slots)
		}
	})
}

func (n *untilNode) snapshot(snap *snapshot.Codec) { n.untilState.snapshot(snap) }

func (n *untilState) snapshot(snap *snapshot.Codec) {
	n.gaps.snapshot(snap, n.apart)
	snapshot.Slice(snap, &n.goals, func(goals *[]*openInterval) { snapshotIntervals(snap, goals) })
}

func (l *gapLists) snapshot(snap *snapshot.Codec, apart slotSet) {
	snapshot.Slice(snap, (*[][]*gap)(l), func(gaps *[]*gap) {
		snapshot.Slice(snap, gaps, func(g **gap) {
			snapshot.Pointer(snap, g, func(g *gap) { g.snapshot(snap, apart) })
		})
	})
}

func (g *gap) snapshot(snap *snapshot.Codec, apart slotSet) {
	snapshotExit(snap, &g.row)
	snapshotExit(snap, &g.end)
	snap.Bool(&g.begun)
	snap.Bool(&g.never)
	g.held.snapshot(snap, apart)
	snapshotHeld(snap, &g.past, apart)
}

func (o *waitingIntervals) snapshot(snap *snapshot.Codec, apart slotSet) {
	snapshotHeld(snap, &o.held, apart)
	snapshotHeld(snap, &o.newer, apart)
}

func (n *guardedUntil) snapshot(snap *snapshot.Codec) {
	n.untilState.snapshot(snap)
	snapshotIntervals(snap, &n.core.intervals)
	n.close.snapshot(snap)
	snapshotIntervals(snap, &n.open)
	n.forFutureTasks.snapshot(snap, n.apart)
	latent := n.latent.values
	snapshot.Slice(snap, &latent, func(l *intervalPair) {
		snapshotInterval(snap, &l.held)
		snapshotInterval(snap, &l.goal)
	})
	if snap.Reading() && snap.Err() == nil {
		for _, l := range latent {
			n.keepPair(l)
		}
	}
	snapshot.Map(snap, &n.needed, cmp.Compare, func(t *san.Task) { snapshot.Int(snap, t) }, snap.Bool)
}

func (n *guardedNext) snapshot(snap *snapshot.Codec) {
	snapshotIntervals(snap, &n.core)
	n.gaps.snapshot(snap, n.apart)
	snapshot.Slice(snap, &n.ends, func(ends *[]*rowEnd) {
		snapshot.Slice(snap, ends, func(e **rowEnd) {
			snapshot.Pointer(snap, e, func(e *rowEnd) {
				snapshotExit(snap, &e.exit)
				e.taskPoll.snapshot(snap)
			})
		})
	})
	snapshot.Slice(snap, &n.pending, func(p **leastSlice) {
		snapshot.Pointer(snap, p, func(p *leastSlice) {
			snapshotInterval(snap, &p.openInterval)
			snapshotExit(snap, &p.entry)
			p.taskPoll.snapshot(snap)
		})
	})
	snapshotHeld(snap, &n.forFutureTasks, n.apart)
}

func (r *taskPoll) snapshot(snap *snapshot.Codec) {
	snapshot.Int(snap, &r.task)
	snapshot.Int(snap, &r.seen)
}

func (n *window) snapshot(snap *snapshot.Codec) {
	for l := range n.runs {
		snapshot.Slice(snap, &n.runs[l], func(rs *[]truthRun) {
			snapshot.Slice(snap, rs, func(r *truthRun) {
				snapshot.Int(snap, &r.from)
				snapshot.Int(snap, &r.to)
				snapshot.Int(snap, &r.truth)
			})
		})
	}
	snapshot.Slice(snap, &n.nextEvents, func(x **exit) { snapshotExit(snap, x) })
	snapshot.Map(snap, &n.passedOn, cmp.Compare, snap.String, snap.Bool)
	snapshotCut(snap, &n.frontier)
	snap.Bool(&n.decided)
}

// snapshotHeld writes or restores open intervals by key. The keys are not stored, because they
// differ in every process.
func snapshotHeld(snap *snapshot.Codec, held *orderedMap[*openInterval], apart slotSet) {
	intervals := held.values
	snapshotIntervals(snap, &intervals)
	if snap.Reading() && snap.Err() == nil {
		for _, p := range intervals {
			held.put(apart.key(p), p)
		}
	}
}

func snapshotIntervals(snap *snapshot.Codec, ps *[]*openInterval) {
	snapshot.Slice(snap, ps, func(p **openInterval) { snapshotInterval(snap, p) })
}

func snapshotInterval(snap *snapshot.Codec, p **openInterval) {
	snapshot.Pointer(snap, p, func(p *openInterval) { p.snapshot(snap) })
}

func (p *openInterval) snapshot(snap *snapshot.Codec) {
	snapshotTasks(snap, &p.tiva)
	snapshotCut(snap, &p.low)
	snapshot.Slice(snap, &p.out, func(x **exit) { snapshotExit(snap, x) })
	snapshot.Slice(snap, &p.obligations, func(d *obligation) { snapshotObligation(snap, d) })
	snapshot.Int(snap, &p.firstState)
	snap.Bool(&p.hasInitial)
	snapshot.Int(snap, &p.turn)
}

func snapshotTasks(snap *snapshot.Codec, ts *[]san.Task) {
	snapshot.Slice(snap, ts, func(t *san.Task) { snapshot.Int(snap, t) })
}

func snapshotCut(snap *snapshot.Codec, low *cut) {
	snapshot.Slice(snap, low, func(x *san.Action) { snapshotAction(snap, x) })
}

func snapshotAction(snap *snapshot.Codec, x *san.Action) {
	snapshot.Int(snap, &x.Task)
	snapshot.Int(snap, &x.K)
}

func snapshotExit(snap *snapshot.Codec, p **exit) {
	snapshot.Pointer(snap, p, func(x *exit) {
		snapshotAction(snap, &x.action)
		snap.Bool(&x.happened)
		snap.Bool(&x.never)
		snapshot.Int(snap, &x.turn)
	})
}

// snapshotObligation writes or restores an obligation, of either kind.
func snapshotObligation(snap *snapshot.Codec, d *obligation) {
	c, climbs := (*d).(stepsObligation)
	if l, ok := (*d).(laterObligation); ok {
		c.interval = l.interval
	}
	snap.Bool(&climbs)
	snapshotInterval(snap, &c.interval)
	if climbs {
		snapshotCut(snap, &c.lost)
		snapshot.Int(snap, &c.n)
		*d = c
	} else {
		*d = laterObligation{c.interval}
	}
}
