package san

import (
	"cmp"

	"github.com/antichain-go/antichain/internal/archive"
)

// The state of a builder that has not sealed its net, field by field: one that is read from it goes on
// as that would have.

// Archive writes the state of the builder, which goes on. A builder that has been told a position's
// source asks it for none: an event that waits keeps what it said.
func (b *Builder) Archive(a *archive.Archive) { b.archive(a) }

// ReadBuilder returns a builder in the state that an archive holds, with the same net.
func ReadBuilder(a *archive.Archive) (*Builder, error) {
	b := &Builder{n: &Net{}}
	b.archive(a)
	if err := a.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *Builder) archive(a *archive.Archive) {
	b.n.archive(a)
	if a.Err() != nil {
		return
	}
	archive.Int(a, &b.limit)
	a.Bool(&b.mutual)
	archive.Slice(a, &b.readers, func(r *reader) { r.archive(a) })
	archive.Int(a, &b.waiting)
	archive.Uint(a, &b.seq)
	archive.Map(a, &b.blocked, compareRefs, func(x *ref) { x.archive(a) }, func(hs *[]handle) {
		archive.Slice(a, hs, func(h *handle) { archive.Int(a, h) })
	})
	archive.Map(a, &b.groups, compareRefs, func(x *ref) { x.archive(a) }, func(g **group) {
		archive.Pointer(a, g, func(g *group) { g.archive(a) })
	})
	archive.Map(a, &b.late, compareRefs, func(x *ref) { x.archive(a) }, func(w *waiter) { w.archive(a) })
	archive.Int(a, &b.credit)
	a.Bool(&b.unsound)
	archive.Map(a, &b.gone, cmp.Compare, func(h *uint64) { archive.Uint(a, h) }, func(*struct{}) {})
	if a.Reading() {
		b.numberSites()
	}
}

func compareRefs(x, y ref) int { return cmp.Or(cmp.Compare(x.h, y.h), cmp.Compare(x.k, y.k)) }

func (x *ref) archive(a *archive.Archive) {
	archive.Int(a, &x.h)
	archive.Int(a, &x.k)
}

func (w *waiter) archive(a *archive.Archive) {
	a.String(&w.pos)
	archive.Uint(a, &w.seq)
}

func (r *reader) archive(a *archive.Archive) {
	archive.Slice(a, &r.stack, func(c *call) {
		archive.Uint(a, &c.function)
		archive.Uint(a, &c.phase)
	})
	archive.Uint(a, &r.knows)
	archive.Int(a, &r.avail)
	a.Bool(&r.halted)
	archive.Int(a, &r.wanted)
	archive.Slice(a, &r.named, func(k *int32) { archive.Int(a, k) })
	archive.Int(a, &r.sorted)
	archive.Slice(a, &r.queue, func(w *waiter) { w.archive(a) })
}

func (g *group) archive(a *archive.Archive) {
	var sides []ref
	if !a.Reading() {
		sides = g.sides
	}
	archive.Slice(a, &sides, func(x *ref) { x.archive(a) })
	archive.Int(a, &g.arrived)
	archive.Int(a, &g.id)
	if a.Reading() {
		for _, x := range sides {
			g.add(x)
		}
	}
}

func (n *Net) archive(a *archive.Archive) {
	if a.Header(&n.header); a.Err() != nil {
		return
	}
	n.names.archive(a)
	archive.Slice(a, &n.handles, func(t **task) { archive.Pointer(a, t, func(t *task) { t.archive(a) }) })
	archive.Slice(a, &n.tasks, func(t **task) { archive.Pointer(a, t, func(t *task) { t.archive(a) }) })
	n.strs.archive(a)
	n.vars.archive(a)
	archive.Slice(a, &n.sites, func(s *site) {
		for _, id := range []*uint32{&s.op, &s.at, &s.enter, &s.exit} {
			archive.Uint(a, id)
		}
	})
	archive.Slice(a, &n.values, a.Value)
	archive.Int(a, &n.weight)
	n.clocks.archive(a)
	archive.Slice(a, &n.sides, func(x *ref) { x.archive(a) })
	archive.Slice(a, &n.starts, func(i *uint32) { archive.Uint(a, i) })
	archive.Slice(a, &n.order, func(t *Task) { archive.Int(a, t) })
	archive.Slice(a, &n.shared, func(s *shared) { s.archive(a) })
	archive.Int(a, &n.actions)
	a.Bool(&n.forgetful)
	a.Bool(&n.calls)
	archive.Int(a, &n.lost)
	archive.Int(a, &n.unsettled)
	if !a.Reading() {
		return
	}
	n.growing = true
	n.sharedOf = make(map[uint32]int32, len(n.shared))
	for i := range n.shared {
		n.sharedOf[n.vars.id(n.shared[i].name)] = int32(i)
	}
}

func (in *interner) archive(a *archive.Archive) {
	if archive.Slice(a, &in.strs, a.String); !a.Reading() {
		return
	}
	strs := in.strs
	*in = newInterner(strs...)
	if len(in.strs) != len(strs) {
		a.Fail("a string stands twice")
	}
}

func (t *task) archive(a *archive.Archive) {
	a.String(&t.name)
	archive.Int(a, &t.rank)
	a.Bool(&t.initial)
	a.Bool(&t.ended)
	t.spawner.archive(a)
	archive.Uint(a, &t.birth)
	archive.Pointer(a, &t.start, func(s *beginning) { s.archive(a) })
	archive.Slice(a, &t.records, func(r *record) {
		for _, id := range []*uint32{&r.site, &r.obj, (*uint32)(&r.clock), &r.more} {
			archive.Uint(a, id)
		}
	})
	archive.Slice(a, &t.words, func(w *uint32) { archive.Uint(a, w) })
	archive.Slice(a, &t.joints, func(j *jointAt) {
		archive.Int(a, &j.k)
		archive.Uint(a, &j.id)
	})
	archive.Int(a, &t.done)
}

func (s *beginning) archive(a *archive.Archive) {
	archive.Int(a, &s.skipped)
	archive.Slice(a, &s.frames, func(f *frame) {
		archive.Uint(a, &f.function)
		archive.Uint(a, &f.phase)
		f.vars.archive(a)
	})
	s.own.archive(a)
	a.String(&s.place)
	archive.Int(a, &s.parent)
	a.String(&s.creator)
	for _, text := range []*string{&s.origin.Op, &s.origin.Obj, &s.origin.At, &s.origin.Enter, &s.origin.Exit} {
		a.String(text)
	}
}

func (s *scope) archive(a *archive.Archive) {
	var slots []slot
	if !a.Reading() {
		slots = s.slots
	}
	archive.Slice(a, &slots, func(v *slot) {
		archive.Uint(a, &v.name)
		a.Value(&v.value[0])
	})
	if a.Reading() {
		for _, v := range slots {
			s.bind(v.name, v.value[0])
		}
	}
}

func (c *clocks) archive(a *archive.Archive) {
	archive.Uint(a, &c.size)
	archive.Slice(a, &c.chunks, func(chunk *[]clockNode) {
		archive.Slice(a, chunk, func(n *clockNode) {
			for i := range n.slots {
				archive.Uint(a, &n.slots[i])
			}
			archive.Int(a, &n.by.Task)
			archive.Int(a, &n.by.K)
		})
	})
	archive.Slice(a, &c.grown, func(size *uint32) { archive.Uint(a, size) })
}

func (v *shared) archive(a *archive.Archive) {
	a.String(&v.name)
	a.Value(&v.initial)
	archive.Slice(a, &v.writers, func(w *writer) {
		archive.Int(a, &w.h)
		archive.Slice(a, &w.writes, func(x *write) {
			archive.Int(a, &x.k)
			archive.Uint(a, &x.word)
		})
	})
	if a.Reading() {
		v.byTask = make(map[handle]int, len(v.writers))
		for i, w := range v.writers {
			v.byTask[w.h] = i
		}
	}
}
