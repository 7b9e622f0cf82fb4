package san

import (
	"cmp"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// The state of a builder that has not sealed its net, field by field. A builder restored from it
// behaves as the original would.

// RestoreBuilder returns a builder, with its net, in the state of a snapshot.
func RestoreBuilder(snap *snapshot.Codec) (*Builder, error) {
	b := &Builder{n: &Net{}}
	b.Snapshot(snap)
	if err := snap.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

// Snapshot writes the state of the builder, which can continue; only RestoreBuilder reads one. The
// snapshot has no Positioner: waiting events keep their positions as text.
func (b *Builder) Snapshot(snap *snapshot.Codec) {
	b.n.snapshot(snap)
	if snap.Err() != nil {
		return
	}
	snapshot.Int(snap, &b.limit)
	snap.Bool(&b.mutual)
	snapshot.Slice(snap, &b.readers, func(r *reader) { r.snapshot(snap) })
	snapshot.Int(snap, &b.waiting)
	snapshot.Uint(snap, &b.seq)
	eachRef := func(x *ref) { x.snapshot(snap) }
	snapshot.Map(snap, &b.blocked, compareRefs, eachRef, func(hs *[]handle) {
		snapshot.Slice(snap, hs, func(h *handle) { snapshot.Int(snap, h) })
	})
	snapshot.Map(snap, &b.groups, compareRefs, eachRef, func(g **group) {
		snapshot.Pointer(snap, g, func(g *group) { g.snapshot(snap) })
	})
	snapshot.Map(snap, &b.late, compareRefs, eachRef, func(w *waiter) { w.snapshot(snap) })
	snapshot.Int(snap, &b.credit)
	snap.Bool(&b.gaveUpCycle)
	snapshot.Map(snap, &b.forgotten, cmp.Compare, func(h *uint64) { snapshot.Uint(snap, h) }, func(events *int64) {
		if snap.Reading() {
			*events = unknownEvents
		}
	})
	snapshot.Map(snap, &b.standIns, cmp.Compare, func(h *uint64) { snapshot.Uint(snap, h) }, func(x *event.Ref) {
		snap.String(&x.Task)
		snapshot.Int(snap, &x.K)
	})
	if snap.Reading() {
		b.numberSites()
	}
}

// SnapshotPrevious writes the previous local states that are kept, or restores them in a builder
// that RestoreBuilder has returned. It does nothing if no path asks for previous values: they are
// apart from the rest, which can be read by versions that do not know them.
func (b *Builder) SnapshotPrevious(snap *snapshot.Codec) {
	if !b.n.looksBack {
		return
	}
	earlier := func(m *moment) {
		snapshot.Pointer(snap, &m.earlier, func(c *content) { c.snapshot(snap) })
	}
	for _, t := range b.n.handles {
		if t.start != nil {
			earlier(&t.start.moment)
		}
		for i := range t.jumps {
			earlier(&t.jumps[i].moment)
		}
	}
}

func compareRefs(x, y ref) int { return cmp.Or(cmp.Compare(x.h, y.h), cmp.Compare(x.k, y.k)) }

func (x *ref) snapshot(snap *snapshot.Codec) {
	snapshot.Int(snap, &x.h)
	snapshot.Int(snap, &x.k)
}

func (w *waiter) snapshot(snap *snapshot.Codec) {
	snap.String(&w.pos)
	snapshot.Uint(snap, &w.seq)
}

func (r *reader) snapshot(snap *snapshot.Codec) {
	snapshot.Slice(snap, &r.stack, func(c *call) {
		snapshot.Uint(snap, &c.function)
		snapshot.Uint(snap, &c.phase)
	})
	snapshot.Uint(snap, &r.knows)
	snapshot.Int(snap, &r.avail)
	snap.Bool(&r.halted)
	snapshot.Int(snap, &r.lastReferenced)
	snapshot.Slice(snap, &r.named, func(k *int32) { snapshot.Int(snap, k) })
	snapshot.Int(snap, &r.sorted)
	snapshot.Slice(snap, &r.queue, func(w *waiter) { w.snapshot(snap) })
}

func (g *group) snapshot(snap *snapshot.Codec) {
	var sides []ref
	if !snap.Reading() {
		sides = g.sides
	}
	snapshot.Slice(snap, &sides, func(x *ref) { x.snapshot(snap) })
	snapshot.Int(snap, &g.arrived)
	snapshot.Int(snap, &g.id)
	if snap.Reading() {
		for _, x := range sides {
			g.add(x)
		}
	}
}

func (n *Net) snapshot(snap *snapshot.Codec) {
	if snap.Header(&n.header); snap.Err() != nil {
		return
	}
	n.names.snapshot(snap)
	snapshot.Slice(snap, &n.handles, func(t **task) { snapshot.Pointer(snap, t, func(t *task) { t.snapshot(snap) }) })
	snapshot.Slice(snap, &n.tasks, func(t **task) { snapshot.Pointer(snap, t, func(t *task) { t.snapshot(snap) }) })
	n.strs.snapshot(snap)
	n.vars.snapshot(snap)
	snapshot.Slice(snap, &n.sites, func(s *site) {
		for _, id := range []*uint32{&s.op, &s.at, &s.enter, &s.exit} {
			snapshot.Uint(snap, id)
		}
	})
	snapshot.Slice(snap, &n.values, snap.Value)
	snapshot.Int(snap, &n.weight)
	n.clocks.snapshot(snap)
	snapshot.Slice(snap, &n.sides, func(x *ref) { x.snapshot(snap) })
	snapshot.Slice(snap, &n.starts, func(i *uint32) { snapshot.Uint(snap, i) })
	snapshot.Slice(snap, &n.order, func(t *Task) { snapshot.Int(snap, t) })
	snapshot.Slice(snap, &n.shared, func(s *sharedVariable) { s.snapshot(snap) })
	snapshot.Int(snap, &n.actions)
	snap.Bool(&n.hasForgotten)
	snap.Bool(&n.entersFunctions)
	snapshot.Int(snap, &n.lost)
	snapshot.Int(snap, &n.unsettled)
	if !snap.Reading() {
		return
	}
	n.growing = true
	n.sharedOf = make(map[uint32]int32, len(n.shared))
	for i := range n.shared {
		n.sharedOf[n.vars.id(n.shared[i].name)] = int32(i)
	}
}

func (in *interner) snapshot(snap *snapshot.Codec) {
	if snapshot.Slice(snap, &in.strs, snap.String); !snap.Reading() {
		return
	}
	strs := in.strs
	*in = newInterner(strs...)
	if len(in.strs) != len(strs) {
		snap.Fail("a string stands twice")
	}
}

func (t *task) snapshot(snap *snapshot.Codec) {
	snap.String(&t.name)
	snapshot.Int(snap, &t.rank)
	snap.Bool(&t.initial)
	snap.Bool(&t.ended)
	t.spawner.snapshot(snap)
	snapshot.Uint(snap, &t.initialClock)
	snapshot.Pointer(snap, &t.start, func(s *beginning) { s.snapshot(snap) })
	snapshot.Slice(snap, &t.jumps, func(j *jump) { j.snapshot(snap) })
	snapshot.Slice(snap, &t.records, func(r *record) {
		for _, id := range []*uint32{&r.site, &r.obj, (*uint32)(&r.clock), &r.more} {
			snapshot.Uint(snap, id)
		}
	})
	snapshot.Slice(snap, &t.words, func(w *uint32) { snapshot.Uint(snap, w) })
	snapshot.Slice(snap, &t.joints, func(j *jointAt) {
		snapshot.Int(snap, &j.k)
		snapshot.Uint(snap, &j.id)
	})
	snapshot.Int(snap, &t.done)
}

func (s *beginning) snapshot(snap *snapshot.Codec) {
	snapshot.Int(snap, &s.skipped)
	s.content.snapshot(snap)
	snap.String(&s.place)
	snapshot.Int(snap, &s.parent)
	snap.String(&s.creator)
	for _, text := range []*string{&s.origin.Op, &s.origin.Obj, &s.origin.At, &s.origin.Enter, &s.origin.Exit} {
		snap.String(text)
	}
}

func (c *content) snapshot(snap *snapshot.Codec) {
	snapshot.Slice(snap, &c.frames, func(f *frame) {
		snapshot.Uint(snap, &f.function)
		snapshot.Uint(snap, &f.phase)
		f.vars.snapshot(snap)
	})
	c.own.snapshot(snap)
}

func (j *jump) snapshot(snap *snapshot.Codec) {
	snapshot.Int(snap, &j.k)
	snapshot.Int(snap, &j.last)
	j.content.snapshot(snap)
}

func (s *scope) snapshot(snap *snapshot.Codec) {
	var slots []slot
	if !snap.Reading() {
		slots = s.slots
	}
	snapshot.Slice(snap, &slots, func(v *slot) {
		snapshot.Uint(snap, &v.name)
		snap.Value(&v.value[0])
	})
	if snap.Reading() {
		for _, v := range slots {
			s.bind(v.name, v.value[0])
		}
	}
}

func (c *clocks) snapshot(snap *snapshot.Codec) {
	snapshot.Uint(snap, &c.size)
	words := func(ws *[]uint32) {
		snapshot.Slice(snap, ws, func(w *uint32) { snapshot.Uint(snap, w) })
	}
	snapshot.Slice(snap, &c.chunks, words)
	snapshot.Slice(snap, &c.floors, words)
	words(&c.excess)
	snapshot.Slice(snap, &c.grown, func(size *uint32) { snapshot.Uint(snap, size) })
}

func (v *sharedVariable) snapshot(snap *snapshot.Codec) {
	snap.String(&v.name)
	snap.Value(&v.initial)
	snapshot.Slice(snap, &v.writers, func(w *writer) {
		snapshot.Int(snap, &w.h)
		snapshot.Slice(snap, &w.writes, func(x *write) {
			snapshot.Int(snap, &x.k)
			snapshot.Uint(snap, &x.word)
		})
	})
	if snap.Reading() {
		v.byTask = make(map[handle]int, len(v.writers))
		for i, w := range v.writers {
			v.byTask[w.h] = i
		}
	}
}
