package reorder

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// Shadow is the memory of a tracer without room for all accesses: it stores for each variable the
// last write, and of some tasks the last read since. A write replaces the accesses before it. The
// next write reports that accesses were dropped for lack of room.
type Shadow struct {
	Room int // for accesses to a variable

	kept    [variables][]int // accesses to each variable, the first one first
	dropped [variables]bool
}

// Ops is Run.Ops for the next event, restricted to conflicts that the shadow remembers.
func (s *Shadow) Ops(t *rapid.T, r *Run, i int) []op.Op {
	e := &r.Events[i]
	if !e.IsAccess() {
		return r.Ops(i)
	}
	ops := r.ops(i, s.kept[e.Obj])
	for j := range ops {
		ops[j].OtherAlone = false
	}
	if e.Kind == op.Write && s.dropped[e.Obj] {
		s.dropped[e.Obj] = false
		_, _, data := r.Before(i)
		ops = append(ops, op.Op{Kind: op.Overwrite, Task: op.Task(e.Task), Other: op.NoTask, Want: op.Write,
			Data: r.Clock(data), Access: op.Access{Moment: e.K}})
	}
	s.keep(t, r, i)
	return ops
}

// keep stores an access in place of those that it replaces, or of some read.
func (s *Shadow) keep(t *rapid.T, r *Run, i int) {
	e := &r.Events[i]
	kept := &s.kept[e.Obj]
	*kept = slices.DeleteFunc(*kept, func(j int) bool {
		return e.Kind == op.Write || r.Events[j].Instr == e.Instr && r.Events[j].Task == e.Task
	})
	if len(*kept) == s.Room {
		at := rapid.IntRange(0, len(*kept)-1).Draw(t, "dropped")
		*kept = slices.Delete(*kept, at, at+1)
		s.dropped[e.Obj] = true
	}
	*kept = append(*kept, i)
}
