package san

import (
	"cmp"

	"github.com/antichain-go/antichain/internal/snapshot"
)

// The state of a builder that has not sealed its net, field by field: one that is read from it goes on
// as that would have.

// Archive writes the state of the builder, which goes on. A builder that has been told a position's
// source asks it for none: an event that waits keeps what it said.
func (b *Builder) Archive(a *snapshot.Archive) { b.archive(a) }

// ReadBuilder returns a builder in the state that an archive holds, with the same net.
func ReadBuilder(a *snapshot.Archive) (*Builder, error) {
	b := &Builder{n: &Net{}}
	b.archive(a)
	if err := a.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *Builder) archive(a *snapshot.Archive) {
	b.n.archive(a)
	if a.Err() != nil {
		return
	}
	snapshot.Int(a, &b.limit)
	a.Bool(&b.mutual)
	snapshot.Slice(a, &b.readers, func(r *reader) { r.archive(a) })
	snapshot.Int(a, &b.waiting)
	snapshot.Uint(a, &b.seq)
	snapshot.Map(a, &b.blocked, compareRefs, func(x *ref) { x.archive(a) }, func(hs *[]handle) {
		snapshot.Slice(a, hs, func(h *handle) { snapshot.Int(a, h) })
	})
	snapshot.Map(a, &b.groups, compareRefs, func(x *ref) { x.archive(a) }, func(g **group) {
		snapshot.Pointer(a, g, func(g *group) { g.archive(a) })
	})
	snapshot.Map(a, &b.late, compareRefs, func(x *ref) { x.archive(a) }, func(w *waiter) { w.archive(a) })
	snapshot.Int(a, &b.credit)
	a.Bool(&b.unsound)
	snapshot.Map(a, &b.gone, cmp.Compare, func(h *uint64) { snapshot.Uint(a, h) }, func(*struct{}) {})
	if a.Reading() {
		b.numberSites()
	}
}

func compareRefs(x, y ref) int { return cmp.Or(cmp.Compare(x.h, y.h), cmp.Compare(x.k, y.k)) }

func (x *ref) archive(a *snapshot.Archive) {
	snapshot.Int(a, &x.h)
	snapshot.Int(a, &x.k)
}

func (w *waiter) archive(a *snapshot.Archive) {
	a.String(&w.pos)
	snapshot.Uint(a, &w.seq)
}

func (r *reader) archive(a *snapshot.Archive) {
	snapshot.Slice(a, &r.stack, func(c *call) {
		snapshot.Uint(a, &c.function)
		snapshot.Uint(a, &c.phase)
	})
	snapshot.Uint(a, &r.knows)
	snapshot.Int(a, &r.avail)
	a.Bool(&r.halted)
	snapshot.Int(a, &r.wanted)
	snapshot.Slice(a, &r.named, func(k *int32) { snapshot.Int(a, k) })
	snapshot.Int(a, &r.sorted)
	snapshot.Slice(a, &r.queue, func(w *waiter) { w.archive(a) })
}

func (g *group) archive(a *snapshot.Archive) {
	var sides []ref
	if !a.Reading() {
		sides = g.sides
	}
	snapshot.Slice(a, &sides, func(x *ref) { x.archive(a) })
	snapshot.Int(a, &g.arrived)
	snapshot.Int(a, &g.id)
	if a.Reading() {
		for _, x := range sides {
			g.add(x)
		}
	}
}

func (n *Net) archive(a *snapshot.Archive) {
	if a.Header(&n.header); a.Err() != nil {
		return
	}
	n.names.archive(a)
	snapshot.Slice(a, &n.handles, func(t **task) { snapshot.Pointer(a, t, func(t *task) { t.archive(a) }) })
	snapshot.Slice(a, &n.tasks, func(t **task) { snapshot.Pointer(a, t, func(t *task) { t.archive(a) }) })
	n.strs.archive(a)
	n.vars.archive(a)
	snapshot.Slice(a, &n.sites, func(s *site) {
		for _, id := range []*uint32{&s.op, &s.at, &s.enter, &s.exit} {
			snapshot.Uint(a, id)
		}
	})
	snapshot.Slice(a, &n.values, a.Value)
	snapshot.Int(a, &n.weight)
	n.clocks.archive(a)
	snapshot.Slice(a, &n.sides, func(x *ref) { x.archive(a) })
	snapshot.Slice(a, &n.starts, func(i *uint32) { snapshot.Uint(a, i) })
	snapshot.Slice(a, &n.order, func(t *Task) { snapshot.Int(a, t) })
	snapshot.Slice(a, &n.shared, func(s *shared) { s.archive(a) })
	snapshot.Int(a, &n.actions)
	a.Bool(&n.forgetful)
	a.Bool(&n.calls)
	snapshot.Int(a, &n.lost)
	snapshot.Int(a, &n.unsettled)
	if !a.Reading() {
		return
	}
	n.growing = true
	n.sharedOf = make(map[uint32]int32, len(n.shared))
	for i := range n.shared {
		n.sharedOf[n.vars.id(n.shared[i].name)] = int32(i)
	}
}

func (in *interner) archive(a *snapshot.Archive) {
	if snapshot.Slice(a, &in.strs, a.String); !a.Reading() {
		return
	}
	strs := in.strs
	*in = newInterner(strs...)
	if len(in.strs) != len(strs) {
		a.Fail("a string stands twice")
	}
}

func (t *task) archive(a *snapshot.Archive) {
	a.String(&t.name)
	snapshot.Int(a, &t.rank)
	a.Bool(&t.initial)
	a.Bool(&t.ended)
	t.spawner.archive(a)
	snapshot.Uint(a, &t.birth)
	snapshot.Pointer(a, &t.start, func(s *beginning) { s.archive(a) })
	snapshot.Slice(a, &t.records, func(r *record) {
		for _, id := range []*uint32{&r.site, &r.obj, (*uint32)(&r.clock), &r.more} {
			snapshot.Uint(a, id)
		}
	})
	snapshot.Slice(a, &t.words, func(w *uint32) { snapshot.Uint(a, w) })
	snapshot.Slice(a, &t.joints, func(j *jointAt) {
		snapshot.Int(a, &j.k)
		snapshot.Uint(a, &j.id)
	})
	snapshot.Int(a, &t.done)
}

func (s *beginning) archive(a *snapshot.Archive) {
	snapshot.Int(a, &s.skipped)
	snapshot.Slice(a, &s.frames, func(f *frame) {
		snapshot.Uint(a, &f.function)
		snapshot.Uint(a, &f.phase)
		f.vars.archive(a)
	})
	s.own.archive(a)
	a.String(&s.place)
	snapshot.Int(a, &s.parent)
	a.String(&s.creator)
	for _, text := range []*string{&s.origin.Op, &s.origin.Obj, &s.origin.At, &s.origin.Enter, &s.origin.Exit} {
		a.String(text)
	}
}

func (s *scope) archive(a *snapshot.Archive) {
	var slots []slot
	if !a.Reading() {
		slots = s.slots
	}
	snapshot.Slice(a, &slots, func(v *slot) {
		snapshot.Uint(a, &v.name)
		a.Value(&v.value[0])
	})
	if a.Reading() {
		for _, v := range slots {
			s.bind(v.name, v.value[0])
		}
	}
}

func (c *clocks) archive(a *snapshot.Archive) {
	snapshot.Uint(a, &c.size)
	snapshot.Slice(a, &c.chunks, func(chunk *[]clockNode) {
		snapshot.Slice(a, chunk, func(n *clockNode) {
			for i := range n.slots {
				snapshot.Uint(a, &n.slots[i])
			}
			snapshot.Int(a, &n.by.Task)
			snapshot.Int(a, &n.by.K)
		})
	})
	snapshot.Slice(a, &c.grown, func(size *uint32) { snapshot.Uint(a, size) })
}

func (v *shared) archive(a *snapshot.Archive) {
	a.String(&v.name)
	a.Value(&v.initial)
	snapshot.Slice(a, &v.writers, func(w *writer) {
		snapshot.Int(a, &w.h)
		snapshot.Slice(a, &w.writes, func(x *write) {
			snapshot.Int(a, &x.k)
			snapshot.Uint(a, &x.word)
		})
	})
	if a.Reading() {
		v.byTask = make(map[handle]int, len(v.writers))
		for i, w := range v.writers {
			v.byTask[w.h] = i
		}
	}
}
